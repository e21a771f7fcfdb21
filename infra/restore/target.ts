import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { Source, TablePlan } from './sources.ts';

/** Waits before it asks again whether a table is there. */
export type Wait = () => Promise<unknown>;

/** What DynamoDB says of a table; undefined if there is none. */
async function described(TableName: string, client: DynamoDBClient): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** A table that takes another one's place, from its creation to the day when it has all that the template says. */
export function createTarget(
  { name, target, properties, tags }: TablePlan,
  client: DynamoDBClient,
  wait: Wait,
) {
  const TableName = target;
  const [{ DeletionProtectionEnabled, PointInTimeRecoverySpecification }] = properties.Replicas;
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

  const describe = () => described(TableName, client);

  async function whenActive(): Promise<TableDescription> {
    for (;;) {
      const table = await describe();
      if (table === undefined) throw new Error(`${TableName} is gone.`);
      const indexes = table.GlobalSecondaryIndexes ?? [];
      const isDone =
        table.TableStatus === 'ACTIVE' &&
        table.RestoreSummary?.RestoreInProgress !== true &&
        indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE');
      if (isDone) return table;
      await wait();
    }
  }

  const update = async (change: Omit<UpdateTableCommandInput, 'TableName'>): Promise<TableDescription> => {
    await client.send(new UpdateTableCommand({ TableName, ...change }));
    return whenActive();
  };

  return {
    /** Why the table that has the name already is not what a repeat would find; undefined if it is, or if there is none. */
    async fault(source: Source | undefined, to: Date): Promise<string | undefined> {
      const table = await describe();
      if (table === undefined || source === undefined) return undefined;
      const summary = table.RestoreSummary;
      const isOfSource =
        'backupArn' in source
          ? summary?.SourceBackupArn === source.backupArn
          : summary?.SourceTableArn?.endsWith(`:table/${source.tableName}`) === true &&
            summary.RestoreDateTime?.getTime() === to.getTime();
      if (isOfSource) return undefined;
      return `${name}: ${TableName} exists, and is not ${source.tableName} as of ${to.toISOString()}. Delete it, or choose another time.`;
    },

    exists: async (): Promise<boolean> => (await describe()) !== undefined,

    /** Begins to restore it. */
    async restore(source: Source, to: Date): Promise<void> {
      const TargetTableName = TableName;
      if ('backupArn' in source) {
        const { backupArn: BackupArn } = source;
        await client.send(new RestoreTableFromBackupCommand({ BackupArn, TargetTableName }));
        return;
      }
      const { tableName: SourceTableName } = source;
      await client.send(
        new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, RestoreDateTime: to }),
      );
    },

    /** Creates it without items. */
    async create(): Promise<void> {
      const { KeySchema, AttributeDefinitions } = properties;
      const { SSEEnabled: Enabled, SSEType } = properties.SSESpecification;
      const SSESpecification = { Enabled, SSEType };
      const BillingMode = 'PAY_PER_REQUEST';
      await client.send(
        new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, SSESpecification, BillingMode }),
      );
    },

    /** Waits until it is there with all of its indexes, for hours if it has to. */
    whenActive,

    /** Sets what a restore leaves out, except the stream. */
    async applySettings(): Promise<void> {
      const table = await whenActive();
      if (PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled) {
        await client.send(
          new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }),
        );
      }
      const { TimeToLiveSpecification } = properties;
      // Unlike the others, it can't be enabled twice.
      const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
      if (
        TimeToLiveSpecification !== undefined &&
        !/^ENABL/.test(TimeToLiveDescription?.TimeToLiveStatus ?? '')
      ) {
        await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
      }
      await client.send(new TagResourceCommand({ ResourceArn: table.TableArn, Tags }));
      if (table.DeletionProtectionEnabled !== true && DeletionProtectionEnabled) {
        await update({ DeletionProtectionEnabled });
      }
    },

    /** Switches the stream on, if it is to have one; returns its ARN. */
    async applyStream(): Promise<string | undefined> {
      const wanted = properties.StreamSpecification;
      if (wanted === undefined) return undefined;
      const { StreamSpecification: present, LatestStreamArn } = await whenActive();
      if (present?.StreamEnabled !== true) {
        const StreamSpecification = { StreamEnabled: true, ...wanted };
        return (await update({ StreamSpecification })).LatestStreamArn;
      }
      if (present.StreamViewType === wanted.StreamViewType) return LatestStreamArn;
      throw new Error(
        `${TableName} has a stream of ${present.StreamViewType} instead of ${wanted.StreamViewType}.`,
      );
    },
  };
}
