import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { email, isDeliverable } from '../agents/resource.ts';
import { downstreamEntityId } from '../identifiers/ids.ts';

const personName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));

/** The names of a person whom a request names. */
export const personNames = lazily(() =>
  describedShape(
    { firstName: personName, lastName: personName },
    DOCUMENTED && {
      firstName: { description: 'Given name of the person.', examples: ['Maria'] },
      lastName: { description: 'Family name of the person.', examples: ['Delgado'] },
    },
  ),
);

export const businessRole = described(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  DOCUMENTED && {
    description: 'What the contact is responsible for at the agency, in the words of whoever added it.',
    examples: ['Compliance'],
  },
);

/** Where a person is a contact: at an agency as a whole, or for one carrier's relationship with it. */
export const contactAssociation = compiledObject(() =>
  describedShape(
    {
      downstreamEntityAssociationId: z.optional(objectId),
      downstreamEntityId,
      businessRoles: z.array(businessRole),
      isPrimary: z.boolean(),
    },
    DOCUMENTED && {
      downstreamEntityAssociationId:
        'Id of the association for which the person is a contact; absent when it is the whole agency.',
      downstreamEntityId: 'Id of the agency or branch where the person is a contact.',
      businessRoles: 'Roles of the contact in this scope; may be empty.',
      isPrimary: 'Whether this is the primary contact of the association, which has at most one.',
    },
  ),
);

/** A contact of an agency. */
export const contact = described(
  compiledObject(() =>
    describedShape(
      {
        contactId: objectId,
        firstName: z.string(),
        lastName: z.string(),
        email,
        isDeliverable,
        associations: z.array(contactAssociation),
      },
      DOCUMENTED && {
        contactId: 'Id of the contact, the same in all its scopes.',
        firstName: { description: 'Given name of the contact.', examples: ['Maria'] },
        lastName: { description: 'Family name of the contact.', examples: ['Delgado'] },
        email: 'Email address of the contact, which identifies it; its case does not matter.',
        associations: 'Scopes: where the person is a contact, as far as the organization can see.',
      },
    ),
  ),
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
