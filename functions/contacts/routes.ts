import * as z from 'zod/mini';
import { email } from '../../shared/domain/agents/resource.ts';
import { businessRole, contact, personNames } from '../../shared/domain/contacts/resource.ts';
import { agencyListQuery } from '../../shared/platform/contract/agency-list.ts';
import { described, describedShape } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { lazyStrictObject } from '../../shared/platform/contract/lazy-object.ts';
import { objectId } from '../../shared/platform/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';

const upstream = { kind: 'upstream', feature: 'contacts' } as const;
const downstream = { kind: 'downstream', feature: 'contacts' } as const;

const whatCarriersSee =
  'A carrier can see the contacts of its own associations, and those of whole agencies with which it has an association. Through an association that is `invited`, it can see only what it added itself. `associations` lists only the scopes that the organization can see. `isDeliverable` is false until an import changes it.';

const listContacts = {
  method: 'GET',
  path: '/v2/upstream/contacts',
  access: upstream,
  summary: DOCUMENTED && 'List contacts',
  description:
    DOCUMENTED &&
    `Returns all matching contacts, each once, streamed, without paging.

${whatCarriersSee}

\`downstreamEntityAssociationId\` selects the contacts of that association and those of its whole agency. \`businessRole\` selects contacts with that role in a scope that the organization can see; case is ignored. If both are given, a single scope must match both. For an unknown association, the list is empty.`,
  success: DOCUMENTED && 'All matching contacts, each once.',
  query: lazily(() => ({
    downstreamEntityAssociationId: described(
      z.optional(objectId),
      DOCUMENTED && {
        description: 'Id of an association; its contacts and those of its whole agency are returned.',
      },
    ),
    businessRole: z.optional(
      described(
        z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
        DOCUMENTED && {
          description: 'Role of the contact, matched exactly except for case.',
          examples: ['Compliance'],
        },
      ),
    ),
  })),
  answer: { status: 200, all: contact },
} as const satisfies Route;

const getContact = {
  method: 'GET',
  path: '/v2/upstream/contacts/{contactId}',
  access: upstream,
  summary: DOCUMENTED && 'Get a contact',
  description:
    DOCUMENTED && `Returns one contact, or 404 if the organization cannot see it.\n\n${whatCarriersSee}`,
  success: DOCUMENTED && 'The contact with the scopes that the organization can see.',
  answer: { status: 200, one: contact },
} as const satisfies Route;

export const contactRoutes = routeGroup('contacts', DOCUMENTED && 'People at agencies and their roles.', {
  listContacts,
  getContact,
  listContactsV1: v1(listContacts),
  getContactV1: v1(getContact),
  listAgencyContacts: {
    method: 'GET',
    path: '/v2/downstream/contacts',
    access: downstream,
    summary: DOCUMENTED && 'List contacts',
    description:
      DOCUMENTED &&
      'Returns the organization’s contacts, ordered by last name, first name, and id, each with all its scopes at the organization’s entities. A carrier’s contacts at a market that is `invited` are not shown until the agency agrees.',
    success: DOCUMENTED && 'The contacts on this page.',
    query: agencyListQuery,
    answer: { status: 200, page: contact, as: 'items' },
    errors: ['not_found'],
  },
  getAgencyContact: {
    method: 'GET',
    path: '/v2/downstream/contacts/{contactId}',
    access: downstream,
    summary: DOCUMENTED && 'Get a contact',
    description: DOCUMENTED && 'Returns one contact of the organization’s entities.',
    success: DOCUMENTED && 'The contact with all its scopes at the organization’s entities.',
    answer: { status: 200, one: contact },
  },
  createContact: {
    method: 'POST',
    path: '/v2/downstream/contacts',
    access: downstream,
    summary: DOCUMENTED && 'Add a contact',
    description:
      DOCUMENTED &&
      `Makes a person a contact of one market or of a whole entity. Send \`upstreamDownstreamAssociationId\`, \`downstreamEntityId\`, or both. The entity defaults to the one that has the market; a different entity returns 400. A market or entity that is unknown, or belongs to another organization, returns 404.

Within the organization, the email address identifies a contact; case is ignored. Adding an existing address adds the scope to that contact, whose names are changed only if carriers alone have given them. A scope that the contact already has returns 409. A contact has at most 60 scopes; another one returns 400. A contact that the agency adds is confirmed, so carriers that the agency works with can sign it in.

A market has at most one primary contact: a second one returns 409. \`isPrimary\` without a market returns 400.`,
    success:
      DOCUMENTED &&
      'The person is a contact of the market or entity; the response has all scopes of the contact.',
    body: described(
      lazyStrictObject(() => ({
        ...describedShape(
          {
            upstreamDownstreamAssociationId: z.optional(objectId),
            downstreamEntityId: z.optional(objectId),
            isPrimary: z.optional(z.boolean()),
          },
          DOCUMENTED && {
            upstreamDownstreamAssociationId:
              'Id of the market for which the person is a contact; leave it out for the whole entity.',
            downstreamEntityId:
              'Id of the entity where the person is a contact; by default the one that has the market.',
            isPrimary: 'Whether this is the market’s primary contact; false when left out.',
          },
        ),
        ...personNames(),
        ...describedShape(
          { email, businessRoles: z.optional(z.array(businessRole).check(z.maxLength(20))) },
          DOCUMENTED && {
            email: 'Email address of the person, which identifies the contact; case is ignored.',
            businessRoles: 'Roles of the contact in this scope; none when left out.',
          },
        ),
      })),
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
