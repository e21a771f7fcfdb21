import type { WorkedQueue } from '../../shared/domain/queues.ts';
import {
  accountConcurrency,
  gatewayRequestsPerSecond,
  keyOperationsPerSecond,
  largestParallelizationFactor,
  newTableWriteUnits,
  partitionWriteUnits,
  putEventsPerSecond,
  queueBatchMessages,
  queueMessagesInFlight,
  secretReadsPerSecond,
  tableUnits,
  targetInvocationsPerSecond,
} from '../../shared/platform/aws/limits.ts';
import type { Environment } from '../environments.ts';
import { functionUses } from '../function-uses.ts';
import { type Activity, peakPerSecond } from './activities.ts';
import { callsOf } from './cost.ts';
import { simulateVisits } from './simulated-visits.ts';
import { type FunctionLoad, functionLoads, type TableLoad, tableLoads } from './usage.ts';
import type { Workload } from './workload.ts';

/** A limit, and how much of it is used at the busiest time. */
export interface Quota {
  readonly name: string;
  readonly use: number;
  readonly limit: number;
  /** Whose limit it is: AWS's quota, AWS's fixed limit, or a number of ours. */
  readonly kind: 'quota' | 'fixed' | 'ours';
  readonly todo: string;
}

interface Options {
  readonly activities: readonly Activity[];
  readonly assumed: Workload;
  readonly environment: Pick<Environment, 'capacity' | 'registryVisits' | 'deferredEventsPerSecond'>;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/**
 * The queues of each worker: the maximum numbers of their executions add up. Those of the reconciliation wait for their
 * turns, so the hours of its visits are what is limited.
 */
const queuesOf = (name: string): WorkedQueue[] =>
  name === 'registry-reconciliation'
    ? []
    : (Object.keys(functionUses.get(name)?.consumes ?? {}) as WorkedQueue[]);

/** Executions that a function may have at once: its queues' maximum, else what is reserved for it. */
export function executionsOf(
  name: string,
  { reserved, workers }: Environment['capacity'],
): number | undefined {
  const consumed = queuesOf(name);
  if (consumed.length > 0) return sum(consumed.map((queue) => workers[queue]));
  return Object.entries(reserved).find(([reservedFor]) => reservedFor === name)?.[1];
}

/** Every limit and its use, the one that is met first at the top. */
export function quotasOf({ activities, assumed, environment }: Options): Quota[] {
  const functions = functionLoads(activities);
  const tables = tableLoads(activities);
  const all = [
    ...account(activities, functions, assumed),
    ...ofTables(tables),
    ...ofNewTables(tableLoads(activities, (tableOrIndex) => tableOrIndex)),
    ...ours({ activities, assumed, environment }, functions),
  ];
  return all.sort((one, other) => other.use / other.limit - one.use / one.limit);
}

function account(
  activities: readonly Activity[],
  functions: readonly FunctionLoad[],
  assumed: Workload,
): Quota[] {
  const perSecond = (of: (activity: Activity) => number): number =>
    sum(activities.map((activity) => peakPerSecond(activity) * of(activity)));
  const parts = (of: (part: Activity['parts'][number]) => number) =>
    perSecond((activity) => sum(activity.parts.map(of)));
  const concurrency = sum(functions.map((load) => load.concurrency));
  const newInstances = concurrency / (assumed.instanceMinutes * 60);
  return [
    {
      name: 'Lambda: concurrent executions of the account',
      use: concurrency,
      limit: accountConcurrency,
      kind: 'quota',
      todo: 'Request more ("Concurrent executions"); then raise `reserved` and `workers`.',
    },
    {
      name: 'API Gateway: requests a second',
      use: perSecond(({ request }) => (request === undefined ? 0 : 1)),
      limit: gatewayRequestsPerSecond,
      kind: 'quota',
      todo: 'Request more ("Throttle rate"), and raise `throttles`.',
    },
    {
      name: 'EventBridge: PutEvents calls a second',
      use: parts(({ cost }) => callsOf(cost, 'events:PutEvents')),
      limit: putEventsPerSecond,
      kind: 'quota',
      todo: 'Request more ("PutEvents throttle limit"); beyond it events are late, not lost.',
    },
    {
      name: 'EventBridge: events a second sent to queues',
      use: parts(({ cost }) => cost.events),
      limit: targetInvocationsPerSecond,
      kind: 'quota',
      todo: 'Request more ("Invocations throttle limit"); beyond it events are late, not lost.',
    },
    {
      name: 'SQS: messages of a queue in flight',
      // A batch for each execution at most.
      use: Math.max(
        0,
        ...functions
          .filter(({ name }) => queuesOf(name).length > 0)
          .map((load) => load.concurrency * queueBatchMessages),
      ),
      limit: queueMessagesInFlight,
      kind: 'quota',
      todo: 'Nothing: the maximum number of executions of each queue keeps it far below.',
    },
    {
      name: 'Secrets Manager: reads a second',
      use: newInstances,
      limit: secretReadsPerSecond,
      kind: 'fixed',
      todo: 'Nothing: an execution environment reads a secret once in minutes.',
    },
    {
      name: 'KMS: operations a second',
      // DynamoDB asks for the key of a table once in five minutes for each of its callers' connections.
      use: (concurrency * 4) / 300,
      limit: keyOperationsPerSecond,
      kind: 'quota',
      todo: 'Nothing: DynamoDB remembers a table’s key for five minutes.',
    },
  ];
}

function ofTables(tables: readonly TableLoad[]): Quota[] {
  const [written] = tables;
  const [read] = tables.toSorted((one, other) => other.peakReads - one.peakReads);
  if (written === undefined || read === undefined) return [];
  return [
    {
      name: `DynamoDB: write units a second of a table (${written.name})`,
      use: written.peakWrites,
      limit: tableUnits,
      kind: 'quota',
      todo: 'Request more ("Table-level write throughput limit").',
    },
    {
      name: `DynamoDB: read units a second of a table (${read.name})`,
      use: read.peakReads,
      limit: tableUnits,
      kind: 'quota',
      todo: 'Request more ("Table-level read throughput limit").',
    },
  ];
}

/** Tables and indexes are warmed up each for itself. */
const ofNewTables = (tablesAndIndexes: readonly TableLoad[]): Quota[] =>
  tablesAndIndexes.slice(0, 3).map(({ name, peakWrites }) => ({
    name: `DynamoDB: write units a second of a new table or index (${name})`,
    use: peakWrites,
    limit: newTableWriteUnits,
    kind: 'fixed',
    todo: 'Set its warm throughput before the launch, or let traffic grow over days.',
  }));

function ours({ activities, assumed, environment }: Options, functions: readonly FunctionLoad[]): Quota[] {
  const { capacity, registryVisits } = environment;
  const npns = assumed.licenses / assumed.licensesPerNpn;
  const { perSecond } = registryVisits;
  const workers = capacity.workers['registry-reconciliation'];
  const visitSeconds = assumed.registryMilliseconds / 1_000;
  const busiest = Math.max(...activities.map((one) => (one.request === undefined ? 0 : peakPerSecond(one))));
  const [publisher] = functions.filter(({ name }) => name === 'event-publisher');
  const [outbox] = tableLoads(activities).filter(({ name }) => name === 'outbox');
  // A stream has a shard for each partition of its table; each shard has one execution at a time.
  const shards = Math.max(4, Math.ceil((outbox?.peakWrites ?? 0) / partitionWriteUnits));
  const executions = functions.flatMap(({ name, concurrency }): Quota[] => {
    const limit = executionsOf(name, capacity);
    if (limit === undefined) return [];
    const isWorker = queuesOf(name).length > 0;
    const todo = isWorker
      ? 'Raise its queues’ `workers` until two thirds are used; beyond it the queue’s age grows.'
      : 'Raise its `reserved`; beyond it callers get a 500.';
    return [{ name: `Executions of ${name}`, use: concurrency, limit, kind: 'ours', todo }];
  });
  return [
    ...executions,
    {
      name: 'Executions of event-publisher (one for each shard of the outbox’s stream)',
      use: publisher?.concurrency ?? 0,
      limit: shards,
      kind: 'ours',
      todo: `Set \`parallelizationFactor\` of its mapping (up to ${largestParallelizationFactor}); events of one entity stay in order.`,
    },
    {
      name: 'Events of imports published in a second',
      use: (assumed.eventsPerDay * assumed.eventsOfImports) / 86_400,
      limit: environment.deferredEventsPerSecond,
      kind: 'ours',
      todo: 'Raise `deferredEventsPerSecond`; beyond it imports’ events are late.',
    },
    {
      name: 'Hours of the registry’s nightly visits',
      use: simulateVisits({ npns, perSecond, workers, visitSeconds }) / 3_600,
      limit: 8,
      kind: 'ours',
      todo: 'Agree on more visits a second with the registry’s operator (`registryVisits`).',
    },
    {
      name: 'Requests a second of one route (the stage’s throttle)',
      use: busiest,
      limit: capacity.throttles?.routes.perSecond ?? gatewayRequestsPerSecond,
      kind: 'ours',
      todo: 'Raise `throttles`.',
    },
  ];
}
