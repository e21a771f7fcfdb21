import * as z from 'zod/mini';
import { objectId } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { filingSummary } from './resource.ts';

/** A list entry: what lists show, and the owner on the agency's side. */
export const storedFilingEntry = storedItem('filings/list-entry', () => ({
  ...filingSummary.shape,
  downstreamEntityId: z.optional(objectId),
}));

export type StoredFilingEntry = z.output<typeof storedFilingEntry>;
