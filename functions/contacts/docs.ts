import { personNamesDocs } from '#domain/contacts/docs.ts';
import { mostScopes } from '#domain/contacts/stored.ts';
import { marketIdsDocs } from '#domain/identifiers/docs.ts';
import { agencyListQueryDocs } from '#platform/contract/docs.ts';
import { documented, type GroupDocs } from '#platform/contract/documented.ts';
import { contactChanges, type contactRoutes, newContact } from './routes.ts';

const whatCarriersSee =
  'A carrier can see the contacts of its own associations, and those of whole agencies with which it has one; through an `invited` association, only what it added itself. `associations` lists only the scopes that it can see.';

const whoseContact =
  'A contact whom only a carrier has named is the carrier’s and returns 404; add the person yourself first. What a carrier gave with an invitation stays as it is for that carrier until the agency agrees.';

documented(newContact, {
  examples: [
    {
      upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      isPrimary: true,
      firstName: 'Maria',
      lastName: 'Delgado',
      email: 'maria.delgado@example.com',
      businessRoles: ['Compliance'],
    },
  ],
  fields: {
    ...marketIdsDocs(
      'Id of the market for which the person is a contact; leave it out for the whole entity.',
    ),
    downstreamEntityId:
      'Id of the entity where the person is a contact; by default the one that has the market.',
    isPrimary: 'Whether this is the market’s primary contact; false when left out.',
    ...personNamesDocs,
    email: 'Email address of the person, which identifies the contact; case is ignored.',
    businessRoles: 'Roles of the contact in this scope; none when left out.',
  },
});

documented(contactChanges, {
  minProperties: 1,
  examples: [
    { firstName: 'Maria', lastName: 'Delgado', email: 'maria.delgado@example.com' },
    {
      upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      isPrimary: true,
      businessRoles: ['Compliance', 'Licensing'],
    },
  ],
  fields: {
    ...marketIdsDocs('Id of the market at which `businessRoles` and `isPrimary` change; required with them.'),
    isPrimary: 'Whether this is the market’s primary contact.',
    businessRoles: 'Roles of the contact at the market, in place of those that it has there.',
    ...personNamesDocs,
    email: 'New email address of the person; case is ignored.',
  },
});

export const docs = {
  description: 'People at agencies and their roles.',
  routes: {
    listContacts: {
      summary: 'List contacts',
      description: `Returns all matching contacts, each once, streamed, without paging.

${whatCarriersSee}

With both filters, a single scope must match both.`,
      query: {
        downstreamEntityAssociationId:
          'Id of an association; its contacts and those of its whole agency are returned.',
        businessRole: ['Role of the contact, matched exactly except for case.', 'Compliance'],
      },
    },
    getContact: {
      summary: 'Get a contact',
      description: `Returns one contact, or 404 if the organization cannot see it.\n\n${whatCarriersSee}`,
    },
    listAgencyContacts: {
      summary: 'List contacts',
      description:
        'Returns the organization’s contacts, ordered by last name, first name, and id. A carrier’s contacts at an `invited` market are not shown until the agency agrees.',
      query: agencyListQueryDocs,
    },
    getAgencyContact: {
      summary: 'Get a contact',
      description: 'Returns one contact of the organization’s entities.',
    },
    createAgencyContact: {
      summary: 'Add a contact',
      description: `Makes a person a contact of a market (\`upstreamDownstreamAssociationId\`) or of a whole entity (\`downstreamEntityId\`).

Within the organization, the email address identifies a contact: adding it again adds the scope to that contact, whose names are changed only if carriers alone have given them. A scope that the contact already has returns 409 with \`details.contactId\`. A contact has at most ${mostScopes} scopes. Carriers that the agency works with can sign in a contact that the agency adds.

A market has at most one primary contact: a second one returns 409 with the first one’s \`details.contactId\`.`,
    },
    updateAgencyContact: {
      summary: 'Update a contact',
      description: `Changes names and email address, which are the same in all scopes of a contact, and, with \`upstreamDownstreamAssociationId\`, its \`businessRoles\` and \`isPrimary\` at that market. To replace a primary contact, first send \`isPrimary: false\` for the present one.

A new email address counts as confirmed by the agency, sets \`isDeliverable\` to false, and ends open sign-in links. That of another contact returns 409 with its \`details.contactId\`.

${whoseContact}

For a person who is also a contact of another agency’s organization, the response is 409: delete the contact, which ends only your own scopes, and add the person again.`,
    },
    deleteAgencyContact: {
      summary: 'Delete a contact',
      description: `Ends the scope of one market, with \`upstreamDownstreamAssociationId\`, or all scopes of the contact at the organization’s entities, and answers those that are left. With its last scope the contact is erased and its sign-in links end.

${whoseContact}`,
      query: marketIdsDocs('Id of the market whose scope ends; leave it out to end all scopes.'),
    },
  },
} satisfies GroupDocs<typeof contactRoutes.routes>;
