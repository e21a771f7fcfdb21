import type { Route } from '../../shared/platform/contract/route.ts';
import { type RouteClass, routeClass } from '../../shared/platform/contract/route-class.ts';
import { routeGroups } from '../function-uses.ts';
import { type Activity, refusalOf, requestOf, workOf } from './activities.ts';
import type { MeasuredCosts, WorkName } from './measured-costs.ts';
import { dollarsOf, type PriceName, times, type Usage } from './prices.ts';
import { usageOf } from './usage.ts';
import type { Calls, Workload } from './workload.ts';

/** What a million operations of one kind use. */
export interface Million {
  readonly name: string;
  /** Of requests: that of the median route. */
  readonly usage: Usage;
  /** Of requests: the routes of which a million costs least and most. */
  readonly range?: readonly RouteMillion[];
}

interface RouteMillion {
  /** The operationId. */
  readonly id: string;
  readonly usage: Usage;
}

/** The service that each price is paid for, in the order of a request's way. */
export const paidFor = {
  gatewayRequests: 'Gateway, firewall',
  firewallRequests: 'Gateway, firewall',
  invocations: 'Lambda',
  gigabyteSeconds: 'Lambda',
  readUnits: 'DynamoDB',
  writeUnits: 'DynamoDB',
  queueRequests: 'Queues',
  busEvents: 'Bus',
  loggedGigabytes: 'Logs, traces',
  tracesRecorded: 'Logs, traces',
  fileWrites: 'S3',
  fileReads: 'S3',
  sentGigabytes: 'Sent',
  tableGigabytes: 'Storage',
  recoveryGigabytes: 'Storage',
  archivedGigabytes: 'Storage',
  archiveGigabytes: 'Storage',
  logGigabytes: 'Storage',
} as const satisfies Record<PriceName, string>;

const million = (activity: Activity, assumed: Workload, share = 1): Usage =>
  times(usageOf(activity, assumed), 1_000_000 * share);

type Kind = readonly [name: string, calls: Omit<Calls, 'perDay'>];

/** The kinds that requests of a class are of, each with how long a list is taken to be. */
const kinds: Readonly<Record<RouteClass, readonly Kind[]>> = {
  token: [['exchange of credentials for a token', {}]],
  read: [['read of one record, or of none', {}]],
  page: [['page of 25 from a list of 1,000', { listed: 1_000, answered: 25 }]],
  write: [['write with an idempotency key', {}]],
  list: [
    ['whole list of 100 records', { listed: 100, answered: 100 }],
    ['whole list of 10,000 records', { listed: 10_000, answered: 10_000 }],
  ],
  upload: [['upload of a file in a form', {}]],
};

/** A million requests of each kind. */
function requestsOf(measured: MeasuredCosts, assumed: Workload): Million[] {
  const byKind = new Map<string, RouteMillion[]>();
  for (const [id, route] of routeGroups.flatMap(({ routes }) => Object.entries<Route>(routes))) {
    // What follows a cursor reads no more than its answer.
    for (const [kind, calls] of 'cursor' in route.answer ? kinds.read : kinds[routeClass(route)]) {
      const cost = measured.routes[id];
      // A list without measured records has nothing to scale.
      if (cost === undefined || (calls.listed !== undefined && cost.records === 0)) continue;
      const usage = million(requestOf(id, { ...calls, perDay: 1 }, measured, assumed), assumed);
      byKind.set(kind, [...(byKind.get(kind) ?? []), { id, usage }]);
    }
  }
  return Array.from(byKind, ([name, routes]) => {
    const sorted = routes.toSorted((one, other) => dollarsOf(one.usage) - dollarsOf(other.usage));
    const usage = sorted[Math.floor(sorted.length / 2)]?.usage ?? {};
    return { name, usage, range: [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])] };
  });
}

const works: readonly (readonly [WorkName, string])[] = [
  ['agentImportedWithEvent', 'record imported with an event (of a producer)'],
  ['event', 'event published (if no import wrote it) and delivered'],
  ['eventReleased', 'event of an import released and published'],
  ['policyTransactionImported', 'policy transaction imported'],
  ['policyTransactionImportedUnchanged', 'policy transaction imported again, unchanged'],
  ['licenseImported', 'license imported'],
  ['complianceChange', 'compliance change reported'],
  ['synchronization', 'synchronization that a carrier asks for, without the registry’s price'],
  ['licenseSwept', 'license reported by the sweep'],
  ['visit', 'visit of the registry that finds nothing new, without the registry’s price'],
];

/** A million of everything: requests of each kind by its median route, refusals, and work beside requests. */
export function millionsOf(measured: MeasuredCosts, assumed: Workload): Million[] {
  const work = (name: WorkName) => workOf(name, { perDay: 1, busyHours: 1 }, measured, assumed);
  const event = work('event');
  const attempts = assumed.webhooksPerEvent * assumed.attemptsPerDelivery;
  const delivering = event.parts.filter(({ name }) => name === 'webhook-delivery');
  return [
    ...requestsOf(measured, assumed),
    ...(['authorizer', 'function'] as const).map((by) => {
      const refusal = refusalOf(by, measured, assumed);
      return { name: refusal.name, usage: million(refusal, assumed) };
    }),
    ...works.map(([name, words]) => ({ name: words, usage: million(work(name), assumed) })),
    {
      name: 'attempt to deliver an event, which is part of the event above',
      usage: million({ ...event, parts: delivering }, assumed, 1 / attempts),
    },
  ];
}
