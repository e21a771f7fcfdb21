// Writes that are planned do what DynamoDB does with them.
import { BatchGetItemCommand, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { agentsTable, policiesTable } from '../../shared/domain/table-designs.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import {
  above,
  absentOr,
  added,
  appended,
  atLeast,
  atMost,
  below,
  between,
  type Changes,
  type Condition,
  containing,
  exists,
  isNew,
  isNot,
  not,
  oneOf,
  present,
  removed,
  sized,
  startsWith,
  unlessSet,
} from '../../shared/platform/data/expressions.ts';
import { PlannedWrites } from '../../shared/platform/data/planned-writes.ts';
import { anyItem } from '../../shared/platform/data/stored.ts';
import { type Table, tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/data/table-design.ts';
import { VersionConflict } from '../../shared/platform/data/transact.ts';
import { everyItem } from '../support/every-item.ts';
import { createTable, createTables, dynamo } from '../support/tables.ts';

let names: { stored: string; planned: string };

beforeAll(async () => {
  names = await createTables({ stored: agentsTable, planned: agentsTable });
});

const key = { pk: 'owner', sk: 'b' };
const item = {
  ...key,
  text: 'beta',
  number: 2,
  tags: new Set(['x', 'y']),
  list: ['one', 'two'],
  map: { inner: { text: 'deep' }, list: [{ text: 'first' }] },
  nothing: null,
  bytes: new Uint8Array([1, 2]),
  digits: '1',
  long: Array.from({ length: 12 }, (_, index) => index),
};

const conditions: Condition[] = [
  isNew,
  exists,
  { text: 'beta' },
  { text: 'alpha' },
  { text: undefined },
  { other: undefined },
  { nothing: null },
  { text: below('c'), number: above(1) },
  { text: atMost('beta'), number: atLeast(3) },
  { number: between(2, 3) },
  { number: between(3, 4) },
  { text: oneOf('alpha', 'beta') },
  { text: oneOf('alpha') },
  { text: startsWith('be') },
  { other: startsWith('be') },
  { text: isNot('beta') },
  { other: isNot('beta') },
  { other: present },
  { tags: containing('x') },
  { tags: containing('z') },
  { text: containing('et') },
  { tags: not(containing('x')), text: 'beta' },
  { other: absentOr(below('c')), text: absentOr('gamma') },
  { text: absentOr(below('c')) },
  { number: atMost(2), text: atLeast('beta') },
  { number: atMost(3), text: atLeast('alpha') },
  { number: atMost(1) },
  { number: below('3') },
  { digits: below(2) },
  { 'long[11]': 11 },
  { text: above(1) },
  { text: startsWith('x') },
  // Placeholders of two digits.
  { ...Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`none${index}`, undefined])), number: 2 },
  { text: sized(4), list: sized(2), map: sized(2), bytes: sized(2) },
  { bytes: item.bytes },
  { bytes: new Uint8Array([1]) },
  { list: sized(above(5)) },
  { tags: sized(below(2)) },
  { other: absentOr(sized(below(2))) },
  { 'map.inner.text': 'deep' },
  { 'map.list[0].text': 'second' },
  { map: item.map },
  { tags: item.tags },
  ({ name, value }) =>
    `NOT (${name('text')} = ${value('beta')} AND (${name('number')} > ${value(5)} OR ${name('number')} < ${value(3)}))`,
];

const changes: Changes[] = [
  { text: 'gamma', number: undefined },
  { number: added(3), counted: added(1) },
  { tags: added(new Set(['z'])), fresh: added(new Set(['n'])) },
  { tags: removed(new Set(['x'])) },
  { tags: removed(new Set(['x', 'y'])) },
  { list: appended(['three']), text: unlessSet('never'), first: unlessSet('once') },
  { 'long[10]': 'ten' },
  { bytes: new Uint8Array([3]), 'map.inner.bytes': new Uint8Array([4]) },
  { 'map.inner.text': 'changed', 'map.list[0].text': 'second', 'map.inner.more': 1 },
];

