import {
  type AssociationsOfEntity,
  associationKeys,
  associationsOfEntity,
  isLive,
  storedAssociation,
} from '../../shared/domain/associations/stored.ts';
import {
  type ContactScope,
  contactPartitions,
  type StoredContact,
  storedContact,
} from '../../shared/domain/contacts/stored.ts';
import { type CarrierReach, ownScopes } from '../../shared/domain/contacts/visible.ts';
import type { EntityMoves, Ownership } from '../../shared/domain/downstream-entities/own-records.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { collect, mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import type { IndexedKey } from '../../shared/platform/data/query-pages.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import { type PageOf, pageAmong, type Table } from '../../shared/platform/data/table.ts';

type AssociationsByEntity = CarrierReach['associations'];

/** Entities whose contacts are read, as one batch, before more entities are. */
const entitiesAtOnce = batchGetKeys;

const associationOfContact = storedItem('associations/association-of-contact', () => {
  const { downstreamEntityId, isDeleted, agency } = storedAssociation.shape;
  return { downstreamEntityId, isDeleted, agency };
});

const byEntity = (found: readonly AssociationsOfEntity[]): AssociationsByEntity =>
  new Map(found.map((one) => [one.downstreamEntityId, one]));

/** A carrier's associations, without soft-deleted associations and agencies. */
export const createCarrierRelations = (associations: Table) => ({
  /** Every association in the order of the entities' ids, page by page. */
  async *all(upstream: string): AsyncGenerator<AssociationsByEntity, void> {
    const { pk } = associationKeys.ofEntity(upstream, '');
    for await (const found of associations.query(associationsOfEntity, pk, {
      limit: entitiesAtOnce,
    }))
      yield byEntity(found);
  },

  /** The associations with these entities. */
  async with(upstream: string, entityIds: readonly string[]): Promise<AssociationsByEntity> {
    const keys = entityIds.map((id) => associationKeys.ofEntity(upstream, id));
    return byEntity(await associations.getAll(associationsOfEntity, keys));
  },

  /** The entity of an association. */
  async entityOf(upstream: string, associationId: string): Promise<string | undefined> {
    const key = associationKeys.association(upstream, associationId);
    const found = await associations.get(associationOfContact, key);
    return found !== undefined && isLive(found) ? found.downstreamEntityId : undefined;
  },
});

/**
 * The associations with which scopes of these contacts came, and to which the agency has not agreed: it sees such a market,
 * but not its contacts. Reads nothing for contacts without such scopes, as nearly all are.
 */
type InvitedMarkets = (contacts: readonly Pick<StoredContact, 'scopes'>[]) => Promise<ReadonlySet<string>>;

const ofAssociation = storedItem('associations/association-of-market', () => {
  const { _id, status, isDeleted, agency } = storedAssociation.shape;
  return { _id, status, isDeleted, agency };
});

export const createInvitedMarkets =
  (associations: Table): InvitedMarkets =>
  async (contacts) => {
    const owners = new Map(
      contacts.flatMap(({ scopes }) =>
        scopes.flatMap(
          ({ downstreamEntityAssociationId: id, upstreamEntityId, isPending, givenByCarrier }) =>
            (isPending === true || givenByCarrier !== undefined) &&
            id !== undefined &&
            upstreamEntityId !== undefined
              ? [[id, upstreamEntityId] as const]
              : [],
        ),
      ),
    );
    const keys = Array.from(owners, ([id, owner]) => associationKeys.association(owner, id));
    const agreed = (await associations.getAll(ofAssociation, keys)).filter(
      (association) => isLive(association) && association.status !== 'invited',
    );
    for (const { _id } of agreed) owners.delete(_id);
    return new Set(owners.keys());
  };

/** Agencies whose contacts are read at once. */
const concurrency = 16;

const noMarkets: ReadonlySet<string> = new Set();

const list = (value: string) => ({ index: 'by-list', value }) as const;

