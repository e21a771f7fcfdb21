import * as z from 'zod/mini';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { sortText } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Item, Key } from '#platform/data/table.ts';
import { email } from '../agents/resource.ts';
import type { AssociationsOfEntity } from '../associations/stored.ts';
import { type Contact, contact, contactAssociation } from './resource.ts';

const givenByCarrier = z.object({
  ...z.pick(contact, { firstName: true, lastName: true, email: true, isDeliverable: true }).shape,
  ...z.pick(contactAssociation, { businessRoles: true, isPrimary: true }).shape,
});

/**
 * Place where a person is a contact; without an association, at the entity as a whole. The organization is the one on the
 * platform that the entity belongs to, where it has one.
 */
const contactScope = z.object({
  ...contactAssociation.shape,
  downstreamOrganizationId: z.optional(objectId),
  /** The carrier of the association. */
  upstreamEntityId: z.optional(objectId),
  /** The organization that named the person here; absent for operators. */
  namedBy: z.optional(objectId),
  /** Whether the agency, an import or a redeemed invitation says so; absent counts as not. */
  isConfirmed: z.optional(z.boolean()),
  /** Whether it came with an invited association: while that is invited, the agency does not see it. */
  isPending: z.optional(z.boolean()),
  /** Values that the carrier gave with an invited association, where somebody else has named the person here since. */
  givenByCarrier: z.optional(givenByCarrier),
});

export type ContactScope = z.output<typeof contactScope>;

