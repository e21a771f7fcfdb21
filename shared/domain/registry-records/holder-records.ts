import { transactionItems } from '../../platform/aws/limits.ts';
import type { Table } from '../../platform/data/table.ts';
import { retryOnConflict, type TransactionItem, timeAfter } from '../../platform/data/transact.ts';
import {
  createWritesOf,
  type Holder,
  type HolderChange,
  raiseVersion,
  readHolder,
  type StoredHolder,
  type Write,
  type Written,
} from './holder-writes.ts';
import type { Recorder } from './stored-facts.ts';

// What is recorded of an NPN is written in one way: facts, which are only ever added, and the items of what is held, which are
// derived from all facts. Each transaction raises the number of the holder's version, so of two writers that read the same
// one is refused and begins again; the license sweep is one of them. Where a writer stops between transactions, the next one
// derives what is left to write. Who writes something also deletes the facts that are older than they are kept.

/** Items that the transactions contain besides. */
export interface Accompaniment {
  /** An item of each transaction but the last. */
  readonly guard?: TransactionItem | undefined;
  /**
   * Items of the last transaction, three at most.
   * @param written what is written; where something is, some of it with these items.
   */
  readonly last: (written: Written) => readonly TransactionItem[];
}

/** Writes of a transaction, besides its version, what is known of visits, and its guard or the last items. */
const writesAtOnce = transactionItems - 5;

/** When something was last recorded of a holder; empty where nothing was. */
const lastRecorded = ({ items }: StoredHolder): string =>
  Array.from(items.values()).reduce((last, { recordedAt }) => {
    const time = typeof recordedAt === 'string' ? recordedAt : '';
    return time > last ? time : last;
  }, '');

export function createHolderRecords(table: Table, now: () => Date) {
  const writesOf = createWritesOf(table.items);

  return {
    /**
     * Decides upon what is stored what to record, and writes it, with what is held by then; again when another writer came
     * first. After a failure a repetition goes on with what is left.
     * @param decide what it reads was written by everybody whose transactions are done. It must not have effects.
     * @returns whether licenses or appointments were written, and the regulatory actions among the items as they are now.
     * @throws TransactionContention when other writers were faster each time; what the accompaniment is refused with.
     */
    record: (
      holder: Holder,
      recorder: Recorder,
      decide: (stored: StoredHolder) => HolderChange,
      { guard, last }: Accompaniment,
    ) =>
      retryOnConflict(async () => {
        const stored = await readHolder(table, holder);
        const found = writesOf(holder, recorder, stored, decide(stored), now());
        const { written: what, items } = found;
        const writes = [...found.writes];
        let { version } = stored;
        let recordedAt = lastRecorded(stored);
        const written = (some: readonly Write[]): TransactionItem[] => {
          recordedAt = timeAfter(now(), recordedAt).toISOString();
          return some.map((write) => write(recordedAt));
        };
        const guards = guard === undefined ? [] : [guard];
        while (writes.length > writesAtOnce) {
          const some = writes.splice(0, writesAtOnce);
          await table.transact([...guards, raiseVersion(table.items, holder, version), ...written(some)]);
          version += 1;
        }
        const rest = [
          ...last(what),
          ...(writes.length > 0 ? [raiseVersion(table.items, holder, version), ...written(writes)] : []),
          ...written(found.visits),
        ];
        if (rest.length > 0) await table.transact(rest);
        return { isChanged: what.isChanged, items };
      }),
  };
}
