import {
  BatchExecuteStatementCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tablesOf } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { indexLagFunction } from '../../functions/index-lag/function.ts';
import type { IndexLag } from '../support/aws-faults/index-lag.ts';
import { laggingClient } from '../support/aws-faults/lagging-client.ts';
import { testContext } from '../support/context.ts';
import { type FollowedTables, followedTables } from '../support/followed-lists.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable } from '../support/tables.ts';
import { until } from '../support/until.ts';

describe('index lag', () => {
  /** The local run's indexes with lag. */
  let close: () => Promise<void>;
  let client: DynamoDBClient;
  let TableName: string;

  /** How long the indexes lag: forever, or not at all. */
  let lagMs = 0;
  const forEver = 3_600_000;

  const pk = { name: 'pk', type: 'S' } as const;
  const key = { name: 'key', type: 'S' } as const;

  beforeAll(async () => {
    TableName = await createTable({
      name: 'lagging',
      partitionKey: pk,
      indexes: {
        whole: { partitionKey: key, sortKey: pk, projection: 'all' },
        keys: { partitionKey: key, sortKey: pk, projection: 'keys' },
      },
      kind: 'business',
    });
    ({ client, close } = await laggingClient(() => lagMs));
  });

  afterAll(() => close());

  const put = (item: Record<string, unknown>) =>
    client.send(new PutItemCommand({ TableName, Item: toItem(item) }));

  const queryOf = (index: string, partition: string): QueryCommandInput => ({
    TableName,
    IndexName: index,
    KeyConditionExpression: '#key = :partition',
    ExpressionAttributeNames: { '#key': 'key' },
    ExpressionAttributeValues: toItem({ ':partition': partition }),
  });

  async function shown(index: string, partition: string, more: Partial<QueryCommandInput> = {}) {
    const { Items = [], Count } = await client.send(
      new QueryCommand({ ...queryOf(index, partition), ...more }),
    );
    expect(Count).toBe(Items.length);
    return Items.map((item) => unmarshall(item));
  }

  const late = async (write: () => Promise<unknown>): Promise<void> => {
    lagMs = forEver;
    await write();
    lagMs = 0;
  };

  it.each(['whole', 'keys'])('a new item is not in the index %s yet', async (index) => {
    await put({ pk: `${index} old`, key: index });
    await late(() => put({ pk: `${index} new`, key: index }));
    expect((await shown(index, index)).map((item) => item['pk'])).toEqual([`${index} old`]);
  });

  it('a changed item is as it was before the first hidden change', async () => {
    await put({ pk: 'changed', key: 'changed', value: 1 });
    const change = (value: number) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: toItem({ pk: 'changed' }),
          UpdateExpression: 'SET #value = :value',
          ExpressionAttributeNames: { '#value': 'value' },
          ExpressionAttributeValues: toItem({ ':value': value }),
        }),
      );
    await late(() => change(2));
    await change(3);
    expect(await shown('whole', 'changed')).toEqual([{ pk: 'changed', key: 'changed', value: 1 }]);
    expect(await shown('keys', 'changed')).toEqual([{ pk: 'changed', key: 'changed' }]);
  });

  it('a moved item is not at its new key yet', async () => {
    await put({ pk: 'moved', key: 'from' });
    await late(() => put({ pk: 'moved', key: 'to' }));
    expect(await shown('whole', 'to')).toEqual([]);
  });

  it('a transaction’s writes are late too', async () => {
    await late(() =>
      client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            { Put: { TableName, Item: toItem({ pk: 'one', key: 'transaction' }) } },
            { Put: { TableName, Item: toItem({ pk: 'two', key: 'transaction' }) } },
          ],
        }),
      ),
    );
    expect(await shown('keys', 'transaction')).toEqual([]);
  });

  it('an update by a statement of a batch is late too', async () => {
    await put({ pk: 'stated', key: 'from' });
    const Statement = `UPDATE "${TableName}" SET "key" = ? WHERE pk = ?`;
    const Parameters = [{ S: 'statement' }, { S: 'stated' }];
    const update = new BatchExecuteStatementCommand({ Statements: [{ Statement, Parameters }] });
    await late(() => client.send(update));
    expect(await shown('keys', 'statement')).toEqual([]);
  });

  it('a page with a limit is filled with visible items', async () => {
    for (const number of [1, 2, 3, 4]) {
      const write = () => put({ pk: `limited ${number}`, key: 'limited' });
      await (number % 2 === 1 ? late(write) : write());
    }
    const items = await shown('keys', 'limited', { Limit: 2 });
    expect(items.map((item) => item['pk'])).toEqual(['limited 2', 'limited 4']);
  });

  it('every write is visible in the end, and deleted items are gone', async () => {
    lagMs = 100;
    await put({ pk: 'brief', key: 'brief' });
    await put({ pk: 'gone', key: 'brief' });
    lagMs = 0;
    await client.send(new DeleteItemCommand({ TableName, Key: toItem({ pk: 'gone' }) }));
    await until(async () => (await shown('keys', 'brief')).length > 0);
    expect(await shown('keys', 'brief')).toEqual([{ pk: 'brief', key: 'brief' }]);
  });

  it('the table itself never lags', async () => {
    await late(() => put({ pk: 'table', key: 'table' }));
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: toItem({ ':pk': 'table' }),
      }),
    );
    expect(Items).toHaveLength(1);
  });
});

