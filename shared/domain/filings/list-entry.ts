import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { filingSummary } from './resource.ts';

/** A list entry: what lists show, and the owner on the agency's side. */
export const storedFilingEntry = compatible(
  'filings/list-entry',
  lazyObject(() => ({
    ...filingSummary.shape,
    downstreamEntityId: z.optional(objectId),
  })),
);

export type StoredFilingEntry = z.output<typeof storedFilingEntry>;
