import type { Activity } from '../../../../infra/capacity/activities.ts';
import { partitionedCapacity } from '../../../../infra/capacity/division.ts';
import { executionsOf, quotasOf } from '../../../../infra/capacity/quotas.ts';
import { workload } from '../../../../infra/capacity/workload.ts';

const environment = {
  capacity: partitionedCapacity,
  registryVisits: { perSecond: 40, priceInUSD: 0 },
  deferredEventsPerSecond: 50,
};

/** 36 million requests in an hour, 10,000 a second, of 30 ms each and five write units. */
const requests: Activity = {
  name: 'getPolicy',
  perDay: 36_000_000,
  busyHours: 1,
  request: { requestBytes: 0, answerBytes: 0 },
  parts: [
    {
      name: 'policies',
      invocations: 1,
      seconds: 0.03,
      isQueued: false,
      cost: {
        invocations: 0,
        events: 0,
        calls: { 'dynamodb:GetItem': 1 },
        tables: { policies: { read: 1, write: 5, listed: 0, listedBytes: 0, fetched: 0, fetchedBytes: 0 } },
      },
    },
  ],
};

const quotas = quotasOf({ activities: [requests], assumed: workload, environment });
const useOf = (name: string) => quotas.find((quota) => quota.name.startsWith(name));

test('the limit that is met first is at the top', () => {
  const shares = quotas.map(({ use, limit }) => use / limit);
  expect(shares).toEqual(shares.toSorted((one, other) => other - one));
});

test('use is what happens in a second, or at once', () => {
  expect(useOf('API Gateway')).toMatchObject({ use: 10_000, limit: 10_000 });
  expect(useOf('Lambda: concurrent')).toMatchObject({ use: 300, limit: 1_000 });
  expect(useOf('Executions of policies')).toMatchObject({ use: 300, limit: 150 });
  expect(useOf('DynamoDB: write units a second of a table')).toMatchObject({ use: 50_000, limit: 40_000 });
});

test('a worker has what its queues may take, another function what is reserved for it', () => {
  const { workers, reserved } = partitionedCapacity;
  expect(executionsOf('webhook-delivery', partitionedCapacity)).toBe(
    workers['deliveries-healthy'] + workers['deliveries-failing'],
  );
  expect(executionsOf('authorizer', partitionedCapacity)).toBe(reserved['authorizer']);
  expect(executionsOf('carriers', partitionedCapacity)).toBeUndefined();
});
