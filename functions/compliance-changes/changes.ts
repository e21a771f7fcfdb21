import { attempts, report } from '../../shared/domain/compliance-changes/report.ts';
import type { PendingChange } from '../../shared/domain/compliance-changes/store.ts';
import { untilDue } from '../../shared/domain/compliance-changes/window.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { retryOnConflict, TransactionContention } from '../../shared/platform/data/optimistic-lock.ts';
import type { MessageOutcome } from '../../shared/platform/queue/consumer.ts';
import type { Deps } from './function.ts';
import type { ComplianceChangeMessage, Due, WalkJob } from './messages.ts';
import { dispatchWalk } from './walk-store.ts';

/**
 * Processes a message: notes changes, or reports those that are due (OpenAPI, "Events"). Any of it may be done twice or
 * fail midway: the changes are noted in the table, and a message only triggers a check.
 */
export async function workOnChanges(message: ComplianceChangeMessage, deps: Deps): Promise<MessageOutcome> {
  if ('due' in message) return reportWhenDue(message.due, deps);
  if ('walk' in message) return note(message.walk, deps);
  const { eventId, upstreamEntityId, payload } = message.detail;
  const { npn, stateCode, carrierBefore } = payload;
  return npn === undefined
    ? dispatchWalk({ upstreamEntityId, eventId, stateCode, carrierBefore }, deps)
    : note({ upstreamEntityId, npns: [npn] }, deps);
}

const notesAtOnce = 16;

/**
 * Notes a change of each NPN. A window gets its message when it opens; if that failed, at the next change, which
 * is the same message redelivered.
 */
async function note(
  { upstreamEntityId, npns, stateCode, carrierBefore }: WalkJob['walk'],
  { changes, recordedFacts, send, now }: Deps,
): Promise<MessageOutcome> {
  const isLicensedThere = async (npn: string): Promise<boolean> => {
    const { licenses } = await recordedFacts.factsOf(upstreamEntityId, npn, stateCode);
    return licenses.some((license) => license.stateCode === stateCode);
  };
  await concurrently(npns, notesAtOnce, async (npn) => {
    // Of a holder whose facts can't be read, the report says so.
    if (stateCode !== undefined && !(await isLicensedThere(npn).catch(() => true))) return;
    const change = await changes.note(upstreamEntityId, npn, now(), carrierBefore);
    if (change.isQueued) return;
    const { windowId } = change;
    await send([{ due: { upstreamEntityId, npn, windowId } }], secondsUntilDue(change, now()));
    await changes.queued(upstreamEntityId, npn, windowId);
  });
  return 'done';
}

const secondsUntilDue = (change: PendingChange, now: Date): number =>
  Math.ceil(untilDue(change, now) / 1_000);

/** Reports a change when its window is over; before that, queues another check for then. */
async function reportWhenDue(due: Due, deps: Deps): Promise<MessageOutcome> {
  const { upstreamEntityId: owner, npn, windowId } = due;
  const reportOnce = async (): Promise<void> => {
    const change = await deps.changes.find(owner, npn);
    if (change === undefined || change.windowId !== windowId) return;
    const seconds = secondsUntilDue(change, deps.now());
    if (seconds > 0) await deps.send([{ due }], seconds);
    // A change in between is a conflict: the window moves on, or the report at its cap must be newer.
    else await report(owner, npn, change, deps);
  };
  try {
    await retryOnConflict(reportOnce, { attempts });
    return 'done';
  } catch (error) {
    if (error instanceof TransactionContention) return 'retry';
    throw error;
  }
}
