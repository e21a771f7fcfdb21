import { callsOf, routeCostOf, unitsOf } from '../../../../infra/capacity/cost.ts';
import type { RouteCost, TableCost } from '../../../../infra/capacity/measured-costs.ts';

const table = (given: Partial<TableCost>): TableCost => ({
  read: 0,
  write: 0,
  listed: 0,
  listedBytes: 0,
  fetched: 0,
  fetchedBytes: 0,
  ...given,
});

/** A list of ten records: an index with two units' bytes, and each record by its key. */
const list: RouteCost = {
  invocations: 0,
  events: 0,
  calls: { 'dynamodb:Query': 1, 'dynamodb:BatchGetItem': 1, 'sqs:SendMessageBatch': 3 },
  tables: {
    'agents/by-list': table({ read: 1, listed: 10, listedBytes: 8_192 }),
    agents: table({ read: 10, write: 2, fetched: 10, fetchedBytes: 5_000 }),
  },
  requestBytes: 0,
  answerBytes: 4_000,
  records: 10,
};

test('units and calls are added up', () => {
  expect(unitsOf(list)).toEqual({ read: 11, write: 2 });
  expect(callsOf(list)).toBe(5);
  expect(callsOf(list, 'sqs:')).toBe(3);
});

test('a query of a list ten times as long reads ten times the bytes', () => {
  const { tables } = routeCostOf(list, { listed: 100, answered: 10 });
  // 81,920 bytes are 20 units of 4 KB, half of them for an eventually consistent read.
  expect(tables['agents/by-list']?.read).toBe(10);
  expect(tables['agents']?.read).toBe(10);
});

test('a longer answer reads each of its records, and has more bytes', () => {
  const longer = routeCostOf(list, { listed: 10, answered: 25 });
  expect(longer.tables['agents']?.read).toBe(25);
  expect(longer).toMatchObject({ answerBytes: 10_000, records: 25 });
});

test('a shorter list costs at least what was measured', () => {
  expect(unitsOf(routeCostOf(list, { listed: 1, answered: 1 })).read).toBe(11);
});

test('what lists nothing costs what was measured', () => {
  const one = { ...list, records: 0 };
  expect(routeCostOf(one, { listed: 100, answered: 25 })).toEqual(one);
});
