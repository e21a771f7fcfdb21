import type * as z from 'zod/mini';
import type { TableItems } from '#platform/data/table.ts';
import { eventPayloads, feedPayloads } from './payloads.ts';
import { complianceInputsChanged, type OutboxType } from './stored.ts';
import { type EventItems, type EventItemsOptions, eventItemsOf } from './transaction-items.ts';

// A file of its own: functions that write events of some types alone load none of the other schemas.

/** The payload's schema of every type that the outbox may hold. */
const payloadSchemas: Readonly<Record<OutboxType, z.core.$ZodType>> = {
  ...eventPayloads,
  ...feedPayloads,
  COMPLIANCE_INPUTS_CHANGED: complianceInputsChanged,
};

/** The transaction items that write events of any type into an outbox. */
export const createEventItems = (outbox: TableItems, options?: EventItemsOptions): EventItems =>
  eventItemsOf(outbox, payloadSchemas, options);
