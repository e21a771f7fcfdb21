import * as z from 'zod/mini';
import { batchGetKeys } from '../../platform/aws/limits.ts';
import { chunks } from '../../platform/data/chunks.ts';
import { newObjectId } from '../../platform/data/object-id.ts';
import { itemKey, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { type ContactScopeKey, isContactAt, mayName } from './consent.ts';
import {
  type ContactScope,
  contactHolder,
  contactKeys,
  contactPartitions,
  ownerOf,
  type StoredContact,
  storedContact,
} from './stored.ts';
import { contactWrites } from './write.ts';

/** Who becomes a contact, and where. */
export interface NewScope {
  readonly person: Pick<StoredContact, 'firstName' | 'lastName' | 'email'>;
  readonly scope: ContactScope;
}

/** The scopes that a contact has at one entity. */
export interface ScopesAtEntity {
  readonly downstreamEntityId: string;
  readonly contactId: string;
  readonly scopes: readonly ContactScope[];
}

/** All contacts, whoever may see them; `visible.ts` decides what an organization sees. */
export type ContactStore = ReturnType<typeof createContactStore>;

/** Contacts read at once of an entity: most have fewer, and one that has thousands is streamed. */
const contactsAtOnce = 200;

/** Keys read as one batch. */
const keysAtOnce = batchGetKeys;

/** A contact's item at an entity. */
const contactAtEntity = storedItem('contacts/contact-at-entity', () => ({
  ...storedContact.shape,
  pk: z.string(),
}));

/**
 * The contact that gains a scope, or is created with it: within an organization, or an entity without one, a person is
 * identified by the e-mail address alone, and keeps the stored names. The agency's own word stands above a carrier's: it gives
 * the names where only carriers did, and replaces what came with an invited association.
 *
 * @param before the contact that holds the address with the scope's owner.
 * @throws DomainError `state_conflict` when the contact has the scope already.
 */
export function withScope(
  before: StoredContact | undefined,
  { person, scope }: NewScope,
  now: Date,
): StoredContact {
  const { namedBy, downstreamOrganizationId } = scope;
  const isOfAgency = namedBy !== undefined && namedBy === downstreamOrganizationId;
  const kept = before?.scopes.filter(
    (held) => !(isOfAgency && held.isPending === true && isSameScope(held, scope)),
  );
  if (kept?.some((held) => isSameScope(held, scope)) === true) {
    throw new DomainError('state_conflict', {
      message: 'The person is already a contact there.',
      ...(before === undefined ? {} : { ids: { contactId: before.contactId } }),
    });
  }
  const at = now.toISOString();
  if (before !== undefined && kept !== undefined) {
    const isRenamed =
      isOfAgency && before.scopes.every((held) => held.namedBy !== undefined && held.namedBy !== namedBy);
    const { firstName, lastName } = isRenamed ? person : before;
    const others = isRenamed ? kept.map((held) => keepAsGiven(before, held)) : kept;
    const scopes = [...others, inPlaceOf(before, scope)];
    return { ...before, firstName, lastName, scopes, updatedAt: at };
  }
  return {
    contactId: newObjectId(now),
    ...person,
    isDeliverable: false,
    scopes: [scope],
    isDeleted: false,
    version: 0,
    createdAt: at,
    updatedAt: at,
  };
}

/**
 * A scope that takes the place of the one that a contact has there, if any: what a carrier gave with an invited association,
 * that carrier sees until the agency agrees, whoever names the person in the meantime.
 */
export function inPlaceOf(before: StoredContact | undefined, scope: ContactScope): ContactScope {
  const held = before?.scopes.find((one) => isSameScope(one, scope));
  if (before === undefined || before.isDeleted || held === undefined) return scope;
  const { givenByCarrier } = held.namedBy === scope.namedBy ? held : keepAsGiven(before, held);
  return givenByCarrier === undefined ? scope : { ...scope, givenByCarrier };
}

/**
 * A scope of a contact that is about to be changed by somebody else than its carrier: one that came with an invited association
 * keeps what the carrier gave.
 */
export function keepAsGiven(
  { firstName, lastName, email, isDeliverable }: StoredContact,
  scope: ContactScope,
): ContactScope {
  const { businessRoles, isPrimary, isPending } = scope;
  const given = { firstName, lastName, email, isDeliverable, businessRoles, isPrimary };
  return isPending === true ? { givenByCarrier: given, ...scope } : scope;
}

export function createContactStore(table: Table<'by-email' | 'by-domain'>) {
  /** A contact, soft-deleted or not, for operators. */
  const findEvenDeleted = (contactId: string): Promise<StoredContact | undefined> =>
    table.get(storedContact, contactKeys.contact(contactId));

  /** A contact that is not soft-deleted. */
  const find = async (contactId: string): Promise<StoredContact | undefined> => {
    const found = await findEvenDeleted(contactId);
    return found?.isDeleted === true ? undefined : found;
  };

  /** The contact that holds an address, whatever its case, with an owner (see `ownerOf`). */
  const findByAddress = (owner: string, address: string): Promise<StoredContact | undefined> =>
    table.get(storedContact, contactKeys.byEmail(owner, address));

  /** The contacts for the keys of an index; one that has changed since is returned as it is now. */
  async function* scopesOfIndex(
    index: 'by-email' | 'by-domain',
    partition: string,
    isMeant: (address: string) => boolean,
  ): AsyncGenerator<ScopesAtEntity[], void> {
    for await (const all of table.query(itemKey, partition, { index })) {
      for (const keys of chunks(all, { count: keysAtOnce })) {
        const found = (await table.getAll(contactAtEntity, keys, { leavesOut: true })).filter(({ email }) =>
          isMeant(email),
        );
        const scopes = found.map(({ pk, ...contact }) => {
          const downstreamEntityId = pk.slice(contactKeys.atEntity('', '').pk.length);
          return {
            downstreamEntityId,
            contactId: contact.contactId,
            scopes: at(contact, downstreamEntityId),
          };
        });
        yield scopes.sort((one, other) => (one.downstreamEntityId < other.downstreamEntityId ? -1 : 1));
      }
    }
  }

  return {
    find,
    findEvenDeleted,

    /** The contacts at an entity, by id, page by page. */
    async *atEntity(downstreamEntityId: string): AsyncGenerator<StoredContact[], void> {
      const { pk } = contactKeys.atEntity(downstreamEntityId, '');
      // A move must not miss one that was just added.
      yield* table.query(storedContact, pk, { limit: contactsAtOnce, consistent: true, leavesOut: true });
    },

    findByAddress,

    /** The ids of the contacts that hold an address with any of these owners. */
    async holdersOf(owners: readonly string[], address: string): Promise<string[]> {
      const keys = owners.map((owner) => contactKeys.byEmail(owner, address));
      const found = await table.getAll(contactHolder, keys);
      return Array.from(new Set(found.map(({ contactId }) => contactId)));
    },

    /**
     * A contact as `withScope` makes it of the one that holds the address by now, and the transaction items that write it.
     * They raise VersionConflict when another request was faster, and `market_has_primary`. There are none where the
     * carrier that names the person may not: see `mayName`.
     * @param isAgreed whether the agency agreed with the carrier.
     * @throws DomainError `state_conflict` when the contact has the scope already.
     */
    async creation(added: NewScope, now: Date, isAgreed: boolean = true) {
      const before = await findByAddress(ownerOf(added.scope), added.person.email);
      const contact = withScope(before, added, now);
      const isAdmitted = mayName({ before, after: contact }, added.scope, isAgreed);
      return { contact, items: isAdmitted ? contactWrites(table.items, before, contact) : [] };
    },

    /**
     * Writes a contact with all its items, together with further items, all or nothing.
     * @param before what the change was made from; undefined for a new contact.
     * @throws VersionConflict; DomainError `market_has_primary`, `invalid_input` when it has too many scopes; what the further
     *   items raise.
     */
    save: (
      before: StoredContact | undefined,
      after: StoredContact,
      furtherItems: readonly TransactionItem[],
    ) => table.transact([...contactWrites(table.items, before, after), ...furtherItems]),

    /**
     * The scopes on the platform of contacts with an address, in any case: page by page, by entity; and which addresses are meant,
     * since a carrier may see another one of a contact (`visibleToCarrier`).
     */
    withEmail(address: string) {
      const isMeant = (email: string) => email.toLowerCase() === address.toLowerCase();
      return { pages: scopesOfIndex('by-email', contactPartitions.ofEmail(address), isMeant), isMeant };
    },

    /** The scopes on the platform of contacts with an address in a domain, as `withEmail`. */
    withDomain(domain: string) {
      const isMeant = (email: string) => email.toLowerCase().endsWith(`@${domain.toLowerCase()}`);
      return { pages: scopesOfIndex('by-domain', contactPartitions.ofDomain(domain), isMeant), isMeant };
    },

    /** The contact that an address belongs to for this relationship with an entity, or for the whole entity. */
    async contactAt(scope: ContactScopeKey, address: string): Promise<StoredContact | undefined> {
      // Read by the address, not through an index, so that a contact that was just added is found at once.
      const contact = await findByAddress(ownerOf(scope), address);
      return isContactAt(contact, scope) ? contact : undefined;
    },
  };
}

/** A contact's scopes at one entity. */
const at = ({ scopes }: StoredContact, entityId: string): ContactScope[] =>
  scopes.filter(({ downstreamEntityId }) => downstreamEntityId === entityId);

/** Whether two scopes are of the same entity and association. */
export const isSameScope = (
  one: Pick<ContactScope, 'downstreamEntityId' | 'downstreamEntityAssociationId'>,
  other: Pick<ContactScope, 'downstreamEntityId' | 'downstreamEntityAssociationId'>,
): boolean =>
  one.downstreamEntityId === other.downstreamEntityId &&
  one.downstreamEntityAssociationId === other.downstreamEntityAssociationId;
