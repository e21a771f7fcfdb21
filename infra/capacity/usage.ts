import { functionUses, memoryOf, routeGroups } from '../function-uses.ts';
import type { Cost, MeasuredCosts, RouteCost, TableCost } from './measured-costs.ts';
import { together, type Usage } from './prices.ts';
import { type Calls, paces, requests, type Work, work, workload } from './workload.ts';

/** A function's part in one operation. */
export interface FunctionPart {
  readonly name: string;
  readonly invocations: number;
  /** Seconds of all these invocations together. */
  readonly seconds: number;
  readonly cost: Cost;
}

/** Something that recurs: how often, and what one operation takes. */
export interface Activity {
  readonly name: string;
  readonly perDay: number;
  /** Hours into which a day's operations fall. */
  readonly hours: number;
  readonly isRequest: boolean;
  readonly parts: readonly FunctionPart[];
  /** Bytes of an answer, or of what is sent to webhooks. */
  readonly sentBytes: number;
}

const GB = 1_000_000_000;
const daysOfMonth = 30;

/** Bytes of a read unit, and how many units an eventually consistent read of them takes. */
const readUnitBytes = 4_096;
const eventual = 0.5;

/** Operations a second at the busiest time. */
export const peakPerSecond = ({ perDay, hours }: Pick<Activity, 'perDay' | 'hours'>): number =>
  perDay / hours / 3_600;

/** Calls of AWS whose action begins so. */
export const callsOf = ({ calls }: Pick<Cost, 'calls'>, start = ''): number =>
  sum(Object.entries(calls).map(([action, count]) => (action.startsWith(start) ? count : 0)));

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const mapped = <From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));

const scaled = (cost: Cost, share: number): Cost => ({
  ...cost,
  events: cost.events * share,
  calls: mapped(cost.calls, (count) => count * share),
  tables: mapped(cost.tables, (table) => ({
    ...table,
    read: table.read * share,
    write: table.write * share,
  })),
});

/** What a route costs with a list and an answer of these lengths; as measured for a route that lists nothing. */
export function costOfCalls(
  measured: RouteCost,
  { listed, answered, isSum }: Omit<Calls, 'perDay'>,
): RouteCost {
  const { records } = measured;
  if (records === 0 || listed === undefined) return measured;
  const inAnswer = answered === undefined ? 1 : answered / records;
  // By DynamoDB's own formula: a query takes units for the bytes that it reads, a read by key for each item.
  const longer = (cost: TableCost): TableCost => {
    const more = Math.max(0, listed / records - 1) * cost.listedBytes * (eventual / readUnitBytes);
    const unitsEach = cost.fetched === 0 ? 0 : Math.ceil(cost.fetchedBytes / cost.fetched / readUnitBytes);
    return { ...cost, read: cost.read + more + Math.max(0, inAnswer - 1) * cost.fetched * unitsEach };
  };
  return {
    ...measured,
    tables: mapped(measured.tables, longer),
    answerBytes: measured.answerBytes * (isSum === true ? 1 : inAnswer),
    records: records * inAnswer,
  };
}

/** A request to a route, with the authorizer's part; its calls take the time that they would one after the other. */
function requestOf(id: string, calls: Calls, callers: 'carriers' | 'agencies', all: MeasuredCosts): Activity {
  const { callMilliseconds, authorizerMisses: misses } = workload;
  const group = routeGroups.find(({ routes }) => id in routes);
  const measured = all.routes[id];
  if (group === undefined) throw new Error(`There is no operation ${id}.`);
  if (measured === undefined) throw new Error(`${id} is not measured: run "npm run capacity:measure".`);
  const cost = costOfCalls(measured, calls);
  const own = workload.ownMilliseconds + cost.records * workload.recordMilliseconds;
  const authorizing = workload.authorizerMilliseconds + misses * callsOf(all.authorizer) * callMilliseconds;
  return {
    name: `\`${id}\` of ${callers}`,
    perDay: calls.perDay * workload[callers],
    hours: workload.requestHours,
    isRequest: true,
    sentBytes: cost.answerBytes,
    parts: [
      { name: group.name, invocations: 1, seconds: (own + callsOf(cost) * callMilliseconds) / 1_000, cost },
      {
        name: 'authorizer',
        invocations: 1,
        seconds: authorizing / 1_000,
        cost: scaled(all.authorizer, misses),
      },
    ],
  };
}

/** Of a cost what concerns a table and its indexes. */
const costOfTable = ({ tables }: Cost, table: string): Cost => ({
  invocations: 0,
  events: 0,
  calls: {},
  tables: Object.fromEntries(Object.entries(tables).filter(([name]) => tableOf(name) === table)),
});

function workOf(
  { name, cost: measured, perDay, hours, shares, table, within }: Work,
  all: MeasuredCosts,
): Activity {
  const parts = Object.entries(all.work[measured]).map(([part, whole]): FunctionPart => {
    const cost = table === undefined ? whole : costOfTable(whole, table);
    // What is part of another operation's transaction takes no time of its own.
    const { atOnce = 1, waiting = 0 } = (table === undefined ? paces[part] : undefined) ?? {};
    const share = shares?.[part] ?? 1;
    const invocations = part === 'import' ? 1 / workload.importedLines : cost.invocations;
    const busy =
      invocations * workload.ownMilliseconds + (callsOf(cost) * workload.callMilliseconds) / atOnce;
    return within === undefined
      ? {
          name: part,
          invocations: invocations * share,
          seconds: ((busy + waiting) * share) / 1_000,
          cost: scaled(cost, share),
        }
      : { name: within, invocations: 0, seconds: busy / 1_000, cost };
  });
  const sentBytes = all.itemBytes.event * (shares?.['webhook-delivery'] ?? 0);
  return { name, perDay, hours, isRequest: false, parts, sentBytes };
}