/** What an operation does to the item, stored or only planned. */
async function done(operate: (table: Table) => Promise<unknown>) {
  const results = [];
  for (const name of [names.stored, names.planned]) {
    const real = tableOf(agentsTable, dynamo, name);
    await real.put(item);
    await real.delete({ pk: 'owner', sk: 'new' });
    const plan = new PlannedWrites(dynamo, new Map([[name, agentsTable]]));
    const table = name === names.planned ? tableOf(agentsTable, plan.client, name) : real;
    const result = await operate(table).catch((error: Error) => {
      if (error instanceof ConditionalCheckFailedException) return error.name;
      if (error instanceof VersionConflict) return error.message;
      throw error;
    });
    const found = await table.getAll(anyItem, [key, { pk: 'owner', sk: 'new' }]);
    results.push({
      result,
      got: await table.get(anyItem, key),
      found: found.toSorted((one, other) => String(one['sk']).localeCompare(String(other['sk']))),
    });
    if (name === names.planned) expect(await everyItem(dynamo, name)).toEqual([item]);
  }
  return results;
}

it.each(conditions.map((condition, index) => [index, condition] as const))(
  'condition %i',
  async (index, condition) => {
    const operations = [
      (table: Table) => table.put({ pk: 'owner', sk: 'new', done: true }, condition),
      (table: Table) =>
        table.transact([
          table.items.check(key, condition, (stored) => new VersionConflict(String(stored?.['text']))),
          table.items.put({ pk: 'owner', sk: 'new' }, isNew),
        ]),
      (table: Table) => table.change(anyItem, key, { done: true }, condition),
      (table: Table) => table.delete(key, condition),
    ];
    // Of the item that is there, each condition is asked by a transaction; others ask alike.
    for (const operate of index < 4 ? operations : operations.slice(0, 2)) {
      const [stored, planned] = await done(operate);
      expect(planned).toEqual(stored);
    }
  },
);

it.each(changes)('%j', async (change) => {
  for (const operate of [
    (table: Table) => table.change(anyItem, key, change),
    (table: Table) => table.transact([table.items.update(key, change)]),
  ]) {
    const [stored, planned] = await done(operate);
    expect(planned).toEqual(stored);
  }
});

it('lists have what is planned at its place, page by page, and not what is deleted', async () => {
  const keys = (...letters: string[]) => letters.map((sk) => ({ pk: 'list', sk }));
  const real = tableOf(agentsTable, dynamo, names.planned);
  await real.putAll(keys('b', 'd', 'f', 'h').map((one) => ({ ...one, npnKey: 'of', isOld: true })));
  const plan = new PlannedWrites(dynamo, new Map([[names.planned, agentsTable]]));
  const table = tableOf(agentsTable, plan.client, names.planned);
  await table.putAll(keys('a', 'e', 'g', 'i').map((one) => ({ ...one, npnKey: 'of' })));
  await table.put({ pk: 'other', sk: 'e' });
  await table.deleteAll(keys('d'));
  const listed = async (query: object) =>
    (await collect(table.query(anyItem, 'list', query))).map((one) => one['sk']).join('');
  expect(await listed({})).toBe('abefghi');
  expect(await listed({ limit: 1 })).toBe('abefghi');
  expect(await listed({ limit: 2, descending: true })).toBe('ihgfeba');
  expect(await listed({ sort: between('b', 'g') })).toBe('befg');
  expect(await listed({ filter: { isOld: true } })).toBe('bfh');
  const ofIndex = await collect(table.query(anyItem, 'of', { index: 'by-npn', limit: 2 }));
  expect(ofIndex.map((one) => one['sk']).join('')).toBe('abefghi');
  expect((await plan.changes()).map(({ before, after }) => [before?.['sk'], after?.['sk']])).toEqual([
    ...['a', 'e', 'g', 'i', 'e'].map((sk) => [undefined, sk]),
    ['d', undefined],
  ]);
  expect((await collect(real.query(anyItem, 'list'))).length).toBe(4);
});

it('lists are in the order of numbers where their index sorts by one, and of the table that is asked', async () => {
  const { policies, others } = await createTables({ policies: policiesTable, others: policiesTable });
  const ordered = (sk: string, ordinal: number) => ({ pk: `${ordinal}`, sk, policyKey: 'of', ordinal });
  await tableOf(policiesTable, dynamo, policies).putAll([ordered('b', 2), ordered('d', 20)]);
  const plan = new PlannedWrites(dynamo, new Map([policies, others].map((name) => [name, policiesTable])));
  const table = tableOf(policiesTable, plan.client, policies);
  await table.putAll([ordered('c', 10), ordered('a', 1)]);
  await tableOf(policiesTable, plan.client, others).put(ordered('x', 3));
  const listed = async (query: object) =>
    (await collect(table.query(anyItem, 'of', { index: 'by-ordinal', ...query })))
      .map((one) => one['sk'])
      .join('');
  expect(await listed({})).toBe('abcd');
  expect(await listed({ descending: true, limit: 1 })).toBe('dcba');
});

