import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { batchGetKeys } from '../../platform/aws/limits.ts';
import { changedSince } from '../../platform/changes/change-index.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { batchGet } from '../../platform/data/batch-get.ts';
import { collect } from '../../platform/data/collect.ts';
import { conditionHeld } from '../../platform/data/condition-held.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { getItem } from '../../platform/data/get-item.ts';
import { itemsInOrder } from '../../platform/data/item-page.ts';
import { TransactionContention, VersionConflict } from '../../platform/data/optimistic-lock.ts';
import { partitionQuery, queryPages } from '../../platform/data/query-pages.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import { tableOf } from '../../platform/data/table.ts';
import { type TransactionItem, transact } from '../../platform/data/transact.ts';
import { changedEntries, countChange } from './agency-entries.ts';
import { countItem, planLimitReached } from './plan-count.ts';
import { type Sharing, sharing } from './sharing.ts';
import {
  type AssociationsOfEntity,
  associationKeys,
  associationPartitions,
  associationsOfEntity,
  isLive,
  live,
  type StoredAssociation,
  storedAssociation,
} from './stored.ts';
import { associationsTable } from './table.ts';
import {
  type AgencyState,
  type AssociationChange,
  addsParty,
  associationWrites,
  type ReadForChange,
} from './transaction-items.ts';

/** An association, and whose it is. */
export interface AssociationAddress {
  readonly owner: string;
  readonly associationId: string;
}

/** One carrier's associations; those of another organization cannot even be addressed. Reads return only live ones. */
export interface AssociationStore {
  find(owner: string, associationId: string): Promise<StoredAssociation | undefined>;
  /** Anybody's association, for those who know only its id. */
  findById(associationId: string): Promise<StoredAssociation | undefined>;
  /** An association, live or not, for operators. */
  findStored(owner: string, associationId: string): Promise<StoredAssociation | undefined>;
  /** Every association, one database page at a time, by id. */
  list(owner: string): AsyncIterable<StoredAssociation[]>;
  /** Those that changed at a time (`toISOString`) or later, deleted ones too, one database page at a time. */
  changedSince(owner: string, since: string): AsyncIterable<StoredAssociation[]>;
  /** Those with agencies of an NPN. */
  ofNpn(owner: string, npn: string): AsyncIterable<StoredAssociation[]>;
  /** The associations with an agency, of every owner, deleted ones too: all that were written before the call. */
  withAgency(downstreamEntityId: string): Promise<AssociationAddress[]>;
  /** What is stored of a carrier and an agency, and of everybody and the agency. */
  agencyState(owner: string, downstreamEntityId: string): Promise<AgencyState>;
  /** Who knows an agency; undefined for one of before that was kept. */
  sharingOf(downstreamEntityId: string): Promise<Sharing | undefined>;
  /** Those with these entities. */
  ofEntities(owner: string, downstreamEntityIds: readonly string[]): Promise<StoredAssociation[]>;
  /**
   * Writes an association, everything that depends on it, and the further items, all or nothing.
   * @throws VersionConflict when another writer was faster, as it is for one that keeps meeting others at a plan's ceiling;
   *   what `associationWrites` and the further items raise.
   */
  save(change: AssociationChange, furtherItems: readonly TransactionItem[]): Promise<void>;
}

/**
 * Associations that a list reads at once. Their agencies and subscriptions are read as one batch, so a page is no
 * larger.
 */
const associationsAtOnce = batchGetKeys;

const ownerItem = storedItem('associations/owner', () => ({ upstreamEntityId: objectId }));

const agencyItem = storedItem('associations/with-agency', () => ({
  sk: z.string(),
  upstreamEntityId: objectId,
}));