/** Everything that happens in a day. */
export const activitiesOf = (measured: MeasuredCosts): Activity[] => [
  ...(['carriers', 'agencies'] as const).flatMap((callers) =>
    Object.entries(requests[callers]).map(([id, calls]) => requestOf(id, calls, callers, measured)),
  ),
  ...work.map((one) => workOf(one, measured)),
];

/** What one operation uses of everything that has a price. */
export function usageOf({ parts, isRequest, sentBytes }: Activity): Usage {
  const ofPart = ({ name, invocations, seconds, cost }: FunctionPart): Usage => ({
    invocations,
    gigabyteSeconds: (seconds * memoryOf(functionUses.get(name))) / 1_024,
    readUnits: sum(Object.values(cost.tables).map(({ read }) => read)),
    writeUnits: sum(Object.values(cost.tables).map(({ write }) => write)),
    // Lambda receives and deletes a batch, which is a request each; and the bus sends each event to a queue.
    queueRequests:
      (functionUses.get(name)?.consumes === undefined ? 0 : invocations * 2) +
      callsOf(cost, 'sqs:') +
      cost.events,
    busEvents: cost.events,
    signatures: callsOf(cost, 'kms:Sign'),
    loggedGigabytes: (invocations * workload.logBytes) / GB,
    fileWrites: callsOf(cost, 's3:Put') + callsOf(cost, 's3:Copy') + callsOf(cost, 's3:List'),
    fileReads: callsOf(cost, 's3:Get') + callsOf(cost, 's3:Head'),
  });
  const requested = Number(isRequest);
  const ofAll: Usage = {
    gatewayRequests: requested,
    firewallRequests: requested,
    loggedGigabytes: (requested * workload.accessLogBytes) / GB,
    tracesRecorded: workload.tracedShare,
    sentGigabytes: sentBytes / GB,
  };
  return together([ofAll, ...parts.map(ofPart)].map((usage) => [usage, 1]));
}

/** A month of all activities and of what is stored. */
export function monthOf(activities: readonly Activity[], { itemBytes }: MeasuredCosts): Usage {
  const running = together(
    activities.map((activity) => [usageOf(activity), activity.perDay * daysOfMonth] as const),
  );
  const { policies, transactionsPerPolicy, licenses, eventsPerDay } = workload;
  const receiptsPerDay = (requests.carriers['checkSales']?.perDay ?? 0) * workload.carriers;
  // Four indexes hold whole policies, one whole transactions; those of the other tables hold only keys.
  const tables =
    policies * itemBytes.policy * 5 +
    policies * transactionsPerPolicy * itemBytes.policyTransaction * 2 +
    licenses * itemBytes.license +
    eventsPerDay * 35 * itemBytes.event +
    eventsPerDay * workload.webhooksPerEvent * 30 * itemBytes.delivery +
    receiptsPerDay * workload.receiptYears * 365 * itemBytes.saleReceipt;
  const archived = (eventsPerDay * daysOfMonth * itemBytes.event) / GB;
  const stored: Usage = {
    tableGigabytes: tables / GB,
    recoveryGigabytes: tables / GB,
    archivedGigabytes: archived,
    archiveGigabytes: archived,
    // Logs are kept compressed, to about a seventh.
    logGigabytes: ((running.loggedGigabytes ?? 0) * workload.logMonths) / 7,
  };
  return together([
    [running, 1],
    [stored, 1],
  ]);
}

/** The table of itself, or of an index. */
const tableOf = (tableOrIndex: string): string => tableOrIndex.replace(/\/.*/, '');

/** Sums by name, the largest first. */
function summed(amounts: readonly (readonly [name: string, amount: number])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [name, amount] of amounts) sums.set(name, (sums.get(name) ?? 0) + amount);
  return new Map([...sums].sort(([, one], [, other]) => other - one));
}

/** Executions of every function at once, at the busiest time. */
export const executionsOf = (activities: readonly Activity[]): Map<string, number> =>
  summed(
    activities.flatMap((activity) =>
      activity.parts.map(({ name, seconds }) => [name, peakPerSecond(activity) * seconds] as const),
    ),
  );

/**
 * Units of every table.
 *
 * @param often how often an activity occurs in the time that is looked at: `peakPerSecond`
 * @param nameOf what a table or an index is counted as: by default an index as its table
 */
export const unitsOf = (
  activities: readonly Activity[],
  kind: 'read' | 'write',
  often: (activity: Activity) => number,
  nameOf = tableOf,
): Map<string, number> =>
  summed(
    activities.flatMap((activity) =>
      activity.parts.flatMap(({ cost }) =>
        Object.entries(cost.tables).map(
          ([name, units]) => [nameOf(name), units[kind] * often(activity)] as const,
        ),
      ),
    ),
  );