describe('changes index lag', () => {
  // What measures how far the indexes of changes lag.

  let tables: FollowedTables;
  let lagging: Awaited<ReturnType<typeof laggingClient>>;
  let lagMs = 0;
  let lagOf: IndexLag = () => lagMs;
  let time = Date.parse('2026-07-01T00:00:00.000Z');
  const minute = 60_000;

  beforeAll(async () => {
    tables = await followedTables();
    lagging = await laggingClient(
      (table, count) => lagOf(table, count),
      () => time,
    );
  });

  afterAll(() => lagging.close());

  /** What is logged by a call of the schedule, a minute after the one before. */
  async function logged() {
    const logger = recordingLogger();
    const measure = indexLagFunction.compose({
      tables: tablesOf(lagging.client, tables),
      context: testContext({ now: () => new Date(time), logger }),
    });
    await measure();
    time += minute;
    return logger.lines.filter(({ event }) => event === 'index_lags');
  }

  it('logs nothing while indexes show each mark within the minute', async () => {
    lagMs = 2_000;
    for (const _call of [1, 2]) expect(await logged()).toEqual([]);
  });

  it('logs a table of which one partition alone is late, the first or the last', async () => {
    lagMs = 0;
    const late = new Map([
      [tables.policies, 0],
      [tables.agents, 7],
    ]);
    // A call asks first whether the table was restored, and then writes its partitions in their order.
    const writes = new Map<string, number>();
    lagOf = (table) => {
      const count = writes.get(table) ?? 0;
      writes.set(table, count + 1);
      return count - 1 === late.get(table) ? 3 * minute : 0;
    };
    expect(await logged()).toEqual([]);
    lagOf = () => lagMs;
    expect((await logged()).map(({ table }) => table).sort()).toEqual(['agents', 'policies']);
    time += 5 * minute;
  });

  it('logs every table whose index is late, and for how long, until it has caught up', async () => {
    lagMs = 2 * minute + 1;
    expect(await logged()).toEqual([]);
    const late = await logged();
    expect(late.map(({ table }) => table).sort()).toEqual([
      'agents',
      'associations',
      'downstreamEntities',
      'filings',
      'policies',
      'registryRecords',
    ]);
    expect(late).toContainEqual(
      expect.objectContaining({ level: 'error', table: 'policies', lagMs: minute }),
    );
    expect(await logged()).toContainEqual(expect.objectContaining({ table: 'policies', lagMs: 2 * minute }));
    lagMs = 0;
    expect(await logged()).toEqual([]);
  });
});
