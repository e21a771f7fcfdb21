import type { Activity, FunctionPart } from '../../../../infra/capacity/activities.ts';
import { dollarsByPrice, dollarsOf, prices, times, together } from '../../../../infra/capacity/prices.ts';
import { functionLoads, tableLoads, usageOf } from '../../../../infra/capacity/usage.ts';
import { workload } from '../../../../infra/capacity/workload.ts';

const assumed = { ...workload, logBytes: 1_000, accessLogBytes: 500, tracedShare: 0.05 };

/** A worker that two messages at a time invoke: 0.2 seconds and three write units each, one of them for an index. */
const part: FunctionPart = {
  name: 'worker',
  invocations: 0.5,
  seconds: 0.2,
  isQueued: true,
  cost: {
    invocations: 0.5,
    events: 1,
    calls: { 'sqs:SendMessageBatch': 0.25, 'dynamodb:PutItem': 1, 's3:PutObject': 2 },
    tables: {
      outbox: { read: 4, write: 2, listed: 0, listedBytes: 0, fetched: 0, fetchedBytes: 0 },
      'outbox/unpublished': { read: 0, write: 1, listed: 0, listedBytes: 0, fetched: 0, fetchedBytes: 0 },
    },
  },
};

/** 36,000 in an hour: ten a second. */
const activity: Activity = { name: 'work', perDay: 36_000, busyHours: 1, parts: [part] };

test('an operation uses what its functions ask for', () => {
  expect(usageOf(activity, assumed)).toEqual({
    invocations: 0.5,
    gigabyteSeconds: 0.2,
    readUnits: 4,
    writeUnits: 3,
    // Half a batch received and deleted, a quarter of a batch sent, and the bus's message.
    queueRequests: 2.25,
    busEvents: 1,
    loggedGigabytes: 0.000_000_5,
    tracesRecorded: 0.05,
    sentGigabytes: 0,
    fileWrites: 2,
    fileReads: 0,
  });
});

test('a worker with less memory costs less', () => {
  const deliveries = { ...activity, parts: [{ ...part, name: 'webhook-delivery' }] };
  expect(usageOf(deliveries, assumed).gigabyteSeconds).toBe(0.05);
});

test('a request passes the gateway and the firewall as well, and its answer is sent', () => {
  const request = { ...activity, request: { requestBytes: 10, answerBytes: 2_000 } };
  expect(usageOf(request, assumed)).toMatchObject({
    gatewayRequests: 1,
    firewallRequests: 1,
    sentGigabytes: 0.000_002,
    loggedGigabytes: 0.000_001,
  });
});

test('what is sent to others costs as well', () => {
  expect(usageOf({ ...activity, sentBytes: 5_000 }, assumed).sentGigabytes).toBe(0.000_005);
});

test('ten operations a second of 0.2 seconds keep two executions busy', () => {
  expect(functionLoads([activity])).toEqual([{ name: 'worker', perDay: 18_000, concurrency: 2 }]);
});

test('a table is loaded with its indexes', () => {
  expect(tableLoads([activity, activity])).toEqual([
    { name: 'outbox', readsPerDay: 288_000, writesPerDay: 216_000, peakReads: 80, peakWrites: 60 },
  ]);
});

test('an index can be counted for itself', () => {
  const loads = tableLoads([activity], (tableOrIndex) => tableOrIndex);
  expect(loads).toMatchObject([
    { name: 'outbox', peakWrites: 20 },
    { name: 'outbox/unpublished', peakWrites: 10 },
  ]);
});

test('dollars are amounts times prices', () => {
  expect(dollarsOf({ gatewayRequests: 2_000_000, queueRequests: 5_000_000 })).toBeCloseTo(9);
  expect(dollarsByPrice({ writeUnits: 1_000_000 })).toEqual({ writeUnits: 0.625 });
  expect(together([{ readUnits: 1 }, times({ readUnits: 2, writeUnits: 1 }, 3)])).toEqual({
    readUnits: 7,
    writeUnits: 3,
  });
});

test.each(Object.entries(prices))('the price of %s is on a page of AWS', (_, { page, usd, per }) => {
  expect(page).toMatch(/^https:\/\/aws\.amazon\.com\/\S+$/);
  expect(usd / per).toBeGreaterThan(0);
});
