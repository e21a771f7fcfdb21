import * as z from 'zod/mini';
import type { Resource } from './template.ts';

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

const projection = z.strictObject({
  ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
  NonKeyAttributes: z.optional(z.array(z.string())),
});

/** Properties of a table. Those without a meaning on this machine are named too: another one is refused. */
const tableProperties = z.strictObject({
  TableName: z.optional(z.string()),
  KeySchema: keySchema,
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: z.optional(
    z.array(z.strictObject({ IndexName: z.string(), KeySchema: keySchema, Projection: projection })),
  ),
  TimeToLiveSpecification: z.optional(z.strictObject({ AttributeName: z.string(), Enabled: z.boolean() })),
  StreamSpecification: z.optional(
    z.strictObject({
      StreamViewType: z.enum(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']),
    }),
  ),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  DeletionProtectionEnabled: z.optional(z.unknown()),
  PointInTimeRecoverySpecification: z.optional(z.unknown()),
  SSESpecification: z.optional(z.unknown()),
  Tags: z.optional(z.unknown()),
});

interface TablePlan {
  /** Input of CreateTable. */
  readonly create: { readonly TableName: string } & Readonly<Record<string, unknown>>;
  readonly timeToLive: string | undefined;
}

/** What the engine is asked for so that it has the table of the template. */
export function tablePlan(name: string, properties: unknown): TablePlan {
  const table = z.parse(tableProperties, properties);
  return {
    create: {
      TableName: name,
      KeySchema: table.KeySchema,
      AttributeDefinitions: table.AttributeDefinitions,
      BillingMode: table.BillingMode,
      GlobalSecondaryIndexes: table.GlobalSecondaryIndexes,
      StreamSpecification: table.StreamSpecification && { StreamEnabled: true, ...table.StreamSpecification },
    },
    timeToLive: table.TimeToLiveSpecification?.Enabled
      ? table.TimeToLiveSpecification.AttributeName
      : undefined,
  };
}

/** Creates the tables of the deployment in the engine. */
export async function createTables(resources: readonly Resource[], endpoint: string): Promise<void> {
  const call = async (operation: string, input: object): Promise<void> => {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        // The engine wants a signature to be there and does not check it.
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: JSON.stringify(input),
    });
    const told = await answer.text();
    if (!answer.ok) throw new Error(`${operation} failed: ${told}`);
  };
  await Promise.all(
    resources.map(async (resource) => {
      const { create, timeToLive } = tablePlan(resource.ref, resource.properties());
      await call('CreateTable', create);
      if (timeToLive === undefined) return;
      await call('UpdateTimeToLive', {
        TableName: resource.ref,
        TimeToLiveSpecification: { Enabled: true, AttributeName: timeToLive },
      });
    }),
  );
}
