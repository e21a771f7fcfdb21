import {
  type BackupSummary,
  ContinuousBackupsUnavailableException,
  CreateTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListBackupsCommand,
  paginateListTables,
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
import * as z from 'zod/mini';
import { continuedAbove, feedCounter, feedKeys } from '#domain/events/feed.ts';
import { outboxTable, type TableName, tableDesigns } from '#domain/tables.ts';
import { restoredKey } from '#platform/changes/change-index.ts';
import { concurrently, mapConcurrently } from '#platform/data/concurrently.ts';
import { absentOr, isNot, startsWith } from '#platform/data/expressions.ts';
import { tableOf } from '#platform/data/table.ts';
import { organizationKeys, organizationsTable, type TableDesign } from '#platform/data/table-design.ts';
import { organization } from '#platform/identity/organizations.ts';
import { buildDataStack } from '../build-app.ts';
import { type Environment, type RestoredTables, stackName } from '../environments.ts';
import { Refusal } from '../operator-tool.ts';

// Restores tables to a time, under new names, and waits until they are as the template says.

/** Options of a restore. */
export interface RestoreOptions {
  /** All tables of the environment, for this time. */
  readonly plans: readonly TablePlan[];
  /** The time to which all tables are restored, in whole seconds. */
  readonly to: Date;
  /** The tables that are restored; all of them by default. */
  readonly only?: readonly TableName[];
  /** Physical names of tables, where several may be the environment's. */
  readonly sources?: Readonly<Partial<Record<TableName, string>>>;
}

/**
 * Restores tables to one time, each under a new name, and gives them what the template says and a restore leaves out. Tables
 * with transient data begin empty; idempotency records, counters, and one-time links are lost. Changes no table that is in
 * use. A repeat with the same time goes on where the last one ended.
 *
 * @returns restored tables, and until when the service has to be moved to them; undefined if events go on where they were.
 * @throws Refusal before anything is changed, with everything that is in the way
 */
export async function restoreTables(options: RestoreOptions, tools: RestoreTools) {
  const { plans, to, only, sources } = options;
  const { client, say, now, wait } = tools;
  const account = await readAccount(client);
  const sourceOfPlan = (plan: TablePlan) => sourceOf(plan, account, sources?.[plan.name]);
  const chosen = plans.filter(({ name }) => only === undefined || only.includes(name));

  const faults: string[] = [];
  const work = await mapConcurrently(chosen, async (plan) => {
    const target = createTarget(plan, client, wait);
    let source: Source | undefined;
    if (plan.isRestored) {
      const result = sourceOfPlan(plan);
      if (typeof result === 'string') faults.push(result);
      else source = result;
    }
    const exists = await target.exists();
    const fault =
      source === undefined || exists
        ? await target.fault(source, to)
        : await restoreFault(plan, source, to, client);
    if (fault !== undefined) faults.push(fault);
    return { plan, target, source, exists };
  });
  if (faults.length > 0) throw new Refusal(['Nothing was restored:', ...faults.sort()].join('\n  '));

  await concurrently(work, async ({ plan, target, source, exists }) => {
    if (exists) say(`${plan.name}: goes on with ${plan.target}`);
    else if (source === undefined) {
      await target.create();
      say(`${plan.name}: creates ${plan.target}, empty`);
    } else {
      await target.restore(source, to);
      const time =
        'backupArn' in source ? `when it was deleted, ${source.deletedAt.toISOString()}` : to.toISOString();
      say(`${plan.name}: restores ${source.tableName} as of ${time}`);
    }
    await target.whenActive();
    await target.applySettings();
    if (source !== undefined) await markRestored(client, plan, to);
    say(`${plan.name}: is there, with its settings`);
  });

  const nameOf = (name: TableName): string => {
    const doneWork = work.find(({ plan }) => plan.name === name);
    if (doneWork !== undefined) return doneWork.plan.target;
    const plan = plans.find((candidate) => candidate.name === name);
    const source = plan && sourceOfPlan(plan);
    if (source === undefined || typeof source === 'string' || 'backupArn' in source) {
      throw new Refusal(`The table ${name} is lost too: restore it with the others.`);
    }
    return source.tableName;
  };
  let moveBefore: Date | undefined;
  if (work.some(({ plan }) => plan.name === 'outbox')) {
    const [outbox, organizations] = [nameOf('outbox'), nameOf('organizations')];
    // Before the table has a stream, so that no reader of it sees these writes.
    moveBefore = await continueCounters({ client, outbox, organizations, to, now: now() });
    say('outbox: numbers and positions of events continue above all that were issued');
  }
  const entries = await mapConcurrently(work, async ({ plan, target }) => {
    const streamArn = await target.applyStream();
    return [
      plan.name,
      { tableName: plan.target, ...(streamArn === undefined ? {} : { streamArn }) },
    ] as const;
  });
  const restoredTables: RestoredTables = Object.fromEntries(entries);
  return { restoredTables, moveBefore };
}

/** Waits before it asks again whether a table is there. */
type Wait = () => Promise<unknown>;

/** A table that takes another one's place, from its creation to the day when it has all that the template says. */
function createTarget({ name, target, properties, tags }: TablePlan, client: DynamoDBClient, wait: Wait) {
  const TableName = target;
  const [{ DeletionProtectionEnabled, PointInTimeRecoverySpecification }] = properties.Replicas;
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

  /** DynamoDB's description of the table; undefined if there is none. */
  async function describe(): Promise<TableDescription | undefined> {
    try {
      return (await client.send(new DescribeTableCommand({ TableName }))).Table;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

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

  /** Repeats a call that AWS refuses for as long as it enables backups of a new table, which takes some minutes. */
  async function whenBackupsAre(call: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await call();
        return;
      } catch (error) {
        if (!(error instanceof ContinuousBackupsUnavailableException)) throw error;
        await wait();
      }
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
        await whenBackupsAre(() =>
          client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification })),
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
      const wantedStream = properties.StreamSpecification;
      if (wantedStream === undefined) return undefined;
      const { StreamSpecification: present, LatestStreamArn } = await whenActive();
      if (present?.StreamEnabled !== true) {
        const StreamSpecification = { StreamEnabled: true, ...wantedStream };
        return (await update({ StreamSpecification })).LatestStreamArn;
      }
      if (present.StreamViewType === wantedStream.StreamViewType) return LatestStreamArn;
      throw new Error(
        `${TableName} has a stream of ${present.StreamViewType} instead of ${wantedStream.StreamViewType}.`,
      );
    },
  };
}

