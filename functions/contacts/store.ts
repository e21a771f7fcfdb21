import {
  type AssociationsOfEntity,
  associationKeys,
  associationsOfEntity,
  isLive,
  storedAssociation,
} from '#domain/associations/stored.ts';
import {
  type ContactScope,
  contactPartitions,
  type StoredContact,
  storedContact,
} from '#domain/contacts/stored.ts';
import { type CarrierReach, ownScopes } from '#domain/contacts/visible.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { collect } from '#platform/data/concurrently.ts';
import type { IndexedKey } from '#platform/data/query-pages.ts';
import { storedItem } from '#platform/data/stored.ts';
import { type PageOf, pageAmong, type Table } from '#platform/data/table.ts';

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

const list = (value: string) => ({ index: 'by-list', value }) as const;

/** Contacts as agencies list them. */
export function createAgencyLists(contacts: Table<'by-list'>, invitedMarkets: InvitedMarkets) {
  const keysOf = (value: string): Promise<IndexedKey[]> => collect(contacts.keys(list(value)));
  const read = (keys: readonly IndexedKey[]): Promise<StoredContact[]> =>
    contacts.getInOrder(storedContact, keys);

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
    async page(organizationId: string, downstreamEntityId: string | undefined, page: PageOf) {
      const value =
        downstreamEntityId === undefined
          ? contactPartitions.ofOrganization(organizationId)
          : contactPartitions.ofEntity(downstreamEntityId);
      const [{ items, total }, pending] = await Promise.all([
        contacts.itemPage(storedContact, [list(value)], page),
        pendingKeys(value),
      ]);
      const agreed = await agreedAmong(pending, (contact, invited) =>
        ownScopes(contact, organizationId, invited).filter(
          (scope) => (downstreamEntityId ?? scope.downstreamEntityId) === scope.downstreamEntityId,
        ),
      );
      if (agreed.length === 0) return { items, total };
      // A contact of two agencies is in two partitions, with the same sort key.
      const all = new Map([...(await keysOf(value)), ...agreed].map((key) => [key.sort, key]));
      const keys = [...all.values()].sort((one, other) => (one.sort < other.sort ? -1 : 1));
      return { items: await read(pageAmong(keys, page)), total: keys.length };
    },
  };
}
