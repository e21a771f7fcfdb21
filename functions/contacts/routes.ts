import * as z from 'zod/mini';
import { objectId, pageQuery } from '../../shared/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import { email } from '../../shared/resources/agent.ts';
import { businessRole, contact, personName } from '../../shared/resources/contact.ts';

const upstream = { kind: 'upstream', feature: 'contacts' } as const;
const downstream = { kind: 'downstream', feature: 'contacts' } as const;

const whatCarriersSee =
  'A carrier sees a contact through its relationships with agencies: where it is the contact of one of them, and where it is the whole agency’s. `associations` holds these places alone.';

const listContacts = {
  method: 'GET',
  path: '/v2/upstream/contacts',
  access: upstream,
  rate: 'none',
  summary: 'List contacts',
  description: [
    'Every contact that matches, once each, without paging, streamed.',
    whatCarriersSee,
    '`downstreamEntityAssociationId` leaves the contacts of that relationship and those of its whole agency, `businessRole` those with that role in a place that the organization sees, both those with that role for that relationship. An unknown relationship is 404.',
  ].join('\n\n'),
  query: {
    downstreamEntityAssociationId: z.optional(objectId),
    businessRole: z.optional(
      z
        .string()
        .check(z.trim(), z.minLength(1), z.maxLength(100))
        .register(z.globalRegistry, {
          description: 'Exact role, in whatever case.',
          examples: ['Compliance'],
        }),
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
  summary: 'Get a contact',
  description: `One contact by its id; 404 when the organization can’t see it. ${whatCarriersSee}`,
  answer: { status: 200, one: contact },
  errors: [],
} as const satisfies Route;

/** Specification, "Upstream: contacts" and "Agency: add a contact". */
export const contactRoutes = routeGroup('contacts', 'People at agencies, and what they do there.', {
  listContacts,
  getContact,
  listContactsV1: { ...listContacts, path: '/v1/contacts' },
  getContactV1: { ...getContact, path: '/v1/contacts/{contactId}' },
  listAgencyContacts: {
    method: 'GET',
    path: '/v2/downstream/contacts',
    access: downstream,
    rate: 'none',
    summary: 'List contacts',
    description:
      'The organization’s contacts by last name, first name and id, each with all its places at the organization’s entities.',
    query: { downstreamEntityId: z.optional(objectId), ...pageQuery },
    answer: { status: 200, page: contact, as: 'items' },
    errors: ['not_found'],
  },
  getAgencyContact: {
    method: 'GET',
    path: '/v2/downstream/contacts/{contactId}',
    access: downstream,
    rate: 'none',
    summary: 'Get a contact',
    description: 'One contact of the organization’s entities by its id.',
    answer: { status: 200, one: contact },
    errors: [],
  },
  createContact: {
    method: 'POST',
    path: '/v2/downstream/contacts',
    access: downstream,
    rate: 'write',
    summary: 'Add a contact',
    description: [
      'Makes a person the contact of one market, or of a whole entity. At least one of `upstreamDownstreamAssociationId` and `downstreamEntityId` is needed; with a market alone the entity that holds it is meant, and another entity than that is 400.',
      'Within the organization a person is known by the e-mail address: a contact that has it already, in whatever case, gains the place and keeps its names. A place that it has already is 409.',
      'A market has one primary contact at most: a second one is 409, and `isPrimary` without a market is 400.',
    ].join('\n\n'),
    body: z
      .strictObject({
        upstreamDownstreamAssociationId: z.optional(objectId),
        downstreamEntityId: z.optional(objectId),
        isPrimary: z.optional(
          z.boolean().register(z.globalRegistry, {
            description: 'Whether it is the market’s primary contact; false when left out.',
          }),
        ),
        firstName: personName,
        lastName: personName,
        email,
        businessRoles: z.optional(z.array(businessRole).check(z.maxLength(20))),
      })
      .register(z.globalRegistry, {
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
      }),
    answer: { status: 201, one: contact },
    errors: ['not_found', 'transient_transaction_error'],
  },
});
