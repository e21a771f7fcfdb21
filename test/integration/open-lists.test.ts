import { routeGroup } from '#platform/contract/route.ts';
import { rateCountersTable } from '#platform/data/table-design.ts';
import { createOpenLists, longestOpenSeconds } from '#platform/request/open-lists.ts';
import { createTable, dynamo } from '../support/tables.ts';

const at = new Date('2026-03-01T14:05:00.000Z');
const later = (seconds: number): Date => new Date(at.getTime() + seconds * 1_000);
let table: string;

beforeAll(async () => {
  table = await createTable(rateCountersTable);
});

const openLists = (name: string) => createOpenLists(dynamo, table, routeGroup(name, {}, { openLists: 3 }));

it('has as many places as an organization may have lists open in a group, also at once, and gives one back once', async () => {
  const take = openLists('policies');
  const taken = await Promise.all(Array.from({ length: 8 }, () => take('carrier', at)));
  const [giveBack, ...others] = taken.filter((one) => one !== undefined);
  expect(others).toHaveLength(2);
  expect(await openLists('policies')('another carrier', at)).toBeDefined();
  expect(await openLists('agents')('carrier', at)).toBeDefined();

  await giveBack?.();
  await giveBack?.();
  expect(await take('carrier', at)).toBeDefined();
  expect(await take('carrier', at)).toBeUndefined();
});

it('takes over the places of functions that crashed, when these must have ended', async () => {
  const take = openLists('crashed');
  for (const second of [0, 0, 1]) await take('carrier', later(second));
  expect(await take('carrier', later(longestOpenSeconds))).toBeUndefined();
  const next = later(longestOpenSeconds + 1);
  expect(await take('carrier', next)).toBeDefined();
  expect(await take('carrier', next)).toBeDefined();
  expect(await take('carrier', next)).toBeUndefined();
});
