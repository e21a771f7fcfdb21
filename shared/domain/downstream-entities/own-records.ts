import * as z from 'zod/mini';
import { collect, mapConcurrently } from '../../platform/data/concurrently.ts';
import {
  absentOr,
  added,
  below,
  type Changes,
  type Condition,
  removed,
  sized,
} from '../../platform/data/expressions.ts';
import { compare } from '../../platform/data/keys.ts';
import type { IndexedKey } from '../../platform/data/query-pages.ts';
import type { StoredSchema } from '../../platform/data/stored.ts';
import { storedItem } from '../../platform/data/stored.ts';
import {
  type IndexPartition,
  type KeyPage,
  type PageOf,
  pageAmong,
  type Table,
  type TableItems,
} from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError, foundAt, limitReached } from '../../platform/errors/domain-error.ts';
import type { Identity } from '../../platform/identity/identity.ts';
import {
  downstreamEntityKeys,
  type Placed,
  recordOwnerOf,
  type StoredDownstreamEntity,
  storedDownstreamEntity,
} from './stored.ts';

// Whose a record on an agency's side is (OpenAPI, "Agencies that move"): the organization's to which the agency belongs at this
// moment. Records stay where `recordOwnerOf` put them, under the agency's first organization; what an organization reads
// is its own partition without the agencies that left, and of other partitions the agencies that joined.

/** An organization, and its moves as they are read at the same time as its records. */
export interface Ownership {
  readonly organizationId: string;
  readonly moves: Promise<EntityMoves>;
}

/** An organization without agencies that move: a carrier. */
export const carrierOwnership = (organizationId: string): Ownership => ({
  organizationId,
  moves: Promise.resolve(noMoves),
});

/** The ownership of the caller. */
export const ownershipOf = (
  { organizationId, category }: Pick<Identity, 'organizationId' | 'category'>,
  movesOf: MovesOf,
): Ownership =>
  category === 'downstreamEntity'
    ? { organizationId, moves: movesOf(organizationId) }
    : carrierOwnership(organizationId);

/** A record, and the owner in its keys. */
export interface OwnRecord<Item> {
  readonly owner: string;
  readonly record: Item;
}

/** Whether a record that is stored under this owner is the organization's. A record that names no agency stays its owner's. */
const isOwn = (
  organizationId: string,
  { left, joined }: EntityMoves,
  owner: string,
  downstreamEntityId: string | undefined,
): boolean =>
  downstreamEntityId === undefined
    ? owner === organizationId
    : joined.get(downstreamEntityId) === owner || (owner === organizationId && !left.has(downstreamEntityId));

/** Other owners under which records of the organization are stored. */
const otherOwners = (organizationId: string, { joined }: EntityMoves): string[] =>
  [...new Set(joined.values())].filter((owner) => owner !== organizationId);

/** Partitions read at once where agencies have moved. */
const concurrency = 16;

/**
 * The organization's own ones of the records that are read under an owner. Those under the organization's own id take one
 * call; what is missing is then sought under the owners of the agencies that joined.
 *
 * @param wanted how many there are at most.
 */
export async function readOwn<Item>(
  { organizationId, moves }: Ownership,
  wanted: number,
  read: (owner: string) => Promise<readonly Item[]>,
  entityOf: (record: Item) => string | undefined,
): Promise<OwnRecord<Item>[]> {
  const [known, records] = await Promise.all([moves, read(organizationId)]);
  const own = (owner: string, found: readonly Item[]): OwnRecord<Item>[] =>
    found
      .filter((record) => isOwn(organizationId, known, owner, entityOf(record)))
      .map((record) => ({ owner, record }));
  const first = own(organizationId, records);
  if (first.length >= wanted) return first;
  const others = await mapConcurrently(otherOwners(organizationId, known), concurrency, async (owner) =>
    own(owner, await read(owner)),
  );
  return [...first, ...others.flat()];
}

/** The one record that is read under an owner, if it is the organization's; see `readOwn`. */
export async function findOwn<Item>(
  ownership: Ownership,
  find: (owner: string) => Promise<Item | undefined>,
  entityOf: (record: Item) => string | undefined,
): Promise<OwnRecord<Item> | undefined> {
  const read = async (owner: string): Promise<readonly Item[]> => {
    const found = await find(owner);
    return found === undefined ? [] : [found];
  };
  const [own] = await readOwn(ownership, 1, read, entityOf);
  return own;
}

/** The index partitions that hold an owner's list, those of one agency if one is given. */
export type OwnPartitions<Index extends string = string> = (
  owner: string,
  downstreamEntityId: string | undefined,
) => readonly IndexPartition<Index>[];

