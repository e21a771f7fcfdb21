import { peakPerSecond, refusalOf, requestOf, workOf } from '../../../../infra/capacity/activities.ts';
import { unitsOf } from '../../../../infra/capacity/cost.ts';
import { partitionedCapacity } from '../../../../infra/capacity/division.ts';
import { hotKeysOf } from '../../../../infra/capacity/hot-keys.ts';
import type { Cost, MeasuredCosts, TableCost } from '../../../../infra/capacity/measured-costs.ts';
import { workload } from '../../../../infra/capacity/workload.ts';

const table = (read: number, write: number): TableCost => ({
  read,
  write,
  listed: 0,
  listedBytes: 0,
  fetched: 0,
  fetchedBytes: 0,
});
const cost = (given: Partial<Cost>): Cost => ({
  invocations: 0,
  events: 0,
  calls: {},
  tables: {},
  ...given,
});

/** A request with two calls one after the other, and an event whose delivery takes four calls and five write units. */
const nothing = { operations: 1, functions: {} };
const withoutBody = { requestBytes: 0, answerBytes: 0, records: 0 };
const measured: MeasuredCosts = {
  measuredOn: '2026-03-01',
  commit: 'abc',
  authorizer: cost({ calls: { 'dynamodb:GetItem': 1 }, tables: { organizations: table(1, 0) } }),
  itemBytes: { policy: 0, policyTransaction: 0, license: 0, event: 1_000, delivery: 0 },
  routes: {
    getPolicy: { ...cost({ calls: { 'dynamodb:Query': 2 } }), ...withoutBody },
  },
  work: {
    event: {
      operations: 1,
      functions: {
        'webhook-delivery': cost({
          invocations: 1,
          calls: { 'dynamodb:UpdateItem': 4 },
          tables: { webhooks: table(0, 5) },
        }),
      },
    },
    eventReleased: nothing,
    agentImportedWithEvent: nothing,
    policyTransactionImported: nothing,
    policyTransactionImportedUnchanged: nothing,
    licenseImported: nothing,
    complianceChange: nothing,
    synchronization: nothing,
    licenseSwept: nothing,
    visit: nothing,
  },
};
const assumed = {
  ...workload,
  callMilliseconds: 5,
  ownMilliseconds: 20,
  authorizerMilliseconds: 3,
  authorizerMisses: 0.2,
  webhooksPerEvent: 2,
  attemptsPerDelivery: 1.5,
  attemptsAtOnce: 1,
  receiverMilliseconds: 100,
  importsPerSecond: 100,
};

test('a request takes its own time and that of its calls, and the authorizer’s', () => {
  const { parts } = requestOf('getPolicy', { perDay: 10 }, measured, assumed);
  expect(parts).toMatchObject([
    // 20 ms, and twice 5 ms.
    { name: 'policies', invocations: 1, seconds: 0.03 },
    // 3 ms, and 5 ms for a fifth of the requests, which reads a fifth of a unit.
    { name: 'authorizer', seconds: 0.004, cost: { tables: { organizations: { read: 0.2 } } } },
  ]);
});

test('a route that was not measured costs what the median route of its class costs, in its own function', () => {
  const reading = (units: number) => ({ ...cost({ tables: { agents: table(units, 0) } }), ...withoutBody });
  const routes = {
    getContact: reading(3),
    getPolicy: reading(1),
    getFiling: reading(2),
    // Of other classes.
    listPolicies: reading(9),
    addAssociation: reading(9),
    exchangeToken: reading(9),
  };
  const { parts } = requestOf('getAgent', { perDay: 1 }, { ...measured, routes }, assumed);
  expect(parts[0]).toMatchObject({ name: 'agents', cost: { tables: { agents: { read: 2 } } } });
});

test('a request to no route is an error', () => {
  expect(() => requestOf('getNothing', { perDay: 1 }, measured, assumed)).toThrow('getNothing');
});

test('an event is delivered to each of its webhooks, with repeated attempts', () => {
  const { parts, sentBytes } = workOf('event', { perDay: 1, busyHours: 1 }, measured, assumed);
  // Three attempts of 20 ms, four calls of 5 ms, and 100 ms of the receiver.
  expect(parts).toMatchObject([{ name: 'webhook-delivery', invocations: 3 }]);
  expect(parts[0]?.seconds).toBeCloseTo(0.42);
  expect(parts[0]?.cost.tables['webhooks']?.write).toBe(15);
  expect(sentBytes).toBe(3_000);
});

test('attempts that are made at once share the wait for the receiver and for calls', () => {
  const { parts } = workOf('event', { perDay: 1, busyHours: 1 }, measured, {
    ...assumed,
    attemptsAtOnce: 10,
  });
  // Three attempts of 20 ms, and a tenth of four calls of 5 ms and of 100 ms.
  expect(parts[0]?.seconds).toBeCloseTo(0.096);
});

test('a day’s work falls into its busy hours', () => {
  expect(peakPerSecond({ perDay: 72_000, busyHours: 2 })).toBe(10);
});

test('the partition that is closest to its limit is at the top', () => {
  const environment = {
    capacity: partitionedCapacity,
    registryVisits: { perSecond: 50, priceInUSD: 0 },
    deferredEventsPerSecond: 50,
  };
  const keys = hotKeysOf({ measured, assumed, environment });
  const ofKey = (start: string) => keys.find(({ key }) => key.startsWith(start));
  // A hundred events a second with one and a half attempts of five units.
  expect(ofKey('webhooks `')).toMatchObject({ units: 750, limit: 1_000 });
  expect(ofKey('registry-records `VISITS`')).toMatchObject({ units: 2 });
  expect(ofKey('outbox `<owner>#FEED')).toMatchObject({ units: 100 });
  const shares = keys.map(({ units, limit }) => units / limit);
  expect(shares).toEqual(shares.toSorted((one, other) => other - one));
});

test('a request that the authorizer refuses reaches no function, and one without a credential no table but the authorizer’s', () => {
  const parts = (by: 'authorizer' | 'function') =>
    refusalOf(by, measured, { ...assumed, authorizerMisses: 0.2 }).parts.map(({ name, cost }) => [
      name,
      unitsOf(cost).read,
    ]);
  expect(parts('authorizer')).toEqual([['authorizer', expect.closeTo(0.2)]]);
  expect(parts('function')).toEqual([
    ['authorizer', 1],
    ['refusal', 0],
  ]);
});
