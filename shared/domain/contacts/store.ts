import * as z from 'zod/mini';
import { batchGetKeys, transactionBytes, transactionItems } from '#platform/aws/limits.ts';
import { chunks } from '#platform/data/concurrently.ts';
import { absentOr, oneOf } from '#platform/data/expressions.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { itemKey, parseStored, storedItem } from '#platform/data/stored.ts';
import { itemsOf, type Table, type TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import {
  addressItems,
  type ContactItem,
  type ContactScope,
  contactHolder,
  contactKeys,
  contactPartitions,
  listItems,
  mostScopes,
  mostScopesOfCarrier,
  ownerOf,
  primaryItems,
  type StoredContact,
  storedContact,
} from './stored.ts';

// Contacts of agencies: their items by scope, and who may change them.

/** A market has one primary contact at most (OpenAPI, "createAgencyContact"). */
const marketHasPrimary = (marketId: string, holder: unknown): DomainError =>
  new DomainError('market_has_primary', {
    message: 'The market already has a primary contact.',
    ids: { contactId: parseStored(contactHolder, holder).contactId },
    marketId,
  });

const invalidAssociations = (message: string): DomainError =>
  new DomainError('invalid_input', { issues: [{ path: 'associations', message }] });

/** Items of a contact in a transaction; the rest is for the other items of it, of which an invitation has 15. */
const mostWrites = transactionItems - 16;

/** The contact is written once for each entity and organization, in one transaction. */
const largestContact = Math.floor(transactionBytes / transactionItems);

/**
 * The transaction items that turn `before` into `after`: all items of the contact, its address with each owner, and its
 * markets' primaries. They set `version`; a given value is ignored.
 *
 * @param before what the change was made from; undefined for a new contact.
 * @param mergedContact the other contact of a merge in the same transaction, which gives up primary roles or takes them over.
 * @throws DomainError `invalid_input` for a contact that cannot be stored in one transaction. The items raise
 *   VersionConflict and `market_has_primary`.
 */
export function contactWrites(
  items: TableItems,
  before: StoredContact | undefined,
  changedContact: StoredContact,
  mergedContact?: StoredContact,
): TransactionItem[] {
  const after = { ...changedContact, version: (before?.version ?? 0) + 1 };
  const { contactId } = after;
  const isHeldByNobodyElse = { contactId: absentOr(oneOf(contactId, mergedContact?.contactId ?? contactId)) };
  /** Claims what only one contact can hold. */
  const claim = (item: ContactItem, refusal?: TransactionItem['refused']) =>
    items.put(item, isHeldByNobodyElse, refusal);
  const goesOver = (item: ContactItem): boolean =>
    mergedContact !== undefined &&
    primaryItems(mergedContact).some((takenItem) => keyText(takenItem) === keyText(item));
  /** Releases what the contact holds; another contact's claim stays. */
  const release = (item: ContactItem) => items.delete(item, isHeldByNobodyElse);
  const changesOf = (itemsIn: (contact: StoredContact) => ContactItem[]) =>
    difference(itemsIn(after), before === undefined ? [] : itemsIn(before));
  const listChanges = changesOf(listItems);
  const addresses = changesOf(addressItems);
  const primaries = changesOf(primaryItems);
  const writes = [
    items.put({ ...contactKeys.contact(contactId), ...after }, { version: before?.version }),
    ...listChanges.after.map((item) => items.put(item)),
    ...listChanges.gone.map((item) => items.delete(item)),
    ...addresses.gone.map(release),
    ...addresses.after.map((item) => claim(item)),
    ...primaries.gone.filter((item) => !goesOver(item)).map(release),
    ...primaries.added.map((item) =>
      claim(item, (holder) => marketHasPrimary(String(item['downstreamEntityAssociationId']), holder)),
    ),
  ];
  if (after.scopes.length > mostScopes || writes.length > mostWrites) {
    throw invalidAssociations('exceed the number that a contact can have');
  }
  if (Buffer.byteLength(JSON.stringify(after)) > largestContact) {
    throw invalidAssociations('are too large to be stored');
  }
  return writes;
}

/** Whether a change of a contact fits into one transaction. */
function isStorable(before: StoredContact | undefined, changedContact: StoredContact): boolean {
  try {
    contactWrites(itemsOf(''), before, changedContact);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'invalid_input') return false;
    throw error;
  }
}

