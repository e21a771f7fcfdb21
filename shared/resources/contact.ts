import * as z from 'zod/mini';
import { compiledObject } from '../contract/object.ts';
import { objectId } from '../contract/primitives.ts';
import { email } from './agent.ts';

export const personName = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(100))
  .register(z.globalRegistry, { examples: ['Maria'] });

export const businessRole = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(100))
  .register(z.globalRegistry, { description: 'Role of the contact.', examples: ['Compliance'] });

/** Where a person is a contact: at an agency as a whole, or for one carrier's relationship with it. */
export const contactAssociation = compiledObject({
  downstreamEntityAssociationId: z.optional(objectId).register(z.globalRegistry, {
    description: 'The association; left out when the contact is for the whole agency.',
  }),
  downstreamEntityId: objectId,
  businessRoles: z.array(businessRole),
  isPrimary: z.boolean(),
});

/** A contact of an agency. */
export const contact = compiledObject({
  contactId: objectId,
  firstName: z.string(),
  lastName: z.string(),
  email,
  isDeliverable: z
    .boolean()
    .register(z.globalRegistry, { description: 'Whether the email address is known to be deliverable.' }),
  associations: z.array(contactAssociation),
}).register(z.globalRegistry, {
  id: 'Contact',
  description: 'A person at an agency, with the scopes that the organization can see.',
  examples: [
    {
      contactId: '65f0c1d2e3a4b5c6d7e8f912',
      firstName: 'Maria',
      lastName: 'Delgado',
      email: 'maria.delgado@example.com',
      isDeliverable: true,
      associations: [
        {
          downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
          downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
          businessRoles: ['Compliance'],
          isPrimary: true,
        },
      ],
    },
  ],
});

export type Contact = z.output<typeof contact>;
