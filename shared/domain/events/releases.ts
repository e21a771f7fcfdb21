import { absentOr, atMost } from '../../platform/data/expressions.ts';
import type { Table } from '../../platform/data/table.ts';
import { outboxKeys } from './stored.ts';

/** How long a run publishes deferred events: the schedule begins the next one a minute after this one. */
export const releaseMs = 55_000;

/**
 * How long one does that the stream begins: no other event of the same shard is published meanwhile. It suffices for a small
 * import; what a large one leaves, the schedule's next run publishes.
 */
export const askedReleaseMs = 2_000;

/**
 * Runs that publish deferred events, of which one is under way at a time. Whoever has deferred some asks for a run. The table's
 * stream tells the publisher of it, unless a run is under way, which begins again before it ends: so none is asked for in vain,
 * and many who ask start one run.
 */
export type Releases = ReturnType<typeof createReleases>;

export function createReleases(table: Table) {
  const key = outboxKeys.release();
  return {
    /** Asks for a run, after the events are written. What was asked for and has not begun yet finds them, too. */
    async ask(now: Date): Promise<void> {
      await table.update(key, { wantedAt: now.toISOString() }, { wantedAt: undefined });
    },

    /** Begins a run; answers its end, which names it, or undefined while another one is under way. */
    async begin(now: Date): Promise<string | undefined> {
      const runsUntil = new Date(now.getTime() + releaseMs).toISOString();
      const isFree = { runsUntil: absentOr(atMost(now.toISOString())) };
      return (await table.update(key, { runsUntil, wantedAt: undefined }, isFree)) ? runsUntil : undefined;
    },

    /** Ends a run that found nothing more, unless somebody has asked since: then it goes on, and is answered. */
    async next(runsUntil: string): Promise<string | undefined> {
      if (await table.update(key, { runsUntil: undefined }, { runsUntil, wantedAt: undefined }))
        return undefined;
      return (await table.update(key, { wantedAt: undefined }, { runsUntil })) ? runsUntil : undefined;
    },

    /** Ends a run that has left something; the stream begins another one at once if somebody has asked since. */
    async stop(runsUntil: string): Promise<void> {
      await table.update(key, { runsUntil: undefined }, { runsUntil });
    },
  };
}

/** The changes of the item on which a run begins: somebody asks, and none is under way. A pattern of Lambda's event filtering. */
export const releaseAsked = {
  dynamodb: {
    Keys: { sk: { S: [outboxKeys.release().sk] } },
    NewImage: { wantedAt: { S: [{ exists: true }] }, runsUntil: { S: [{ exists: false }] } },
  },
};
