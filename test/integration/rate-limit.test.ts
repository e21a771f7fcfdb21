import { rateLimits, routeGroup } from '#platform/contract/route.ts';
import { rateCountersTable } from '#platform/data/table-design.ts';
import { createOpenLists, createRateLimiter, longestOpenSeconds } from '#platform/request/rate-limit.ts';
import { createTable, dynamo } from '../support/tables.ts';

const minute = Date.parse('2026-03-01T14:05:00.000Z');
let table: string;
let limiter: ReturnType<typeof createRateLimiter>;

beforeAll(async () => {
  table = await createTable(rateCountersTable);
  limiter = createRateLimiter(dynamo, table);
});

describe('a rate limit', () => {
  it.each(['token', 'write', 'download'] as const)(
    'admits exactly the limit of %s in a window, whether concurrent or sequential',
    async (rateClass) => {
      const { limit } = rateLimits[rateClass];
      const states = await Promise.all(
        Array.from({ length: limit + 20 }, () => limiter.take(rateClass, 'everyone at once', minute)),
      );
      expect(states.filter((state) => state.isAdmitted)).toHaveLength(limit);
      expect(new Set(states.map((state) => state.reset))).toEqual(new Set([minute / 1000 + 60]));
      const remaining = states.filter((state) => state.isAdmitted).map((state) => state.remaining);
      expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, index) => index));
    },
  );

  it('resets with the next window', async () => {
    for (let i = 0; i < 10; i += 1) await limiter.take('token', 'windowed', minute + 59_000);
    expect(await limiter.take('token', 'windowed', minute + 59_999)).toMatchObject({
      isAdmitted: false,
      remaining: 0,
    });
    expect(await limiter.take('token', 'windowed', minute + 60_000)).toMatchObject({
      isAdmitted: true,
      remaining: 9,
    });
  });

  it('counts subjects and classes separately', async () => {
    for (let i = 0; i < 10; i += 1) await limiter.take('token', 'one', minute);
    expect(await limiter.take('token', 'two', minute)).toMatchObject({ isAdmitted: true });
    expect(await limiter.take('write', 'one', minute)).toMatchObject({ isAdmitted: true });
  });
});

describe('a group of routes with lists', () => {
  const later = (seconds: number): Date => new Date(minute + seconds * 1_000);
  const at = later(0);
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
});
