import { routeGroups } from '../function-uses.ts';
import { callsOf, costOfRoute, routeCostOf } from './cost.ts';
import type { Cost, MeasuredCosts, RouteCost, WorkName } from './measured-costs.ts';
import { agencyCalls, type Calls, carrierCalls, type Workload } from './workload.ts';

/** A function's part in one operation. */
export interface FunctionPart {
  readonly name: string;
  readonly invocations: number;
  /** Seconds of all these invocations together. */
  readonly seconds: number;
  readonly cost: Cost;
  /** Whether a queue invokes it, which costs requests to the queue. */
  readonly isQueued: boolean;
}

/** Work that recurs: how often, and what one operation takes. */
export interface Activity {
  readonly name: string;
  readonly perDay: number;
  /** Hours into which a day's operations fall. */
  readonly busyHours: number;
  readonly parts: readonly FunctionPart[];
  /** The request, for an operation that is one. */
  readonly request?: Pick<RouteCost, 'requestBytes' | 'answerBytes'>;
  /** Bytes that it sends to others than callers. */
  readonly sentBytes?: number;
}

/** Operations a second at the busiest time. */
export const peakPerSecond = ({ perDay, busyHours }: Pick<Activity, 'perDay' | 'busyHours'>): number =>
  perDay / busyHours / 3_600;

const scaled = (cost: Cost, share: number): Cost => ({
  ...cost,
  calls: Object.fromEntries(Object.entries(cost.calls).map(([action, count]) => [action, count * share])),
  tables: Object.fromEntries(
    Object.entries(cost.tables).map(([name, table]) => [
      name,
      { ...table, read: table.read * share, write: table.write * share },
    ]),
  ),
});

/** @param misses share of the credentials that the authorizer does not remember */
function authorizing(measured: MeasuredCosts, assumed: Workload, misses: number): FunctionPart {
  const calling = misses * callsOf(measured.authorizer) * assumed.callMilliseconds;
  return {
    name: 'authorizer',
    invocations: 1,
    seconds: (assumed.authorizerMilliseconds + calling) / 1_000,
    cost: scaled(measured.authorizer, misses),
    isQueued: false,
  };
}

/** A request to a route, with the authorizer's part; its calls take the time that they would one after the other. */
export function requestOf(id: string, calls: Calls, measured: MeasuredCosts, assumed: Workload): Activity {
  const group = routeGroups.find(({ routes }) => id in routes);
  const route = group?.routes[id];
  if (group === undefined || route === undefined) throw new Error(`There is no operation ${id}.`);
  const cost = routeCostOf(costOfRoute(id, route, measured), calls);
  const own = assumed.ownMilliseconds + cost.records * assumed.recordMilliseconds;
  const seconds = (own + callsOf(cost) * assumed.callMilliseconds) / 1_000;
  return {
    name: id,
    perDay: calls.perDay,
    busyHours: assumed.requestHours,
    request: cost,
    parts: [
      { name: group.name, invocations: 1, seconds, cost, isQueued: false },
      authorizing(measured, assumed, assumed.authorizerMisses),
    ],
  };
}

/**
 * A request that is refused before its operation begins: by the authorizer, which knows the credential and what it may do;
 * or by the function, because the authorizer found no such credential.
 */
export function refusalOf(
  by: 'authorizer' | 'function',
  measured: MeasuredCosts,
  assumed: Workload,
): Activity {
  const cost = { invocations: 0, events: 0, calls: {}, tables: {} };
  const seconds = assumed.ownMilliseconds / 1_000;
  const refusing = { name: 'refusal', invocations: 1, seconds, cost, isQueued: false };
  return {
    name:
      by === 'authorizer'
        ? 'request that the authorizer refuses (403)'
        : 'request without a valid credential (401)',
    perDay: 1,
    busyHours: 1,
    request: { requestBytes: 0, answerBytes: assumed.refusalBytes },
    parts:
      by === 'authorizer'
        ? [authorizing(measured, assumed, assumed.authorizerMisses)]
        : [authorizing(measured, assumed, 1), refusing],
  };
}

/** How a worker spends its time. */
interface Pace {
  /** AWS calls that it makes at once. */
  readonly atOnce: number;
  /** Milliseconds of an operation beside AWS calls: what others take to answer. */
  readonly waiting: number;
  readonly isQueued: boolean;
  /** Operations of the function for one of the activity. */
  readonly share: number;
}

