import * as z from 'zod/mini';
import { compiledObject } from '../contract/object.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { sortText } from '../data/sort-text.ts';
import { email } from '../resources/agent.ts';
import { contactAssociation } from '../resources/contact.ts';

/** Where a person is a contact; without an association, at the entity as a whole. */
export type ContactScope = z.output<typeof contactAssociation>;

/** A contact's item, with all its scopes whoever may see them; its key design stands in `shared/data/tables.ts`. */
export const storedContact = compiledObject({
  contactId: objectId,
  firstName: z.string(),
  lastName: z.string(),
  email,
  isDeliverable: z.boolean(),
  scopes: z.array(contactAssociation),
  /** Organizations on the platform whose entities the scopes name. */
  downstreamOrganizationIds: z.array(objectId),
  isDeleted: z.boolean(),
  /** Rises by one with each change, so that of two writers one is told. */
  version: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export type StoredContact = z.output<typeof storedContact>;

export const contactKeys = {
  contact: (contactId: string) => ({ pk: `CONTACT#${contactId}`, sk: 'CONTACT' }),
  atEntity: (downstreamEntityId: string, contactId: string) => ({
    pk: `ENTITY#${downstreamEntityId}`,
    sk: contactId,
  }),
  ofOrganization: (downstream: string, contactId: string) => ({ pk: `${downstream}#CONTACT`, sk: contactId }),
  /** @param owner organization on the platform, else `ENTITY#<downstreamEntityId>` */
  byEmail: (owner: string, address: string) => ({ pk: `${owner}#EMAIL`, sk: address.toLowerCase() }),
  primary: (associationId: string) => ({ pk: `MARKET#${associationId}`, sk: 'PRIMARY' }),
};

/** Partitions of the table's indexes. */
export const contactPartitions = {
  ofOrganization: (downstream: string) => downstream,
  ofEntity: (downstreamEntityId: string) => `ENTITY#${downstreamEntityId}`,
  ofEmail: (address: string) => address.toLowerCase(),
  ofDomain: (domain: string) => domain.toLowerCase(),
};

const listSort = ({ lastName, firstName, contactId }: StoredContact): string =>
  `${sortText(`${lastName} ${firstName}`)}#${contactId}`;

/** Every item of a live contact but the sentinels of its address and of the markets it is primary for. */
export function contactItems(contact: StoredContact): Record<string, unknown>[] {
  const { contactId, email: address, scopes, downstreamOrganizationIds } = contact;
  const entities = new Set(scopes.map(({ downstreamEntityId }) => downstreamEntityId));
  return [
    { ...contactKeys.contact(contactId), ...contact },
    ...Array.from(entities, (entityId) => ({
      ...contactKeys.atEntity(entityId, contactId),
      listKey: contactPartitions.ofEntity(entityId),
      listSort: listSort(contact),
      emailKey: contactPartitions.ofEmail(address),
      domainKey: contactPartitions.ofDomain(address.slice(address.lastIndexOf('@') + 1)),
    })),
    ...downstreamOrganizationIds.map((organizationId) => ({
      ...contactKeys.ofOrganization(organizationId, contactId),
      listKey: contactPartitions.ofOrganization(organizationId),
      listSort: listSort(contact),
    })),
  ];
}
