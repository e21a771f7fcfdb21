import * as z from 'zod/mini';
import { objectId } from '../../shared/contract/primitives.ts';
import { npn } from '../../shared/resources/npn.ts';

/** An event of the bus that may change an NPN's compliance; without an NPN, that of all of the carrier's. */
const busEvent = z.object({
  detail: z.object({ upstreamEntityId: objectId, payload: z.object({ npn: z.optional(npn) }) }),
});

/** A change of an NPN may be due to be reported. */
export const dueMessage = z.strictObject({
  due: z.strictObject({ upstreamEntityId: objectId, npn, windowId: z.uuid() }),
});

/** Something changed for all NPNs: the next page of a carrier's producers, and then of its agencies. */
export const everybodyMessage = z.strictObject({
  everybody: z.strictObject({
    upstreamEntityId: objectId,
    of: z.enum(['agents', 'associations']),
    /** Sort key of the last one that is done. */
    after: z.optional(z.string()),
  }),
});

/** Messages of the compliance-changes queue: events of the bus, and messages of the worker to itself. */
export const complianceChangeMessage = z.union([dueMessage, everybodyMessage, busEvent]);

export type Due = z.output<typeof dueMessage>['due'];
export type Everybody = z.output<typeof everybodyMessage>['everybody'];
export type ComplianceChangeMessage = z.output<typeof complianceChangeMessage>;
