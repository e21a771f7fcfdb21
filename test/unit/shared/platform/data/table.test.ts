import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import * as z from 'zod/mini';
import { collect } from '../../../../../shared/platform/data/collect.ts';
import { toItem } from '../../../../../shared/platform/data/dynamo.ts';
import {
  absentOr,
  added,
  appended,
  atLeast,
  below,
  exists,
  present,
  removed,
  sized,
  unlessSet,
} from '../../../../../shared/platform/data/expressions.ts';
import { storedItem } from '../../../../../shared/platform/data/stored.ts';
import { tableOf } from '../../../../../shared/platform/data/table.ts';
import { index, type TableDesign } from '../../../../../shared/platform/data/table-design.ts';

const dynamo = mockClient(DynamoDBClient);
const client = new DynamoDBClient({ region: 'us-east-1' });

beforeEach(() => dynamo.reset());

const design = {
  name: 'things',
  partitionKey: { name: 'pk', type: 'S' },
  sortKey: { name: 'sk', type: 'S' },
  kind: 'transient',
} as const;
const named = storedItem('named', () => ({ name: z.string() }));
const table = tableOf(design, client, 't');
const key = { pk: 'A', sk: 'B' };
const read = () => table.get(named, key, { consistent: false });

it('returns the item, parsed with its schema and without its keys', async () => {
  dynamo.on(GetItemCommand).resolves({ Item: toItem({ pk: 'A', sk: 'B', name: 'Acme' }) });
  await expect(read()).resolves.toEqual({ name: 'Acme' });
  expect(dynamo.commandCalls(GetItemCommand)[0]?.args[0].input).toEqual({
    TableName: 't',
    Key: { pk: { S: 'A' }, sk: { S: 'B' } },
    ConsistentRead: false,
  });
});

it('takes no schema that is not compared with the previous release', () => {
  const unnamed = z.object({ name: z.string() });
  // @ts-expect-error: `storedItem` did not name the schema.
  const readUnnamed = () => table.get(unnamed, key);
  expect(readUnnamed).toBeInstanceOf(Function);
});

it('reads consistently by default', async () => {
  dynamo.on(GetItemCommand).resolves({});
  await table.get(named, key);
  expect(dynamo.commandCalls(GetItemCommand)[0]?.args[0].input.ConsistentRead).toBe(true);
});

it('returns undefined if there is no item', async () => {
  dynamo.on(GetItemCommand).resolves({});
  await expect(read()).resolves.toBeUndefined();
});

it('throws an error that names the item and the attribute that does not match its schema', async () => {
  dynamo.on(GetItemCommand).resolves({ Item: toItem({ pk: 'A', sk: 'B', name: 7 }) });
  await expect(read()).rejects.toThrow('The named A B does not match its schema at name (invalid_type).');
});

