// What is restored: the tables of an environment, and what each is restored from.
import {
  type BackupSummary,
  DescribeContinuousBackupsCommand,
  type DynamoDBClient,
  ListBackupsCommand,
  paginateListTables,
} from '@aws-sdk/client-dynamodb';
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

/** What a table is restored from: the table itself, or the backup that DynamoDB made when it was deleted. */
export type Source =
  | { readonly tableName: string }
  | { readonly tableName: string; readonly backupArn: string; readonly deletedAt: Date };

/** What an account has that tables can be restored from. */
type Account = Awaited<ReturnType<typeof readAccount>>;

/** Names of all tables, and the backups of deleted ones, which DynamoDB keeps for 35 days. */
export async function readAccount(client: DynamoDBClient) {
  const tables: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) tables.push(...TableNames);
  const summaries: BackupSummary[] = [];
  let start: string | undefined;
  do {
    const { BackupSummaries = [], LastEvaluatedBackupArn } = await client.send(
      new ListBackupsCommand({
        BackupType: 'SYSTEM',
        ...(start === undefined ? {} : { ExclusiveStartBackupArn: start }),
      }),
    );
    summaries.push(...BackupSummaries);
    start = LastEvaluatedBackupArn;
  } while (start !== undefined);
  const deleted = summaries.flatMap(({ TableName, BackupArn, BackupCreationDateTime, BackupStatus }) =>
    TableName === undefined ||
    BackupArn === undefined ||
    BackupCreationDateTime === undefined ||
    BackupStatus !== 'AVAILABLE' ||
    tables.includes(TableName)
      ? []
      : [{ tableName: TableName, backupArn: BackupArn, deletedAt: BackupCreationDateTime }],
  );
  return { tables, deleted };
}

/**
 * What a table is restored from.
 *
 * @param chosen the physical name that the operator chose, for where several may be the environment's
 * @returns the source, or why there is none.
 */
export function sourceOf(plan: TablePlan, account: Account, chosen?: string): Source | string {
  const isSource = (tableName: string): boolean =>
    chosen === undefined ? plan.isSource(tableName) : tableName === chosen;
  const tables = account.tables.filter(isSource).map((tableName) => ({ tableName }));
  const [source, ...others] =
    tables.length > 0 ? tables : account.deleted.filter(({ tableName }) => isSource(tableName));
  if (source === undefined)
    return `${plan.name}: there is neither its table nor a backup from when it was deleted.`;
  if (others.length === 0) return source;
  const names = [source, ...others].map(({ tableName }) => tableName).join(', ');
  return `${plan.name}: several tables may be the one that is used: ${names}. Choose one: --source ${plan.name}=<table>.`;
}

/** Why a source cannot be restored to a time; undefined if it can. */
export async function restoreFault(
  { name }: TablePlan,
  source: Source,
  to: Date,
  client: DynamoDBClient,
): Promise<string | undefined> {
  if ('backupArn' in source) {
    const at = source.deletedAt.toISOString();
    if (to >= source.deletedAt) return undefined;
    return `${name}: ${source.tableName} was deleted at ${at}, and can only be restored as it was then. Restore all tables to that time or a later one; ask AWS Support about an earlier one.`;
  }
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: source.tableName }),
  );
  const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = recovery ?? {};
  if (recovery?.PointInTimeRecoveryStatus !== 'ENABLED' || earliest === undefined || latest === undefined) {
    return `${name}: ${source.tableName} has no point-in-time recovery.`;
  }
  if (earliest <= to && to <= latest) return undefined;
  return `${name}: ${source.tableName} can be restored from ${earliest.toISOString()} to ${latest.toISOString()}.`;
}