/** A list of records on the agencies' side. */
interface OwnList<Schema, Index extends string = string> {
  readonly table: Table<Index>;
  readonly schema: Schema;
  readonly partitionsOf: OwnPartitions<Index>;
}

const bySort = (one: IndexedKey, other: IndexedKey): number => compare(one.sort, other.sort);

/** The organization's keys of a list where agencies have moved, in the list's order. */
async function keysAfterMoves<Index extends string>(
  table: Table<Index>,
  organizationId: string,
  { left, joined }: EntityMoves,
  partitionsOf: OwnPartitions<Index>,
): Promise<IndexedKey[]> {
  const keysOf = ([entityId, owner]: readonly [string | undefined, string]): Promise<IndexedKey[]> =>
    collect(table.keys(...partitionsOf(owner, entityId)));
  const elsewhere = [...joined].filter(([, owner]) => owner !== organizationId);
  const [all, gone, come] = await Promise.all([
    keysOf([undefined, organizationId]),
    mapConcurrently(left, concurrency, (entityId) => keysOf([entityId, organizationId])),
    mapConcurrently(elsewhere, concurrency, keysOf),
  ]);
  const isGone = new Set(gone.flat().map(({ pk, sk }) => `${pk} ${sk}`));
  return [...all.filter(({ pk, sk }) => !isGone.has(`${pk} ${sk}`)), ...come.flat()].sort(bySort);
}

/** The keys of one page of an organization's list, of one of its agencies if one is given, and how many there are. */
async function ownKeyPage<Index extends string>(
  table: Table<Index>,
  { organizationId, moves }: Ownership,
  downstreamEntityId: string | undefined,
  partitionsOf: OwnPartitions<Index>,
  page: PageOf,
): Promise<KeyPage> {
  const of = (owner: string) => table.keyPage(partitionsOf(owner, downstreamEntityId), page);
  const [known, current] = await Promise.all([moves, of(organizationId)]);
  const { left, joined } = known;
  if (downstreamEntityId === undefined) {
    if (left.size === 0 && joined.size === 0) return current;
    const keys = await keysAfterMoves(table, organizationId, known, partitionsOf);
    return { keys: pageAmong(keys, page), total: keys.length };
  }
  if (left.has(downstreamEntityId)) return { keys: [], total: 0 };
  const owner = joined.get(downstreamEntityId) ?? organizationId;
  return owner === organizationId ? current : of(owner);
}

/** The page that holds a whole list. */
export const everything: PageOf = { page: 1, limit: 1e9 };

/** All keys of an organization's list; see `ownKeyPage`. */
export const ownKeys = async <Index extends string>(
  table: Table<Index>,
  ownership: Ownership,
  downstreamEntityId: string | undefined,
  partitionsOf: OwnPartitions<Index>,
): Promise<IndexedKey[]> =>
  (await ownKeyPage(table, ownership, downstreamEntityId, partitionsOf, everything)).keys;

/** One page of the records themselves: the keys as above, then the page's items. */
export async function ownRecordPage<Schema extends StoredSchema, Index extends string>(
  { table, schema, partitionsOf }: OwnList<Schema, Index>,
  ownership: Ownership,
  downstreamEntityId: string | undefined,
  page: PageOf,
): Promise<{ readonly items: z.output<Schema>[]; readonly total: number }> {
  const { keys, total } = await ownKeyPage(table, ownership, downstreamEntityId, partitionsOf, page);
  return { items: await table.getInOrder(schema, keys), total };
}

/** What tells which agencies belong to an organization, and did. */
export type OwnEntities = ReturnType<typeof createOwnEntities>;

export const createOwnEntities = (entities: Table) => ({
  movesOf: createMovesOf(entities),

  /**
   * A live entity of the organization; an id outside the organization is not found.
   * @throws DomainError `not_found` for an id that is unknown, soft-deleted or another organization's.
   */
  async ownEntity(organizationId: string, downstreamEntityId: string): Promise<StoredDownstreamEntity> {
    const found = await entities.get(storedDownstreamEntity, downstreamEntityKeys.entity(downstreamEntityId));
    if (found === undefined || found.isDeleted || found.downstreamOrganizationId !== organizationId) {
      throw new DomainError('not_found');
    }
    return found;
  },

  /** The transaction item that refuses a write, as not found, once the agency is not the organization's. */
  stillOwn: (organizationId: string, downstreamEntityId: string): TransactionItem =>
    entities.items.check(
      downstreamEntityKeys.entity(downstreamEntityId),
      { downstreamOrganizationId: organizationId },
      () => new DomainError('not_found'),
    ),
});

