import type { Cost, MeasuredCosts, RouteCost, TableCost } from '../../../../infra/capacity/measured-costs.ts';
import { dollarsOf, paid, prices, together } from '../../../../infra/capacity/prices.ts';
import {
  type Activity,
  activitiesOf,
  callsOf,
  costOfCalls,
  executionsOf,
  peakPerSecond,
  unitsOf,
  usageOf,
} from '../../../../infra/capacity/usage.ts';
import { requests, work, workload } from '../../../../infra/capacity/workload.ts';

const table = (given: Partial<TableCost>): TableCost => ({
  read: 0,
  write: 0,
  listedBytes: 0,
  fetched: 0,
  fetchedBytes: 0,
  ...given,
});
const cost = (given: Partial<Cost>): Cost => ({
  invocations: 0,
  events: 0,
  calls: {},
  tables: {},
  ...given,
});

describe('a list', () => {
  /** Ten records: an index with two units' bytes, and each record by its key. */
  const list: RouteCost = {
    ...cost({ calls: { 'dynamodb:Query': 1, 'dynamodb:BatchGetItem': 1, 'sqs:SendMessageBatch': 3 } }),
    tables: {
      'agents/by-list': table({ read: 1, listedBytes: 8_192 }),
      agents: table({ read: 10, write: 2, fetched: 10, fetchedBytes: 5_000 }),
    },
    answerBytes: 4_000,
    records: 10,
  };

  test('has calls, of all services or of one', () => {
    expect([callsOf(list), callsOf(list, 'sqs:')]).toEqual([5, 3]);
  });

  test('ten times as long reads ten times the bytes', () => {
    const { tables } = costOfCalls(list, { listed: 100, answered: 10 });
    // 81,920 bytes are 20 units of 4 KB, half of them for an eventually consistent read.
    expect(tables['agents/by-list']?.read).toBe(10);
    expect(tables['agents']?.read).toBe(10);
  });

  test('that is answered at length reads each of its records, and has more bytes', () => {
    const longer = costOfCalls(list, { listed: 10, answered: 25 });
    expect(longer.tables['agents']?.read).toBe(25);
    expect(longer).toMatchObject({ answerBytes: 10_000, records: 25 });
  });

  test('that is shorter costs at least what was measured, and so does what lists nothing', () => {
    expect(costOfCalls(list, { listed: 1, answered: 1 }).tables).toEqual(list.tables);
    const one = { ...list, records: 0 };
    expect(costOfCalls(one, { listed: 100, answered: 25 })).toEqual(one);
  });
});

describe('a day', () => {
  /** Every request makes two calls one after the other, and every delivery four calls and five write units. */
  const route: RouteCost = { ...cost({ calls: { 'dynamodb:Query': 2 } }), answerBytes: 0, records: 0 };
  const measured: MeasuredCosts = {
    measuredOn: '2026-03-01',
    commit: 'abc',
    authorizer: cost({
      calls: { 'dynamodb:GetItem': 1 },
      tables: { organizations: table({ read: 1 }) },
    }),
    itemBytes: { policy: 0, policyTransaction: 0, license: 0, event: 1_000, delivery: 0, saleReceipt: 0 },
    routes: Object.fromEntries(
      [requests.carriers, requests.agencies].flatMap(Object.keys).map((id) => [id, route]),
    ),
    work: {
      event: {
        'event-publisher': cost({ events: 1, calls: { 'events:PutEvents': 1 } }),
        'webhook-delivery': cost({
          invocations: 1,
          calls: { 'dynamodb:UpdateItem': 4 },
          tables: { webhooks: table({ write: 5 }) },
        }),
      },
      eventReleased: {},
      agentImportedWithEvent: {},
      policyTransactionImported: {},
      policyTransactionImportedUnchanged: {},
      licenseImported: {},
      complianceChange: {},
      synchronization: {
        'registry-sync': cost({
          invocations: 1,
          calls: { 'dynamodb:TransactWriteItems': 1 },
          tables: { outbox: table({ write: 2 }), 'registry-records': table({ write: 9 }) },
        }),
      },
      licenseSwept: {},
      poll: {},
    },
  };
  const activities = activitiesOf(measured);
  const called = (name: string) => activities.filter((activity) => activity.name.includes(name));

  test('has the requests of all callers, each with the authorizer’s part', () => {
    const [getPolicy] = called('getPolicy`');
    const { ownMilliseconds, callMilliseconds, authorizerMilliseconds, authorizerMisses } = workload;
    expect(getPolicy?.perDay).toBe((requests.carriers['getPolicy']?.perDay ?? 0) * workload.carriers);
    expect(getPolicy?.parts).toMatchObject([
      {
        name: 'policies',
        invocations: 1,
        seconds: expect.closeTo((ownMilliseconds + 2 * callMilliseconds) / 1_000),
      },
      {
        name: 'authorizer',
        seconds: expect.closeTo((authorizerMilliseconds + authorizerMisses * callMilliseconds) / 1_000),
        cost: { tables: { organizations: { read: authorizerMisses } } },
      },
    ]);
  });

  test('needs a measurement of every request', () => {
    const { getAgent, ...routes } = measured.routes;
    expect(() => activitiesOf({ ...measured, routes })).toThrow('getAgent is not measured');
  });

  test('has deliveries of each event to each of its webhooks, with repeated attempts', () => {
    const [event] = called('delivered');
    const { ownMilliseconds, callMilliseconds, receiverMilliseconds, attemptsAtOnce } = workload;
    const attempts = workload.webhooksPerEvent * workload.attemptsPerDelivery;
    const delivery = event?.parts.find(({ name }) => name === 'webhook-delivery');
    expect(delivery?.invocations).toBeCloseTo(attempts);
    expect(delivery?.cost.tables['webhooks']?.write).toBeCloseTo(5 * attempts);
    // What is under way at once shares the wait for the receiver and for calls.
    const waiting = (4 * callMilliseconds + receiverMilliseconds) / attemptsAtOnce;
    expect(delivery?.seconds).toBeCloseTo((attempts * (ownMilliseconds + waiting)) / 1_000);
    expect(event?.sentBytes).toBeCloseTo(1_000 * attempts);
  });

  test('has the events that requests and synchronizations write, without what they change beside', () => {
    const [written] = called('event written');
    expect(written?.perDay).toBe(workload.eventsPerDay * (1 - workload.eventsOfImports));
    expect(written?.parts).toEqual([
      {
        name: 'registry-sync',
        invocations: 0,
        seconds: 0,
        cost: cost({ tables: { outbox: table({ write: 2 }) } }),
      },
    ]);
  });

  test('publishes each event once: here, or with the import that wrote it', () => {
    const [event] = called('delivered');
    const publishing = event?.parts.find(({ name }) => name === 'event-publisher');
    expect(publishing?.cost.events).toBe(1 - workload.eventsOfImports);
  });

  test('has what polls of the registry find, in the time of the polls', () => {
    const found = called('what a poll');
    expect(found.flatMap(({ parts }) => parts)).toMatchObject([
      {
        name: 'registry-reconciliation',
        invocations: 0,
        seconds: (workload.ownMilliseconds + workload.callMilliseconds) / 1_000,
      },
    ]);
    expect(work.map(({ name }) => name)).toEqual(expect.arrayContaining(found.map(({ name }) => name)));
  });
});