/** A contact with all its scopes, visible or not; its keys are described in `shared/domain/tables.ts`. */
export const storedContact = storedItem('contacts/contact', {
  contactId: objectId,
  firstName: z.string(),
  lastName: z.string(),
  email,
  isDeliverable: z.boolean(),
  scopes: z.array(contactScope),
  isDeleted: z.boolean(),
  /** Rises by one with each change, so that one of two concurrent writers is refused. */
  version: z.int(),
  /** Hash of the record that was imported last; the same record again changes nothing. */
  recordHash: z.optional(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type StoredContact = z.output<typeof storedContact>;

/** Most entities and markets that a contact's scopes name, so that all its items fit into one transaction. */
export const mostScopes = 60;

/** Most scopes of them at one agency that one carrier named, so that none can use up the others' (OpenAPI, "addAssociation"). */
export const mostScopesOfCarrier = 10;

/** An owner of contacts: the organization that an entity belongs to, else the entity. */
export const ownerOf = ({
  downstreamOrganizationId,
  downstreamEntityId,
}: Pick<ContactScope, 'downstreamOrganizationId' | 'downstreamEntityId'>): string =>
  downstreamOrganizationId ?? `ENTITY#${downstreamEntityId}`;

/** The item that claims an address, or a market's primary role, for a contact. */
export const contactHolder = storedItem('contacts/address-holder', { contactId: objectId });

export const contactKeys = {
  contact: (contactId: string) => ({ pk: `CONTACT#${contactId}`, sk: 'CONTACT' }),
  atEntity: (downstreamEntityId: string, contactId: string) => ({
    pk: `ENTITY#${downstreamEntityId}`,
    sk: contactId,
  }),
  ofOrganization: (downstream: string, contactId: string) => ({ pk: `${downstream}#CONTACT`, sk: contactId }),
  /** @param owner see `ownerOf` */
  byEmail: (owner: string, address: string) => ({ pk: `${owner}#EMAIL`, sk: address.toLowerCase() }),
  primary: (associationId: string) => ({ pk: `MARKET#${associationId}`, sk: 'PRIMARY' }),
};

/** Partitions of the table's indexes. */
export const contactPartitions = {
  ofOrganization: (downstream: string) => downstream,
  ofEntity: (downstreamEntityId: string) => `ENTITY#${downstreamEntityId}`,
  /** Partition of contacts of the list `partition` that the agency sees only once it has agreed: see `isPending`. */
  pending: (partition: string) => `${partition}#PENDING`,
  ofEmail: (address: string) => address.toLowerCase(),
  ofDomain: (domain: string) => domain.toLowerCase(),
};

/** Last name, first name, id. The separator sorts before every character of a name, so that `Lee` precedes `Lee Ann`. */
const listSort = ({ lastName, firstName, contactId }: StoredContact): string =>
  [sortText(lastName), sortText(firstName), contactId].join('\t');

/** The entities of a contact's scopes. */
export const entitiesOf = ({ scopes }: Pick<StoredContact, 'scopes'>): string[] =>
  Array.from(new Set(scopes.map(({ downstreamEntityId }) => downstreamEntityId)));

/** An item of a contact, with its key. */
export type ContactItem = Item & Required<Key>;

/** The items of a live contact under its entities and organizations, each with the whole contact, for lists to read. */
export function listItems(contact: StoredContact): ContactItem[] {
  const { contactId, email: address, scopes } = contact;
  if (contact.isDeleted) return [];
  const organizations = new Set(
    scopes.flatMap(({ downstreamOrganizationId = [] }) => downstreamOrganizationId),
  );
  const sort = listSort(contact);
  const listKey = (partition: string, isIn: (scope: ContactScope) => boolean): string =>
    scopes.filter(isIn).every(({ isPending }) => isPending === true)
      ? contactPartitions.pending(partition)
      : partition;
  return [
    ...entitiesOf(contact).map((entityId) => ({
      ...contactKeys.atEntity(entityId, contactId),
      ...contact,
      listKey: listKey(
        contactPartitions.ofEntity(entityId),
        (scope) => scope.downstreamEntityId === entityId,
      ),
      listSort: sort,
      emailKey: contactPartitions.ofEmail(address),
      domainKey: contactPartitions.ofDomain(address.slice(address.lastIndexOf('@') + 1)),
    })),
    ...Array.from(organizations, (organizationId) => ({
      ...contactKeys.ofOrganization(organizationId, contactId),
      ...contact,
      listKey: listKey(
        contactPartitions.ofOrganization(organizationId),
        (scope) => scope.downstreamOrganizationId === organizationId,
      ),
      listSort: sort,
    })),
  ];
}

/**
 * The items that claim a live contact's address with each of its owners, again with the whole contact: one read
 * finds it by the address.
 */
export const addressItems = (contact: StoredContact): ContactItem[] =>
  contact.isDeleted
    ? []
    : Array.from(new Set(contact.scopes.map(ownerOf)), (owner) => ({
        ...contactKeys.byEmail(owner, contact.email),
        ...contact,
      }));

/** The items that make a live contact the primary one of its markets; agency-wide scopes have no primary. */
export const primaryItems = ({ contactId, scopes, isDeleted }: StoredContact): ContactItem[] =>
  isDeleted
    ? []
    : scopes.flatMap(({ downstreamEntityAssociationId, isPrimary }) =>
        isPrimary && downstreamEntityAssociationId !== undefined
          ? [
              {
                ...contactKeys.primary(downstreamEntityAssociationId),
                contactId,
                downstreamEntityAssociationId,
              },
            ]
          : [],
      );

/** A carrier's associations with one entity. */
type Entry = Pick<AssociationsOfEntity, 'associationIds' | 'invitedIds'>;

/** A carrier and its associations by the entities that they are with. */
export interface CarrierReach {
  readonly upstreamEntityId: string;
  readonly associations: ReadonlyMap<string, Entry>;
}

/**
 * The scopes that a carrier sees: those of its own associations, and the agency-wide ones of entities with which it has
 * one (OpenAPI, "listContacts"). Never another carrier's. Through an association that is only invited it sees what it
 * gave itself, as it gave it; where it is the only one that knows the agency, that is everything.
 */
export const visibleToCarrier = (
  { scopes }: { readonly scopes: readonly ContactScope[] },
  { upstreamEntityId, associations }: CarrierReach,
): ContactScope[] => {
  const isVisible = (scope: ContactScope): boolean => {
    const { downstreamEntityId, downstreamEntityAssociationId: id } = scope;
    const entry = associations.get(downstreamEntityId);
    if (entry === undefined || entry.associationIds.size === 0) return false;
    if (id !== undefined && !entry.associationIds.has(id)) return false;
    return !isInvited(scope, entry) || isNamedBy(scope, upstreamEntityId);
  };
  return scopes.filter(isVisible).map((scope) => {
    const { givenByCarrier, ...agreedScopes } = scope;
    if (givenByCarrier === undefined) return scope;
    const entry = associations.get(scope.downstreamEntityId);
    const { businessRoles, isPrimary } = givenByCarrier;
    return entry !== undefined && isInvited(scope, entry)
      ? { ...scope, businessRoles, isPrimary }
      : agreedScopes;
  });
};

/** Whether a carrier has a scope's association, or the scope's agency, by invitation alone. */
const isInvited = (
  { downstreamEntityAssociationId: id }: ContactScope,
  { associationIds, invitedIds }: Entry,
): boolean => (id === undefined ? associationIds.size === invitedIds.size : invitedIds.has(id));

/**
 * Whether a carrier gave a scope itself, as it did what was given with an invitation (`givenByCarrier`): only the carrier of an
 * association gets so far.
 */
const isNamedBy = ({ namedBy, givenByCarrier }: ContactScope, upstreamEntityId: string): boolean =>
  namedBy === upstreamEntityId || givenByCarrier !== undefined;

/** A contact as a caller sees it that sees these scopes. */
export const contactView = (storedContact: StoredContact, scopes: readonly ContactScope[]): Contact =>
  z.parse(contact, { ...storedContact, associations: scopes });

/**
 * A contact as a carrier sees it that sees these scopes (`visibleToCarrier`): where they are as it gave them, under the name that
 * it gave.
 */
export function carrierView(contact: StoredContact, scopes: readonly ContactScope[]): Contact {
  const [first] = scopes;
  const isAsGiven = scopes.every(({ givenByCarrier }) => givenByCarrier !== undefined);
  return contactView(isAsGiven ? { ...contact, ...first?.givenByCarrier } : contact, scopes);
}

/**
 * The scopes that an organization sees: those at its agencies, for any market.
 *
 * @param invitedIds markets that are invited: the agency does not see the scopes that came with them.
 */
export const ownScopes = (
  { scopes }: Pick<StoredContact, 'scopes'>,
  organizationId: string,
  invitedIds: ReadonlySet<string>,
): ContactScope[] =>
  scopes.filter(
    ({ downstreamOrganizationId, downstreamEntityAssociationId, isPending }) =>
      downstreamOrganizationId === organizationId &&
      !(isPending === true && invitedIds.has(downstreamEntityAssociationId ?? '')),
  );