const paceOf = (name: string, work: WorkName, assumed: Workload): Pace => {
  // Those of imports are published by the release.
  const publishedShare = work === 'event' ? 1 - assumed.eventsOfImports : 1;
  const plain = { atOnce: 1, waiting: 0, isQueued: true, share: 1 };
  const deliveries = assumed.webhooksPerEvent * assumed.attemptsPerDelivery;
  switch (name) {
    case 'event-publisher':
      return { ...plain, atOnce: assumed.publisherAtOnce, isQueued: false, share: publishedShare };
    case 'import':
      return { ...plain, atOnce: assumed.importsAtOnce, isQueued: false };
    case 'webhook-fanout':
      return { ...plain, atOnce: assumed.fanoutAtOnce, share: assumed.webhooksPerEvent };
    case 'webhook-delivery':
      return {
        ...plain,
        atOnce: assumed.attemptsAtOnce,
        waiting: assumed.receiverMilliseconds / assumed.attemptsAtOnce,
        share: deliveries,
      };
    case 'registry-reconciliation':
    case 'registry-sync':
      return { ...plain, waiting: assumed.registryMilliseconds / assumed.visitsAtOnce };
    default:
      return plain;
  }
};

/** Work beside requests. */
export function workOf(
  name: WorkName,
  rate: Pick<Activity, 'perDay' | 'busyHours'>,
  measured: MeasuredCosts,
  assumed: Workload,
): Activity {
  const parts = Object.entries(measured.work[name].functions).map(([part, cost]): FunctionPart => {
    const { atOnce, waiting, isQueued, share } = paceOf(part, name, assumed);
    // An import's invocation has up to 500 lines.
    const invocations = part === 'import' ? 1 / 500 : cost.invocations;
    const calling = (callsOf(cost) * assumed.callMilliseconds) / atOnce;
    const seconds = ((invocations * assumed.ownMilliseconds + calling + waiting) * share) / 1_000;
    return { name: part, invocations: invocations * share, seconds, cost: scaled(cost, share), isQueued };
  });
  const deliveries = assumed.webhooksPerEvent * assumed.attemptsPerDelivery;
  const sentBytes = name === 'event' ? measured.itemBytes.event * deliveries : 0;
  return { name, ...rate, parts, sentBytes };
}

/** What visits find is written as a synchronization writes it, but the visit has asked the registry already. */
const visitsFindings = (synchronization: Activity, assumed: Workload): Activity => ({
  ...synchronization,
  name: 'visitsFindings',
  parts: synchronization.parts.map((part) => ({
    ...part,
    name: 'registry-reconciliation',
    invocations: 0,
    seconds: part.seconds - assumed.registryMilliseconds / assumed.visitsAtOnce / 1_000,
  })),
});

/** Everything that happens in a day. */
export function activitiesOf(measured: MeasuredCosts, assumed: Workload): Activity[] {
  const requests = (all: Readonly<Record<string, Calls>>, callers: number): Activity[] =>
    Object.entries(all).map(([id, calls]) =>
      requestOf(id, { ...calls, perDay: calls.perDay * callers }, measured, assumed),
    );
  const work = (name: WorkName, perDay: number, busyHours: number): Activity =>
    workOf(name, { perDay, busyHours }, measured, assumed);
  const { policies, licenses, eventsPerDay, requestHours, importHours } = assumed;
  const changedLicenses = licenses * assumed.licensesChanged;
  const npns = licenses / assumed.licensesPerNpn;
  const asked = (carrierCalls['syncAssociation']?.perDay ?? 0) * assumed.carriers;
  const changedNpns = Math.min(npns, changedLicenses);
  return [
    ...requests(carrierCalls, assumed.carriers),
    ...requests(agencyCalls, assumed.agencies),
    work('agentImportedWithEvent', eventsPerDay, requestHours),
    work('event', eventsPerDay, requestHours),
    work('eventReleased', eventsPerDay * assumed.eventsOfImports, 24),
    work('policyTransactionImported', policies * assumed.policyLinesChanged, importHours),
    work('policyTransactionImportedUnchanged', policies * assumed.policyLinesUnchanged, importHours),
    work('licenseImported', changedLicenses, importHours),
    work('complianceChange', changedLicenses, importHours),
    work('synchronization', asked, requestHours),
    work('licenseSwept', (licenses * 2) / assumed.renewalDays, assumed.sweepHours),
    work('visit', npns, nightHours),
    visitsFindings(work('synchronization', changedNpns, nightHours), assumed),
  ];
}

/** From the reconciliation until the sweep. */
const nightHours = 8;
