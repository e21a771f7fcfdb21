import { collect } from '../../platform/data/collect.ts';
import { anyItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { noFacts } from '../decision/facts.ts';
import { recordsOf } from './held-records.ts';
import type { License } from './license.ts';
import { factKeys, factsAmong, type StoredFacts } from './stored-facts.ts';

/** What was ever recorded of a holder's licenses and appointments. */
export type RecordedFacts = ReturnType<typeof createRecordedFacts>;

export function createRecordedFacts(registryRecords: Table) {
  /** The items of all facts, in one state or in all: one query. */
  const itemsOf = (
    owner: string,
    npn: string,
    stateCode?: License['stateCode'],
  ): Promise<Record<string, unknown>[]> =>
    collect(recordsOf(registryRecords, factKeys.ofNpn(owner, npn, stateCode), anyItem));

  return {
    itemsOf,

    /** As `itemsOf`, parsed; nothing is read for an agency without an NPN. */
    async factsOf(owner: string, npn: string | null, stateCode?: License['stateCode']): Promise<StoredFacts> {
      if (npn === null) return { ...noFacts, recordings: [] };
      return factsAmong(await itemsOf(owner, npn, stateCode));
    },
  };
}