export function createAssociationStore(client: DynamoDBClient, table: string): AssociationStore {
  const parsed = (items: readonly Record<string, unknown>[]): StoredAssociation[] =>
    items.map((item) => parseStored(storedAssociation, item)).filter(isLive);

  const findStored = (owner: string, associationId: string): Promise<StoredAssociation | undefined> => {
    const key = associationKeys.association(owner, associationId);
    return getItem(client, table, key, storedAssociation, { consistent: true });
  };

  const find = async (owner: string, associationId: string): Promise<StoredAssociation | undefined> => {
    return live(await findStored(owner, associationId));
  };

  const entryOf = (owner: string, downstreamEntityId: string): Promise<AssociationsOfEntity | undefined> => {
    const key = associationKeys.ofEntity(owner, downstreamEntityId);
    return getItem(client, table, key, associationsOfEntity, { consistent: true });
  };

  const sharingOf = (downstreamEntityId: string): Promise<Sharing | undefined> =>
    getItem(client, table, associationKeys.sharing(downstreamEntityId), sharing, { consistent: true });

  /** Reads what a change depends on, unless its request read it. */
  async function readFor(change: AssociationChange): Promise<ReadForChange> {
    const { after, request } = change;
    if (request !== undefined) {
      return { entryOf: () => request.agency.entry, sharing: request.agency.sharing };
    }
    const entityIds = changedEntries(change);
    const [entries, sharingOfAgency] = await Promise.all([
      Promise.all(entityIds.map((id) => entryOf(after.upstreamEntityId, id))),
      addsParty(change) ? sharingOf(after.downstreamEntityId) : undefined,
    ]);
    return { entryOf: (id) => entries[entityIds.indexOf(id)], sharing: sharingOfAgency };
  }

  /** @throws DomainError `plan_limit_reached` when the plan admits no further agency. */
  async function checkCeiling({ after, planCeiling }: AssociationChange): Promise<void> {
    if (planCeiling === undefined) return;
    const key = associationKeys.count(after.upstreamEntityId);
    const { liveCount } = (await getItem(client, table, key, countItem, { consistent: true })) ?? {
      liveCount: 0,
    };
    if (liveCount >= planCeiling) throw planLimitReached(planCeiling, liveCount);
  }

  /** Removes the entity's entry when its last association is gone: DynamoDB removes an attribute whose set is empty. */
  async function removeEmptyEntry({ before, after }: AssociationChange): Promise<void> {
    if (before === undefined) return;
    const stays = isLive(after) && after.downstreamEntityId === before.downstreamEntityId;
    if (!isLive(before) || stays) return;
    const key = associationKeys.ofEntity(before.upstreamEntityId, before.downstreamEntityId);
    await conditionHeld(
      client.send(
        new DeleteItemCommand({
          TableName: table,
          Key: toItem(key),
          ConditionExpression: 'attribute_not_exists(associationIds)',
        }),
      ),
    );
  }

  return {
    findStored,
    sharingOf,

    async agencyState(owner, downstreamEntityId) {
      const [entry, sharingOfAgency] = await Promise.all([
        entryOf(owner, downstreamEntityId),
        sharingOf(downstreamEntityId),
      ]);
      return { entry, sharing: sharingOfAgency };
    },

    find,

    async findById(associationId) {
      const key = associationKeys.owner(associationId);
      const owner = await getItem(client, table, key, ownerItem, { consistent: true });
      return owner && find(owner.upstreamEntityId, associationId);
    },

    async *list(owner) {
      const { pk } = associationKeys.association(owner, '');
      const query = { ...partitionQuery(table, pk), Limit: associationsAtOnce };
      for await (const items of queryPages(client, query)) {
        yield parsed(items.map((item) => unmarshall(item)));
      }
    },

    changedSince(owner, since) {
      const handle = tableOf(associationsTable, client, table);
      const pages = changedSince(handle, owner, since);
      return (async function* () {
        for await (const keys of pages) yield handle.getInOrder(storedAssociation, keys);
      })();
    },

    async *ofNpn(owner, npn) {
      const query = {
        TableName: table,
        IndexName: 'by-npn',
        Limit: associationsAtOnce,
        KeyConditionExpression: 'npnKey = :partition',
        ExpressionAttributeValues: toItem({ ':partition': associationPartitions.ofNpn(owner, npn) }),
      };
      for await (const keys of queryPages(client, query)) {
        const wanted = keys.map((key) => ({ pk: key['pk']?.S ?? '', sk: key['sk']?.S ?? '' }));
        const found = parsed(await itemsInOrder(client, table, wanted));
        // An index lags behind its table.
        yield found.filter(({ agency }) => agency.npn === npn);
      }
    },

    async withAgency(downstreamEntityId) {
      const { pk, sk } = associationKeys.withAgency(downstreamEntityId, '');
      const query = {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: toItem({ ':pk': pk, ':prefix': sk }),
      };
      const items = await collect(queryPages(client, query));
      return items.map((item) => {
        const { sk: key, upstreamEntityId: owner } = parseStored(agencyItem, unmarshall(item));
        return { owner, associationId: key.slice(sk.length) };
      });
    },

    async ofEntities(owner, downstreamEntityIds) {
      const entries = Array.from(new Set(downstreamEntityIds), (id) => associationKeys.ofEntity(owner, id));
      const found = await batchGet(client, table, entries, { consistent: false });
      const ids = found.flatMap((item) => [...parseStored(associationsOfEntity, item).associationIds]);
      const keys = ids.sort().map((id) => associationKeys.association(owner, id));
      return parsed(await itemsInOrder(client, table, keys));
    },

    async save(change, furtherItems) {
      const read = await readFor(change);
      try {
        await transact(client, [...associationWrites(table, change, read), ...furtherItems]);
      } catch (error) {
        // All writers of one carrier update its count; a full plan must not look like contention.
        if (!(error instanceof TransactionContention) || change.planCeiling === undefined) throw error;
        if (countChange(change, read.entryOf) > 0) await checkCeiling(change);
        throw new VersionConflict('Other writers of the count were faster.', { cause: error });
      }
      await removeEmptyEntry(change);
    },
  };
}
