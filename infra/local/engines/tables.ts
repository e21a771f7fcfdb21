import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { tableOf } from '../../../shared/platform/data/table.ts';
import type { TableDesign } from '../../../shared/platform/data/table-design.ts';
import { type Access, clientSettings } from '../aws/call.ts';
import { region } from '../template/physical-resources.ts';
import type { Resource } from '../template/template.ts';

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

const projection = z.strictObject({
  ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
  NonKeyAttributes: z.optional(z.array(z.string())),
});

/** The replica in the table's own region, and no other: the local run has one region. */
const replicas = z.tuple([
  z.strictObject({
    Region: z.literal(region),
    DeletionProtectionEnabled: z.optional(z.unknown()),
    // On-demand tables have no other settings of indexes here.
    GlobalSecondaryIndexes: z.optional(z.array(z.strictObject({ IndexName: z.string() }))),
    PointInTimeRecoverySpecification: z.optional(z.unknown()),
    Tags: z.optional(z.unknown()),
  }),
]);

/** Supported properties of a table, including those without an effect locally; others are refused. */
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
  Replicas: replicas,
  SSESpecification: z.optional(z.unknown()),
});

/** The engine's table for a table of the template. */
export function tablePlan(name: string, properties: unknown) {
  const table = z.parse(tableProperties, properties);
  const { KeySchema, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes } = table;
  const StreamSpecification = table.StreamSpecification && {
    StreamEnabled: true,
    ...table.StreamSpecification,
  };
  return {
    create: {
      TableName: name,
      KeySchema,
      AttributeDefinitions,
      BillingMode,
      GlobalSecondaryIndexes,
      StreamSpecification,
    } satisfies CreateTableCommandInput,
    timeToLive: table.TimeToLiveSpecification?.Enabled
      ? table.TimeToLiveSpecification.AttributeName
      : undefined,
  };
}

/** A table of the deployment, without the API and the permission check. */
export function tableIn<const Design extends TableDesign>(
  resources: readonly Resource[],
  design: Design,
  engine: Access,
) {
  const start = `${design.name.replaceAll('-', '')}Table`;
  const table = resources.find(({ logicalId }) => logicalId.startsWith(start));
  if (table === undefined) throw new Error(`The deployment has no table ${design.name}.`);
  return tableOf(design, new DynamoDBClient(clientSettings(engine)), table.ref);
}

/** Creates the tables of the deployment in the engine, except those that it has, as CloudFormation imports named ones. */
export async function createTables(resources: readonly Resource[], engine: Access): Promise<void> {
  const client = new DynamoDBClient(clientSettings(engine));
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  await Promise.all(
    resources.map(async (resource) => {
      if (TableNames.includes(resource.ref)) return;
      const { create, timeToLive } = tablePlan(resource.ref, resource.properties());
      await client.send(new CreateTableCommand(create));
      if (timeToLive === undefined) return;
      const TimeToLiveSpecification = { Enabled: true, AttributeName: timeToLive };
      await client.send(new UpdateTimeToLiveCommand({ TableName: resource.ref, TimeToLiveSpecification }));
    }),
  );
}
