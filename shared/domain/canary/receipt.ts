// Apart from the canary and its receiver, which share it.
import * as z from 'zod/mini';

/**
 * What the canary's receiver responds to a delivery: what arrived, unverified. The response is recorded with the attempt, so
 * the canary reads it through the API and verifies it there; the receiver needs neither a secret nor a table.
 */
export const receipt = z.object({
  /** When the delivery arrived, in milliseconds since 1970. */
  receivedAt: z.int(),
  /** `X-Service-Timestamp` and `X-Service-Signature` of the delivery. */
  timestamp: z.string(),
  signature: z.string(),
  /** The event, as it was signed. */
  body: z.string(),
});

export type Receipt = z.output<typeof receipt>;