/**
 * The entity that a list is narrowed to; undefined where its query names none.
 * @throws DomainError `not_found`, as above.
 */
export const entityFilter = async (
  ownEntity: OwnEntities['ownEntity'],
  organizationId: string,
  downstreamEntityId: string | undefined,
): Promise<StoredDownstreamEntity | undefined> =>
  downstreamEntityId === undefined
    ? undefined
    : foundAt('downstreamEntityId', ownEntity(organizationId, downstreamEntityId));

/**
 * A page of an agency's list; whether the entity that it is narrowed to belongs to the organization is checked while it is read.
 * @throws DomainError `not_found`, as above.
 */
export async function ownPage<
  Query extends PageOf & { readonly downstreamEntityId?: string | undefined },
  Found,
>(
  { identity, query }: { readonly identity: Identity; readonly query: Query },
  { ownEntity, movesOf }: Pick<OwnEntities, 'ownEntity' | 'movesOf'>,
  read: (ownership: Ownership, downstreamEntityId: string | undefined, query: Query) => Promise<Found>,
): Promise<Found> {
  const { downstreamEntityId } = query;
  const [found] = await Promise.all([
    read(ownershipOf(identity, movesOf), downstreamEntityId, query),
    entityFilter(ownEntity, identity.organizationId, downstreamEntityId),
  ]);
  return found;
}

/** How an organization's agencies differ from those that it had first. Most organizations have no such difference. */
export interface EntityMoves {
  /** Agencies that belonged to the organization and no longer do. */
  readonly left: ReadonlySet<string>;
  /** Agencies that belong to the organization and had another one, or none, before: by id, their `recordOwnerOf`. */
  readonly joined: ReadonlyMap<string, string>;
}

/** An organization's moves at this moment. */
export type MovesOf = (organizationId: string) => Promise<EntityMoves>;

const noMoves: EntityMoves = { left: new Set(), joined: new Map() };

/** Sets, since they change without being read; an element of `joined` is an agency's id and its record owner. */
const storedMoves = storedItem('downstream-entities/moves', () => ({
  left: z._default(z.set(z.string()), new Set()),
  joined: z._default(z.set(z.string()), new Set()),
}));

const joinedElement = (entityId: string, recordOwner: string): string => `${entityId} ${recordOwner}`;

export const createMovesOf =
  (entities: Table): MovesOf =>
  async (organizationId) => {
    const stored = await entities.get(storedMoves, downstreamEntityKeys.moves(organizationId));
    if (stored === undefined) return noMoves;
    const joined = Array.from(stored.joined, (element): [string, string] => {
      const [entityId = '', recordOwner = ''] = element.split(' ');
      return [entityId, recordOwner];
    });
    return { left: stored.left, joined: new Map(joined) };
  };

/** Whether an agency changes its organization. */
const isMove = (before: Placed, after: Placed): boolean =>
  before.downstreamOrganizationId !== after.downstreamOrganizationId;

/** The record owner that an agency must keep when it changes its organization; undefined where the default will do. */
export const keptRecordOwner = (before: Placed | undefined, after: Placed): string | undefined =>
  before === undefined || !isMove(before, after) ? before?.recordOwner : recordOwnerOf(before);

/** Agencies at most that may have left an organization, and that may have joined it. */
export const mostMoved = 4_000;

const hasRoom: Condition = {
  left: absentOr(sized(below(mostMoved))),
  joined: absentOr(sized(below(mostMoved))),
};
const noRoom = () =>
  limitReached(`At most ${mostMoved} agencies can leave an organization, or join it.`, mostMoved);

/** The transaction items that record an agency's change of organization, beside the one that writes the agency. */
export function moveWrites(items: TableItems, before: Placed | undefined, after: Placed): TransactionItem[] {
  const from = before?.downstreamOrganizationId;
  const to = after.downstreamOrganizationId;
  if (before === undefined || !isMove(before, after)) return [];
  const entity = new Set([after._id]);
  const element = new Set([joinedElement(after._id, recordOwnerOf(before))]);
  const update = (organizationId: string, changes: Changes): TransactionItem =>
    items.update(downstreamEntityKeys.moves(organizationId), changes, hasRoom, noRoom);
  return [
    ...(from === undefined ? [] : [update(from, { left: added(entity), joined: removed(element) })]),
    ...(to === undefined ? [] : [update(to, { joined: added(element), left: removed(entity) })]),
  ];
}
