import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem, VersionConflict } from '#platform/data/transact.ts';
import { complianceKeys } from '../compliance/stored.ts';

/** Changes of one NPN that are reported together. */
export interface ChangeWindow {
  readonly firstChangeAt: string;
  /** Earliest time of its report. */
  readonly deliverAfter: string;
}

/** Milliseconds without a change after which a window ends (OpenAPI, "Events"). */
export const quietMs = 60_000;

/** The longest delay of a change, however many follow it. */
export const longestMs = 30 * 60_000;

/** The window after another change. */
export function withChange(open: ChangeWindow | undefined, now: Date): ChangeWindow {
  const firstChangeAt = open?.firstChangeAt ?? now.toISOString();
  const cap = Date.parse(firstChangeAt) + longestMs;
  const quietAt = Math.min(now.getTime() + quietMs, cap);
  // The clock of another worker may be behind.
  const before = open === undefined ? quietAt : Date.parse(open.deliverAfter);
  return { firstChangeAt, deliverAfter: new Date(Math.max(quietAt, before)).toISOString() };
}

/** Milliseconds until it may be reported; 0 when it is due. */
export const msUntilDue = ({ deliverAfter }: ChangeWindow, now: Date): number =>
  Math.max(0, Date.parse(deliverAfter) - now.getTime());

/** Milliseconds after its due time when a window's message is considered lost; SQS does not delay one for longer. */
const lostAfterMs = 15 * 60_000;

/** Whether a window's message must have been lost. */
const isOverdue = ({ deliverAfter }: ChangeWindow, now: Date): boolean =>
  now.getTime() - Date.parse(deliverAfter) > lostAfterMs;

const changeItem = storedItem('compliance/change-window', {
  windowId: z.uuid(),
  firstChangeAt: timestamp,
  deliverAfter: timestamp,
  /** Rises by one with each change. */
  version: z.int(),
  /** Whether the queue has accepted the window's message. */
  isQueued: z.boolean(),
});

/** A change of an NPN's compliance that is not reported yet. */
export type PendingChange = z.output<typeof changeItem>;

/** Stores changes. */
export function createChangeStore(compliance: Table) {
  return {
    /** Opens the NPN's window, or extends it. */
    async recordChange(owner: string, npn: string, now: Date) {
      const key = complianceKeys.change(owner, npn);
      return retryOnConflict(async () => {
        const before = await compliance.get(changeItem, key);
        const after: PendingChange = {
          ...withChange(before, now),
          windowId: before?.windowId ?? randomUUID(),
          version: (before?.version ?? 0) + 1,
          isQueued: before?.isQueued === true && !isOverdue(before, now),
        };
        const isAsRead = { windowId: before?.windowId, version: before?.version };
        if (!(await compliance.put({ ...key, ...after }, isAsRead))) throw new VersionConflict();
        return after;
      });
    },

    /** Records that the queue has the window's message. */
    async queued(owner: string, npn: string, windowId: string): Promise<void> {
      await compliance.update(complianceKeys.change(owner, npn), { isQueued: true }, { windowId });
    },

    find: (owner: string, npn: string) => compliance.get(changeItem, complianceKeys.change(owner, npn)),

    /**
     * Ends the change together with other items.
     * @throws VersionConflict when it has gone on since it was read.
     */
    endChange: (
      owner: string,
      npn: string,
      { windowId, version }: PendingChange,
      items: readonly TransactionItem[] = [],
    ) =>
      compliance.transact([
        compliance.items.delete(complianceKeys.change(owner, npn), { windowId, version }),
        ...items,
      ]),
  };
}
