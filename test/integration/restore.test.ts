import {
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  ScanCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { agentsTable, outboxTable, type TableName } from '#domain/tables.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import { idempotencyTable, organizationsTable } from '#platform/data/table-design.ts';
import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { createListEvents } from '../../functions/webhooks/list-events.ts';
import { createFeedStore } from '../../functions/webhooks/store.ts';
import { restoreTables, type TablePlan } from '../../infra/restore/restore.ts';
import { emitExamples, publishAll } from '../support/feed.ts';
import { startRecoverableDynamo } from '../support/recoverable-dynamo.ts';
import { accessKeyId, createTables, dynamo, dynamoSettings } from '../support/tables.ts';
import { upstreamRequest } from '../support/upstream-request.ts';

// Tables that are restored with `npm run restore`, on an engine that restores them as AWS does: without stream, time-to-live,
// protection, and tags.

const designs = {
  organizations: organizationsTable,
  outbox: outboxTable,
  idempotency: idempotencyTable,
  agents: agentsTable,
};
const now = () => new Date();
const tags = { service: 'insurance-compliance' };

let sources: Readonly<Record<keyof typeof designs, string>>;
let recoverable: Awaited<ReturnType<typeof startRecoverableDynamo>>;
let client: DynamoDBClient;
let upstream: string;
let to: Date;
let plans: readonly TablePlan[];

/** What the template says of a table; `test/infra/data-stack.test.ts` has the plans of a whole environment. */
const planOf = (key: keyof typeof designs, time: Date): TablePlan => {
  const design: (typeof designs)[keyof typeof designs] = designs[key];
  const isRestored = design.kind === 'business';
  return {
    name: design.name,
    isRestored,
    isSource: (table) => table === sources[key],
    target: `${sources[key]}-${time.getTime()}`,
    tags,
    properties: {
      KeySchema: [{ AttributeName: design.partitionKey.name, KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: design.partitionKey.name, AttributeType: 'S' }],
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      ...('timeToLive' in design
        ? { TimeToLiveSpecification: { AttributeName: design.timeToLive, Enabled: true } }
        : {}),
      ...('stream' in design ? { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } } : {}),
      Replicas: [
        {
          DeletionProtectionEnabled: isRestored,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: isRestored },
        },
      ],
    },
  };
};
const plansFor = (time: Date) =>
  (Object.keys(designs) as (keyof typeof designs)[]).map((key) => planOf(key, time));

const restore = (given: readonly TablePlan[], time: Date, only?: readonly TableName[]) =>
  restoreTables(
    { plans: given, to: time, ...(only === undefined ? {} : { only }) },
    { client, say: () => undefined, now, wait: async () => undefined },
  );

const targetOf = (name: TableName): string => plans.find((plan) => plan.name === name)?.target ?? '';
const itemsOf = async (TableName: string) => (await client.send(new ScanCommand({ TableName }))).Items ?? [];

/** Publishes an event about an entity of the organization; returns its number. */
async function published(outbox: string, entityId: string): Promise<number> {
  const [item] = await emitExamples(outbox, [{ upstreamEntityId: upstream, entityId }], now());
  await publishAll(outbox, item === undefined ? [] : [item], { now });
  const counter = (await itemsOf(outbox)).find(
    ({ pk, sk }) => pk?.S === item?.pk && sk?.S?.startsWith('SEQUENCE#'),
  );
  return Number(counter?.['last']?.N);
}

/** What a reader of the feed gets after a position. */
const feedAfter = (outbox: string, after: number) =>
  createListEvents(
    createFeedStore(tableOf(outboxTable, dynamo, outbox)),
    () => undefined,
  )(upstreamRequest(upstream, {}, { after, limit: 100 }));

const markOf = async (TableName: string) =>
  (await itemsOf(TableName)).filter(({ pk }) => pk?.S === 'RESTORED').map((item) => unmarshall(item));

const entity = newObjectId(now());
let lastLost: number;

