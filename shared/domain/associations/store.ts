// Associations of carriers with agencies: the items that a change of one writes, and how they are read.
import * as z from 'zod/mini';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { itemsChangedSince } from '#platform/changes/change-index.ts';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { collect, concurrently, mapPages } from '#platform/data/concurrently.ts';
import { absentOr, startsWith } from '#platform/data/expressions.ts';
import { parseStored, storedItem } from '#platform/data/stored.ts';
import type { Key, Table, TableItems } from '#platform/data/table.ts';
import { TransactionContention, type TransactionItem, VersionConflict } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import { changedEntries, countChange, entryWrites } from './agency-entries.ts';
import { evidenceWrites } from './match-evidence.ts';
import {
  beginSharing,
  countItem,
  countWrites,
  partyWrites,
  planLimitReached,
  type Sharing,
  sharing,
} from './sharing.ts';
import {
  type AssociationsOfEntity,
  associationItem,
  associationKeys,
  associationsOfEntity,
  associationsOfNpn,
  codeOwner,
  isLive,
  live,
  marketItem,
  marketNameValues,
  marketOwnerOf,
  type StoredAssociation,
  storedAssociation,
} from './stored.ts';

/** Entries of a carrier and an agency, and of everybody and the agency. */
interface AgencyState {
  readonly entry: AssociationsOfEntity | undefined;
  readonly sharing: Sharing | undefined;
}

/** Conditions that a carrier's own request rests on; the transaction checks that it still holds. */
interface CarrierRequest {
  readonly agency: AgencyState;
  /** Whether the agency is created in the same transaction. */
  readonly isNewAgency: boolean;
  /** An active association of the carrier with the agency, which shows that the agency agreed with it. */
  readonly agreedThrough: string | undefined;
  /** Whether `mostInvited` applies to the new association. */
  readonly isInvitedBounded: boolean;
}

/** A change of an association. */
interface AssociationChange {
  /** The association as it was read; undefined for a new one. */
  readonly before: StoredAssociation | undefined;
  readonly after: StoredAssociation;
  /** The time of the change by the server's clock; an import can set `updatedAt` to any other. */
  readonly now: Date;
  /** Name of the carrier, as the agency's market shows it. */
  readonly upstreamEntityName: string;
  /** Most agencies, with an active or invited association, that the carrier's plan admits; left out where it does not apply. */
  readonly planCeiling?: number;
  /** Left out for a change by operators or the agency's side: with them, whatever is not invited is agreed. */
  readonly request?: CarrierRequest;
  /** Whether a redeemed link makes the change. It takes no right from the carrier that knew the agency first. */
  readonly isRedemption?: boolean;
}

/** Items on which the writes depend beside the association itself: a carrier's entries for agencies, and who knows the agency. */
interface ReadForChange {
  readonly entryOf: (downstreamEntityId: string) => AssociationsOfEntity | undefined;
  readonly sharing: Sharing | undefined;
}

/** A duplicate within this time counts as concurrent, since its sender cannot have seen the first response. */
const concurrentFor = 10_000;

const relationshipItem = storedItem('associations/relationship', {
  associationId: objectId,
  startedAt: timestamp,
});

/**
 * Every write that a change of an association needs: its item, its owner, its agency, its entry at the agency, the codes that must
 * be unique, who knows the agency, the carrier's count of agencies, the agency's market and what policies may know the agency by.
 * The first condition that fails decides the error:
 * - `concurrent_duplicate` or `state_conflict` when an add or invite of the same relationship came first;
 * - `plan_limit_reached` at the plan ceiling (OpenAPI, "addAssociation");
 * - VersionConflict when another writer changed it, or what was read for it, since;
 * - `duplicate_external_id`, `duplicate_producer_code`.
 */
function associationWrites(
  items: TableItems,
  change: AssociationChange,
  read: ReadForChange,
): TransactionItem[] {
  const { before, after, request } = change;
  return [
    ...relationshipWrites(items, change),
    // Before the count: who meets another branch of the agency must decide again before the plan refuses it.
    ...entryWrites(items, change, read.entryOf, request),
    ...sharingWrites(items, change, read.sharing),
    ...countWrites(items, after.upstreamEntityId, change.planCeiling, countChange(change, read.entryOf)),
    associationWrite(items, change),
    ...(before === undefined ? [ownerWrite(items, after)] : []),
    ...agencyWrites(items, change),
    ...uniquenessWrites(items, change),
    ...marketWrites(items, change),
    ...evidenceWrites(items, change),
  ];
}

