import type * as z from 'zod/mini';
import { createClassKindsOf } from '#domain/compliance/class-kinds.ts';
import { classKindOf } from '#domain/decision/classes.ts';
import { statusKindOf } from '#domain/registry/words.ts';
import { createRecordedHolders } from '#domain/registry-records/store.ts';
import { unreadablePartition, unreadableRow } from '#domain/registry-records/unreadable-rows.ts';
import type { Tables } from '#domain/tables.ts';
import { mapConcurrently } from '#platform/data/concurrently.ts';
import { heldRows } from './held-records.ts';

/** Rows that one answer lists; operators answer these before they ask for more. */
const mostRows = 500;

/** A word of held licenses or appointments that is in no row of the decision's tables, and how many of them have it. */
interface UnrecognizedWord {
  readonly what: 'class' | 'license status' | 'appointment status';
  readonly stateCode: string;
  readonly classCode?: string | null;
  readonly className?: string | null;
  readonly status?: string;
  readonly count: number;
  readonly answerWith: string;
}

/**
 * Finds what of an organization's licenses and appointments is not understood: rows that cannot be read, as long as they count, and
 * words that are not recognized.
 */
export const createListUnread = (
  { compliance, registryRecords: table }: Tables<'compliance' | 'registryRecords'>,
  now: () => Date,
) => {
  const { coverageOf } = createRecordedHolders(table);
  const classKindsOf = createClassKindsOf(compliance);

  /** Whether rows of an NPN are unread still: those of a state until it is stated whole, those of no known state until all are. */
  async function unreadOf(owner: string, npn: string) {
    const coverage = await coverageOf(owner, npn, { classKinds: [] });
    const states = [...coverage.keys()];
    return ({ kind, stateCode }: Pick<z.output<typeof unreadableRow>, 'kind' | 'stateCode'>): boolean =>
      (stateCode === null ? states : [stateCode]).some(
        (state) => coverage.get(state)?.unread.includes(kind) === true,
      ) || states.length === 0;
  }

  async function unreadableRows(owner: string) {
    const { items } = await table.page(unreadableRow, unreadablePartition(owner), { limit: mostRows });
    const npns = [...new Set(items.map(({ npn }) => npn))];
    const unreadChecks = await mapConcurrently(
      npns,
      async (npn) => [npn, await unreadOf(owner, npn)] as const,
    );
    const isUnread = new Map(unreadChecks);
    return items
      .filter((row) => isUnread.get(row.npn)?.(row) === true)
      .map(({ faults, ...row }) => ({
        ...row,
        faults: faults.split(', '),
        answerWith: `an import with "complete": true of every ${row.kind} that the holder has there`,
      }));
  }

  async function unrecognizedWords(owner: string): Promise<UnrecognizedWord[]> {
    const wordByKey = new Map<string, UnrecognizedWord>();
    const add = (word: Omit<UnrecognizedWord, 'count'>): void => {
      const key = JSON.stringify(word);
      wordByKey.set(key, { ...word, count: (wordByKey.get(key)?.count ?? 0) + 1 });
    };
    const answerWith = 'an import with a status that the document lists';
    const classKinds = await classKindsOf(owner);
    for await (const { licenses, appointments } of heldRows(table, owner, now())) {
      for (const license of licenses) {
        const { stateCode, licenseClassCode: classCode, licenseClassName: className, status } = license;
        if (statusKindOf(status, 'license') === 'unrecognized') {
          add({ what: 'license status', stateCode, status, answerWith });
        }
        if (classKindOf(license, classKinds) === 'unrecognized') {
          add({ what: 'class', stateCode, classCode, className, answerWith: 'an import of type class-kind' });
        }
      }
      for (const { stateCode, status } of appointments) {
        if (statusKindOf(status, 'appointment') === 'unrecognized') {
          add({ what: 'appointment status', stateCode, status, answerWith });
        }
      }
    }
    return [...wordByKey.values()].sort((a, b) => b.count - a.count);
  }

  return async (owner: string) => ({
    unreadable: await unreadableRows(owner),
    unrecognized: await unrecognizedWords(owner),
  });
};
