import {
  associationKeys,
  associationsByEntity,
  associationsOfEntity,
  associationsWith,
  createRelationshipAt,
  isLive,
  live,
  storedAssociation,
} from '#domain/associations/stored.ts';
import { createContactStore } from '#domain/contacts/store.ts';
import {
  type CarrierReach,
  type ContactScope,
  contactPartitions,
  ownScopes,
  type StoredContact,
  storedContact,
} from '#domain/contacts/stored.ts';
import { createOwnEntities } from '#domain/downstream-entities/stored.ts';
import type { Resources } from '#function/function.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { collect } from '#platform/data/concurrently.ts';
import type { IndexedKey } from '#platform/data/query-pages.ts';
import { type PageOf, pageAmong, type Table } from '#platform/data/table.ts';
import type { uses } from './uses.ts';

type AssociationsByEntity = CarrierReach['associations'];

/** Entities whose contacts are read, as one batch, before more entities are. */
const entitiesAtOnce = batchGetKeys;

/** A carrier's associations, without soft-deleted associations and agencies. */
const createCarrierRelations = (associations: Table) => ({
  /** Every association in the order of the entities' ids, page by page. */
  async *all(upstream: string): AsyncGenerator<AssociationsByEntity, void> {
    const { pk } = associationKeys.ofEntity(upstream, '');
    for await (const page of associations.query(associationsOfEntity, pk, {
      limit: entitiesAtOnce,
    }))
      yield associationsByEntity(page);
  },

  /** The associations with these entities. */
  with: (upstream: string, entityIds: readonly string[]) =>
    associationsWith(associations, upstream, entityIds),

  /** The entity of an association. */
  async entityOf(upstream: string, associationId: string): Promise<string | undefined> {
    const key = associationKeys.association(upstream, associationId);
    return live(await associations.get(storedAssociation, key))?.downstreamEntityId;
  },
});

/**
 * The associations with which scopes of these contacts came, and to which the agency has not agreed: it sees such a market,
 * but not its contacts. Reads nothing for contacts without such scopes, as nearly all are.
 */
type InvitedMarkets = (contacts: readonly Pick<StoredContact, 'scopes'>[]) => Promise<ReadonlySet<string>>;

const createInvitedMarkets =
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
    const agreedKeys = (await associations.getAll(storedAssociation, keys)).filter(
      (association) => isLive(association) && association.status !== 'invited',
    );
    for (const { _id } of agreedKeys) owners.delete(_id);
    return new Set(owners.keys());
  };

const list = (value: string) => ({ index: 'by-list', value }) as const;

/** Contacts as agencies list them. */
function createAgencyLists(contacts: Table<'by-list'>, invitedMarkets: InvitedMarkets) {
  const keysOf = (value: string): Promise<IndexedKey[]> => collect(contacts.keys(list(value)));
  const read = (keys: readonly IndexedKey[]): Promise<StoredContact[]> =>
    contacts.getInOrder(storedContact, keys);

  /** The keys of contacts that came with invited markets alone, and the contacts among them that the agency sees by now. */
  const pendingKeys = (partition: string): Promise<IndexedKey[]> =>
    keysOf(contactPartitions.pending(partition));

  async function agreedAmong(
    keys: readonly IndexedKey[],
    sees: (contact: StoredContact, invitedIds: ReadonlySet<string>) => ContactScope[],
  ): Promise<IndexedKey[]> {
    const pendingContacts = await read(keys);
    const invitedIds = await invitedMarkets(pendingContacts);
    const seenIds = new Set(
      pendingContacts.flatMap((contact) => (sees(contact, invitedIds).length > 0 ? [contact.contactId] : [])),
    );
    return keys.filter(({ sk }) => seenIds.has(sk));
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
      const agreedKeys = await agreedAmong(pending, (contact, invitedIds) =>
        ownScopes(contact, organizationId, invitedIds).filter(
          (scope) => (downstreamEntityId ?? scope.downstreamEntityId) === scope.downstreamEntityId,
        ),
      );
      if (agreedKeys.length === 0) return { items, total };
      // A contact of two agencies is in two partitions, with the same sort key.
      const keysBySort = new Map([...(await keysOf(value)), ...agreedKeys].map((key) => [key.sort, key]));
      const keys = [...keysBySort.values()].sort((first, second) => (first.sort < second.sort ? -1 : 1));
      return { items: await read(pageAmong(keys, page)), total: keys.length };
    },
  };
}

/** What the operations of contacts work with. */
export function createContactSources({ tables }: Resources<typeof uses>) {
  const invitedMarkets = createInvitedMarkets(tables.associations);
  return {
    contacts: createContactStore(tables.contacts),
    relations: createCarrierRelations(tables.associations),
    lists: createAgencyLists(tables.contacts, invitedMarkets),
    invitedMarkets,
    relationshipAt: createRelationshipAt(tables.associations),
    ...createOwnEntities(tables.downstreamEntities),
  };
}

export type ContactSources = ReturnType<typeof createContactSources>;
