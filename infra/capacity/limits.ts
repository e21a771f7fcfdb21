import { unpublishedShards } from '../../shared/domain/events/stored.ts';
import type { WorkedQueue } from '../../shared/domain/queues.ts';
import { npnsOfJob } from '../../shared/domain/registry-reconciliation/jobs.ts';
import { shards } from '../../shared/domain/registry-records/stored.ts';
import {
  accountConcurrency,
  assumedRolesPerSecond,
  ellipticOperationsPerSecond,
  gatewayRequestsPerSecond,
  largestParallelizationFactor,
  newTableUnits,
  partitionReadUnits,
  partitionWriteUnits,
  putEventsPerSecond,
  roleSessionSeconds,
  tableUnits,
  targetInvocationsPerSecond,
} from '../../shared/platform/aws/limits.ts';
import { environments, type WarmThroughput } from '../environments.ts';
import { functionUses } from '../function-uses.ts';
import type { MeasuredCosts, WorkName } from './measured-costs.ts';
import { type Activity, callsOf, costOfCalls, executionsOf, peakPerSecond, sum, unitsOf } from './usage.ts';
import { npns, requests, workload } from './workload.ts';

/** A limit, and how much of it is used at the busiest time. */
export type Limit = ReturnType<ReturnType<typeof limits>>;

/** @param whose limits they are; one partition of a table or an index has one, however much the table may. */
const limits =
  (whose: 'AWS' | 'AWS, can be raised' | 'AWS, one partition' | 'ours') =>
  (name: string, use: number, limit: number, todo: string) => ({ name, use, limit, whose, todo });

const { capacity, registryPolls, deferredEventsPerSecond } = environments.prod;
const warmThroughput: Readonly<Record<string, WarmThroughput>> = environments.prod.warmThroughput ?? {};

/** Every limit that matters, the one that is met first at the top. */
export const limitsOf = (activities: readonly Activity[], measured: MeasuredCosts): Limit[] =>
  [
    ...ofAccount(activities),
    ...ofTables(activities),
    ...ofExecutions(activities),
    ...ofOurs(activities),
    ...ofPartitions(measured),
  ].sort((one, other) => other.use / other.limit - one.use / one.limit);

const total = (executions: ReadonlyMap<string, number>): number => sum([...executions.values()]);

function ofAccount(activities: readonly Activity[]): Limit[] {
  const limit = limits('AWS, can be raised');
  const perSecond = (of: (activity: Activity) => number): number =>
    sum(activities.map((activity) => peakPerSecond(activity) * of(activity)));
  return [
    limit(
      'Lambda: concurrent executions of the account',
      total(executionsOf(activities)),
      accountConcurrency,
      'Request more ("Concurrent executions"); then raise `reserved` and `workers`.',
    ),
    limit(
      'API Gateway: requests a second',
      perSecond(({ isRequest }) => Number(isRequest)),
      gatewayRequestsPerSecond,
      'Request more ("Throttle rate"), and raise `throttles`.',
    ),
    limit(
      'EventBridge: PutEvents calls a second',
      perSecond(({ parts }) => sum(parts.map(({ cost }) => callsOf(cost, 'events:PutEvents')))),
      putEventsPerSecond,
      'Request more ("PutEvents throttle limit"); beyond it events are late, not lost.',
    ),
    limit(
      'EventBridge: events a second sent to queues',
      perSecond(({ parts }) => sum(parts.map(({ cost }) => cost.events))),
      targetInvocationsPerSecond,
      'Request more ("Invocations throttle limit"); beyond it events are late, not lost.',
    ),
    limit(
      'KMS: signatures a second',
      perSecond(({ parts }) => sum(parts.map(({ cost }) => callsOf(cost, 'kms:Sign')))),
      ellipticOperationsPerSecond,
      'Request more ("Cryptographic operations (ECC) request rate"); beyond it sale checks with a receipt get a 500.',
    ),
    // At worst each execution sends to each destination in each session.
    limits('AWS')(
      'STS: AssumeRole calls a second',
      ((executionsOf(activities).get('webhook-delivery') ?? 0) * workload.destinations) / roleSessionSeconds,
      assumedRolesPerSecond,
      'Raise `DurationSeconds` in `shared/domain/webhooks/role-sessions.ts`, with which customers’ roles are assumed less often; beyond it workers fail, and their deliveries are late.',
    ),
  ];
}

