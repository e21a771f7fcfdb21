import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { partitionedCapacity } from '../../../../infra/capacity/division.ts';
import { limitsOf, pollHours } from '../../../../infra/capacity/limits.ts';
import { type MeasuredCosts, measuredCosts, workNames } from '../../../../infra/capacity/measured-costs.ts';
import { amount, capacityPage } from '../../../../infra/capacity/page.ts';
import { type Activity, activitiesOf, executionsOf } from '../../../../infra/capacity/usage.ts';
import { requests, work, workload } from '../../../../infra/capacity/workload.ts';
import { routeGroups } from '../../../../infra/function-uses.ts';
import { isObject } from '../../../../infra/json.ts';
import type { Route } from '../../../../shared/platform/contract/route.ts';
import { steady } from '../../../capacity/steady.ts';

const file = 'infra/capacity/measured-costs.json';
const measured = z.parse(measuredCosts, JSON.parse(readFileSync(file, 'utf8')));
const page = readFileSync('infra/capacity.md', 'utf8');
const called = { ...requests.carriers, ...requests.agencies };

test('infra/capacity.md is what `npm run capacity` writes', () => {
  expect(page).toBe(capacityPage(measured));
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
});

/** A measurement by another machine: every number is another. */
const elsewhere = (value: unknown, factor: number): unknown =>
  typeof value === 'number'
    ? value * factor
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, elsewhere(one, factor)]))
      : value;

test.each([0.9, 1.1])('measurements that differ by a factor of %d give the same advice', (factor) => {
  const other = z.parse(measuredCosts, elsewhere(measured, factor));
  const adviceOf = (costs: MeasuredCosts) =>
    limitsOf(activitiesOf(costs), costs)
      .map(({ todo }) => todo)
      .sort();
  expect(adviceOf(other)).toEqual(adviceOf(measured));
  // And once it is recorded, everything else is the same as well.
  expect(capacityPage(steady(measured, other))).toBe(page);
});

test('what is measured is what is planned', () => {
  expect(Object.keys(measured.work).sort()).toEqual([...workNames].sort());
  expect(new Set(work.map(({ cost }) => cost))).toEqual(new Set(workNames));
  expect(Object.keys(measured.routes).sort()).toEqual(Object.keys(called).sort());
});

test('a whole list is assumed to be answered whole, and a page not', () => {
  for (const [id, { answer }] of routeGroups.flatMap(({ routes }) => Object.entries<Route>(routes))) {
    const { listed, answered, isSum } = called[id] ?? {};
    if (listed !== undefined && isSum !== true)
      expect([id, 'all' in answer]).toEqual([id, listed === answered]);
  }
});

describe('limits', () => {
  /** 36 million requests in an hour, 10,000 a second, of 30 ms each and five write units. */
  const flood: Activity = {
    name: 'getPolicy',
    perDay: 36_000_000,
    hours: 1,
    isRequest: true,
    sentBytes: 0,
    parts: [
      {
        name: 'policies',
        invocations: 1,
        seconds: 0.03,
        cost: {
          invocations: 0,
          events: 0,
          calls: { 'dynamodb:GetItem': 1 },
          tables: { policies: { read: 1, write: 5, listedBytes: 0, fetched: 0, fetchedBytes: 0 } },
        },
      },
    ],
  };
  const deliveries = { ...flood, parts: flood.parts.map((part) => ({ ...part, name: 'webhook-delivery' })) };
  const limits = limitsOf([flood, deliveries], measured);
  const limitOf = (name: string) => limits.find((limit) => limit.name.startsWith(name));

  test('have the one that is met first at the top', () => {
    const shares = limits.map(({ use, limit }) => use / limit);
    expect(shares).toEqual(shares.toSorted((one, other) => other - one));
  });

  test('are compared with what happens in a second, or at once', () => {
    expect(limitOf('API Gateway')).toMatchObject({ use: 20_000, limit: 10_000 });
    expect(limitOf('Lambda: concurrent')).toMatchObject({ use: 600, limit: 1_000 });
    expect(limitOf('DynamoDB: write units a second of a table')).toMatchObject({
      use: 100_000,
      limit: 40_000,
    });
  });

  test('of a worker are what its queues may take, of another function what is reserved for it', () => {
    const { workers, reserved } = partitionedCapacity;
    expect(limitOf('Executions of policies')).toMatchObject({ use: 300, limit: reserved['policies'] });
    const together = workers['deliveries-healthy'] + workers['deliveries-failing'];
    expect(limitOf('Executions of webhook-delivery')).toMatchObject({ limit: together });
  });

  test('of signatures are far from met by the receipts that are planned', () => {
    const planned = limitsOf(activitiesOf(measured), measured).find(({ name }) => name.startsWith('KMS'));
    const perDay = workload.carriers * (requests.carriers['checkSales']?.perDay ?? 0);
    expect(planned).toMatchObject({ use: perDay / workload.requestHours / 3_600, limit: 1_000 });
    expect((planned?.use ?? 0) / (planned?.limit ?? 0)).toBeLessThan(0.5);
  });

  test('of assumed roles are far from met, even if every execution sends to every destination', () => {
    const activities = activitiesOf(measured);
    const { use, limit } = limitsOf(activities, measured).find(({ name }) => name.startsWith('STS')) ?? {};
    const executions = executionsOf(activities).get('webhook-delivery') ?? 0;
    // A session lasts a quarter of an hour.
    expect({ use, limit }).toEqual({ use: (executions * workload.destinations) / 900, limit: 600 });
    expect((use ?? 0) / (limit ?? 0)).toBeLessThan(0.5);
  });

  test('of a partition are compared with what one carrier’s import writes there', () => {
    const written = measured.work.policyTransactionImported['import']?.tables['policies/by-number']?.write;
    const use = (written ?? 0) * workload.importsPerSecond;
    expect(limitOf('policies/by-number')).toMatchObject({ use, limit: 1_000 });
  });
});

test('in prod the night is long enough for the polls of the registry, also where one takes three seconds', () => {
  expect(pollHours(1)).toBeLessThan(workload.nightHours);
  expect(pollHours(3)).toBeLessThan(workload.nightHours);
  // There the workers are the limit.
  expect(pollHours(10)).toBeGreaterThan(2 * pollHours(1));
});

test.each([
  [0.001_234, '0.00123'],
  [9.876, '9.88'],
  [12_345.6, '12,346'],
])('%d is written %s', (value, text) => {
  expect(amount(value)).toBe(text);
});