/** Whether with this change the carrier comes to know the agency, or the agency's side to agree with it. */
function addsParty({ before, after }: AssociationChange): boolean {
  const liveBefore = live(before);
  const isKnown = liveBefore?.downstreamEntityId === after.downstreamEntityId;
  return isLive(after) && (!isKnown || (liveBefore?.status === 'invited' && after.status !== 'invited'));
}

function sharingWrites(
  items: TableItems,
  change: AssociationChange,
  sharing: Sharing | undefined,
): TransactionItem[] {
  const { after, request, isRedemption } = change;
  const { downstreamEntityId, upstreamEntityId, status } = after;
  if (!addsParty(change)) return [];
  if (request?.isNewAgency === true) return [beginSharing(items, downstreamEntityId, upstreamEntityId)];
  const isAgreed =
    request === undefined
      ? status !== 'invited' && isRedemption !== true
      : request.agreedThrough !== undefined;
  return partyWrites(items, { downstreamEntityId, upstreamEntityId, isAgreed }, sharing);
}

/** Claims a key for an association; one that already holds it keeps it. */
const claim = (
  items: TableItems,
  key: Key,
  values: { readonly associationId: string; readonly startedAt?: string },
  refusal: TransactionItem['refused'],
): TransactionItem =>
  items.put({ ...key, ...values }, { associationId: absentOr(values.associationId) }, refusal);

function relationshipWrites(items: TableItems, { before, after }: AssociationChange): TransactionItem[] {
  const keyBefore = live(before)?.relationship;
  const keyAfter = live(after)?.relationship;
  const { upstreamEntityId, _id: associationId, createdAt: startedAt } = after;
  if (keyBefore === keyAfter) return [];
  if (keyAfter === undefined) {
    return keyBefore === undefined
      ? []
      : [items.delete(associationKeys.relationship(upstreamEntityId, keyBefore))];
  }
  const refusal = (item: unknown): Error => {
    const first = parseStored(relationshipItem, item);
    const ids = { downstreamEntityAssociationId: first.associationId };
    return Date.parse(startedAt) - Date.parse(first.startedAt) < concurrentFor
      ? new DomainError('concurrent_duplicate', {
          message: 'A request for the same association came first.',
          ids,
        })
      : new DomainError('state_conflict', { message: 'The agency is already associated.', ids });
  };
  const key = associationKeys.relationship(upstreamEntityId, keyAfter);
  return [claim(items, key, { associationId, startedAt }, refusal)];
}

const associationWrite = (items: TableItems, { before, after, now }: AssociationChange): TransactionItem =>
  items.put(associationItem({ ...after, version: (before?.version ?? 0) + 1 }, now), {
    version: before?.version,
  });

const ownerWrite = (items: TableItems, { _id, upstreamEntityId }: StoredAssociation): TransactionItem =>
  items.put(
    { ...associationKeys.owner(_id), upstreamEntityId },
    { upstreamEntityId: absentOr(upstreamEntityId) },
    () =>
      new DomainError('state_conflict', {
        message: 'Another organization has an association with this _id.',
      }),
  );

/** Items by which an association is found from its agency. */
function agencyWrites(items: TableItems, { before, after }: AssociationChange): TransactionItem[] {
  const { _id, downstreamEntityId, upstreamEntityId } = after;
  if (before?.downstreamEntityId === downstreamEntityId) return [];
  return [
    ...(before === undefined
      ? []
      : [items.delete(associationKeys.withAgency(before.downstreamEntityId, _id))]),
    items.put({ ...associationKeys.withAgency(downstreamEntityId, _id), upstreamEntityId }),
  ];
}

/** Uniqueness of `externalId` and `producerCode` within a carrier (OpenAPI, "updateAssociation"). */
function uniquenessWrites(items: TableItems, { before, after }: AssociationChange): TransactionItem[] {
  const { upstreamEntityId, _id: associationId } = after;
  const fields = [
    ['externalId', 'duplicate_external_id'],
    ['producerCode', 'duplicate_producer_code'],
  ] as const;
  const refusalOf = (reason: (typeof fields)[number][1]) => (item: unknown) =>
    new DomainError(reason, {
      ids: { downstreamEntityAssociationId: parseStored(codeOwner, item).associationId },
    });
  return fields.flatMap(([field, reason]) => {
    const [keyBefore, keyAfter] = [live(before), live(after)].map((entry) => {
      const value = entry?.[field] ?? null;
      return value === null ? undefined : associationKeys[field](upstreamEntityId, value);
    });
    // Values that differ in ways that do not count have one key.
    if (keyBefore?.sk === keyAfter?.sk) return [];
    return [
      ...(keyBefore === undefined ? [] : [items.delete(keyBefore)]),
      ...(keyAfter === undefined ? [] : [claim(items, keyAfter, { associationId }, refusalOf(reason))]),
    ];
  });
}

