import * as z from 'zod/mini';
import { described } from '../../shared/contract/described.ts';
import { objectId, pageQuery } from '../../shared/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import { email } from '../../shared/resources/agent.ts';
import { businessRole, contact, personName } from '../../shared/resources/contact.ts';

const upstream = { kind: 'upstream', feature: 'contacts' } as const;
const downstream = { kind: 'downstream', feature: 'contacts' } as const;

const whatCarriersSee =
  'A carrier sees a contact at its own associations, and at the whole of an agency with which it has one. `associations` holds the scopes that the organization can see, and no others. `isDeliverable` is false until an import says otherwise.';

const listContacts = {
  method: 'GET',
  path: '/v2/upstream/contacts',
  access: upstream,
  rate: 'none',
  summary: DOCUMENTED && 'List contacts',
  description:
    DOCUMENTED &&
    `All matching contacts, once each, streamed, without paging.

${whatCarriersSee}

\`downstreamEntityAssociationId\` returns the contacts of that association and those of its whole agency. \`businessRole\`, which ignores case, returns those that have the role in a scope the organization can see. With both, a single scope must match both. An unknown association is 404.`,
  query: {
    downstreamEntityAssociationId: z.optional(objectId),
    businessRole: z.optional(
      described(
        z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
        DOCUMENTED && {
          description: 'Exact role; case is ignored.',
          examples: ['Compliance'],
        },
      ),
    ),
  },
  answer: { status: 200, all: contact },
  errors: ['not_found'],
} as const satisfies Route;

const getContact = {
  method: 'GET',
  path: '/v2/upstream/contacts/{contactId}',
  access: upstream,
  rate: 'none',
  summary: DOCUMENTED && 'Get a contact',
  description:
    DOCUMENTED && `One contact by its id; 404 when the organization can’t see it.\n\n${whatCarriersSee}`,
  answer: { status: 200, one: contact },
  errors: [],
} as const satisfies Route;

export const contactRoutes = routeGroup('contacts', DOCUMENTED && 'People at agencies and their roles.', {
  listContacts,
  getContact,
  listContactsV1: { ...listContacts, path: '/v1/contacts' },
  getContactV1: { ...getContact, path: '/v1/contacts/{contactId}' },
  listAgencyContacts: {
    method: 'GET',
    path: '/v2/downstream/contacts',
    access: downstream,
    rate: 'none',
    summary: DOCUMENTED && 'List contacts',
    description:
      DOCUMENTED &&
      'The organization’s contacts by last name, first name, and id, each with all its scopes at the organization’s entities.',
    query: { downstreamEntityId: z.optional(objectId), ...pageQuery },
    answer: { status: 200, page: contact, as: 'items' },
    errors: ['not_found'],
  },
  getAgencyContact: {
    method: 'GET',
    path: '/v2/downstream/contacts/{contactId}',
    access: downstream,
    rate: 'none',
    summary: DOCUMENTED && 'Get a contact',
    description: DOCUMENTED && 'One contact of the organization’s entities by its id.',
    answer: { status: 200, one: contact },
    errors: [],
  },
  createContact: {
    method: 'POST',
    path: '/v2/downstream/contacts',
    access: downstream,
    rate: 'write',
    summary: DOCUMENTED && 'Add a contact',
    description:
      DOCUMENTED &&
      `Makes a person a contact of one market or of a whole entity. Send \`upstreamDownstreamAssociationId\`, \`downstreamEntityId\`, or both. With a market alone, the entity is the one that holds the market; naming a different entity is 400. An unknown market or entity, or one of another organization, is 404.

Within the organization, the email address identifies a contact; case is ignored. Adding a known address adds the scope to that contact, which keeps its names. A scope that the contact already has is 409. A contact has at most 60 scopes.

A market has at most one primary contact: a second one is 409. \`isPrimary\` without a market is 400.`,
    body: described(
      z.strictObject({
        upstreamDownstreamAssociationId: z.optional(objectId),
        downstreamEntityId: z.optional(objectId),
        isPrimary: z.optional(
          described(
            z.boolean(),
            DOCUMENTED && {
              description: 'Whether this is the market’s primary contact; false when left out.',
            },
          ),
        ),
        firstName: personName,
        lastName: personName,
        email,
        businessRoles: z.optional(z.array(businessRole).check(z.maxLength(20))),
      }),
      DOCUMENTED && {
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
      },
    ),
    answer: { status: 201, one: contact },
    errors: ['not_found', 'transient_transaction_error'],
  },
});
