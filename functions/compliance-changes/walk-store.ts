import type * as z from 'zod/mini';
import { createNpnPages, firstNpns, npnsAfter } from '../../shared/domain/baselines/carrier-npns.ts';
import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import type { FormerIdentity } from '../../shared/domain/decision/carrier.ts';
import type { License } from '../../shared/domain/registry/license.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { isNew } from '../../shared/platform/data/expressions.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { MessageOutcome } from '../../shared/platform/queue/consumer.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import { npnsOfJob, type WalkJob } from './messages.ts';

/** A walk through all NPNs of a carrier, because of an event. */
export interface Walk {
  readonly upstreamEntityId: string;
  readonly eventId: string;
  /** The state whose licenses the event concerns; without one, it may be any. */
  readonly stateCode?: License['stateCode'] | undefined;
  /** The carrier's identity before the event, where it changed. */
  readonly carrierBefore?: FormerIdentity | undefined;
}

/** How far a walk is: the last NPN whose job is sent. */
const progressItem = storedItem('compliance/walk', npnsAfter);

export type WalkProgress = z.output<typeof progressItem>;

/** Finds the NPNs of a walk, and remembers how far it is. */
export type WalkStore = ReturnType<typeof createWalkStore>;

export function createWalkStore(tables: Tables<'compliance' | 'agents' | 'associations'>) {
  const keyOf = ({ upstreamEntityId, eventId }: Walk) => complianceKeys.walk(upstreamEntityId, eventId);

  const pageOf = createNpnPages(tables);

  return {
    async progressOf(walk: Walk): Promise<WalkProgress> {
      return (await tables.compliance.get(progressItem, keyOf(walk))) ?? firstNpns;
    },

    /** The next page of NPNs, each once, and the progress after it. */
    page: ({ upstreamEntityId }: Walk, progress: WalkProgress) => pageOf(upstreamEntityId, progress),

    /**
     * Records the progress, until the walk is done.
     * @returns false when it is no longer at `from`.
     */
    advance(walk: Walk, from: WalkProgress, to: WalkProgress | 'done'): Promise<boolean> {
      const isFirst = from.of === firstNpns.of && from.after === firstNpns.after;
      const isAsRead = isFirst ? isNew : { of: from.of, after: from.after };
      return to === 'done'
        ? tables.compliance.delete(keyOf(walk), isAsRead)
        : tables.compliance.put({ ...keyOf(walk), ...to }, isAsRead);
    },
  };
}

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
  const { upstreamEntityId, stateCode, carrierBefore } = walk;
  const endsAt = now().getTime() + dispatchMs;
  let progress: WalkProgress | 'done' = await walks.progressOf(walk);
  while (progress !== 'done') {
    if (now().getTime() > endsAt) return 'retry';
    const { npns, next } = await walks.page(walk, progress);
    const jobs = chunks(npns, { count: npnsOfJob });
    await send(
      jobs.map(
        (npnsOfThis): WalkJob => ({
          walk: { upstreamEntityId, npns: npnsOfThis, stateCode, carrierBefore },
        }),
      ),
    );
    // Another delivery of the message is at work too.
    if (!(await walks.advance(walk, progress, next))) return 'retry';
    progress = next;
  }
  return 'done';
}