/** Contacts as agencies list them. */
export function createAgencyLists(contacts: Table<'by-list'>, invitedMarkets: InvitedMarkets) {
  const keysOf = (value: string): Promise<IndexedKey[]> => collect(contacts.keys(list(value)));
  const keysAt = async (entityIds: Iterable<string>): Promise<IndexedKey[]> =>
    (
      await mapConcurrently(entityIds, concurrency, (entityId) =>
        keysOf(contactPartitions.ofEntity(entityId)),
      )
    ).flat();
  const read = (keys: readonly IndexedKey[]): Promise<StoredContact[]> =>
    contacts.getInOrder(storedContact, keys);

  /**
   * The keys of an organization's contacts where agencies have moved: those at agencies that joined are added, and those at
   * agencies that left are read, since they may be contacts of others, too. A contact's keys all sort by its name and id.
   */
  async function keysAfterMoves(organizationId: string, moves: EntityMoves): Promise<IndexedKey[]> {
    const [listed, come, gone] = await Promise.all([
      keysOf(contactPartitions.ofOrganization(organizationId)),
      keysAt(moves.joined.keys()),
      keysAt(moves.left),
    ]);
    const added = new Map(come.map((key) => [key.sort, key]));
    const atLeft = new Set(gone.map(({ sort }) => sort));
    const others = listed.filter(({ sort }) => !added.has(sort));
    const doubtful = await read(others.filter(({ sort }) => atLeft.has(sort)));
    const kept = new Set(
      doubtful
        .filter((contact) => ownScopes(contact, organizationId, moves, noMarkets).length > 0)
        .map(({ contactId }) => contactId),
    );
    return [...others.filter(({ sk, sort }) => !atLeft.has(sort) || kept.has(sk)), ...added.values()].sort(
      (one, other) => (one.sort < other.sort ? -1 : 1),
    );
  }

  /** The keys of contacts that came with invited markets alone, and the contacts among them that the agency sees by now. */
  const pendingKeys = (partition: string): Promise<IndexedKey[]> =>
    keysOf(contactPartitions.pending(partition));

  async function agreedAmong(
    keys: readonly IndexedKey[],
    sees: (contact: StoredContact, invited: ReadonlySet<string>) => ContactScope[],
  ): Promise<IndexedKey[]> {
    const found = await read(keys);
    const invited = await invitedMarkets(found);
    const seen = new Set(
      found.flatMap((contact) => (sees(contact, invited).length > 0 ? [contact.contactId] : [])),
    );
    return keys.filter(({ sk }) => seen.has(sk));
  }

  return {
    /** A page of the organization's contacts, or of those at one of its agencies, by name, and how many there are. */
    async page({ organizationId, moves }: Ownership, downstreamEntityId: string | undefined, page: PageOf) {
      const value =
        downstreamEntityId === undefined
          ? contactPartitions.ofOrganization(organizationId)
          : contactPartitions.ofEntity(downstreamEntityId);
      const [known, { items, total }, pending] = await Promise.all([
        moves,
        contacts.itemPage(storedContact, [list(value)], page),
        pendingKeys(value),
      ]);
      const joined = downstreamEntityId === undefined ? [...known.joined.keys()] : [];
      const ofJoined = await mapConcurrently(joined, concurrency, (id) =>
        pendingKeys(contactPartitions.ofEntity(id)),
      );
      const agreed = await agreedAmong([...pending, ...ofJoined.flat()], (contact, invited) =>
        ownScopes(contact, organizationId, known, invited).filter(
          (scope) => (downstreamEntityId ?? scope.downstreamEntityId) === scope.downstreamEntityId,
        ),
      );
      const hasMoves = downstreamEntityId === undefined && known.left.size + known.joined.size > 0;
      if (!hasMoves && agreed.length === 0) return { items, total };
      const listed = hasMoves ? await keysAfterMoves(organizationId, known) : await keysOf(value);
      // A contact of two agencies is in two partitions, with the same sort key.
      const all = new Map([...listed, ...agreed].map((key) => [key.sort, key]));
      const keys = [...all.values()].sort((one, other) => (one.sort < other.sort ? -1 : 1));
      return { items: await read(pageAmong(keys, page)), total: keys.length };
    },
  };
}
