import * as z from 'zod/mini';
import { changedEntries } from '../../platform/changes/change-index.ts';
import { collect, mapConcurrently, mapPages } from '../../platform/data/concurrently.ts';
import { startsWith } from '../../platform/data/expressions.ts';
import type { StoredSchema } from '../../platform/data/stored.ts';
import { anyItem, itemKey, parseIfStored, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { noFacts } from '../decision/facts.ts';
import { appointment, type License, license, regulatoryAction } from '../registry/resources.ts';
import { storedHome } from './home.ts';
import type { StoredItem } from './present-items.ts';
import { type RegistryDataSubscription, registryDataSubscription } from './resources.ts';
import { npnOfPartition, registryKeys, registryPartitions, subscriptionIdOf } from './stored.ts';
import { factKeys, factsAmong, noVisits, type StoredFacts } from './stored-facts.ts';

/** Filters of a license list; they combine. */
export interface LicenseFilters {
  readonly stateCode?: License['stateCode'] | undefined;
  readonly status?: string | undefined;
}

/** Filters of an appointment list; they combine. */
export type AppointmentFilters = LicenseFilters;

type Selection = [owner: string, npn: string, filters?: LicenseFilters];

type Partition = ReturnType<typeof registryKeys.ofNpn>;

/** The records of one kind of an NPN, one database page at a time. */
const recordsOf = <Schema extends StoredSchema>(
  table: Table,
  { pk, skPrefix }: Partition,
  schema: Schema,
): AsyncGenerator<z.output<Schema>[]> => table.query(schema, pk, { sort: startsWith(skPrefix) });

/** What an NPN holds, on which its compliance depends: one query each. */
function createHeldRecords(table: Table) {
  /** An NPN has some dozens of records, so the status is filtered after the key has selected them. */
  const held = <Schema extends StoredSchema<{ readonly status: string }>>(
    kind: 'LICENSE' | 'APPOINTMENT',
    schema: Schema,
    [owner, npn, { stateCode, status } = {}]: Selection,
  ): AsyncGenerator<z.output<Schema>[]> =>
    mapPages(recordsOf(table, registryKeys.ofNpn(owner, npn, kind, stateCode), schema), (page) =>
      page.filter((one) => status === undefined || one.status === status),
    );

  return {
    licensesOf: (...selection: Selection) => held('LICENSE', license, selection),
    appointmentsOf: (...selection: Selection) => held('APPOINTMENT', appointment, selection),
  };
}

/** What was ever recorded of holders. */
export type RecordedFacts = ReturnType<typeof createRecordedFacts>;

type StateCode = License['stateCode'];

/** Holders that are read at the same time. */
const concurrency = 16;

export function createRecordedFacts(registryRecords: Table) {
  const query = (owner: string, npn: string, stateCode?: StateCode): Promise<StoredItem[]> =>
    collect(recordsOf(registryRecords, factKeys.ofNpn(owner, npn, stateCode), anyItem));

  /**
   * What is recorded of the home states of holders and of visits of the registry, in as few calls as possible; undefined where
   * it takes all facts of a holder.
   */
  async function homesOf(owner: string, npns: readonly string[]) {
    const keys = npns.flatMap((npn) => [factKeys.home(owner, npn), factKeys.visits(owner, npn)]);
    const found = await registryRecords.getByKey(anyItem, keys, { consistent: false });
    return (npn: string): readonly StoredItem[] | undefined => {
      const key = factKeys.home(owner, npn);
      const visits = found(factKeys.visits(owner, npn));
      const ofVisits = visits === undefined ? [] : [visits];
      const home = parseIfStored(storedHome, found(key));
      if (home === undefined) return ofVisits;
      return home.facts === null
        ? undefined
        : [...home.facts.map((fact) => ({ pk: key.pk, ...fact })), ...ofVisits];
    };
  }

  type HomesOf = Awaited<ReturnType<typeof homesOf>>;

  /** The facts of a state with those of the home states, each once: facts are never changed. */
  async function withHome(owner: string, npn: string, stateCode: StateCode, homes: Promise<HomesOf>) {
    const [items, homeOf] = await Promise.all([query(owner, npn, stateCode), homes]);
    const ofHome = homeOf(npn);
    if (ofHome === undefined) return query(owner, npn);
    const known = new Set(items.map(({ sk }) => sk));
    return [...items, ...ofHome.filter(({ sk }) => !known.has(sk))];
  }

  /**
   * The items of a holder's facts: all of them, in one query; or those of one state with those of licenses and regulatory actions
   * in the states where the holder has resident licenses, in a query and a read by key.
   */
  const itemsOf = (owner: string, npn: string, stateCode?: StateCode): Promise<readonly StoredItem[]> =>
    stateCode === undefined ? query(owner, npn) : withHome(owner, npn, stateCode, homesOf(owner, [npn]));

  return {
    itemsOf,

    /**
     * As `itemsOf`, of many holders, by NPN: a query each, and for states one further call for fifty of them.
     */
    async itemsOfAll(
      owner: string,
      npns: readonly string[],
      stateOf: (npn: string) => StateCode | undefined = () => undefined,
    ): Promise<Map<string, readonly StoredItem[]>> {
      const ofState = npns.filter((npn) => stateOf(npn) !== undefined);
      const homes = homesOf(owner, ofState);
      const read = await mapConcurrently(npns, concurrency, async (npn) => {
        const stateCode = stateOf(npn);
        const items =
          stateCode === undefined ? await query(owner, npn) : await withHome(owner, npn, stateCode, homes);
        return [npn, items] as const;
      });
      return new Map(read);
    },

    /** As `itemsOf`, parsed; nothing is read for an agency without an NPN. */
    async factsOf(owner: string, npn: string | null, stateCode?: StateCode): Promise<StoredFacts> {
      if (npn === null) return { ...noFacts, recordings: [], visits: noVisits };
      return factsAmong(await itemsOf(owner, npn, stateCode));
    },
  };
}

/** An organization's copy of registry records; those of an NPN are one partition, read in one query. */
export type RegistryRecords = ReturnType<typeof createRegistryRecords>;

/** What the index of changes has of a subscription. */
const changedSubscription = storedItem('registry-records/changed-subscription', () => ({ npn: z.string() }));

/** Subscriptions that a list reads at once; see the policies' store. */
const subscriptionsAtOnce = 500;

export function createRegistryRecords(table: Table<'by-license-number' | 'by-change'>) {
  return {
    ...createHeldRecords(table),

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

    /** The owner's subscriptions of these NPNs, by NPN; one that breaks its schema is thrown when it is asked for. */
    async subscriptionsOf(owner: string, npns: readonly string[]) {
      const keyOf = (npn: string) => registryKeys.subscription(owner, subscriptionIdOf(owner, npn));
      const keys = new Map(npns.map((npn) => [npn, keyOf(npn)]));
      const found = await table.getByKey(registryDataSubscription, [...keys.values()], { consistent: false });
      return {
        get(npn: string): RegistryDataSubscription | undefined {
          const key = keys.get(npn);
          return key && found(key);
        },
      };
    },

    /** The NPNs whose subscriptions changed at a time (`toISOString`) or later, one database page at a time. */
    npnsChangedSince: (owner: string, since: string): AsyncIterable<string[]> =>
      mapPages(changedEntries(table, changedSubscription, owner, since), (entries) => [
        ...new Set(entries.map(({ npn }) => npn)),
      ]),

    regulatoryActionsOf: (owner: string, npn: string) =>
      recordsOf(table, registryKeys.ofNpn(owner, npn, 'ACTION'), regulatoryAction),

    /** The holders of a license of that number in a state, each NPN once. */
    async npnsOfLicense(owner: string, stateCode: string, licenseNumber: string): Promise<string[]> {
      const value = registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber);
      const keys = await collect(table.query(itemKey, value, { index: 'by-license-number' }));
      return [...new Set(keys.map(({ pk }) => npnOfPartition(pk)))];
    },
  };
}
