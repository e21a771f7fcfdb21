import * as z from 'zod/mini';
import { batchGetKeys } from '../../platform/aws/limits.ts';
import { changedSince } from '../../platform/changes/change-index.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { collect, mapPages } from '../../platform/data/collect.ts';
import { concurrently } from '../../platform/data/concurrently.ts';
import { startsWith } from '../../platform/data/expressions.ts';
import { TransactionContention, VersionConflict } from '../../platform/data/optimistic-lock.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { changedEntries, countChange } from './agency-entries.ts';
import { associationsOfNpn } from './associations-of-npn.ts';
import { countItem, planLimitReached } from './plan-count.ts';
import { type Sharing, sharing } from './sharing.ts';
import {
  type AssociationsOfEntity,
  associationKeys,
  associationsOfEntity,
  codeHolder,
  isLive,
  live,
  marketNameValues,
  marketOwnerOf,
  type StoredAssociation,
  storedAssociation,
} from './stored.ts';
import {
  type AgencyState,
  type AssociationChange,
  addsParty,
  associationWrites,
  type ReadForChange,
} from './transaction-items.ts';

/** A carrier's own name for an agency. */
export interface AssociationCode {
  readonly field: 'externalId' | 'producerCode';
  readonly value: string;
}

/** One carrier's associations; those of another organization cannot even be addressed. Reads return only live ones. */
export type AssociationStore = ReturnType<typeof createAssociationStore>;

/**
 * Associations that a list reads at once. Their agencies and subscriptions are read as one batch, so a page is no
 * larger.
 */
const associationsAtOnce = batchGetKeys;

/** Markets updated concurrently. */
const renamedAtOnce = 16;

const ownerItem = storedItem('associations/owner', () => ({ upstreamEntityId: objectId }));

const agencyItem = storedItem('associations/with-agency', () => ({
  sk: z.string(),
  upstreamEntityId: objectId,
}));

/** @throws DomainError `plan_limit_reached` when the plan admits no further agency. */
async function checkCeiling(table: Table, { after, planCeiling }: AssociationChange): Promise<void> {
  if (planCeiling === undefined) return;
  const key = associationKeys.count(after.upstreamEntityId);
  const { liveCount } = (await table.get(countItem, key)) ?? { liveCount: 0 };
  if (liveCount >= planCeiling) throw planLimitReached(planCeiling, liveCount);
}

/** Removes the entity's entry when its last association is gone: DynamoDB removes an attribute whose set is empty. */
async function removeEmptyEntry(table: Table, { before, after }: AssociationChange): Promise<void> {
  if (before === undefined) return;
  const stays = isLive(after) && after.downstreamEntityId === before.downstreamEntityId;
  if (!isLive(before) || stays) return;
  const key = associationKeys.ofEntity(before.upstreamEntityId, before.downstreamEntityId);
  await table.delete(key, { associationIds: undefined });
}

const entryOf = (
  table: Table,
  owner: string,
  downstreamEntityId: string,
): Promise<AssociationsOfEntity | undefined> =>
  table.get(associationsOfEntity, associationKeys.ofEntity(owner, downstreamEntityId));

const sharingOf = (table: Table, downstreamEntityId: string): Promise<Sharing | undefined> =>
  table.get(sharing, associationKeys.sharing(downstreamEntityId));

/** Reads what a change depends on, unless its request read it. */
async function readFor(table: Table, change: AssociationChange): Promise<ReadForChange> {
  const { after, request } = change;
  if (request !== undefined) {
    return { entryOf: () => request.agency.entry, sharing: request.agency.sharing };
  }
  const entityIds = changedEntries(change);
  const [entries, sharingOfAgency] = await Promise.all([
    Promise.all(entityIds.map((id) => entryOf(table, after.upstreamEntityId, id))),
    addsParty(change) ? sharingOf(table, after.downstreamEntityId) : undefined,
  ]);
  return { entryOf: (id) => entries[entityIds.indexOf(id)], sharing: sharingOfAgency };
}

