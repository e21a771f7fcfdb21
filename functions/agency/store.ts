import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { agentsOfNpn } from '../../shared/domain/agents/agents-of-npn.ts';
import {
  agentKeys,
  agentPartitions,
  type StoredAgent,
  storedAgent,
} from '../../shared/domain/agents/stored.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import {
  associationPartitions,
  type StoredMarket,
  storedMarket,
} from '../../shared/domain/associations/stored.ts';
import {
  everything,
  type Ownership,
  type OwnPartitions,
  ownRecordPage,
} from '../../shared/domain/downstream-entities/own-records.ts';
import {
  type StoredDownstreamEntity,
  storedDownstreamEntity,
} from '../../shared/domain/downstream-entities/stored.ts';
import {
  type CorporateRegistration,
  corporateRegistration,
} from '../../shared/domain/licensing/corporate-registration.ts';
import { licensingPartitions } from '../../shared/domain/licensing/stored.ts';
import { commonKeys, type IndexPartition } from '../../shared/platform/data/common-keys.ts';
import { itemPage, itemsInOrder, keyPage, type PageOf } from '../../shared/platform/data/item-page.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import { tableOf } from '../../shared/platform/data/table.ts';

/** Records of one page, and how many there are on all pages. */
export interface Page<Item> {
  readonly items: Item[];
  readonly total: number;
}

/**
 * An agency's own records, except the registry's: each list in its fixed order, of one entity if one is given.
 * A page is two reads in sequence, its keys and its items.
 */
export interface AgencyStore {
  entities(ownership: Ownership, page: PageOf): Promise<Page<StoredDownstreamEntity>>;
  /** Every entity; an organization has some dozens. */
  allEntities(ownership: Ownership): Promise<StoredDownstreamEntity[]>;
  /** Producers belong to the organization that recorded them; agencies that left it are not shown. */
  producers(
    ownership: Ownership,
    downstreamEntityId: string | undefined,
    page: PageOf,
  ): Promise<Page<StoredAgent>>;
  /** Whether the organization has a producer of that NPN who works for the entity. */
  hasProducer(owner: string, npn: string, downstreamEntityId: string): Promise<boolean>;
  markets(
    ownership: Ownership,
    downstreamEntityId: string | undefined,
    page: PageOf,
  ): Promise<Page<StoredMarket>>;
  /** Every market; an organization has some dozens. */
  allMarkets(ownership: Ownership, downstreamEntityId: string | undefined): Promise<StoredMarket[]>;
  registrations(
    ownership: Ownership,
    downstreamEntityId: string | undefined,
    page: PageOf,
  ): Promise<Page<CorporateRegistration>>;
}

/** Names of the tables that hold an agency's own records. */
export interface AgencyTables {
  readonly downstreamEntities: string;
  readonly agents: string;
  readonly associations: string;
  readonly licensing: string;
}

const sort = 'listSort';

const marketPartitions: OwnPartitions = (owner, downstreamEntityId) => [
  downstreamEntityId === undefined
    ? { index: 'by-list', attribute: 'listKey', value: associationPartitions.markets(owner), sort }
    : {
        index: 'by-list-entity',
        attribute: 'listEntityKey',
        value: associationPartitions.marketsOfEntity(owner, downstreamEntityId),
        sort,
      },
];

const registrationPartitions: OwnPartitions = (owner, downstreamEntityId) => [
  downstreamEntityId === undefined
    ? { index: 'by-list', attribute: 'listKey', value: licensingPartitions.registrations(owner), sort }
    : {
        index: 'by-list-entity',
        attribute: 'listEntityKey',
        value: licensingPartitions.registrationsOf(owner, downstreamEntityId),
        sort,
      },
];

const entityPartition = (owner: string): IndexPartition => ({
  index: 'by-organization',
  attribute: 'organizationKey',
  value: owner,
  sort,
});

export function createAgencyStore(client: DynamoDBClient, tables: AgencyTables): AgencyStore {
  const marketList = { table: tables.associations, schema: storedMarket, partitionsOf: marketPartitions };
  const registrationList = {
    table: tables.licensing,
    schema: corporateRegistration,
    partitionsOf: registrationPartitions,
  };

  /** Every item of an index partition, in its order. */
  async function allItems(table: string, partition: IndexPartition): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    for await (const keys of commonKeys(client, table, [partition])) {
      items.push(...(await itemsInOrder(client, table, keys)));
    }
    return items;
  }

  // Indexes and items lag: an entity may have been deleted, or moved to another organization, since.
  const ownEntities = async (
    { organizationId, moves }: Ownership,
    items: readonly unknown[],
  ): Promise<StoredDownstreamEntity[]> => {
    const { left } = await moves;
    return items
      .map((item) => parseStored(storedDownstreamEntity, item))
      .filter(
        ({ _id, isDeleted, downstreamOrganizationId }) =>
          !isDeleted && downstreamOrganizationId === organizationId && !left.has(_id),
      );
  };

  return {
    async entities(ownership, page) {
      const partition = entityPartition(ownership.organizationId);
      const { items, total } = await itemPage(client, tables.downstreamEntities, [partition], page);
      return { items: await ownEntities(ownership, items), total };
    },

    async allEntities(ownership) {
      const partition = entityPartition(ownership.organizationId);
      return ownEntities(ownership, await allItems(tables.downstreamEntities, partition));
    },

    async producers({ organizationId: owner, moves }, downstreamEntityId, page) {
      const value =
        downstreamEntityId === undefined
          ? agentPartitions.all(owner)
          : agentPartitions.ofEntity(owner, downstreamEntityId);
      const partition = { index: 'by-list', attribute: 'listKey', value, sort };
      const [{ keys, total }, { left }] = await Promise.all([
        keyPage(client, tables.agents, [partition], page),
        moves,
      ]);
      // The key of an entity's producer is that of the relationship; the producer is stored once.
      const wanted = keys.map(({ sk }) => agentKeys.agent(owner, sk));
      const items = await itemsInOrder(client, tables.agents, wanted);
      const agents = items
        .map((item) => parseStored(storedAgent, item))
        .map((agent) => ({
          ...agent,
          downstreamEntityIds: agent.downstreamEntityIds.filter((entityId) => !left.has(entityId)),
        }));
      return { items: agents.filter(({ isDeleted }) => !isDeleted), total };
    },

    async hasProducer(owner, npn, downstreamEntityId) {
      const found = await agentsOfNpn(tableOf(agentsTable, client, tables.agents), owner, npn);
      return found.some(({ downstreamEntityIds }) => downstreamEntityIds.includes(downstreamEntityId));
    },

    markets: (ownership, downstreamEntityId, page) =>
      ownRecordPage(client, marketList, ownership, downstreamEntityId, page),

    async allMarkets(ownership, downstreamEntityId) {
      return (await ownRecordPage(client, marketList, ownership, downstreamEntityId, everything)).items;
    },

    registrations: (ownership, downstreamEntityId, page) =>
      ownRecordPage(client, registrationList, ownership, downstreamEntityId, page),
  };
}
