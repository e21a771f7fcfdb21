/** Changes of one NPN that are told together. */
export interface ChangeWindow {
  readonly firstChangeAt: string;
  /** Not to be told before. */
  readonly deliverAfter: string;
}

/** How long an NPN must have been quiet (OpenAPI, "Events"). */
export const quietMs = 60_000;

/** The longest that a change waits, however many follow it. */
export const longestMs = 30 * 60_000;

/** The window after one change more. */
export function withChange(open: ChangeWindow | undefined, now: Date): ChangeWindow {
  const firstChangeAt = open?.firstChangeAt ?? now.toISOString();
  const cap = Date.parse(firstChangeAt) + longestMs;
  const quietAt = Math.min(now.getTime() + quietMs, cap);
  // The clock of another worker may be behind.
  const before = open === undefined ? quietAt : Date.parse(open.deliverAfter);
  return { firstChangeAt, deliverAfter: new Date(Math.max(quietAt, before)).toISOString() };
}

/** Milliseconds until it may be told; none when it is due. */
export const untilDue = ({ deliverAfter }: ChangeWindow, now: Date): number =>
  Math.max(0, Date.parse(deliverAfter) - now.getTime());

/** How long after it was due a window's message is taken for lost; SQS holds none back for longer. */
const lostAfterMs = 15 * 60_000;

/** Whether the message that looks after a window must have been lost. */
export const isOverdue = ({ deliverAfter }: ChangeWindow, now: Date): boolean =>
  now.getTime() - Date.parse(deliverAfter) > lostAfterMs;
