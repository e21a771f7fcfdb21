import type * as z from 'zod/mini';
import type { CompatibleSchema } from '../../platform/contract/compatible.ts';
import { collect } from '../../platform/data/collect.ts';
import type { IndexedKey } from '../../platform/data/common-keys.ts';
import { compare } from '../../platform/data/compare.ts';
import { mapConcurrently } from '../../platform/data/concurrently.ts';
import type { Table } from '../../platform/data/table.ts';
import type { IndexPartition, KeyPage, PageOf } from '../../platform/data/table-reads.ts';
import type { Identity } from '../../platform/identity/identity.ts';
import { type EntityMoves, type MovesOf, noMoves } from './entity-moves.ts';

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

/** The ownership of whoever calls. */
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

/** Whether a record that is stored under this owner is the organization's. One that names no agency stays its owner's. */
export const isOwn = (
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
export interface OwnList<Schema, Index extends string = string> {
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
export async function ownKeyPage<Index extends string>(
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
    return { keys: keys.slice((page.page - 1) * page.limit, page.page * page.limit), total: keys.length };
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

/** One page of the records themselves, as a list has them (`leavesOut`): the keys as above, then the page's items. */
export async function ownRecordPage<Schema extends CompatibleSchema, Index extends string>(
  { table, schema, partitionsOf }: OwnList<Schema, Index>,
  ownership: Ownership,
  downstreamEntityId: string | undefined,
  page: PageOf,
): Promise<{ readonly items: z.output<Schema>[]; readonly total: number }> {
  const { keys, total } = await ownKeyPage(table, ownership, downstreamEntityId, partitionsOf, page);
  return { items: await table.getInOrder(schema, keys, { leavesOut: true }), total };
}
