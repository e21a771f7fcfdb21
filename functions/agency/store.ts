import { agentKeys, agentPartitions, agentsOfNpn, storedAgent } from '#domain/agents/stored.ts';
import { associationPartitions, type StoredMarket, storedMarket } from '#domain/associations/stored.ts';
import { createDecisionSources } from '#domain/compliance/sources.ts';
import {
  createOwnEntities,
  downstreamEntityKeys,
  everything,
  type OwnPartitions,
  type StoredDownstreamEntity,
  storedDownstreamEntity,
} from '#domain/downstream-entities/stored.ts';
import { filingPartitions } from '#domain/filings/keys.ts';
import { storedFilingEntry } from '#domain/filings/resource.ts';
import {
  corporateRegistration,
  createLicenseRequests,
  licensingPartitions,
} from '#domain/licensing/requests.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import type { Tables } from '#domain/tables.ts';
import type { Resources } from '#function/function.ts';
import { collect } from '#platform/data/concurrently.ts';
import type { IndexedKey } from '#platform/data/query-pages.ts';
import type { PageOf, Table } from '#platform/data/table.ts';
import { createRegistryLists } from './registry-lists.ts';
import type { uses } from './uses.ts';

/** Records of one page, and how many there are on all pages. */
export interface Page<Item> {
  readonly items: Item[];
  readonly total: number;
}

/** The tables that hold an agency's own records. */
type AgencyTables = Tables<'downstreamEntities' | 'agents' | 'associations' | 'licensing'>;

type ListIndex = 'by-list' | 'by-list-entity';

const marketPartitions: OwnPartitions<ListIndex> = (owner, downstreamEntityId) => [
  downstreamEntityId === undefined
    ? { index: 'by-list', value: associationPartitions.markets(owner) }
    : { index: 'by-list-entity', value: associationPartitions.marketsOfEntity(owner, downstreamEntityId) },
];

const registrationPartitions: OwnPartitions<ListIndex> = (owner, downstreamEntityId) => [
  downstreamEntityId === undefined
    ? { index: 'by-list', value: licensingPartitions.registrations(owner) }
    : { index: 'by-list-entity', value: licensingPartitions.registrationsOf(owner, downstreamEntityId) },
];

const entityPartition = (owner: string) => ({ index: 'by-organization', value: owner }) as const;

/**
 * An agency's own records, except the registry's: each list in its fixed order, of one entity if one is given.
 * A page is two reads in sequence, its keys and its items.
 */
export function createAgencyStore(tables: AgencyTables) {
  const { downstreamEntities, associations, licensing } = tables;

  // Indexes and items lag: an entity may have been deleted, or moved to another organization, since.
  const ownAmong = (owner: string, entities: readonly StoredDownstreamEntity[]): StoredDownstreamEntity[] =>
    entities.filter(
      ({ isDeleted, downstreamOrganizationId }) => !isDeleted && downstreamOrganizationId === owner,
    );

  const markets = (owner: string, downstreamEntityId: string | undefined, page: PageOf) =>
    associations.itemPage(storedMarket, marketPartitions(owner, downstreamEntityId), page);

  return {
    async entities(owner: string, page: PageOf): Promise<Page<StoredDownstreamEntity>> {
      const { items, total } = await downstreamEntities.itemPage(
        storedDownstreamEntity,
        [entityPartition(owner)],
        page,
      );
      return { items: ownAmong(owner, items), total };
    },

    /** Every entity; an organization has some dozens. */
    async allEntities(owner: string): Promise<StoredDownstreamEntity[]> {
      const entities: StoredDownstreamEntity[] = [];
      for await (const keys of downstreamEntities.keys(entityPartition(owner))) {
        entities.push(...(await downstreamEntities.getInOrder(storedDownstreamEntity, keys)));
      }
      return ownAmong(owner, entities);
    },

    /** Producers belong to the organization that recorded them; agencies that left it are not shown. */
    async producers(owner: string, downstreamEntityId: string | undefined, page: PageOf) {
      const value =
        downstreamEntityId === undefined
          ? agentPartitions.all(owner)
          : agentPartitions.ofEntity(owner, downstreamEntityId);
      const [{ keys, total }, entityKeys] = await Promise.all([
        tables.agents.keyPage([{ index: 'by-list', value }], page),
        collect(downstreamEntities.keys(entityPartition(owner))),
      ]);
      const ownKeys = new Set(entityKeys.map(({ pk }) => pk));
      // The key of an entity's producer is that of the relationship; the producer is stored once.
      const keysOfAgents = keys.map(({ sk }) => agentKeys.agent(owner, sk));
      const agents = (await tables.agents.getInOrder(storedAgent, keysOfAgents)).map((agent) => ({
        ...agent,
        downstreamEntityIds: agent.downstreamEntityIds.filter((id) =>
          ownKeys.has(downstreamEntityKeys.entity(id).pk),
        ),
      }));
      return { items: agents.filter(({ isDeleted }) => !isDeleted), total };
    },

    /** The ids of the entities for which a producer of that NPN works. */
    async entitiesOfProducer(owner: string, npn: string): Promise<string[]> {
      const agents = await agentsOfNpn(tables.agents, owner, npn);
      return agents.flatMap(({ downstreamEntityIds }) => downstreamEntityIds);
    },

    markets,

    /** Every market; an organization has some dozens. */
    async allMarkets(owner: string, downstreamEntityId: string | undefined): Promise<StoredMarket[]> {
      return (await markets(owner, downstreamEntityId, everything)).items;
    },

    registrations: (owner: string, downstreamEntityId: string | undefined, page: PageOf) =>
      licensing.itemPage(corporateRegistration, registrationPartitions(owner, downstreamEntityId), page),
  };
}

type FilingIndex = 'by-action' | 'by-entity';

const partitionsOf: OwnPartitions<FilingIndex> = (owner, downstreamEntityId) => [
  { index: 'by-action', value: filingPartitions.ofFilter(owner, true) },
  ...(downstreamEntityId === undefined
    ? []
    : [{ index: 'by-entity' as const, value: filingPartitions.ofFilter(owner, downstreamEntityId) }]),
];

/** An organization's filings that wait for it. */
export const createWaitingFilings = (filings: Table<FilingIndex>) => ({
  /** Keys of the filings with an escalation that waits for the organization, of one agency if one is given. */
  keysOf: (owner: string, downstreamEntityId: string | undefined) =>
    collect(filings.keys(...partitionsOf(owner, downstreamEntityId))),
  /** The entries of these keys that exist, in their order. */
  entriesOf: (keys: readonly IndexedKey[]) => filings.getInOrder(storedFilingEntry, keys),
});

/** What the operations of an agency’s own records work with. */
export function createAgencySources({ tables }: Resources<typeof uses>) {
  const decisionSources = createDecisionSources(tables);
  return {
    ...createOwnEntities(tables.downstreamEntities),
    agency: createAgencyStore(tables),
    lists: createRegistryLists(tables.registryRecords, decisionSources.recordedHolders),
    registry: createRegistryRecords(tables.registryRecords),
    ...decisionSources,
    requests: createLicenseRequests(tables.licensing),
    filings: createWaitingFilings(tables.filings),
  };
}

export type AgencySources = ReturnType<typeof createAgencySources>;
