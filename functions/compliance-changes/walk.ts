import { chunks } from '../../shared/platform/data/chunks.ts';
import type { MessageOutcome } from '../../shared/platform/queue/consumer.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import { npnsOfJob, type WalkJob } from './messages.ts';
import type { Walk, WalkProgress, WalkStore } from './walk-store.ts';

interface WalkDeps {
  readonly walks: WalkStore;
  /** Sends to the worker's own queue. */
  readonly send: SendMessages;
  readonly now: () => Date;
}

/** How long one delivery of the event sends jobs: half of the worker's minute. It is enough for some 100,000 NPNs. */
const dispatchMs = 30_000;

/**
 * Sends the jobs of a walk through all NPNs of a carrier. No job sends another one: only this event's message does, so that
 * the walk is no chain of invocations, which AWS would end. A delivery of the message that crashed, or that had too little
 * time, is continued by the next one, where the walk's progress says; NPNs whose jobs were sent last may get them twice.
 *
 * A change during a walk has an event, and so a walk, of its own: a report is of what is configured when its window ends, and
 * the NPNs whose window has ended before are noted again by the later walk.
 */
export async function dispatchWalk(walk: Walk, { walks, send, now }: WalkDeps): Promise<MessageOutcome> {
  const { upstreamEntityId, carrierBefore } = walk;
  const endsAt = now().getTime() + dispatchMs;
  let progress: WalkProgress | 'done' = await walks.progressOf(walk);
  while (progress !== 'done') {
    if (now().getTime() > endsAt) return 'retry';
    const { npns, next } = await walks.page(walk, progress);
    const jobs = chunks(npns, { count: npnsOfJob });
    await send(
      jobs.map((npnsOfThis): WalkJob => ({ walk: { upstreamEntityId, npns: npnsOfThis, carrierBefore } })),
    );
    // Another delivery of the message is at work too.
    if (!(await walks.advance(walk, progress, next))) return 'retry';
    progress = next;
  }
  return 'done';
}
