import { functionUses, memoryOf } from '../function-uses.ts';
import { type Activity, type FunctionPart, peakPerSecond } from './activities.ts';
import { callsOf, unitsOf } from './cost.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { times, together, type Usage } from './prices.ts';
import type { Workload } from './workload.ts';

const GB = 1_000_000_000;
const daysOfMonth = 30;

/** Messages and requests of one part: Lambda's pollers receive and delete a batch, which is a request each. */
function usageOfPart(part: FunctionPart, assumed: Workload): Usage {
  const { name, invocations, seconds, cost, isQueued } = part;
  const { read, write } = unitsOf(cost);
  const logged = (invocations * assumed.logBytes) / GB;
  return {
    invocations,
    gigabyteSeconds: (seconds * memoryOf(functionUses.get(name))) / 1_024,
    readUnits: read,
    writeUnits: write,
    // The bus sends each event to a queue.
    queueRequests: (isQueued ? invocations * 2 : 0) + callsOf(cost, 'sqs:') + cost.events,
    busEvents: cost.events,
    loggedGigabytes: logged,
    fileWrites: callsOf(cost, 's3:Put') + callsOf(cost, 's3:Copy') + callsOf(cost, 's3:List'),
    fileReads: callsOf(cost, 's3:Get') + callsOf(cost, 's3:Head'),
  };
}

/** What one operation of an activity uses of everything that has a price. */
export function usageOf({ parts, request, sentBytes = 0 }: Activity, assumed: Workload): Usage {
  const ofRequest: Usage =
    request === undefined
      ? {}
      : {
          gatewayRequests: 1,
          firewallRequests: 1,
          loggedGigabytes: assumed.accessLogBytes / GB,
        };
  return together([
    ofRequest,
    { tracesRecorded: assumed.tracedShare, sentGigabytes: ((request?.answerBytes ?? 0) + sentBytes) / GB },
    ...parts.map((part) => usageOfPart(part, assumed)),
  ]);
}

/** What is stored, for a month. */
export function storageOf({ itemBytes }: MeasuredCosts, assumed: Workload, logged: number): Usage {
  const { policies, transactionsPerPolicy, licenses, eventsPerDay } = assumed;
  const deliveries = eventsPerDay * assumed.webhooksPerEvent;
  // Four indexes hold whole policies, one whole transactions; those of the other tables hold only keys.
  const tables =
    policies * itemBytes.policy * 5 +
    policies * transactionsPerPolicy * itemBytes.policyTransaction * 2 +
    licenses * itemBytes.license +
    eventsPerDay * 35 * itemBytes.event +
    deliveries * 30 * itemBytes.delivery;
  const archived = eventsPerDay * daysOfMonth * itemBytes.event;
  return {
    tableGigabytes: tables / GB,
    recoveryGigabytes: tables / GB,
    archivedGigabytes: archived / GB,
    archiveGigabytes: archived / GB,
    // Logs are kept compressed, to about a seventh.
    logGigabytes: (logged * assumed.logMonths) / 7,
  };
}

/** A month of all activities and of what is stored. */
export function monthOf(activities: readonly Activity[], measured: MeasuredCosts, assumed: Workload): Usage {
  const running = together(
    activities.map((activity) => times(usageOf(activity, assumed), activity.perDay * daysOfMonth)),
  );
  return together([running, storageOf(measured, assumed, running.loggedGigabytes ?? 0)]);
}

/** What a function has to do. */
export interface FunctionLoad {
  readonly name: string;
  readonly perDay: number;
  /** Executions at once at the busiest time. */
  readonly concurrency: number;
}

/** Load of every function, the busiest first. */
export function functionLoads(activities: readonly Activity[]): FunctionLoad[] {
  const loads = new Map<string, FunctionLoad>();
  for (const activity of activities) {
    for (const { name, invocations, seconds } of activity.parts) {
      const before = loads.get(name) ?? { name, perDay: 0, concurrency: 0 };
      loads.set(name, {
        name,
        perDay: before.perDay + activity.perDay * invocations,
        concurrency: before.concurrency + peakPerSecond(activity) * seconds,
      });
    }
  }
  return [...loads.values()].sort((one, other) => other.concurrency - one.concurrency);
}

/** What a table with its indexes has to do. */
export interface TableLoad {
  readonly name: string;
  readonly readsPerDay: number;
  readonly writesPerDay: number;
  /** Units a second at the busiest time. */
  readonly peakReads: number;
  readonly peakWrites: number;
}

const withIndexes = (tableOrIndex: string): string => tableOrIndex.split('/')[0] ?? tableOrIndex;

/**
 * Load of every table, the one with the most writes first.
 *
 * @param nameOf what a table or index is counted as: by default an index as its table
 */
export function tableLoads(activities: readonly Activity[], nameOf = withIndexes): TableLoad[] {
  const loads = new Map<string, TableLoad>();
  for (const activity of activities) {
    const peak = peakPerSecond(activity);
    for (const { cost } of activity.parts) {
      for (const [tableOrIndex, { read, write }] of Object.entries(cost.tables)) {
        const name = nameOf(tableOrIndex);
        const before = loads.get(name) ?? {
          name,
          readsPerDay: 0,
          writesPerDay: 0,
          peakReads: 0,
          peakWrites: 0,
        };
        loads.set(name, {
          name,
          readsPerDay: before.readsPerDay + activity.perDay * read,
          writesPerDay: before.writesPerDay + activity.perDay * write,
          peakReads: before.peakReads + peak * read,
          peakWrites: before.peakWrites + peak * write,
        });
      }
    }
  }
  return [...loads.values()].sort((one, other) => other.peakWrites - one.peakWrites);
}
