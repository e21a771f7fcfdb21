import * as z from 'zod/mini';
import { objectId, timestamp } from '../contract/primitives.ts';

const passedSubscription = z.strictObject({ organizationId: objectId, registryDataSubscriptionId: objectId });

/** The key members of a subscription. */
export type PassedSubscription = z.output<typeof passedSubscription>;

/** Subscriptions of one job. */
export const subscriptionsOfJob = 25;

/** A message of the registry-reconciliation queue. */
export const passJob = z.strictObject({
  /** The time of the reconciliation, recorded as the time of its changes. */
  asOf: timestamp,
  subscriptions: z.array(passedSubscription).check(z.maxLength(subscriptionsOfJob)),
});

export type PassJob = z.output<typeof passJob>;
