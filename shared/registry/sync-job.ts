import * as z from 'zod/mini';
import { compatible } from '../contract/compatible.ts';
import { lazyStrictObject } from '../contract/lazy-object.ts';
import { objectId } from '../contract/primitives.ts';
import { npn } from '../resources/npn.ts';

/** A message of the registry-sync queue: bring one subscription up to date. */
export const syncJob = compatible(
  'messages/registry-sync',
  lazyStrictObject(() => ({
    jobId: z.string(),
    organizationId: objectId,
    registryDataSubscriptionId: objectId,
    npn,
  })),
);

export type SyncJob = z.output<typeof syncJob>;
