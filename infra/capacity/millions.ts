import { type Route, takesIdempotencyKey } from '../../shared/platform/contract/route.ts';
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
  /** The routes of which a million costs least and most, for a kind that has several. */
  readonly range?: readonly [cheapest: RouteMillion, dearest: RouteMillion];
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

/** The kinds that a route's requests are of, each with how long its list is taken to be. */
function kindsOf(route: Route): readonly (readonly [kind: string, calls: Omit<Calls, 'perDay'>])[] {
  const listing = (listed: number, answered: number) => ({ listed, answered });
  if (route.rate === 'token') return [['exchange of credentials for a token', {}]];
  if ('all' in route.answer) {
    return [
      ['whole list of 100 records', listing(100, 100)],
      ['whole list of 10,000 records', listing(10_000, 10_000)],
    ];
  }
  if ('page' in route.answer) return [['page of 25 from a list of 1,000', listing(1_000, 25)]];
  if (route.form !== undefined) return [['upload of a file in a form', {}]];
  if (takesIdempotencyKey(route)) return [['write with an idempotency key', {}]];
  return [['read of one record, or of none', {}]];
}

/** A million requests of each kind. */
function requestsOf(measured: MeasuredCosts, assumed: Workload): Million[] {
  const kinds = new Map<string, RouteMillion[]>();
  for (const [id, route] of routeGroups.flatMap(({ routes }) => Object.entries<Route>(routes))) {
    for (const [kind, calls] of kindsOf(route)) {
      // A list without measured records has nothing to scale.
      if (calls.listed !== undefined && measured.routes[id]?.records === 0) continue;
      const usage = million(requestOf(id, { ...calls, perDay: 1 }, measured, assumed), assumed);
      kinds.set(kind, [...(kinds.get(kind) ?? []), { id, usage }]);
    }
  }
  return Array.from(kinds, ([name, routes]) => {
    const sorted = routes.toSorted((one, other) => dollarsOf(one.usage) - dollarsOf(other.usage));
    const [cheapest, dearest] = [sorted[0], sorted.at(-1)];
    const usage = sorted[Math.floor(sorted.length / 2)]?.usage ?? {};
    return cheapest === undefined || dearest === undefined
      ? { name, usage }
      : { name, usage, range: [cheapest, dearest] };
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
