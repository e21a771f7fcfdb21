import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { batchWriteItems } from '#platform/aws/limits.ts';
import { chunks } from '#platform/data/concurrently.ts';
import {
  type Access,
  AwsError,
  type AwsRequest,
  answerJson,
  bodyOf,
  callAws,
  forward,
  refuseAsJson,
  targetOf,
} from '../../infra/local/aws/service.ts';
import { openListener } from '../../infra/local/listener.ts';
import { streamArn, tableArn } from '../../infra/local/template/template.ts';

// DynamoDB with the operations that DynamoDB Local does not have: point-in-time recovery, backups of deleted tables,
// protection against deletion, and tags. A restored table has none of these, no stream and no time-to-live, as in AWS. Unlike
// AWS, it can restore only to times at which a copy was made.

const described = z.looseObject({
  TableName: z.string(),
  KeySchema: z.unknown(),
  AttributeDefinitions: z.unknown(),
  GlobalSecondaryIndexes: z.optional(
    z.array(z.looseObject({ IndexName: z.string(), KeySchema: z.unknown(), Projection: z.unknown() })),
  ),
  StreamSpecification: z.optional(z.unknown()),
});

/** What a table is and holds at a time. */
interface Copy {
  readonly table: z.output<typeof described>;
  readonly items: readonly unknown[];
}

/** What the engine does not keep of a table. */
interface Kept {
  isProtected: boolean;
  isRecoverable: boolean;
  readonly tags: Map<string, string>;
  /** How it came to be, if it was restored. */
  readonly summary?: object;
  /** How many more times it is said to be on its way. */
  looksUntilActive: number;
  /** How many more calls that enable its recovery are refused, since its backups are being enabled. */
  refusalsUntilBackups: number;
}

interface Backup extends Copy {
  readonly arn: string;
  readonly deletedAt: Date;
}

const named = z.object({ TableName: z.string() });
const tagged = z.object({ ResourceArn: z.string() });
const restoredFrom = z.object({
  SourceTableName: z.string(),
  TargetTableName: z.string(),
  RestoreDateTime: z.number(),
});
const fromBackup = z.object({ BackupArn: z.string(), TargetTableName: z.string() });
const updated = z.looseObject({ ...named.shape, DeletionProtectionEnabled: z.optional(z.boolean()) });
const continuous = z.object({
  ...named.shape,
  PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }),
});
const tag = z.object({ Key: z.string(), Value: z.string() });

const seconds = (time: Date): number => time.getTime() / 1_000;

/**
 * Starts it in front of a database in DynamoDB Local.
 *
 * @param isRecoverable whether a table that the deployment created is protected and can be restored
 */
