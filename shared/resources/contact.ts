import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { objectId } from '../contract/primitives.ts';
import { email } from './agent.ts';

export const personName = described(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  DOCUMENTED && { examples: ['Maria'] },
);

export const businessRole = described(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  DOCUMENTED && { description: 'Role of the contact.', examples: ['Compliance'] },
);

/** Where a person is a contact: at an agency as a whole, or for one carrier's relationship with it. */
export const contactAssociation = compiledObject({
  downstreamEntityAssociationId: described(
    z.optional(objectId),
    DOCUMENTED && {
      description: 'The association; absent when the contact is for the whole agency.',
    },
  ),
  downstreamEntityId: objectId,
  businessRoles: z.array(businessRole),
  isPrimary: z.boolean(),
});

/** A contact of an agency. */
export const contact = described(
  compiledObject({
    contactId: objectId,
    firstName: z.string(),
    lastName: z.string(),
    email,
    isDeliverable: described(
      z.boolean(),
      DOCUMENTED && { description: 'Whether the email address is known to be deliverable.' },
    ),
    associations: z.array(contactAssociation),
  }),
  DOCUMENTED && {
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
  },
);

export type Contact = z.output<typeof contact>;