beforeAll(async () => {
  sources = await createTables(designs);
  recoverable = await startRecoverableDynamo(
    { endpoint: String(process.env['TEST_DYNAMODB_ENDPOINT']), accessKeyId },
    (table) => table !== sources.idempotency,
  );
  client = new DynamoDBClient({ ...dynamoSettings(), endpoint: recoverable.endpoint });
  const organizations = createOrganizationAdministration(
    tableOf(organizationsTable, dynamo, sources.organizations),
    now,
  );
  const created = await organizations.create({
    name: 'Carrier',
    category: 'upstreamEntity',
    features: [],
    subscription: 'active',
    planCeiling: 10,
  });
  upstream = created.organizationId;
  await published(sources.outbox, entity);
  to = await recoverable.copyTables(Object.values(sources));
  plans = plansFor(to);
  await published(sources.outbox, entity);
  // Its first event is lost altogether, and its counter with it.
  lastLost = await published(sources.outbox, newObjectId(now()));
});

afterAll(() => recoverable.stop());

test('what is in the way is reported as a whole, before anything is restored', async () => {
  const early = new Date(to.getTime() - 60_000);
  const lost = { ...planOf('agents', early), isSource: () => false };
  await expect(restore([planOf('outbox', early), lost], early)).rejects.toThrow(
    /^Nothing was restored:\n {2}agents: there is neither its table nor a backup[^\n]*\n {2}outbox: .* can be restored from/,
  );
  await expect(
    client.send(new DescribeTableCommand({ TableName: planOf('outbox', early).target })),
  ).rejects.toThrow();
});

test('restored tables have what the template says, and a repeat changes nothing', async () => {
  const first = await restore(plans, to);
  expect(first.restoredTables).toEqual({
    organizations: { tableName: targetOf('organizations') },
    agents: { tableName: targetOf('agents') },
    idempotency: { tableName: targetOf('idempotency') },
    outbox: {
      tableName: targetOf('outbox'),
      streamArn: expect.stringContaining(`${targetOf('outbox')}/stream/`),
    },
  });
  expect(first.moveBefore?.getTime()).toBeGreaterThan(Date.now());
  const TableName = targetOf('outbox');
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  expect(Table).toMatchObject({
    DeletionProtectionEnabled: true,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  expect(
    (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription,
  ).toMatchObject({
    AttributeName: 'expiresAt',
  });
  const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  expect(backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription).toMatchObject({
    PointInTimeRecoveryStatus: 'ENABLED',
  });
  const tagged = await client.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
  expect(tagged.Tags).toEqual([{ Key: 'service', Value: 'insurance-compliance' }]);

  // Who followed a list of what is in it is told to read it again.
  expect(await markOf(targetOf('agents'))).toMatchObject([{ restoredTo: to.toISOString() }]);
  expect(await markOf(targetOf('outbox'))).toEqual([]);
  const items = await itemsOf(TableName);
  expect(await restore(plans, to)).toEqual(first);
  expect(await itemsOf(TableName)).toEqual(items);
});

test('numbers and positions continue above all that were issued, and readers with a lost position go on', async () => {
  const [before, outbox] = [sources.outbox, targetOf('outbox')];
  const { items: known, next: lostPosition } = await feedAfter(before, 0);
  expect(known).toHaveLength(3);
  expect((await feedAfter(outbox, 0)).items).toEqual(known.slice(0, 1));
  expect((await feedAfter(outbox, lostPosition)).items).toEqual([]);

  const numbers = [await published(outbox, entity), await published(outbox, newObjectId(now()))];
  for (const number of numbers) expect(number).toBeGreaterThan(2 + lastLost);
  for (const position of [1, 2, lostPosition]) {
    const { items, next } = await feedAfter(outbox, position);
    expect(items.map(({ sequence }) => sequence)).toEqual(numbers);
    expect(next).toBeGreaterThan(lostPosition);
  }
});

test('a table that is not what the script would have made is not used', async () => {
  const other = { ...planOf('agents', to), target: sources.organizations };
  await expect(restore([other], to)).rejects.toThrow(/agents: .* exists, and is not .* as of/);
});

test('a table that was deleted is restored from the backup of that moment, and to no earlier one', async () => {
  const TableName = sources.agents;
  await expect(client.send(new DeleteTableCommand({ TableName }))).rejects.toThrow('protected');
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await client.send(new DeleteTableCommand({ TableName }));
  await expect(restore([{ ...planOf('agents', to), target: `${TableName}-again` }], to)).rejects.toThrow(
    /was deleted at .* can only be restored as it was then/,
  );
  const later = new Date(Math.ceil(Date.now() / 1_000) * 1_000);
  const { restoredTables, moveBefore } = await restore([planOf('agents', later)], later);
  expect(Object.keys(restoredTables)).toEqual(['agents']);
  expect(moveBefore).toBeUndefined();
});
