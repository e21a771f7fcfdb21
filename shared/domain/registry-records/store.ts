import * as z from 'zod/mini';
import { changedEntries } from '#platform/changes/change-index.ts';
import { lazily } from '#platform/contract/lazily.ts';
import { collect, mapConcurrently, mapPages } from '#platform/data/concurrently.ts';
import type { Test } from '#platform/data/expressions.ts';
import { anyItem, itemKey, storedItem } from '#platform/data/stored.ts';
import type { Key, Table } from '#platform/data/table.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import type { ClassKindVersion } from '../decision/classes.ts';
import { coverageFrom, coverageOf, emptyState, unnamedState } from '../decision/coverage.ts';
import { never } from '../decision/dates.ts';
import { type RecordOnDay, recordOnDay, shownLicenses } from '../decision/held.ts';
import { noRecords } from '../decision/records.ts';
import type { RegulatoryAction } from '../registry/resources.ts';
import { type StateHead, stateOfHead } from './heads.ts';
import { licenseIdOf, licenseOfEntry } from './license-entries.ts';
import { type RegistryDataSubscription, registryDataSubscription } from './resources.ts';
import { npnOfPartition, partitionOf, registryKeys, registryPartitions, subscriptionIdOf } from './stored.ts';
import {
  actionsOf,
  type HolderCoverage,
  holderOf,
  isOfPresentRules,
  lacksPieces,
  piecesAmong,
  piecesOf,
  type RecordedLicense,
  recordKeys,
  recordRanges,
  recordsAmong,
  type StoredItem,
  type StoredRecords,
  salesAmong,
  stateOf,
} from './stored-records.ts';

/** Reads coverages of holders, and everything recorded of them. */
export type RecordedHolders = ReturnType<typeof createRecordedHolders>;

/** Scope of a question about holders, and the moment of its knowledge. */
export interface CoverageQuestion {
  /** ISO time in UTC of the knowledge that counts; undefined: the present. */
  readonly knownAt?: string | undefined;
  /** Kinds of license classes; they may be read while holders are. */
  readonly classKinds: readonly ClassKindVersion[] | Promise<readonly ClassKindVersion[]>;
  /** The states of each holder that are asked for; all of one for which this is undefined. */
  readonly statesOf?: (npn: string) => readonly string[] | undefined;
  /** Whether the present is that of every transaction which is done. */
  readonly isConsistent?: boolean;
}

/** Whether a head is of another state than those that were read. */
const isOfOther =
  (read: ReadonlyMap<string, unknown>) =>
  ({ licenses: [license] }: StateHead): boolean =>
    !read.has(license?.said[0]?.row.source.stateCode ?? '');

/** Nothing is known of an agency without an NPN. */
export const noCoverage: HolderCoverage = coverageOf(noRecords, '');

interface EntryKey {
  readonly pk: string;
  readonly sk: string;
}

