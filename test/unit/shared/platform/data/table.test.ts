import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { collect } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
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
} from '#platform/data/expressions.ts';
import { repeatedName } from '#platform/data/json.ts';
import { sortText } from '#platform/data/keys.ts';
import { itemKey, parseStored, StoredItemError, storedBytes, storedItem } from '#platform/data/stored.ts';
import { largestItem, tableOf } from '#platform/data/table.ts';
import { index, type TableDesign } from '#platform/data/table-design.ts';

describe('table', () => {
  const dynamo = mockClient(DynamoDBClient);
  const client = new DynamoDBClient({ region: 'us-east-1' });

  beforeEach(() => dynamo.reset());

  const design = {
    name: 'things',
    partitionKey: { name: 'pk', type: 'S' },
    sortKey: { name: 'sk', type: 'S' },
    kind: 'transient',
  } as const;
  const named = storedItem('named', { name: z.string() });
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

  it('takes no schema without a name', () => {
    const unnamed = z.object({ name: z.string() });
    // @ts-expect-error: `storedItem` did not name the schema.
    const readUnnamed = () => table.get(unnamed, key);
    expect(readUnnamed).toBeInstanceOf(Function);
  });

  it('reads consistently by default, by a key of one part too', async () => {
    dynamo.on(GetItemCommand).resolves({});
    await table.get(named, { pk: 'A' });
    expect(dynamo.commandCalls(GetItemCommand)[0]?.args[0].input).toMatchObject({
      Key: { pk: { S: 'A' } },
      ConsistentRead: true,
    });
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
      dynamo
        .on(UpdateItemCommand)
        .resolvesOnce({ Attributes: after })
        .rejectsOnce(refused)
        .rejectsOnce(new Error('Broken.'));
      const change = () => table.change(named, key, { name: 'New' }, { name: 'Old' });
      await expect(change()).resolves.toEqual({ isWritten: true, item: { name: 'New' } });
      await expect(change()).resolves.toEqual({ isWritten: false, item: { name: 'Old' } });
      await expect(change()).rejects.toThrow('Broken.');
      expect(sent()).toMatchObject({
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
    });

    it('puts no item that leaves updates too little of what DynamoDB takes', async () => {
      dynamo.on(PutItemCommand).resolves({});
      const ofBytes = (bytes: number) => ({
        pk: 'A',
        sk: 'B',
        text: 'x'.repeat(bytes - 'pkAskBtext'.length),
      });
      await expect(table.put(ofBytes(largestItem))).resolves.toBe(true);
      expect(() => table.put(ofBytes(largestItem + 1))).toThrow(`more than ${largestItem} bytes`);
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

    it('goes on after a key, and says where the next page does', async () => {
      await expect(indexed.page(named, 'A', {})).resolves.toEqual({ items: [], next: undefined });
      expect(sent()?.ExclusiveStartKey).toBeUndefined();
      dynamo.reset();
      dynamo.on(QueryCommand).resolves({ LastEvaluatedKey: toItem({ pk: 'A', sk: 'C' }) });
      const page = await indexed.page(named, 'A', { after: key });
      expect(page).toEqual({ items: [], next: { pk: 'A', sk: 'C' } });
      expect(sent()?.ExclusiveStartKey).toEqual(toItem(key));
    });

    it('fails where one of the items breaks its schema', async () => {
      const items = [
        { ...key, name: 'Acme' },
        { pk: 'A', sk: 'C', name: 7 },
      ];
      dynamo.on(QueryCommand).resolves({ Items: items.map(toItem) });
      dynamo.on(BatchGetItemCommand).resolves({ Responses: { t: items.map(toItem) } });
      const reads = [
        collect(indexed.query(named, 'A')),
        indexed.getAll(named, items),
        indexed.getInOrder(named, items),
      ];
      for (const read of reads) await expect(read).rejects.toBeInstanceOf(StoredItemError);
      const calls = dynamo.commandCalls(BatchGetItemCommand);
      const consistent = calls.map(({ args }) => args[0].input.RequestItems?.['t']?.ConsistentRead);
      expect(consistent).toEqual([true, false]);
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
});

describe('common keys', () => {
  const dynamo = mockClient(DynamoDBClient);

  const table = tableOf(
    {
      name: 'table',
      partitionKey: { name: 'pk', type: 'S' },
      sortKey: { name: 'sk', type: 'S' },
      indexes: Object.fromEntries(
        ['0', '1', '2', '3', 'few', 'many'].map((value) => [`by-${value}`, index('key', 'sk')]),
      ),
      kind: 'transient',
    } as TableDesign,
    new DynamoDBClient({ region: 'us-east-1' }),
    'table',
  );

  /** Answers queries of partitions that hold these keys, `pageSize` of them at a time. */
  function holding(partitions: Readonly<Record<string, readonly string[]>>, pageSize: number): void {
    dynamo.on(QueryCommand).callsFake(async (query) => {
      const keys = partitions[query.ExpressionAttributeValues[':0'].S] ?? [];
      const start = Number(query.ExclusiveStartKey?.at.N ?? 0);
      const page = keys.slice(start, start + pageSize);
      const end = start + page.length;
      return {
        Items: page.map((sk) => ({ pk: { S: 'owner' }, sk: { S: sk } })),
        ...(end < keys.length ? { LastEvaluatedKey: { at: { N: String(end) } } } : {}),
      };
    });
  }

  async function common(values: readonly string[]): Promise<string[]> {
    const partitions = values.map((value) => ({ index: `by-${value}`, value }));
    const found: string[] = [];
    for await (const keys of table.keys(...partitions)) {
      expect(keys.every(({ pk }) => pk === 'owner')).toBe(true);
      found.push(...keys.map(({ sk }) => sk));
    }
    return found;
  }

  const ids = fc
    .uniqueArray(fc.integer({ min: 10, max: 60 }).map(String), { maxLength: 40 })
    .map((keys) => keys.sort());

  beforeEach(() => {
    dynamo.reset();
  });

  it('returns the items of all partitions in order, whatever the pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ids, { minLength: 1, maxLength: 4 }), fc.nat(6), async (sets, size) => {
        dynamo.reset();
        holding(Object.fromEntries(sets.entries()), size + 1);
        const [first = [], ...others] = sets;
        const expected = first.filter((id) => others.every((other) => other.includes(id)));
        expect(await common(sets.map((_, index) => String(index)))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('reads no further than the shortest partition', async () => {
    holding({ few: ['a'], many: Array.from({ length: 100 }, (_, index) => `b${index + 100}`) }, 10);
    expect(await common(['few', 'many'])).toEqual([]);
    const ofMany = dynamo
      .commandCalls(QueryCommand)
      .filter(({ args }) => args[0].input.IndexName === 'by-many').length;
    // One page, and the next one that was asked for in advance.
    expect(ofMany).toBe(2);
  });
});

describe('repeated name', () => {
  it.each<[string, readonly (string | number)[] | undefined]>([
    ['{}', undefined],
    ['"a"', undefined],
    ['{"a":1,"b":"a","c":["a","a",{"a":{}},{"a":1}]}', undefined],
    ['{"a":{"a":{"a":1}},"b":{"a":1}}', undefined],
    ['[{}, "a", {}, "a"]', undefined],
    ['{"a":"\\"a\\":1,\\\\","b":"{\\"b\\":1"}', undefined],
    ['{"a":1,"a":1}', ['a']],
    ['{"":1,"":2}', ['']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['{"a" : 1 , "\\u0061" : 2}', ['a']],
    ['{"a\\\\":1,"b":2,"a\\\\":3}', ['a\\']],
    ['{"a":[],"b":{"c":[1,[],{"x":"}","y":[{"d":1},{"e":{},"e":1}]}]}}', ['b', 'c', 2, 'y', 1, 'e']],
    ['[{"a":1},{"b":1,"c":{"b":1},"b":2}]', [1, 'b']],
  ])('of %s is %p', (text, path) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(repeatedName(text)).toEqual(path);
  });

  it('is found in a text that is nested too deep for recursion', () => {
    const depth = 100_000;
    const text = `${'[{"a":'.repeat(depth)}{"b":1,"b":2}${'}]'.repeat(depth)}`;
    expect(repeatedName(text)).toHaveLength(2 * depth + 1);
    expect(repeatedName(text.replace('"b":2', '"c":2'))).toBeUndefined();
  });
});

describe('stored', () => {
  const thing = storedItem('table/thing', {
    name: z.string(),
    parts: z.array(z.object({ size: z.int() })),
  });

  /** What reading an item throws. */
  function thrownFor(item: unknown): unknown {
    try {
      return parseStored(thing, item);
    } catch (error) {
      return error;
    }
  }

  it('an item that breaks its schema is named by its schema, its key and what is wrong, never by its values', () => {
    const item = { pk: 'owner', sk: 'id', name: 7, parts: [{ size: 1 }, { size: 'a secret' }] };
    const error = thrownFor(item);
    expect(error).toBeInstanceOf(StoredItemError);
    expect(error).toMatchObject({
      name: 'StoredItemError',
      message:
        'The table/thing owner id does not match its schema at name (invalid_type), parts.1.size (invalid_type).',
    });
  });

  it('an item whose key cannot be read either is named by its schema', () => {
    expect(thrownFor({ pk: 7, name: 'x', parts: 'none' })).toMatchObject({
      message: 'The table/thing ?  does not match its schema at parts (invalid_type).',
    });
  });

  it('a key of one part has an empty second one', () => {
    expect(parseStored(itemKey, { pk: 'owner', sk: 'id', name: 'x' })).toEqual({ pk: 'owner', sk: 'id' });
    expect(parseStored(itemKey, { pk: 'owner', name: 'x' })).toEqual({ pk: 'owner', sk: '' });
  });
});

describe('stored bytes', () => {
  test.each([
    ['names and texts', { pk: { S: 'ab' }, é: { S: 'é' } }, 2 + 2 + 2 + 2],
    ['numbers: a byte for two digits, one, and one for a sign', { n: { N: '-123.45' } }, 1 + 5],
    ['booleans and null', { a: { BOOL: true }, b: { NULL: true } }, 2 + 2],
    ['lists: three, and one for each element', { l: { L: [{ S: 'a' }, { S: 'bc' }] } }, 1 + 3 + 2 + 3],
    ['maps: three, and one for each member', { m: { M: { ab: { S: 'c' } } } }, 1 + 3 + 1 + 2 + 1],
    ['sets', { s: { SS: ['a', 'bc'] }, n: { NS: ['1', '23'] } }, 1 + 3 + 1 + 3],
    [
      'bytes, which the wire has as text',
      { a: { B: new Uint8Array(5) }, b: { B: 'AAECAwQ=' } },
      1 + 5 + 1 + 5,
    ],
  ])('an item’s bytes are those of its %s', (_, item, bytes) => {
    expect(storedBytes(item)).toBe(bytes);
  });
});

describe('sort text', () => {
  it.each([
    ['Lone Star Brokerage', 'lone star brokerage'],
    ['Éire & Söhne', 'eire & sohne'],
    // Letters of no other form come after all others.
    ['東 Agency', '~ agency'],
    ['ﬁve', 'five'],
    ['x'.repeat(300), 'x'.repeat(200)],
  ])('%s is sorted by its ASCII letters', (text, expected) => {
    expect(sortText(text)).toBe(expected);
  });

  it('case and accents make no difference, and what is sorted is short and ASCII', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const sorted = sortText(text);
        expect(sorted).toMatch(/^[ -~]{0,200}$/);
        expect(sortText(text.normalize('NFD'))).toBe(sorted);
        expect(sortText(sorted)).toBe(sorted);
      }),
    ));
});
