import type { DynamoDBClient, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { batchGetKeys } from '../../platform/aws/limits.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { batchGet } from '../../platform/data/batch-get.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { getItem } from '../../platform/data/get-item.ts';
import { newObjectId } from '../../platform/data/object-id.ts';
import { partitionQuery, queryPages } from '../../platform/data/query-pages.ts';
import { recordPages } from '../../platform/data/record-pages.ts';
import { itemKey, parseStored, storedItem } from '../../platform/data/stored.ts';
import { type TransactionItem, transact } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { type ContactScopeKey, isContactAt, mayName } from './consent.ts';
import {
  type ContactScope,
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

/** A contact as it will be, and the transaction items that write it. */
export interface ContactCreation {
  readonly contact: StoredContact;
  readonly items: readonly TransactionItem[];
}

/** The scopes that a contact has at one entity. */
export interface ScopesAtEntity {
  readonly downstreamEntityId: string;
  readonly contactId: string;
  readonly scopes: readonly ContactScope[];
}

/** All contacts, whoever may see them; `visible.ts` decides what an organization sees. */
export interface ContactStore {
  /** A contact that is not soft-deleted. */
  find(contactId: string): Promise<StoredContact | undefined>;
  /** A contact, soft-deleted or not, for operators. */
  findEvenDeleted(contactId: string): Promise<StoredContact | undefined>;
  /** The contacts at an entity, by id, page by page. */
  atEntity(downstreamEntityId: string): AsyncGenerator<StoredContact[], void>;
  /** The ids of the contacts that hold an address with any of these owners. */
  holdersOf(owners: readonly string[], address: string): Promise<string[]>;
  /** The contact that holds an address, whatever its case, with an owner (see `ownerOf`). */
  findByAddress(owner: string, address: string): Promise<StoredContact | undefined>;
  /**
   * A contact as `withScope` makes it of the one that holds the address by now, and the transaction items that write it.
   * They raise VersionConflict when another request was faster, and `market_has_primary`. There are none where the
   * carrier that names the person may not: see `mayName`.
   * @param isAgreed whether the agency agreed with the carrier.
   * @throws DomainError `state_conflict` when the contact has the scope already.
   */
  creation(added: NewScope, now: Date, isAgreed?: boolean): Promise<ContactCreation>;
  /**
   * Writes a contact with all its items, together with further items, all or nothing.
   * @param before what the change was made from; undefined for a new contact.
   * @throws VersionConflict; DomainError `market_has_primary`, `invalid_input` when it has too many scopes; what the further
   *   items raise.
   */
  save(
    before: StoredContact | undefined,
    after: StoredContact,
    furtherItems: readonly TransactionItem[],
  ): Promise<void>;
  /** The scopes on the platform of contacts with an address, in any case: page by page, by entity. */
  withEmail(address: string): AsyncGenerator<ScopesAtEntity[], void>;
  /** The scopes on the platform of contacts with an address in a domain. */
  withDomain(domain: string): AsyncGenerator<ScopesAtEntity[], void>;
  /** The contact that an address belongs to for this relationship with an entity, or for the whole entity. */
  contactAt(scope: ContactScopeKey, address: string): Promise<StoredContact | undefined>;
}

/** Contacts read at once of an entity: most have fewer, and one that has thousands is streamed. */
const contactsAtOnce = 200;

/** Keys read as one batch. */
const keysAtOnce = batchGetKeys;

/** The item that claims an address for a contact. */
const addressHolder = storedItem('contacts/address-holder', () => ({ contactId: objectId }));

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
    throw new DomainError('state_conflict', { message: 'The person is already a contact there.' });
  }
  const at = now.toISOString();
  if (before !== undefined && kept !== undefined) {
    const isRenamed =
      isOfAgency && before.scopes.every((held) => held.namedBy !== undefined && held.namedBy !== namedBy);
    const { firstName, lastName } = isRenamed ? person : before;
    return { ...before, firstName, lastName, scopes: [...kept, scope], updatedAt: at };
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

export function createContactStore(client: DynamoDBClient, table: string): ContactStore {
  const read = (key: Record<string, string>): Promise<StoredContact | undefined> =>
    getItem(client, table, key, storedContact, { consistent: true });

  const findEvenDeleted = (contactId: string): Promise<StoredContact | undefined> =>
    read(contactKeys.contact(contactId));

  const find = async (contactId: string): Promise<StoredContact | undefined> => {
    const found = await findEvenDeleted(contactId);
    return found?.isDeleted === true ? undefined : found;
  };

  const findByAddress = (owner: string, address: string): Promise<StoredContact | undefined> =>
    read(contactKeys.byEmail(owner, address));

  /** The contacts for the keys of an index; one that has changed since is returned as it is now. */
  async function* scopesOfIndex(
    index: Pick<QueryCommandInput, 'IndexName' | 'KeyConditionExpression' | 'ExpressionAttributeValues'>,
    isCurrent: (contact: StoredContact) => boolean,
  ): AsyncGenerator<ScopesAtEntity[], void> {
    for await (const items of queryPages(client, { TableName: table, ...index })) {
      for (let start = 0; start < items.length; start += keysAtOnce) {
        const keys = items
          .slice(start, start + keysAtOnce)
          .map((item) => parseStored(itemKey, unmarshall(item)));
        const found = await batchGet(client, table, keys, { consistent: true });
        const scopes = found.flatMap((item) => {
          const contact = parseStored(storedContact, item);
          if (!isCurrent(contact)) return [];
          const { pk } = parseStored(itemKey, item);
          const downstreamEntityId = pk.slice(contactKeys.atEntity('', '').pk.length);
          return [
            { downstreamEntityId, contactId: contact.contactId, scopes: at(contact, downstreamEntityId) },
          ];
        });
        yield scopes.sort((one, other) => (one.downstreamEntityId < other.downstreamEntityId ? -1 : 1));
      }
    }
  }

  return {
    find,
    findEvenDeleted,

    async *atEntity(downstreamEntityId) {
      const { pk } = contactKeys.atEntity(downstreamEntityId, '');
      // A move must not miss one that was just added.
      const query = { ...partitionQuery(table, pk), Limit: contactsAtOnce, ConsistentRead: true };
      yield* recordPages(client, storedContact, query);
    },

    findByAddress,

    async holdersOf(owners, address) {
      const keys = Array.from(new Set(owners), (owner) => contactKeys.byEmail(owner, address));
      const found = await batchGet(client, table, keys, { consistent: true });
      return Array.from(new Set(found.map((item) => parseStored(addressHolder, item).contactId)));
    },

    async creation(added, now, isAgreed = true) {
      const before = await findByAddress(ownerOf(added.scope), added.person.email);
      const contact = withScope(before, added, now);
      const isAdmitted = mayName({ before, after: contact }, added.scope, isAgreed);
      return { contact, items: isAdmitted ? contactWrites(table, before, contact) : [] };
    },

    save: (before, after, furtherItems) =>
      transact(client, [...contactWrites(table, before, after), ...furtherItems]),

    withEmail: (address) =>
      scopesOfIndex(
        {
          IndexName: 'by-email',
          KeyConditionExpression: 'emailKey = :address',
          ExpressionAttributeValues: toItem({ ':address': contactPartitions.ofEmail(address) }),
        },
        ({ email }) => email.toLowerCase() === address.toLowerCase(),
      ),

    withDomain: (domain) =>
      scopesOfIndex(
        {
          IndexName: 'by-domain',
          KeyConditionExpression: 'domainKey = :domain',
          ExpressionAttributeValues: toItem({ ':domain': contactPartitions.ofDomain(domain) }),
        },
        ({ email }) => email.toLowerCase().endsWith(`@${domain.toLowerCase()}`),
      ),

    async contactAt(scope, address) {
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