/** A worker that two messages at a time invoke: 0.2 seconds and three write units each, one of them for an index. */
const part = {
  name: 'license-sweep',
  invocations: 0.5,
  seconds: 0.2,
  cost: cost({
    events: 1,
    calls: { 'sqs:SendMessageBatch': 0.25, 'dynamodb:PutItem': 1, 's3:PutObject': 2 },
    tables: { outbox: table({ read: 4, write: 2 }), 'outbox/unpublished': table({ write: 1 }) },
  }),
};

/** 36,000 in an hour: ten a second. */
const activity: Activity = {
  name: 'work',
  perDay: 36_000,
  hours: 1,
  isRequest: false,
  parts: [part],
  sentBytes: 0,
};

test('an operation uses what its functions ask for', () => {
  expect(usageOf(activity)).toEqual({
    gatewayRequests: 0,
    firewallRequests: 0,
    invocations: 0.5,
    gigabyteSeconds: 0.2,
    readUnits: 4,
    writeUnits: 3,
    // Half a batch received and deleted, a quarter of a batch sent, and the bus's message.
    queueRequests: 2.25,
    signatures: 0,
    busEvents: 1,
    loggedGigabytes: workload.logBytes / 2 / 1_000_000_000,
    tracesRecorded: workload.tracedShare,
    sentGigabytes: 0,
    fileWrites: 2,
    fileReads: 0,
  });
});

test('a worker with less memory costs less', () => {
  const deliveries = { ...activity, parts: [{ ...part, name: 'webhook-delivery' }] };
  expect(usageOf(deliveries).gigabyteSeconds).toBe(0.05);
});

test('a request passes the gateway and the firewall as well, and its answer is sent', () => {
  expect(usageOf({ ...activity, isRequest: true, sentBytes: 2_000 })).toMatchObject({
    gatewayRequests: 1,
    firewallRequests: 1,
    sentGigabytes: 0.000_002,
    loggedGigabytes: (workload.logBytes / 2 + workload.accessLogBytes) / 1_000_000_000,
  });
});

test('ten operations a second of 0.2 seconds keep two executions busy', () => {
  expect(peakPerSecond(activity)).toBe(10);
  expect([...executionsOf([activity])]).toEqual([['license-sweep', 2]]);
});

test('a table is loaded with its indexes, unless each is counted for itself', () => {
  expect([...unitsOf([activity, activity], 'write', peakPerSecond)]).toEqual([['outbox', 60]]);
  expect([...unitsOf([activity], 'write', peakPerSecond, (name) => name)]).toEqual([
    ['outbox', 20],
    ['outbox/unpublished', 10],
  ]);
});

test('dollars are amounts times prices', () => {
  expect(dollarsOf({ gatewayRequests: 2_000_000, queueRequests: 5_000_000 })).toBeCloseTo(9);
  expect(paid({ writeUnits: 1_000_000 })).toMatchObject([{ dollars: 0.625, service: 'DynamoDB' }]);
  expect(
    together([
      [{ readUnits: 1 }, 1],
      [{ readUnits: 2, writeUnits: 1 }, 3],
    ]),
  ).toEqual({ readUnits: 7, writeUnits: 3 });
});

test.each(Object.entries(prices))('the price of %s is on a page of AWS', (_, { page, usd, per }) => {
  expect(page).toMatch(/^https:\/\/aws\.amazon\.com\/\S+$/);
  expect(usd / per).toBeGreaterThan(0);
});
