import * as z from 'zod/mini';
import { compatible } from '../contract/compatible.ts';
import { lazyObject } from '../contract/lazy-object.ts';
import { objectId } from '../contract/primitives.ts';
import { filingSummary } from '../resources/filing.ts';

/** A list entry: what lists show, and the owner on the agency's side. */
export const storedFilingEntry = compatible(
  'filings/list-entry',
  lazyObject(() => ({
    ...filingSummary.shape,
    downstreamEntityId: z.optional(objectId),
  })),
);

export type StoredFilingEntry = z.output<typeof storedFilingEntry>;
