import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
import { collect, concurrently } from '../../platform/data/concurrently.ts';
import { exists } from '../../platform/data/expressions.ts';
import { itemKey, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { RegistryChanges } from '../registry/registry.ts';
import { ownerOfPartition, registryKeys, registryPartitions } from './stored.ts';
import { factKeys, type Visits } from './stored-facts.ts';
import { requestPoll } from './subscriptions.ts';

/** How far lists of changes of the registry were read. */
export const changeList = storedItem(
  'registry-records/change-list',
  object(() => ({
    /** What the next question takes. */
    cursor: z.string(),
    /** Since when changes are named without a gap. */
    from: timestamp,
    /** Up to when; absent where it is not known. */
    until: z.optional(timestamp),
  })),
);

type ChangeList = z.output<typeof changeList>;

/** Whether an item says how far lists of changes were read. */
export const isChangeList = ({ pk, sk }: Readonly<Record<string, unknown>>): boolean =>
  pk === registryKeys.changeList().pk && sk === registryKeys.changeList().sk;

/**
 * What is known of visits, with what lists of changes add: they confirm what a visit confirmed since when they have no gap, unless
 * the holder was named after it. States of which rows are set aside are not confirmed.
 */
export function confirmedBy(list: ChangeList | undefined, visits: Visits): Visits {
  if (list?.until === undefined || visits.namedAt !== undefined) return visits;
  const { from, until } = list;
  const confirmed = <Times extends Visits['verified']['license']>({ all, ...states }: Times) =>
    all != null && all >= from && all < until ? { ...states, all: until } : { ...states, all };
  const { license, appointment } = visits.verified;
  return { ...visits, verified: { license: confirmed(license), appointment: confirmed(appointment) } };
}

/** NPNs that are named at the same time. */
const concurrency = 16;

/** The lists of changes, as far as they were read. */
export type ChangeLists = ReturnType<typeof createChangeLists>;

export function createChangeLists(table: Table<'by-npn'>) {
  /**
   * Has an NPN polled soon, and no longer confirmed by lists until it is.
   * @returns false where nobody subscribes to it.
   */
  async function name(npn: string, at: Date): Promise<boolean> {
    if (!(await requestPoll(table, npn, at))) return false;
    const subscribers = table.query(itemKey, registryPartitions.subscribersOf(npn), { index: 'by-npn' });
    for (const { pk } of await collect(subscribers)) {
      await table.update(factKeys.visits(ownerOfPartition(pk), npn), { namedAt: at.toISOString() }, exists);
    }
    return true;
  }

  return {
    /** Undefined where none was ever read. */
    read: () => table.get(changeList, registryKeys.changeList()),

    /**
     * Records what changed: who is named, and then how far the lists were read.
     * @param before how far they were read before the question. Where they were read by somebody else since, theirs counts.
     * @returns how many of the NPNs are subscribed to.
     */
    async record(before: ChangeList | undefined, changes: RegistryChanges, at: Date): Promise<number> {
      let held = 0;
      await concurrently(new Set(changes.npns), concurrency, async (npn) => {
        if (await name(npn, at)) held += 1;
      });
      const { cursor, until = before?.until, gapUntil = '' } = changes;
      const from = before === undefined ? at.toISOString() : before.from;
      await table.put(
        { ...registryKeys.changeList(), cursor, from: from < gapUntil ? gapUntil : from, until },
        { cursor: before?.cursor },
      );
      return held;
    },
  };
}
