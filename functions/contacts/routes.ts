import * as z from 'zod/mini';
import { email } from '#domain/agents/resource.ts';
import { businessRole, contact, personNames, remainingContact } from '#domain/contacts/resource.ts';
import { marketIds } from '#domain/identifiers/identifiers.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { agencyList, getOne, listAll, type Route, routeGroup, v1 } from '#platform/contract/route.ts';

const upstream = { kind: 'upstream', feature: 'contacts' } as const;
const downstream = { kind: 'downstream', feature: 'contacts' } as const;

const listContacts = {
  ...listAll('/v2/upstream/contacts', upstream, contact),
  query: z.object({
    downstreamEntityAssociationId: z.optional(objectId),
    businessRole: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(100))),
  }),
} as const satisfies Route;

const getContact = getOne('/v2/upstream/contacts/{contactId}', upstream, contact);

const ofScope = () => ({
  ...marketIds.shape,
  isPrimary: z.optional(z.boolean()),
  businessRoles: z.optional(z.array(businessRole).check(z.maxLength(20))),
});

export const newContact = z.strictObject({
  ...ofScope(),
  downstreamEntityId: z.optional(objectId),
  ...personNames.shape,
  email,
});

export const contactChanges = z
  .strictObject({
    ...ofScope(),
    firstName: z.optional(personNames.shape.firstName),
    lastName: z.optional(personNames.shape.lastName),
    email: z.optional(email),
  })
  .check(
    z.refine(
      (values) => Object.keys(values).some((name) => !Object.hasOwn(marketIds.shape, name)),
      'requires a field to change',
    ),
  );

const agencyContactPath = '/v2/downstream/contacts/{contactId}';

export const contactRoutes = routeGroup(
  'contacts',
  {
    listContacts,
    getContact,
    listContactsV1: v1(listContacts),
    getContactV1: v1(getContact),
    listAgencyContacts: agencyList('/v2/downstream/contacts', downstream, contact),
    getAgencyContact: getOne(agencyContactPath, downstream, contact),
    createAgencyContact: {
      method: 'POST',
      path: '/v2/downstream/contacts',
      access: downstream,
      body: newContact,
      answer: { status: 201, one: contact },
      errors: ['not_found', 'transient_transaction_error'],
    },
    updateAgencyContact: {
      method: 'PATCH',
      path: agencyContactPath,
      access: downstream,
      body: contactChanges,
      answer: { status: 200, one: contact },
      errors: ['transient_transaction_error'],
    },
    deleteAgencyContact: {
      method: 'DELETE',
      path: agencyContactPath,
      access: downstream,
      query: marketIds,
      answer: { status: 200, one: remainingContact },
      errors: ['transient_transaction_error'],
    },
  },
  { openLists: 16 },
);