const keyText = ({ pk, sk }: ContactItem): string => `${pk} ${sk}`;

/** The items of a list, and those of one that are not in the other, by their keys. */
function difference(after: readonly ContactItem[], before: readonly ContactItem[]) {
  const keysAfter = new Set(after.map(keyText));
  const keysBefore = new Set(before.map(keyText));
  return {
    after,
    added: after.filter((item) => !keysBefore.has(keyText(item))),
    gone: before.filter((item) => !keysAfter.has(keyText(item))),
  };
}

/** Whether a carrier has as many scopes of a contact at an agency as it may have; those that the agency named are not its own. */
const isCarrierFull = (
  contact: StoredContact | undefined,
  { downstreamEntityId, upstreamEntityId }: ContactScope,
): boolean =>
  upstreamEntityId !== undefined &&
  (contact?.scopes ?? []).filter(
    (scope) =>
      scope.downstreamEntityId === downstreamEntityId &&
      scope.upstreamEntityId === upstreamEntityId &&
      (scope.namedBy ?? upstreamEntityId) === upstreamEntityId,
  ).length >= mostScopesOfCarrier;

/**
 * Whether a carrier's add or invite may make `before` the contact `after`, which has one scope more: the contact may have
 * no more scopes than it can, and without the agency's consent a carrier adds none to a contact that exists.
 */
export const mayName = (
  { before, after }: { readonly before: StoredContact | undefined; readonly after: StoredContact },
  scope: ContactScope,
  isAgreed: boolean,
): boolean =>
  (before === undefined || isAgreed) &&
  after.scopes.length <= mostScopes &&
  !isCarrierFull(before, scope) &&
  isStorable(before, after);

/** The relationship of an agency at which somebody is a contact. */
interface ContactScopeKey {
  readonly _id: string;
  readonly downstreamEntityId: string;
  readonly downstreamOrganizationId?: string | undefined;
}

/** Whether a contact is one for this relationship with an entity, or for the whole entity. */
const isContactAt = (
  contact: StoredContact | undefined,
  { _id, downstreamEntityId }: ContactScopeKey,
): contact is StoredContact =>
  contact?.scopes.some(
    (scope) =>
      scope.downstreamEntityId === downstreamEntityId && (scope.downstreamEntityAssociationId ?? _id) === _id,
  ) === true;

/** Whether the agency's side, an import or a redeemed invitation says anywhere at the agency that it has this contact. */
export const isConfirmedAt = (contact: StoredContact, place: ContactScopeKey): boolean =>
  contact.scopes.some((scope) => scope.isConfirmed === true && ownerOf(scope) === ownerOf(place));

/** A person who becomes a contact, and the scope. */
interface NewScope {
  readonly person: Pick<StoredContact, 'firstName' | 'lastName' | 'email'>;
  readonly scope: ContactScope;
}

/** The scopes that a contact has at one entity. */
interface ScopesAtEntity {
  readonly downstreamEntityId: string;
  readonly contactId: string;
  readonly scopes: readonly ContactScope[];
}

/** All contacts, visible or not; `visibleToCarrier` and `ownScopes` decide what an organization sees. */
export type ContactStore = ReturnType<typeof createContactStore>;

/** Contacts read at once of an entity: most have fewer, and one that has thousands is streamed. */
const contactsAtOnce = 200;

/** Keys read as one batch. */
const keysAtOnce = batchGetKeys;

/** A contact's item at an entity. */
const contactAtEntity = storedItem('contacts/contact-at-entity', {
  ...storedContact.shape,
  pk: z.string(),
});