function ofTables(activities: readonly Activity[]): Limit[] {
  const busiest = (['write', 'read'] as const).flatMap((kind) =>
    [...unitsOf(activities, kind, peakPerSecond)].slice(0, 1).map(
      ([name, use]): Limit => ({
        name: `DynamoDB: ${kind} units a second of a table (${name})`,
        use,
        limit: tableUnits,
        whose: 'AWS, can be raised',
        todo: `Request more ("Table-level ${kind} throughput limit").`,
      }),
    ),
  );
  const cold = (['write', 'read'] as const).flatMap((kind) =>
    [...startRatesOf(activities, kind)].slice(0, 3).map(
      ([name, use]): Limit => ({
        name: `DynamoDB: ${kind} units a second of a new table or index (${name})`,
        use,
        limit: warmThroughput[name]?.[kind] ?? newTableUnits[kind],
        whose: 'AWS',
        todo: 'Set its `warmThroughput` before the launch ("Start rates" below), or let traffic grow over days.',
      }),
    ),
  );
  return [...busiest, ...cold];
}

/** Units a second of the tables and indexes, each of which is warmed up for itself, that need more than new ones serve. */
export const startRatesOf = (activities: readonly Activity[], kind: 'read' | 'write') =>
  new Map(
    [...unitsOf(activities, kind, peakPerSecond, (name) => name)].filter(
      ([, use]) => use > newTableUnits[kind],
    ),
  );

/** Of a function's executions: the maximum of its queues, which add up, else what is reserved for it. */
function ofExecutions(activities: readonly Activity[]): Limit[] {
  const reserved: Readonly<Record<string, number>> = capacity.reserved;
  return [...executionsOf(activities)].flatMap(([name, use]): Limit[] => {
    const queues = Object.keys(functionUses.get(name)?.consumes ?? {}) as WorkedQueue[];
    const limit = queues.length > 0 ? sum(queues.map((queue) => capacity.workers[queue])) : reserved[name];
    // Those of the reconciliation wait for their slots, so the hours of its polls are what is limited.
    if (limit === undefined || name === 'registry-reconciliation') return [];
    const todo =
      queues.length > 0
        ? 'Raise its queues’ `workers` until two thirds are used; beyond it the queue’s age grows.'
        : 'Raise its `reserved`; beyond it callers get a 500.';
    return [{ name: `Executions of ${name}`, use, limit, whose: 'ours', todo }];
  });
}

/** Hours of a night's polls of the registry, when each takes so many seconds. */
export function pollHours(seconds: number): number {
  const { perSecond } = registryPolls;
  // A worker is busy with its job until the last of its polls, each in its slot, is over.
  const jobSeconds = npnsOfJob / perSecond + seconds;
  const polled = Math.min(perSecond, (capacity.workers['registry-reconciliation'] * npnsOfJob) / jobSeconds);
  return npns / polled / 3_600;
}

