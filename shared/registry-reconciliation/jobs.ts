import * as z from 'zod/mini';
import { objectId, timestamp } from '../contract/primitives.ts';

const passedSubscription = z.strictObject({ organizationId: objectId, registryDataSubscriptionId: objectId });

/** A subscription by what addresses it. */
export type PassedSubscription = z.output<typeof passedSubscription>;

/** Subscriptions of one job. */
export const subscriptionsOfJob = 25;

/** A message of the registry-reconciliation queue. */
export const passJob = z.strictObject({
  /** When the pass takes place: what it changes was changed then. */
  asOf: timestamp,
  subscriptions: z.array(passedSubscription).check(z.maxLength(subscriptionsOfJob)),
});

export type PassJob = z.output<typeof passJob>;
