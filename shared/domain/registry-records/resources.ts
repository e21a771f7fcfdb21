import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { isoDate, objectId } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { npn } from '../identifiers/identifiers.ts';

const synchronizationStatuses = ['not started', 'queued', 'in progress', 'success', 'failed'] as const;

export const entityModel = z.enum(['agent', 'downstreamEntity']);

/**
 * An organization's subscription to one NPN in the registry. Its `entityInfo.status` is that of the last
 * synchronization.
 */
export const registryDataSubscription = storedItem(
  'registry-records/subscription',
  object(() => ({
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
  })),
);

export type RegistryDataSubscription = z.output<typeof registryDataSubscription>;