/** Milliseconds in which the service may go on publishing to the restored table, after its counters were raised. */
const moveWithinMs = 24 * 3_600_000;

interface CountersOptions {
  readonly client: DynamoDBClient;
  readonly outbox: string;
  readonly organizations: string;
  /** The time to which the outbox was restored. */
  readonly to: Date;
  readonly now: Date;
}

/**
 * Makes the numbers and positions of a restored outbox continue above all that were issued; see `continuedAbove`. Every
 * organization whose events are published gets a counter, because one without any may have got its first event afterwards.
 * A repeat changes nothing while there is time to move the service to the table.
 *
 * @returns until when the service has to be moved, at the earliest of all counters; later, this has to be repeated.
 */
async function continueCounters(options: CountersOptions): Promise<Date> {
  const { client, organizations, now } = options;
  let earliest = new Date(now.getTime() + moveWithinMs);
  const table = tableOf(organizationsTable, client, organizations);
  const { pk } = organizationKeys.organization('');
  for await (const page of table.scan(organization, { pk: startsWith(pk) })) {
    const upstream = page.filter(({ category }) => category === 'upstreamEntity');
    await concurrently(upstream, async ({ organizationId }) => {
      const until = await continueCounter(organizationId, options);
      if (until < earliest) earliest = until;
    });
  }
  return earliest;
}

/** Returns for how long a counter suffices. */
async function continueCounter(organizationId: string, options: CountersOptions): Promise<Date> {
  const { client, outbox, to, now } = options;
  const table = tableOf(outboxTable, client, outbox);
  const key = feedKeys.counter(organizationId);
  const counter = await table.get(feedCounter, key);
  const until = new Date(now.getTime() + moveWithinMs);
  const set = continuedAbove(counter ?? { last: 0, firsts: {} }, { table: outbox, to, until, now });
  if (set === undefined) return new Date(counter?.continued?.until ?? until);
  if (!(await table.update(key, { ...set }, { last: counter?.last }))) {
    throw new Refusal(`Something publishes events of ${organizationId} to ${outbox} already.`);
  }
  return until;
}

