import { rateLimits } from '#platform/contract/route.ts';
import { rateCountersTable } from '#platform/data/table-design.ts';
import { createRateLimiter } from '#platform/request/rate-limit.ts';
import { createTable, dynamo } from '../support/tables.ts';

const minute = Date.parse('2026-03-01T14:05:00.000Z');
let limiter: ReturnType<typeof createRateLimiter>;

beforeAll(async () => {
  limiter = createRateLimiter(dynamo, await createTable(rateCountersTable));
});

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