export function createRecordedHolders(registryRecords: Table) {
  const query = (pk: string, sort: Test, consistent = false): Promise<StoredItem[]> =>
    collect(registryRecords.query(anyItem, pk, { sort, consistent }));

  /** Everything recorded of a holder; once more where a replica does not have pieces of it yet. */
  async function recordsOf(owner: string, npn: string | null): Promise<StoredRecords> {
    if (npn === null) return noRecords;
    const key = recordKeys.holder(owner, npn);
    const read = async (consistent: boolean): Promise<StoredItem[]> => {
      const [items, itemAt] = await Promise.all([
        query(key.pk, recordRanges.all, consistent),
        registryRecords.getByKey(anyItem, [key], { consistent }),
      ]);
      const holder = itemAt(key);
      return holder === undefined ? items : [...items, holder];
    };
    const items = await read(false);
    return recordsAmong(lacksPieces(items) ? await read(true) : items);
  }

  /** Reads present coverages of holders from their heads: a hundred items in a call, and a call more where states are not named. */
  async function presentCoverages(
    owner: string,
    npns: readonly string[],
    {
      classKinds: readingKinds,
      statesOf = () => undefined,
      isConsistent: consistent = false,
    }: CoverageQuestion,
  ): Promise<Map<string, HolderCoverage>> {
    const getAll = (keys: readonly Key[]) => registryRecords.getByKey(anyItem, keys, { consistent });
    const keysOf = (npn: string, states: readonly string[]): Key[] =>
      states.map((stateCode) => recordKeys.head(owner, npn, stateCode));
    const [itemAt, classKinds] = await Promise.all([
      getAll(npns.flatMap((npn) => [recordKeys.holder(owner, npn), ...keysOf(npn, statesOf(npn) ?? [])])),
      readingKinds,
    ]);
    const holders = npns.map((npn) => ({ npn, ...holderOf(itemAt(recordKeys.holder(owner, npn))) }));
    const isWhole = ({ npn }: (typeof holders)[number]): boolean => statesOf(npn) === undefined;
    const headAt = await getAll(holders.filter(isWhole).flatMap(({ npn, states }) => keysOf(npn, states)));
    const coverages = await mapConcurrently(holders, async (holder) => {
      const { npn, states, isSeller, reports, firstSaidAt, home } = holder;
      const headKeys = keysOf(npn, statesOf(npn) ?? states);
      const heads = headKeys.map((key) => itemAt(key) ?? headAt(key)).filter((item) => item !== undefined);
      const pieceKeys = heads.flatMap(piecesOf).map((sk) => ({ pk: partitionOf(owner, npn), sk }));
      const [sales, foundPieces] = await Promise.all([
        isSeller ? query(partitionOf(owner, npn), recordRanges.sales, consistent).then(salesAmong) : [],
        pieceKeys.length === 0 ? undefined : registryRecords.getAll(anyItem, pieceKeys),
      ]);
      const pieces = piecesAmong(foundPieces ?? []);
      // What other rules folded is folded again, as long as nothing more is recorded of the holder.
      if (home === undefined || !heads.every(isOfPresentRules)) {
        return [npn, coverageOf(await recordsOf(owner, npn), never, classKinds)] as const;
      }
      const headOfState = new Map(heads.map((item) => [String(item['stateCode']), item]));
      // A state that is not asked for is not read, and may be a home state.
      const askedStates = statesOf(npn);
      const soldIn = sales
        .map(({ stateCode }) => stateCode)
        .filter((state) => askedStates?.includes(state) ?? true);
      const ofStates = new Map(
        [...new Set([...headOfState.keys(), ...soldIn])].map((stateCode) => {
          const head = headOfState.get(stateCode);
          const ofState = sales.filter((sale) => sale.stateCode === stateCode);
          const read = () =>
            head === undefined ? (unnamedState(reports, stateCode) ?? emptyState) : stateOf(head, pieces);
          return [stateCode, lazily(() => ({ ...read(), sales: ofState }))] as const;
        }),
      );
      // A home state that is read is the same there; of one where it only sold, nothing else is read.
      const homes = () => [
        ...[...headOfState.keys()].flatMap((stateCode) => ofStates.get(stateCode)?.() ?? []),
        ...home().filter(isOfOther(headOfState)).map(stateOfHead),
      ];
      return [npn, coverageFrom({ states: ofStates, homes, classKinds, reports, firstSaidAt })] as const;
    });
    return new Map(coverages);
  }

  /** Reads coverages of holders, by NPN: present ones from their heads, earlier ones by folding what was recorded until then. */
  async function coveragesOf(
    owner: string,
    npns: readonly string[],
    question: CoverageQuestion,
  ): Promise<ReadonlyMap<string, HolderCoverage>> {
    const { knownAt } = question;
    const distinctNpns = [...new Set(npns)];
    if (knownAt === undefined) return presentCoverages(owner, distinctNpns, question);
    const coverages = await mapConcurrently(distinctNpns, async (npn) => {
      const [records, classKinds] = await Promise.all([recordsOf(owner, npn), question.classKinds]);
      return [npn, coverageOf(records, knownAt, classKinds)] as const;
    });
    return new Map(coverages);
  }

  /** Reads the coverage of one holder; nothing is known of an agency without an NPN. */
  async function coverageOfHolder(
    owner: string,
    npn: string | null,
    question: CoverageQuestion,
  ): Promise<HolderCoverage> {
    const coverages = await coveragesOf(owner, npn === null ? [] : [npn], question);
    return coverages.get(npn ?? '') ?? noCoverage;
  }

  return {
    recordsOf,
    coveragesOf,

    coverageOf: coverageOfHolder,

    /** The regulatory actions against a holder, those that a later report leaves out too. */
    async *regulatoryActionsOf(owner: string, npn: string): AsyncGenerator<RegulatoryAction[]> {
      yield actionsOf(await coverageOfHolder(owner, npn, { classKinds: [] }));
    },

    /** The licenses that entries name, each to be had by the key of its entry, as it is on a day. */
    async licensesOf(
      owner: string,
      entries: readonly EntryKey[],
      day: CalendarDate,
    ): Promise<(entry: EntryKey) => RecordOnDay<RecordedLicense> | undefined> {
      const ofNpn = Map.groupBy(entries, ({ pk }) => npnOfPartition(pk));
      const coverages = await coveragesOf(owner, [...ofNpn.keys()], {
        classKinds: [],
        statesOf: (npn) => [...new Set(ofNpn.get(npn)?.map(({ sk }) => licenseOfEntry(sk).stateCode))],
      });
      return ({ pk, sk }) => {
        const { stateCode, licenseId } = licenseOfEntry(sk);
        const licenses = coverages.get(npnOfPartition(pk))?.get(stateCode)?.licenses ?? [];
        const holding = licenses.find((license) => licenseIdOf(license) === licenseId);
        return holding && recordOnDay(holding, day, shownLicenses(holding, day))[0];
      };
    },
  };
}