it('what shares its sort key in an index with the last item of a page is listed once', async () => {
  const policies = await createTable(policiesTable);
  const ordered = (sk: string) => ({ pk: 'all', sk, policyKey: 'of', ordinal: 1 });
  await tableOf(policiesTable, dynamo, policies).putAll(['c', 'e'].map(ordered));
  const plan = new PlannedWrites(dynamo, new Map([[policies, policiesTable]]));
  const table = tableOf(policiesTable, plan.client, policies);
  await table.putAll(['a', 'b', 'd', 'f'].map(ordered));
  for (const limit of [1, 2, 100]) {
    const listed = await collect(table.query(anyItem, 'of', { index: 'by-ordinal', limit }));
    expect(listed.map((one) => String(one['sk'])).sort()).toEqual([...'abcdef']);
  }
});

it('lists are in the order of the bytes of their sort keys', async () => {
  const [stored, planned] = [
    { pk: 'bytes', sk: '\u{1F3E2}' },
    { pk: 'bytes', sk: '\uFF5E' },
  ];
  await tableOf(agentsTable, dynamo, names.stored).putAll([stored, planned]);
  const order = await collect(tableOf(agentsTable, dynamo, names.stored).query(anyItem, 'bytes'));
  await tableOf(agentsTable, dynamo, names.planned).put(stored);
  const plan = new PlannedWrites(dynamo, new Map([[names.planned, agentsTable]]));
  const table = tableOf(agentsTable, plan.client, names.planned);
  await table.put(planned);
  expect(await collect(table.query(anyItem, 'bytes'))).toEqual(order);
});

it('a table without a sort key is planned alike, and scanned as it is', async () => {
  const organizations = await createTable(organizationsTable);
  const real = tableOf(organizationsTable, dynamo, organizations);
  await real.putAll(['a', 'b'].map((pk) => ({ pk })));
  const plan = new PlannedWrites(dynamo, new Map([[organizations, organizationsTable]]));
  const table = tableOf(organizationsTable, plan.client, organizations);
  await table.change(anyItem, { pk: 'a' }, { name: 'A' }, exists);
  await table.put({ pk: 'c' }, isNew);
  await table.delete({ pk: 'b' });
  const found = await table.getAll(
    anyItem,
    ['a', 'b', 'c'].map((pk) => ({ pk })),
  );
  expect(found).toEqual([{ pk: 'a', name: 'A' }, { pk: 'c' }]);
  expect(await plan.changes()).toEqual([
    { table: organizations, before: { pk: 'a' }, after: { pk: 'a', name: 'A' } },
    { table: organizations, before: undefined, after: { pk: 'c' } },
    { table: organizations, before: { pk: 'b' }, after: undefined },
  ]);
  expect(await everyItem(plan.client, organizations)).toHaveLength(2);
});

it('what DynamoDB leaves unprocessed is read again, and each planned item is found once', async () => {
  const asked: number[] = [];
  const send = async (command: object) => {
    if (!(command instanceof BatchGetItemCommand)) throw new Error('Nothing else is read.');
    const { Keys = [] } = command.input.RequestItems?.[names.stored] ?? {};
    asked.push(Keys.length);
    const left = asked.length === 1 ? Keys.slice(1) : [];
    return {
      Responses: { [names.stored]: [] },
      UnprocessedKeys: left.length === 0 ? {} : { [names.stored]: { Keys: left } },
    };
  };
  const client: typeof dynamo = Object.assign(Object.create(dynamo), { send });
  const plan = new PlannedWrites(client, new Map([[names.stored, agentsTable]]));
  const table = tableOf(agentsTable, plan.client, names.stored);
  const items = ['a', 'b', 'c'].map((sk) => ({ pk: 'left', sk }));
  await table.putAll(items);
  expect(await table.getAll(anyItem, items)).toEqual(items);
  expect(asked).toEqual([3, 2]);
});
