import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { strictObject } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { npn } from '../identifiers/identifiers.ts';

/** A message of the registry-sync queue: bring one subscription up to date. */
export const syncJob = compatible(
  'messages/registry-sync',
  strictObject(() => ({
    jobId: z.string(),
    organizationId: objectId,
    registryDataSubscriptionId: objectId,
    npn,
  })),
);

export type SyncJob = z.output<typeof syncJob>;