export async function startRecoverableDynamo(engine: Access, isRecoverable: (table: string) => boolean) {
  const copies = new Map<number, ReadonlyMap<string, Copy>>();
  const backups: Backup[] = [];
  const kept = new Map<string, Kept>();

  const ask = async <Schema extends z.core.$ZodType>(operation: string, input: object, answer: Schema) => {
    const target = `DynamoDB_20120810.${operation}`;
    try {
      return await callAws(engine, { service: 'dynamodb', target }, input, answer);
    } catch (error) {
      const [, code] = /#(\w+Exception)/.exec(String(error)) ?? [];
      throw code === undefined ? error : new AwsError(code, String(error));
    }
  };
  const describe = async (TableName: string) =>
    (await ask('DescribeTable', { TableName }, z.object({ Table: described }))).Table;
  const keptOf = (table: string): Kept => {
    const known = kept.get(table) ?? {
      isProtected: isRecoverable(table),
      isRecoverable: isRecoverable(table),
      tags: new Map(),
      looksUntilActive: 0,
      refusalsUntilBackups: 0,
    };
    kept.set(table, known);
    return known;
  };

  async function copyOf(TableName: string): Promise<Copy> {
    const items: unknown[] = [];
    const page = z.object({ Items: z.array(z.unknown()), LastEvaluatedKey: z.optional(z.unknown()) });
    let ExclusiveStartKey: unknown;
    do {
      const input = {
        TableName,
        ConsistentRead: true,
        ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
      };
      const { Items, LastEvaluatedKey } = await ask('Scan', input, page);
      items.push(...Items);
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    return { table: await describe(TableName), items };
  }

  async function restore({ table, items }: Copy, TableName: string, summary: object): Promise<void> {
    const { KeySchema, AttributeDefinitions } = table;
    const GlobalSecondaryIndexes = table.GlobalSecondaryIndexes?.map((index) => ({
      IndexName: index.IndexName,
      KeySchema: index.KeySchema,
      Projection: index.Projection,
    }));
    const BillingMode = 'PAY_PER_REQUEST';
    const create = { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode };
    await ask('CreateTable', create, z.unknown());
    for (const chunk of chunks(items, { count: batchWriteItems })) {
      const puts = chunk.map((Item) => ({ PutRequest: { Item } }));
      await ask('BatchWriteItem', { RequestItems: { [TableName]: puts } }, z.unknown());
    }
    kept.set(TableName, {
      isProtected: false,
      isRecoverable: false,
      tags: new Map(),
      summary,
      looksUntilActive: 2,
      refusalsUntilBackups: 2,
    });
  }

  const operations: Readonly<Record<string, (request: AwsRequest) => Promise<object>>> = {
    async DescribeTable(request) {
      const { TableName } = bodyOf(request, named);
      const table = await describe(TableName);
      const known = keptOf(TableName);
      const isActive = known.looksUntilActive === 0;
      if (!isActive) known.looksUntilActive -= 1;
      return {
        Table: {
          ...table,
          TableStatus: isActive ? 'ACTIVE' : 'CREATING',
          TableArn: tableArn(TableName),
          DeletionProtectionEnabled: known.isProtected,
          ...(table.StreamSpecification === undefined ? {} : { LatestStreamArn: streamArn(TableName) }),
          ...(known.summary === undefined
            ? {}
            : { RestoreSummary: { ...known.summary, RestoreInProgress: !isActive } }),
        },
      };
    },
    async UpdateTable(request) {
      const { DeletionProtectionEnabled, ...update } = bodyOf(request, updated);
      await describe(update.TableName);
      if (DeletionProtectionEnabled !== undefined)
        keptOf(update.TableName).isProtected = DeletionProtectionEnabled;
      if (Object.keys(update).length > 1) await ask('UpdateTable', update, z.unknown());
      return {};
    },
    async DeleteTable(request) {
      const { TableName } = bodyOf(request, named);
      const known = keptOf(TableName);
      if (known.isProtected)
        throw new AwsError('ValidationException', `${TableName} is protected against deletion.`);
      const copy = await copyOf(TableName);
      await ask('DeleteTable', { TableName }, z.unknown());
      kept.delete(TableName);
      const arn = `${tableArn(TableName)}/backup/${backups.length}`;
      if (known.isRecoverable) backups.push({ ...copy, arn, deletedAt: new Date() });
      return {};
    },
    async DescribeContinuousBackups(request) {
      const { TableName } = bodyOf(request, named);
      await describe(TableName);
      const times = Array.from(copies).flatMap(([time, tables]) => (tables.has(TableName) ? [time] : []));
      const range = {
        EarliestRestorableDateTime: Math.min(...times) / 1_000,
        LatestRestorableDateTime: Math.max(...times) / 1_000,
      };
      return {
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: 'ENABLED',
          PointInTimeRecoveryDescription: keptOf(TableName).isRecoverable
            ? { PointInTimeRecoveryStatus: 'ENABLED', ...(times.length === 0 ? {} : range) }
            : { PointInTimeRecoveryStatus: 'DISABLED' },
        },
      };
    },
    async UpdateContinuousBackups(request) {
      const { TableName, PointInTimeRecoverySpecification } = bodyOf(request, continuous);
      const known = keptOf(TableName);
      if (known.refusalsUntilBackups > 0) {
        known.refusalsUntilBackups -= 1;
        throw new AwsError(
          'ContinuousBackupsUnavailableException',
          `Backups are being enabled for ${TableName}.`,
        );
      }
      known.isRecoverable = PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled;
      return {};
    },
    async ListBackups() {
      return {
        BackupSummaries: backups.map(({ table, arn, deletedAt }) => ({
          TableName: table.TableName,
          BackupArn: arn,
          BackupCreationDateTime: seconds(deletedAt),
          BackupStatus: 'AVAILABLE',
        })),
      };
    },
    async RestoreTableToPointInTime(request) {
      const { SourceTableName, TargetTableName, RestoreDateTime } = bodyOf(request, restoredFrom);
      const copy = copies.get(RestoreDateTime * 1_000)?.get(SourceTableName);
      if (copy === undefined || !keptOf(SourceTableName).isRecoverable) {
        throw new AwsError(
          'InvalidRestoreTimeException',
          `There is no copy of ${SourceTableName} of that time.`,
        );
      }
      await restore(copy, TargetTableName, { SourceTableArn: tableArn(SourceTableName), RestoreDateTime });
      return {};
    },
    async RestoreTableFromBackup(request) {
      const { BackupArn, TargetTableName } = bodyOf(request, fromBackup);
      const backup = backups.find(({ arn }) => arn === BackupArn);
      if (backup === undefined) throw new AwsError('BackupNotFoundException', BackupArn);
      const RestoreDateTime = seconds(backup.deletedAt);
      await restore(backup, TargetTableName, { SourceBackupArn: BackupArn, RestoreDateTime });
      return {};
    },
    async TagResource(request) {
      const { ResourceArn, Tags } = bodyOf(request, z.object({ ...tagged.shape, Tags: z.array(tag) }));
      for (const { Key, Value } of Tags) keptOf(ResourceArn.split('/')[1] ?? '').tags.set(Key, Value);
      return {};
    },
    async ListTagsOfResource(request) {
      const { ResourceArn } = bodyOf(request, tagged);
      return {
        Tags: Array.from(keptOf(ResourceArn.split('/')[1] ?? '').tags, ([Key, Value]) => ({ Key, Value })),
      };
    },
  };

  const listener = await openListener(0);
  listener.serve(async (incoming, response) => {
    const request: AwsRequest = {
      method: incoming.method ?? 'POST',
      url: new URL(incoming.url ?? '/', engine.endpoint),
      headers: incoming.headers,
      body: await buffer(incoming),
    };
    try {
      const operation = operations[targetOf(request).operation];
      if (operation === undefined) await forward(request, response, Number(new URL(engine.endpoint).port));
      else answerJson(response, await operation(request));
    } catch (error) {
      refuseAsJson(
        error instanceof AwsError ? error : new AwsError('InternalFailure', String(error), 500),
        response,
      );
    }
  });

  return {
    endpoint: listener.address,
    /** Copies these tables; returns the time, in whole seconds, to which they can be restored from now on. */
    async copyTables(names: readonly string[]): Promise<Date> {
      const time = Math.ceil(Date.now() / 1_000) * 1_000;
      await pause(time - Date.now());
      const tables = await Promise.all(names.map(async (name) => [name, await copyOf(name)] as const));
      copies.set(time, new Map(tables));
      return new Date(time);
    },
    stop: () => listener.close(),
  };
}
