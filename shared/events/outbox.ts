import type * as z from 'zod/mini';
import { eventPayloads } from './payloads.ts';
import { complianceInputsChanged, type OutboxType } from './stored.ts';
import { type EventItems, eventItemsOf } from './transaction-items.ts';

/** The payload's schema of whatever may stand in the outbox. */
const payloadSchemas: Readonly<Record<OutboxType, z.core.$ZodType>> = {
  ...eventPayloads,
  COMPLIANCE_INPUTS_CHANGED: complianceInputsChanged,
};

/** Steps that write events of any type into an outbox. */
export const createEventItems = (table: string): EventItems => eventItemsOf(table, payloadSchemas);