describe('a write', () => {
  const sent = () => dynamo.commandCalls(UpdateItemCommand)[0]?.args[0].input;

  it('changes attributes under a condition, each by its placeholder', async () => {
    dynamo.on(UpdateItemCommand).resolves({});
    const held = await table.update(
      key,
      {
        status: 'done',
        'entity.message': null,
        lease: undefined,
        runs: added(1),
        ids: removed(new Set(['a'])),
        log: appended(['b']),
        first: unlessSet(2),
      },
      { lease: absentOr(below(5)), version: undefined, log: sized(3) },
    );
    expect(held).toBe(true);
    expect(sent()).toEqual({
      TableName: 't',
      Key: toItem(key),
      UpdateExpression:
        'SET #0 = :0, #1.#2 = :1, #6 = list_append(#6, :4), #7 = if_not_exists(#7, :5) REMOVE #3 ADD #4 :2 DELETE #5 :3',
      ConditionExpression:
        '(attribute_not_exists(#3) OR #3 < :6) AND attribute_not_exists(#8) AND size(#6) = :7',
      ExpressionAttributeNames: {
        '#0': 'status',
        '#1': 'entity',
        '#2': 'message',
        '#3': 'lease',
        '#4': 'runs',
        '#5': 'ids',
        '#6': 'log',
        '#7': 'first',
        '#8': 'version',
      },
      ExpressionAttributeValues: toItem({
        ':0': 'done',
        ':1': null,
        ':2': 1,
        ':3': new Set(['a']),
        ':4': ['b'],
        ':5': 2,
        ':6': 5,
        ':7': 3,
      }),
    });
  });

  it('names what is within an element of a list', async () => {
    dynamo.on(UpdateItemCommand).resolves({});
    await table.update(key, { 'versions[12].scan': 'clean' });
    expect(sent()).toMatchObject({
      UpdateExpression: 'SET #0[12].#1 = :0',
      ExpressionAttributeNames: { '#0': 'versions', '#1': 'scan' },
    });
  });

  it('answers that its condition did not hold, and throws what else fails', async () => {
    const refused = new ConditionalCheckFailedException({ message: 'No.', $metadata: {} });
    dynamo.on(UpdateItemCommand).rejectsOnce(refused).rejectsOnce(new Error('Broken.'));
    await expect(table.update(key, { a: 1 }, exists)).resolves.toBe(false);
    await expect(table.update(key, { a: 1 }, exists)).rejects.toThrow('Broken.');
  });

  it('answers the item as it is then, or as it is where the condition did not hold', async () => {
    const [after, before] = [toItem({ ...key, name: 'New' }), toItem({ ...key, name: 'Old' })];
    const refused = new ConditionalCheckFailedException({ message: 'No.', $metadata: {}, Item: before });
    dynamo.on(UpdateItemCommand).resolvesOnce({ Attributes: after }).rejectsOnce(refused);
    const change = () => table.change(named, key, { name: 'New' }, { name: 'Old' });
    await expect(change()).resolves.toEqual({ isWritten: true, item: { name: 'New' } });
    await expect(change()).resolves.toEqual({ isWritten: false, item: { name: 'Old' } });
  });
});

describe('a query', () => {
  const indexed = tableOf(
    { ...design, indexes: { 'by-name': index('name', 'createdAt') } } as TableDesign,
    client,
    't',
  );
  const sent = () => dynamo.commandCalls(QueryCommand)[0]?.args[0].input;
  beforeEach(() => dynamo.on(QueryCommand).resolves({}));

  it('reads a whole partition, in order and at half the cost', async () => {
    await indexed.page(named, 'A', {});
    expect(sent()).toMatchObject({ TableName: 't', ConsistentRead: false, ScanIndexForward: true });
    expect(sent()).toMatchObject({
      KeyConditionExpression: '#0 = :0',
      ExpressionAttributeNames: { '#0': 'pk' },
      ExpressionAttributeValues: toItem({ ':0': 'A' }),
    });
    expect(sent()).not.toHaveProperty('FilterExpression');
    expect(sent()).not.toHaveProperty('ProjectionExpression');
  });

  it('reads what is asked for of an index', async () => {
    await collect(
      indexed.query(named, 'A', {
        index: 'by-name',
        sort: atLeast('2026'),
        filter: { owner: present },
        limit: 7,
        descending: true,
        only: ['name', 'pk'],
      }),
    );
    expect(sent()).toEqual({
      TableName: 't',
      IndexName: 'by-name',
      KeyConditionExpression: '#0 = :0 AND #1 >= :1',
      FilterExpression: 'attribute_exists(#2)',
      ProjectionExpression: '#0, #3',
      Limit: 7,
      ConsistentRead: false,
      ScanIndexForward: false,
      ExpressionAttributeNames: { '#0': 'name', '#1': 'createdAt', '#2': 'owner', '#3': 'pk' },
      ExpressionAttributeValues: toItem({ ':0': 'A', ':1': '2026' }),
    });
  });
});

it('refuses to query an index that the table does not have', async () => {
  const broken = tableOf({ ...design, indexes: {} } as TableDesign, client, 't');
  await expect(broken.page(named, 'A', { index: 'by-name' })).rejects.toThrow('no index by-name');
});