/**
 * The contact that gains a scope, or is created with it: within an organization, or an entity without one, a person is
 * identified by the e-mail address alone, and keeps the stored names. The agency's own word stands above a carrier's: it gives
 * the names where only carriers did, and replaces what one that the agency has not agreed with gave at the same scope.
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
  const keptScopes = before?.scopes.filter(
    (heldScope) =>
      !(isOfAgency && heldScope.namedBy !== namedBy && heldScope.isConfirmed !== true) ||
      !isSameScope(heldScope, scope),
  );
  if (keptScopes?.some((heldScope) => isSameScope(heldScope, scope)) === true) {
    throw new DomainError('state_conflict', {
      message: 'The person is already a contact there.',
      ...(before === undefined ? {} : { ids: { contactId: before.contactId } }),
    });
  }
  const writtenAt = now.toISOString();
  if (before !== undefined && keptScopes !== undefined) {
    const isRenamed =
      isOfAgency &&
      before.scopes.every((heldScope) => heldScope.namedBy !== undefined && heldScope.namedBy !== namedBy);
    const { firstName, lastName } = isRenamed ? person : before;
    const otherScopes = isRenamed
      ? keptScopes.map((heldScope) => keepAsGiven(before, heldScope))
      : keptScopes;
    const scopes = [...otherScopes, inPlaceOf(before, scope)];
    return { ...before, firstName, lastName, scopes, updatedAt: writtenAt };
  }
  return {
    contactId: newObjectId(now),
    ...person,
    isDeliverable: false,
    scopes: [scope],
    isDeleted: false,
    version: 0,
    createdAt: writtenAt,
    updatedAt: writtenAt,
  };
}

/**
 * A scope that takes the place of the one that a contact has there, if any: what a carrier gave with an invited association,
 * that carrier sees until the agency agrees, even if others name the person in the meantime.
 */
export function inPlaceOf(before: StoredContact | undefined, scope: ContactScope): ContactScope {
  const heldScope = before?.scopes.find((one) => isSameScope(one, scope));
  if (before === undefined || before.isDeleted || heldScope === undefined) return scope;
  const { givenByCarrier } = heldScope.namedBy === scope.namedBy ? heldScope : keepAsGiven(before, heldScope);
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
  const carrierValues = { firstName, lastName, email, isDeliverable, businessRoles, isPrimary };
  return isPending === true ? { givenByCarrier: carrierValues, ...scope } : scope;
}

export function createContactStore(table: Table<'by-email' | 'by-domain'>) {
  /** A contact, soft-deleted or not, for operators. */
  const findEvenDeleted = (contactId: string): Promise<StoredContact | undefined> =>
    table.get(storedContact, contactKeys.contact(contactId));

  /** A contact that is not soft-deleted. */
  const find = async (contactId: string): Promise<StoredContact | undefined> => {
    const contact = await findEvenDeleted(contactId);
    return contact?.isDeleted === true ? undefined : contact;
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
    for await (const keysOfIndex of table.query(itemKey, partition, { index })) {
      for (const keys of chunks(keysOfIndex, { count: keysAtOnce })) {
        const contacts = (await table.getAll(contactAtEntity, keys)).filter(({ email }) => isMeant(email));
        const scopes = contacts.map(({ pk, ...contact }) => {
          const downstreamEntityId = pk.slice(contactKeys.atEntity('', '').pk.length);
          return {
            downstreamEntityId,
            contactId: contact.contactId,
            scopes: scopesAt(contact, downstreamEntityId),
          };
        });
        yield scopes.sort((first, second) => (first.downstreamEntityId < second.downstreamEntityId ? -1 : 1));
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
      yield* table.query(storedContact, pk, { limit: contactsAtOnce, consistent: true });
    },

    findByAddress,

    /** The ids of the contacts that hold an address with any of these owners. */
    async holdersOf(owners: readonly string[], address: string): Promise<string[]> {
      const keys = owners.map((owner) => contactKeys.byEmail(owner, address));
      const holders = await table.getAll(contactHolder, keys);
      return Array.from(new Set(holders.map(({ contactId }) => contactId)));
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

    /** Writes a contact together with another one, which gives up scopes that it gains, all or nothing, as `save`. */
    merge: (
      gaining: { readonly before: StoredContact; readonly after: StoredContact },
      losing: { readonly before: StoredContact; readonly after: StoredContact },
      furtherItems: readonly TransactionItem[],
    ) =>
      table.transact([
        ...contactWrites(table.items, gaining.before, gaining.after, losing.before),
        ...contactWrites(table.items, losing.before, losing.after, gaining.after),
        ...furtherItems,
      ]),

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
const scopesAt = ({ scopes }: StoredContact, entityId: string): ContactScope[] =>
  scopes.filter(({ downstreamEntityId }) => downstreamEntityId === entityId);

/** Whether two scopes are of the same entity and association. */
export const isSameScope = (
  one: Pick<ContactScope, 'downstreamEntityId' | 'downstreamEntityAssociationId'>,
  other: Pick<ContactScope, 'downstreamEntityId' | 'downstreamEntityAssociationId'>,
): boolean =>
  one.downstreamEntityId === other.downstreamEntityId &&
  one.downstreamEntityAssociationId === other.downstreamEntityAssociationId;
