import * as z from 'zod/mini';
import { buildDataStack } from '../build-app.ts';
import { type Environment, stackName } from '../environments.ts';

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

/** What the template says of a table, as far as a restored one does not have it by itself. */
const tableProperties = z.object({
  KeySchema: keySchema,
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N']) })),
  TimeToLiveSpecification: z.optional(z.object({ AttributeName: z.string(), Enabled: z.boolean() })),
  StreamSpecification: z.optional(z.object({ StreamViewType: z.enum(['NEW_IMAGE']) })),
  SSESpecification: z.object({ SSEEnabled: z.boolean(), SSEType: z.enum(['KMS']) }),
  Replicas: z.tuple([
    z.object({
      DeletionProtectionEnabled: z._default(z.boolean(), false),
      PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }),
    }),
  ]),
});

/** One table of an environment, and how it is restored. */
export type TablePlan = ReturnType<typeof tablePlans>[number];

/** What CloudFormation appends to the name of the stack and the logical id. */
const generatedSuffix = /^(-[A-Z0-9]+)?$/;

/** The tables of an environment, from the template of its data stack, and what each becomes when they are restored. */
export function tablePlans(environment: Environment, to: Date) {
  const { app, data } = buildDataStack(environment);
  const stack = stackName(environment.name, 'data');
  const { template, tags } = app.synth().getStackByName(stack);
  const { Resources } = z.parse(
    z.object({ Resources: z.record(z.string(), z.object({ Properties: z.unknown() })) }),
    template,
  );
  const time = to.toISOString().replace(/[-:]|\.\d+/g, '');
  return Object.values(data.tables).map(({ design, logicalId }) => {
    const current = environment.restoredTables?.[design.name]?.tableName;
    const generated = `${stack}-${logicalId}`;
    return {
      name: design.name,
      /** Whether its data is restored; a transient table begins empty. */
      isRestored: design.kind === 'business',
      /** Whether a table with this physical name is the one that the environment uses. */
      isSource: (tableName: string): boolean =>
        current === undefined
          ? tableName.startsWith(generated) && generatedSuffix.test(tableName.slice(generated.length))
          : tableName === current,
      /** Name of the table that takes its place: of the environment, the design, and the time, so that a repeat finds it. */
      target: `insurance-compliance-${environment.name}-${design.name}-${time}`,
      properties: z.parse(tableProperties, Resources[logicalId]?.Properties),
      /** Tags of the stack, which CloudFormation gives to its tables. */
      tags,
    };
  });
}
