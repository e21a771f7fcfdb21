import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import * as fc from 'fast-check';
import { tableOf } from '../../../../../shared/platform/data/table.ts';
import { index, type TableDesign } from '../../../../../shared/platform/data/table-design.ts';

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
  expect(ofMany).toBeLessThanOrEqual(2);
});
