import * as z from 'zod/mini';
import { changeMark } from '#platform/changes/change-index.ts';
import { count, isoDate, objectId, stateCode } from '#platform/contract/primitives.ts';
import type { Changes } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import { renewalStatuses } from '../decision/renewal.ts';
import { npn } from '../identifiers/identifiers.ts';

// A subscription to an NPN in the registry, apart from what writes its records: requests that subscribe need no more.

const synchronizationStatuses = ['not started', 'queued', 'in progress', 'success', 'failed'] as const;

export const entityModel = z.enum(['agent', 'downstreamEntity']);

/**
 * An organization's subscription to one NPN in the registry. Its `entityInfo.status` is that of the last
 * synchronization.
 */
export const registryDataSubscription = storedItem('registry-records/subscription', {
  _id: objectId,
  dataOwnerId: objectId,
  dataOwnerModel: z.enum(['upstreamEntity', 'downstreamEntity']),
  entityModel: z.nullable(entityModel),
  entityInfo: z.object({
    status: z.enum(synchronizationStatuses),
    jobId: z.nullable(z.string()),
    message: z.nullable(z.string()),
    rawEntityInfoId: z.nullable(objectId),
  }),
  npn,
  lastSynchronizationDate: z.nullable(isoDate),
  pdbAlertsSubscriptionStatus: z.nullable(z.string()),
  pdbAlertsPausedAt: z.nullable(isoDate),
});

export type RegistryDataSubscription = z.output<typeof registryDataSubscription>;

/**
 * Changes of what callers see of a subscription. They count as changes of the producers and associations that show it: a caller
 * that follows their lists finds it by the mark that is set with them.
 */
export const shownChanges = (
  { dataOwnerId, _id }: Pick<RegistryDataSubscription, 'dataOwnerId' | '_id'>,
  changes: Changes,
  now: Date,
): Changes => ({ ...changes, ...changeMark(dataOwnerId, _id, now) });

/** A message of the registry-sync queue: bring one subscription up to date. */
export const syncJob = z.strictObject({
  jobId: z.string(),
  organizationId: objectId,
  registryDataSubscriptionId: objectId,
  npn,
});

export type SyncJob = z.output<typeof syncJob>;

export const countsByStatus = z.object({
  active: count,
  expiring: count,
  expired: count,
  inactive: count,
});

/** All licenses of a list, by renewal status. */
export const licenseCounts = z.object({ total: count, ...countsByStatus.shape });

/** An agency's licensing in one state. */
export const stateLicenseOverview = z.object({
  stateCode,
  status: z.enum(renewalStatuses),
  licenses: count,
  ...countsByStatus.shape,
  nextRenewalDate: z.nullable(z.iso.date()),
  daysLeft: z.nullable(z.int()),
  entities: count,
  producers: count,
});

export type LicenseCounts = z.output<typeof licenseCounts>;

export type StateLicenseOverview = z.output<typeof stateLicenseOverview>;
