import * as z from 'zod/mini';
import { formerIdentity } from '../../shared/domain/decision/carrier.ts';
import { npn } from '../../shared/domain/identifiers/npn.ts';
import { compatible } from '../../shared/platform/contract/compatible.ts';
import { objectId, stateCode } from '../../shared/platform/contract/primitives.ts';

/** An event of the bus that may change an NPN's compliance; without an NPN, that of all of the carrier's, or of those licensed in a state. */
const busEvent = z.object({
  detail: z.object({
    eventId: z.uuid(),
    upstreamEntityId: objectId,
    payload: z.object({
      npn: z.optional(npn),
      stateCode: z.optional(stateCode),
      carrierBefore: z.optional(formerIdentity),
    }),
  }),
});

/** A change of an NPN may be due to be reported. */
export const dueMessage = z.strictObject({
  due: z.strictObject({ upstreamEntityId: objectId, npn, windowId: z.uuid() }),
});

/** NPNs of one job: the worker notes them within seconds, and a thousand of them are one call of the queue. */
export const npnsOfJob = 100;

/** A job of a walk through all NPNs of a carrier: changes of these NPNs are to be noted, of a state's those of who is licensed there. */
export const walkJob = z.strictObject({
  walk: z.strictObject({
    upstreamEntityId: objectId,
    npns: z.array(npn).check(z.maxLength(npnsOfJob)),
    stateCode: z.optional(stateCode),
    carrierBefore: z.optional(formerIdentity),
  }),
});

/** Messages of the compliance-changes queue: events of the bus, and messages of the worker to itself. */
export const complianceChangeMessage = compatible(
  'messages/compliance-change',
  z.union([dueMessage, walkJob, busEvent]),
);

export type Due = z.output<typeof dueMessage>['due'];
export type WalkJob = z.output<typeof walkJob>;
export type ComplianceChangeMessage = z.output<typeof complianceChangeMessage>;