export function createAssociationStore(table: Table<'by-npn' | 'by-change'>) {
  /** An association, live or not, for operators. */
  const findStored = (owner: string, associationId: string): Promise<StoredAssociation | undefined> =>
    table.get(storedAssociation, associationKeys.association(owner, associationId));

  const find = async (owner: string, associationId: string): Promise<StoredAssociation | undefined> =>
    live(await findStored(owner, associationId));

  /** Every association, one database page at a time, by id. */
  const list = (owner: string, { consistent = false } = {}): AsyncIterable<StoredAssociation[]> => {
    const { pk } = associationKeys.association(owner, '');
    const pages = table.query(storedAssociation, pk, {
      limit: associationsAtOnce,
      consistent,
      leavesOut: true,
    });
    return mapPages(pages, (found) => found.filter(isLive));
  };

  return {
    findStored,

    /** Who knows an agency; undefined for one of before that was kept. */
    sharingOf: (downstreamEntityId: string) => sharingOf(table, downstreamEntityId),

    /** What is stored of a carrier and an agency, and of everybody and the agency. */
    async agencyState(owner: string, downstreamEntityId: string): Promise<AgencyState> {
      const [entry, sharingOfAgency] = await Promise.all([
        entryOf(table, owner, downstreamEntityId),
        sharingOf(table, downstreamEntityId),
      ]);
      return { entry, sharing: sharingOfAgency };
    },

    find,

    /** Anybody's association, for those who know only its id. */
    async findById(associationId: string): Promise<StoredAssociation | undefined> {
      const key = associationKeys.owner(associationId);
      const owner = await table.get(ownerItem, key);
      return owner && find(owner.upstreamEntityId, associationId);
    },

    list,

    /** Those that changed at a time (`toISOString`) or later, deleted ones too, one database page at a time. */
    changedSince: (owner: string, since: string): AsyncIterable<StoredAssociation[]> =>
      mapPages(changedSince(table, owner, since), (keys) =>
        table.getInOrder(storedAssociation, keys, { leavesOut: true }),
      ),

    /** Those with agencies of an NPN. */
    ofNpn: (owner: string, npn: string) => associationsOfNpn(table, owner, npn, { leavesOut: true }),

    /**
     * The one with an external id or a producer code, which is compared as its uniqueness is; the association is read after
     * the item that names it.
     */
    async withCode(owner: string, { field, value }: AssociationCode): Promise<StoredAssociation | undefined> {
      const holder = await table.get(codeHolder, associationKeys[field](owner, value));
      return holder && find(owner, holder.associationId);
    },

    /** The owners and ids of the associations with an agency, of every owner, deleted ones too: all that were written before the call. */
    async withAgency(downstreamEntityId: string) {
      const { pk, sk } = associationKeys.withAgency(downstreamEntityId, '');
      const found = await collect(table.query(agencyItem, pk, { sort: startsWith(sk), consistent: true }));
      return found.map(({ sk: key, upstreamEntityId: owner }) => ({
        owner,
        associationId: key.slice(sk.length),
      }));
    },

    /** Those with these entities. */
    async ofEntities(owner: string, downstreamEntityIds: readonly string[]): Promise<StoredAssociation[]> {
      const entries = downstreamEntityIds.map((id) => associationKeys.ofEntity(owner, id));
      const found = await table.getAll(associationsOfEntity, entries, { consistent: false, leavesOut: true });
      const ids = found.flatMap(({ associationIds }) => [...associationIds]);
      const keys = ids.sort().map((id) => associationKeys.association(owner, id));
      return (await table.getInOrder(storedAssociation, keys, { leavesOut: true })).filter(isLive);
    },

    /** Shows a carrier under another name in the markets of its agencies; may be repeated. */
    async renameCarrier(owner: string, upstreamEntityName: string): Promise<void> {
      for await (const page of list(owner, { consistent: true })) {
        await concurrently(page, renamedAtOnce, async (association) => {
          const market = associationKeys.market(marketOwnerOf(association), association._id);
          const values = marketNameValues(upstreamEntityName, association._id);
          // An association that ends meanwhile has no market anymore.
          await table.update(market, values, { upstreamEntityId: owner });
        });
      }
    },

    /**
     * Writes an association, everything that depends on it, and the further items, all or nothing.
     * @throws VersionConflict when another writer was faster, as it is for one that keeps meeting others at a plan's ceiling;
     *   what `associationWrites` and the further items raise.
     */
    async save(change: AssociationChange, furtherItems: readonly TransactionItem[]): Promise<void> {
      const read = await readFor(table, change);
      try {
        await table.transact([...associationWrites(table.items, change, read), ...furtherItems]);
      } catch (error) {
        // All writers of one carrier update its count; a full plan must not look like contention.
        if (!(error instanceof TransactionContention) || change.planCeiling === undefined) throw error;
        if (countChange(change, read.entryOf) > 0) await checkCeiling(table, change);
        throw new VersionConflict('Other writers of the count were faster.', { cause: error });
      }
      await removeEmptyEntry(table, change);
    },
  };
}