/** An organization's copy of registry records; those of an NPN are one partition, read in one query. */
export type RegistryRecords = ReturnType<typeof createRegistryRecords>;

/** Attributes of a subscription in the index of changes. */
const changedSubscription = storedItem('registry-records/changed-subscription', { npn: z.string() });

/** Subscriptions that a list reads at once; see the policies' store. */
const subscriptionsAtOnce = 500;

export function createRegistryRecords(table: Table<'by-license-number' | 'by-change'>) {
  return {
    /** A subscription, read consistently, so that a caller who requested a synchronization sees it under way. */
    findSubscription(owner: string, subscriptionId: string): Promise<RegistryDataSubscription | undefined> {
      const key = registryKeys.subscription(owner, subscriptionId);
      return table.get(registryDataSubscription, key);
    },

    /** Every subscription, one database page at a time, by id. */
    subscriptions(owner: string): AsyncIterable<RegistryDataSubscription[]> {
      const { pk } = registryKeys.subscription(owner, '');
      return table.query(registryDataSubscription, pk, { limit: subscriptionsAtOnce });
    },

    /** The owner's subscriptions of these NPNs, by NPN. */
    async subscriptionsOf(owner: string, npns: readonly string[]) {
      const keyOf = (npn: string) => registryKeys.subscription(owner, subscriptionIdOf(owner, npn));
      const itemAt = await table.getByKey(registryDataSubscription, npns.map(keyOf), { consistent: false });
      return { get: (npn: string): RegistryDataSubscription | undefined => itemAt(keyOf(npn)) };
    },

    /** The NPNs whose subscriptions changed at a time (`toISOString`) or later, one database page at a time. */
    npnsChangedSince: (owner: string, since: string): AsyncIterable<string[]> =>
      mapPages(changedEntries(table, changedSubscription, owner, since), (entries) => [
        ...new Set(entries.map(({ npn }) => npn)),
      ]),

    /** The holders of a license of that number in a state, each NPN once. */
    async npnsOfLicense(owner: string, stateCode: string, licenseNumber: string): Promise<string[]> {
      const value = registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber);
      const keys = await collect(table.query(itemKey, value, { index: 'by-license-number' }));
      return [...new Set(keys.map(({ pk }) => npnOfPartition(pk)))];
    },
  };
}