interface RestoreTools {
  readonly client: DynamoDBClient;
  readonly say: (line: string) => void;
  readonly now: () => Date;
  readonly wait: Wait;
}

/**
 * Marks a table with followed lists: a caller that has followed them knows of records that are gone, and must read the whole list
 * again. A repeat changes nothing.
 */
async function markRestored(client: DynamoDBClient, { name, target }: TablePlan, to: Date): Promise<void> {
  const design: TableDesign | undefined = tableDesigns.find((candidate) => candidate.name === name);
  if (design?.indexes?.['by-change'] === undefined) return;
  const restoreTime = to.toISOString();
  // It may have been restored before, to another time.
  const isOther = { restoredTo: absentOr(isNot(restoreTime)) };
  await tableOf(design, client, target).put({ ...restoredKey(design), restoredTo: restoreTime }, isOther);
}

// What is restored: the tables of an environment, and what each is restored from.

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

/** Properties of a table in the template, as far as a restored table does not have them by itself. */
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

/** A table of an environment, and the way in which it is restored. */
export type TablePlan = ReturnType<typeof tablePlans>[number];

/** Suffix that CloudFormation appends to the name of the stack and the logical id. */
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
    const generatedName = `${stack}-${logicalId}`;
    return {
      name: design.name,
      /** Whether its data is restored; a transient table begins empty. */
      isRestored: design.kind === 'business',
      /** Whether a table with this physical name is the one that the environment uses. */
      isSource: (tableName: string): boolean =>
        current === undefined
          ? tableName.startsWith(generatedName) && generatedSuffix.test(tableName.slice(generatedName.length))
          : tableName === current,
      /** Name of the table that takes its place: of the environment, the design, and the time, so that a repeat finds it. */
      target: `insurance-compliance-${environment.name}-${design.name}-${time}`,
      properties: z.parse(tableProperties, Resources[logicalId]?.Properties),
      /** Tags of the stack, which CloudFormation gives to its tables. */
      tags,
    };
  });
}

/** Source of a restored table: the table itself, or the backup that DynamoDB made when it was deleted. */
export type Source =
  | { readonly tableName: string }
  | { readonly tableName: string; readonly backupArn: string; readonly deletedAt: Date };

/** Tables and backups of an account that can be restored from. */
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
  const deletedTables = summaries.flatMap(({ TableName, BackupArn, BackupCreationDateTime, BackupStatus }) =>
    TableName === undefined ||
    BackupArn === undefined ||
    BackupCreationDateTime === undefined ||
    BackupStatus !== 'AVAILABLE' ||
    tables.includes(TableName)
      ? []
      : [{ tableName: TableName, backupArn: BackupArn, deletedAt: BackupCreationDateTime }],
  );
  return { tables, deleted: deletedTables };
}

/**
 * Finds the source of a restored table.
 *
 * @param chosen the physical name that the operator chose, for where several may be the environment's
 * @returns the source, or why there is none.
 */
export function sourceOf(plan: TablePlan, account: Account, chosen?: string): Source | string {
  const isSource = (tableName: string): boolean =>
    chosen === undefined ? plan.isSource(tableName) : tableName === chosen;
  const tables = account.tables.filter(isSource).map((tableName) => ({ tableName }));
  const [source, ...otherSources] =
    tables.length > 0 ? tables : account.deleted.filter(({ tableName }) => isSource(tableName));
  if (source === undefined)
    return `${plan.name}: there is neither its table nor a backup from when it was deleted.`;
  if (otherSources.length === 0) return source;
  const names = [source, ...otherSources].map(({ tableName }) => tableName).join(', ');
  return `${plan.name}: several tables may be the one that is used: ${names}. Choose one: --source ${plan.name}=<table>.`;
}

/** Why a source cannot be restored to a time; undefined if it can. */
async function restoreFault(
  { name }: TablePlan,
  source: Source,
  to: Date,
  client: DynamoDBClient,
): Promise<string | undefined> {
  if ('backupArn' in source) {
    const deletionTime = source.deletedAt.toISOString();
    if (to >= source.deletedAt) return undefined;
    return `${name}: ${source.tableName} was deleted at ${deletionTime}, and can only be restored as it was then. Restore all tables to that time or a later one; ask AWS Support about an earlier one.`;
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
