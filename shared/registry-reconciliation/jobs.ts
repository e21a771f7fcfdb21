import * as z from 'zod/mini';
import { objectId, timestamp } from '../contract/primitives.ts';

const reconciledSubscription = z.strictObject({
  organizationId: objectId,
  registryDataSubscriptionId: objectId,
});

/** The key members of a subscription. */
export type ReconciledSubscription = z.output<typeof reconciledSubscription>;

/** Subscriptions of one job. */
export const subscriptionsOfJob = 25;

/** A message of the registry-reconciliation queue. */
export const reconciliationJob = z.strictObject({
  /** The time of the reconciliation, recorded as the time of its changes. */
  asOf: timestamp,
  subscriptions: z.array(reconciledSubscription).check(z.maxLength(subscriptionsOfJob)),
});

export type ReconciliationJob = z.output<typeof reconciliationJob>;
