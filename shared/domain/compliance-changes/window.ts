/** Changes of one NPN that are reported together. */
export interface ChangeWindow {
  readonly firstChangeAt: string;
  /** Not to be reported before. */
  readonly deliverAfter: string;
}

/** How long an NPN must not have changed (OpenAPI, "Events"). */
export const settleMs = 60_000;

/** The longest delay of a change, however many follow it. */
export const longestMs = 30 * 60_000;

/** The window after another change. */
export function withChange(open: ChangeWindow | undefined, now: Date): ChangeWindow {
  const firstChangeAt = open?.firstChangeAt ?? now.toISOString();
  const cap = Date.parse(firstChangeAt) + longestMs;
  const settledAt = Math.min(now.getTime() + settleMs, cap);
  // The clock of another worker may be behind.
  const before = open === undefined ? settledAt : Date.parse(open.deliverAfter);
  return { firstChangeAt, deliverAfter: new Date(Math.max(settledAt, before)).toISOString() };
}

/** Milliseconds until it may be reported; 0 when it is due. */
export const untilDue = ({ deliverAfter }: ChangeWindow, now: Date): number =>
  Math.max(0, Date.parse(deliverAfter) - now.getTime());

/** How long after its due time a window's message is considered lost; SQS does not delay one for longer. */
const lostAfterMs = 15 * 60_000;

/** Whether a window's message must have been lost. */
export const isOverdue = ({ deliverAfter }: ChangeWindow, now: Date): boolean =>
  now.getTime() - Date.parse(deliverAfter) > lostAfterMs;
