import * as z from 'zod/mini';
import { objectId } from '#platform/contract/primitives.ts';
import { email, isDeliverable } from '../agents/resource.ts';

const personName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));

/** The names of a person in a request. */
export const personNames = z.object({ firstName: personName, lastName: personName });

export const businessRole = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));

/** Place where a person is a contact: at an agency as a whole, or for one carrier's relationship with it. */
export const contactAssociation = z.object({
  downstreamEntityAssociationId: z.optional(objectId),
  downstreamEntityId: objectId,
  businessRoles: z.array(businessRole),
  isPrimary: z.boolean(),
});

/** A contact of an agency. */
export const contact = z.object({
  contactId: objectId,
  firstName: z.string(),
  lastName: z.string(),
  email,
  isDeliverable,
  associations: z.array(contactAssociation),
});

/** Fields of a contact that was deleted. */
export const remainingContact = z.pick(contact, { contactId: true, associations: true });

export type Contact = z.output<typeof contact>;
