import { indexLagFunction } from '../../functions/index-lag/function.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { IndexLag } from '../support/aws-faults/index-lag.ts';
import { laggingClient } from '../support/aws-faults/lagging-client.ts';
import { testContext } from '../support/context.ts';
import { type FollowedTables, followedTables } from '../support/followed-lists.ts';
import { recordingLogger } from '../support/recording-logger.ts';

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
  expect(late).toContainEqual(expect.objectContaining({ level: 'error', table: 'policies', lagMs: minute }));
  expect(await logged()).toContainEqual(expect.objectContaining({ table: 'policies', lagMs: 2 * minute }));
  lagMs = 0;
  expect(await logged()).toEqual([]);
});