function ofOurs(activities: readonly Activity[]): Limit[] {
  const limit = limits('ours');
  const busiest = Math.max(...activities.filter(({ isRequest }) => isRequest).map(peakPerSecond));
  // A stream has a shard for each partition of its table; each shard has one execution at a time.
  const outboxWrites = unitsOf(activities, 'write', peakPerSecond).get('outbox') ?? 0;
  return [
    limit(
      'Executions of event-publisher (one for each shard of the outbox’s stream)',
      executionsOf(activities).get('event-publisher') ?? 0,
      Math.max(4, Math.ceil(outboxWrites / partitionWriteUnits)),
      `Set \`parallelizationFactor\` of its mapping (up to ${largestParallelizationFactor}); events of one entity stay in order.`,
    ),
    limit(
      'Events of imports published in a second',
      (workload.eventsPerDay * workload.eventsOfImports) / 86_400,
      deferredEventsPerSecond,
      'Raise `deferredEventsPerSecond`; beyond it imports’ events are late.',
    ),
    limit(
      'Hours of the registry’s nightly polls',
      pollHours(workload.registryMilliseconds / 1_000),
      workload.nightHours,
      'Agree on more polls a second with the registry’s operator (`registryPolls`).',
    ),
    limit(
      'Requests a second of one route (the stage’s throttle)',
      busiest,
      capacity.throttles?.routes.perSecond ?? gatewayRequestsPerSecond,
      'Raise `throttles`.',
    ),
  ];
}

/** The keys that most work meets at, as DynamoDB sees them: of a table, or of an index. */
function ofPartitions(measured: MeasuredCosts): Limit[] {
  const ofPartition = limits('AWS, one partition');
  const partition = (name: string, use: number, todo: string, most = partitionWriteUnits) =>
    ofPartition(name, use, most, todo);
  const writes = (name: WorkName, table: string): number =>
    sum(Object.values(measured.work[name]).map(({ tables }) => tables[table]?.write ?? 0));
  const imported = (name: WorkName, table: string) => writes(name, table) * workload.importsPerSecond;
  const eventsPerSecond = peakPerSecond({ perDay: workload.eventsPerDay, hours: workload.requestHours });
  const { listWebhookDeliveries: list } = measured.routes;
  const { listWebhookDeliveries: calls } = requests.carriers;
  const listed = list && calls && costOfCalls(list, calls).tables['webhooks/by-webhook'];
  const oneByOne = 'Do not import files of one carrier side by side; then put a shard into both keys.';
  return [
    partition(
      'rate-counters `<class>#<credential>#<minute>`: a credential sends what the stage admits to one route',
      capacity.throttles?.routes.perSecond ?? 0,
      'Lower `throttles` of the stage, or let an instance remember a full window.',
    ),
    partition(
      'policies/by-number `<owner>`, and policies `<owner>#POLICY`: one carrier imports policies',
      imported('policyTransactionImported', 'policies/by-number'),
      oneByOne,
    ),
    partition(
      'agents/by-list `<owner>`, and agents `<owner>#AGENT`: one carrier imports producers',
      imported('agentImportedWithEvent', 'agents/by-list'),
      oneByOne,
    ),
    partition(
      'outbox `UNPUBLISHED#<shard>`: events are written and published, with three units of their entries',
      (3 * eventsPerSecond) / unpublishedShards,
      'Raise `unpublishedShards` in `shared/domain/events/stored.ts`; old shards have to drain first.',
    ),
    partition(
      'outbox `<owner>#FEED`: one carrier imports with events, each published alone, with its position and the last one',
      4 * deferredEventsPerSecond,
      'Nothing: both are written once for all of the carrier’s events that are published together.',
    ),
    partition(
      'webhooks `<owner>#DELIVERY#<webhookId>`: one carrier imports with events, all for one webhook, whose state is counted as well',
      writes('event', 'webhooks') * workload.attemptsPerDelivery * workload.importsPerSecond,
      'Publish an import’s events more slowly; then put a shard into the deliveries’ key.',
    ),
    partition(
      'registry-records/by-renewal `<date>#<shard>`: one carrier imports licenses that all renew on one day',
      imported('licenseImported', 'registry-records/by-renewal') / shards,
      'Raise `shards` in `shared/domain/registry-records/stored.ts`.',
    ),
    partition(
      'webhooks/by-webhook `<owner>#<webhookId>`: a page of a day’s deliveries of one webhook, whose total counts all keys',
      listed?.read ?? 0,
      'Shorten the time without `since`: such a page throttles the next.',
      partitionReadUnits,
    ),
  ];
}