/** The agency's own view of the relationship, which an organization sees once the agency belongs to it. */
function marketWrites(
  items: TableItems,
  { before, after, upstreamEntityName }: AssociationChange,
): TransactionItem[] {
  const [keyBefore, keyAfter] = [live(before), live(after)].map((entry) => entry && marketOwnerOf(entry));
  const { _id, upstreamEntityId, downstreamEntityId, producerCode, branchName, status } = after;
  const { createdAt, updatedAt } = after;
  const market = {
    upstreamDownstreamAssociationId: _id,
    upstreamEntityId,
    downstreamEntityId,
    upstreamEntityName,
    isOnPlatform: true,
    marketType: null,
    producerCode,
    branchName,
    status,
    createdAt,
    updatedAt,
  };
  return [
    ...(keyBefore === undefined || keyBefore === keyAfter
      ? []
      : [items.delete(associationKeys.market(keyBefore, _id))]),
    ...(keyAfter === undefined ? [] : [items.put(marketItem(keyAfter, market))]),
  ];
}

/** A carrier's own name for an agency. */
export interface AssociationCode {
  readonly field: 'externalId' | 'producerCode';
  readonly value: string;
}

/** Store of one carrier's associations; those of another organization cannot even be addressed. Reads return only live ones. */
export type AssociationStore = ReturnType<typeof createAssociationStore>;

/**
 * Associations that a list reads at once. Their agencies and subscriptions are read as one batch, so a page is no
 * larger.
 */
const associationsAtOnce = batchGetKeys;

const ownerItem = storedItem('associations/owner', { upstreamEntityId: objectId });

const agencyItem = storedItem('associations/with-agency', {
  sk: z.string(),
  upstreamEntityId: objectId,
});

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
    });
    return mapPages(pages, (associations) => associations.filter(isLive));
  };

  return {
    findStored,

    /** Organizations that know an agency. */
    sharingOf: (downstreamEntityId: string) => sharingOf(table, downstreamEntityId),

    /** Entries of a carrier and an agency, and of everybody and the agency. */
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

    /** Associations that changed at a time (`toISOString`) or later, deleted ones too, one database page at a time. */
    itemsChangedSince: (owner: string, since: string): AsyncIterable<StoredAssociation[]> =>
      mapPages(itemsChangedSince(table, owner, since), (keys) => table.getInOrder(storedAssociation, keys)),

    /** Associations with agencies of an NPN. */
    ofNpn: (owner: string, npn: string) => associationsOfNpn(table, owner, npn),

    /**
     * The one with an external id or a producer code, which is compared as its uniqueness is; the association is read after
     * the item that names it.
     */
    async withCode(owner: string, { field, value }: AssociationCode): Promise<StoredAssociation | undefined> {
      const holder = await table.get(codeOwner, associationKeys[field](owner, value));
      return holder && find(owner, holder.associationId);
    },

    /**
     * The owners and ids of the associations with an agency, of every owner, deleted ones too: all that were written before the
     * call.
     */
    async withAgency(downstreamEntityId: string) {
      const { pk, sk } = associationKeys.withAgency(downstreamEntityId, '');
      const associations = await collect(
        table.query(agencyItem, pk, { sort: startsWith(sk), consistent: true }),
      );
      return associations.map(({ sk: key, upstreamEntityId: owner }) => ({
        owner,
        associationId: key.slice(sk.length),
      }));
    },

    /** Associations with these entities. */
    async ofEntities(owner: string, downstreamEntityIds: readonly string[]): Promise<StoredAssociation[]> {
      const entries = downstreamEntityIds.map((id) => associationKeys.ofEntity(owner, id));
      const associations = await table.getAll(associationsOfEntity, entries, { consistent: false });
      const ids = associations.flatMap(({ associationIds }) => [...associationIds]);
      const keys = ids.sort().map((id) => associationKeys.association(owner, id));
      return (await table.getInOrder(storedAssociation, keys)).filter(isLive);
    },

    /** Shows a carrier under another name in the markets of its agencies; may be repeated. */
    async renameCarrier(owner: string, upstreamEntityName: string): Promise<void> {
      for await (const page of list(owner, { consistent: true })) {
        await concurrently(page, async (association) => {
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
