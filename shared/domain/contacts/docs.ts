import { documented, type FieldDocs } from '#platform/contract/documented.ts';
import { isDeliverableDocs } from '../agents/docs.ts';
import {
  businessRole,
  contact,
  type contactAssociation,
  type personNames,
  remainingContact,
} from './resource.ts';

export const personNamesDocs = {
  firstName: ['Given name of the person.', 'Maria'],
  lastName: ['Family name of the person.', 'Delgado'],
} satisfies FieldDocs<typeof personNames>;

documented(businessRole, {
  description: 'What the contact is responsible for at the agency, in the words of whoever added it.',
  examples: ['Compliance'],
});

const contactAssociationDocs = {
  downstreamEntityAssociationId:
    'Id of the association for which the person is a contact; absent when it is the whole agency.',
  downstreamEntityId: 'Id of the agency or branch where the person is a contact.',
  businessRoles: 'Roles of the contact in this scope; may be empty.',
  isPrimary: 'Whether this is the primary contact of the association, which has at most one.',
} satisfies FieldDocs<typeof contactAssociation>;

documented(contact, {
  id: 'Contact',
  description: 'A person at an agency, with the scopes that the organization can see.',
  fields: {
    contactId: 'Id of the contact, the same in all its scopes.',
    firstName: ['Given name of the contact.', 'Maria'],
    lastName: ['Family name of the contact.', 'Delgado'],
    email: 'Email address of the contact, which identifies it; case is ignored.',
    isDeliverable: isDeliverableDocs,
    associations: {
      description: 'Scopes: where the person is a contact, as far as the organization can see.',
      fields: contactAssociationDocs,
    },
  },
});

documented(remainingContact, {
  id: 'RemainingContact',
  description: 'What is left of a contact after a deletion.',
  fields: {
    contactId: 'Id of the contact. Without a scope that is left, it names nobody anymore.',
    associations: {
      description: 'Scopes that are left at the organization’s entities; empty if none is.',
      fields: contactAssociationDocs,
    },
  },
});
