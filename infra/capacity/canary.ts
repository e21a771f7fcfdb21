import { type Activity, requestOf, workOf } from './activities.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { dollarsOf } from './prices.ts';
import { usageOf } from './usage.ts';
import type { Calls, Workload } from './workload.ts';

/** Runs of the canary in a month: one every five minutes. */
export const canaryRuns = (30 * 24 * 60) / 5;

/** The requests of a run; see `functions/canary/check.ts`. */
const requests: readonly (readonly [operationId: string, calls: Omit<Calls, 'perDay'>])[] = [
  ['exchangeToken', {}],
  ['listAssociations', { listed: 1, answered: 1 }],
  ['getAssociation', {}],
  // And its repetition, which costs less.
  ['updateAssociation', {}],
  ['updateAssociation', {}],
  // Asked about twice. Deliveries are kept for a month, and the list counts all of them.
  ['listWebhookDeliveries', { listed: canaryRuns, answered: 10 }],
  ['listWebhookDeliveries', { listed: canaryRuns, answered: 10 }],
];

/** Dollars a month of everything that the canary causes, its event included. */
export function canaryDollars(measured: MeasuredCosts, assumed: Workload): number {
  const rate = { perDay: 1, busyHours: 24 };
  const activities: Activity[] = [
    ...requests.map(([id, calls]) => requestOf(id, { ...calls, perDay: 1 }, measured, assumed)),
    workOf('event', rate, measured, { ...assumed, webhooksPerEvent: 1, eventsOfImports: 0 }),
  ];
  const run = activities.reduce((sum, activity) => sum + dollarsOf(usageOf(activity, assumed)), 0);
  // It waits for the event for some three seconds, in a function of 1 GB.
  const waiting = dollarsOf({ invocations: 2, gigabyteSeconds: 3 });
  return canaryRuns * (run + waiting);
}
