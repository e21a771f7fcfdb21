import { tablesOf } from '../../shared/domain/tables.ts';
import { linkSecret } from './link-secret.ts';
// What the tests of consent share: the functions of associations, contacts and imports on the same tables.

import { randomUUID } from 'node:crypto';
import { createContactsFunction } from '../../functions/contacts/function.ts';
import { contactRoutes } from '../../functions/contacts/routes.ts';
import { createLinkRedemptionFunction } from '../../functions/link-redemption/function.ts';
import type { Contact } from '../../shared/domain/contacts/resource.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { organizationKeys } from '../../shared/platform/identity/organization-keys.ts';
import type { Pipeline } from '../../shared/platform/request/pipeline.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import type { Asked } from './associations.ts';
import { add, at, context, draft, routes } from './associations-tests.ts';
import { testContext } from './context.ts';
import { type ImportRecords, importInto } from './imports.ts';
import { dynamo } from './tables.ts';

let contactsFunction: Pipeline;
let importRecords: ImportRecords;

beforeAll(() => {
  contactsFunction = createContactsFunction({
    clients: { dynamo },
    tables: context.tables,
    context: testContext(),
  });
  importRecords = importInto(context.tables);
});

/** Imports records that must all be valid. */
export async function imported(organizationId: string | undefined, ...records: readonly object[]) {
  const lines = records.map((record) => JSON.stringify(record));
  const owner = organizationId === undefined ? {} : { organizationId };
  expect(await importRecords({ ...owner, firstLine: 1, lines })).toMatchObject({
    imported: records.length,
    rejected: [],
  });
}

/** An organization of the agencies' side. */
export async function agencyOrganization(): Promise<string> {
  const organizationId = newObjectId(new Date());
  const now = new Date().toISOString();
  await context.put('organizations', {
    ...organizationKeys.organization(organizationId),
    organizationId,
    name: 'Lone Star Brokerage',
    category: 'downstreamEntity',
    features: [],
    subscription: 'active',
    planCeiling: 0,
    createdAt: now,
    updatedAt: now,
  });
  return organizationId;
}

/** An imported agency, of an organization or not; its id. */
export async function importedAgency(downstreamOrganizationId?: string): Promise<string> {
  const _id = newObjectId(new Date());
  const ofOrganization = downstreamOrganizationId === undefined ? {} : { downstreamOrganizationId };
  await imported(undefined, {
    type: 'downstream-entity',
    _id,
    legalName: 'Lone Star Brokerage',
    npn: '17654321',
    ein: '75-1234567',
    ...ofOrganization,
  });
  return _id;
}

async function askContacts(
  route: Parameters<typeof apiEvent>[0],
  organizationId: string,
  category: 'upstreamEntity' | 'downstreamEntity',
  options: Parameters<typeof apiEvent>[1] = {},
): Promise<Asked> {
  const identity = { organizationId, category, credentialId: randomUUID() };
  const { status, body } = await contactsFunction(apiEvent(route, { identity, ...options }), lambdaContext);
  let text = '';
  if (typeof body === 'string') text = body;
  else for await (const piece of body) text += Buffer.from(piece).toString('utf8');
  const json = JSON.parse(text) as { data?: Record<string, unknown>; errorType?: unknown };
  return { status, errorType: json.errorType, data: json.data ?? {}, json };
}

/** What a carrier sees of contacts: the list of each version, the filtered one, and each contact by its id. */
export async function contactsSeen(
  carrier: string,
  query: Record<string, string> = {},
): Promise<readonly Contact[]> {
  const [v1, v2] = await Promise.all(
    [contactRoutes.routes.listContactsV1, contactRoutes.routes.listContacts].map((route) =>
      askContacts(route, carrier, 'upstreamEntity', { query }),
    ),
  );
  expect(v1).toMatchObject({ status: 200, data: v2?.data });
  return v2?.data as unknown as Contact[];
}

/** The status of a single read of a contact, in both versions. */
export async function contactStatuses(carrier: string, contactId: string): Promise<number[]> {
  const found = [contactRoutes.routes.getContactV1, contactRoutes.routes.getContact].map(async (route) => {
    const { status } = await askContacts(route, carrier, 'upstreamEntity', { params: { contactId } });
    return status;
  });
  return Promise.all(found);
}

/** The agency adds a contact. */
export const agencyAdds = (organizationId: string, body: object): Promise<Asked> =>
  askContacts(contactRoutes.routes.createAgencyContact, organizationId, 'downstreamEntity', {
    body: { firstName: 'Maria', lastName: 'Delgado', ...body },
  });

/** The contacts that the agency sees in its list, or in that of one of its entities; its total is their number. */
export async function agencySees(
  organizationId: string,
  query: Record<string, string> = {},
): Promise<readonly Contact[]> {
  const asked = { query };
  const answer = await askContacts(
    contactRoutes.routes.listAgencyContacts,
    organizationId,
    'downstreamEntity',
    asked,
  );
  const { items, total } = answer.data as { items: readonly Contact[]; total: number };
  expect({ status: answer.status, total }).toEqual({ status: 200, total: items.length });
  return items;
}

/** What the agency is answered for one contact. */
export const agencyContact = (organizationId: string, contactId: string): Promise<Asked> =>
  askContacts(contactRoutes.routes.getAgencyContact, organizationId, 'downstreamEntity', {
    params: { contactId },
  });

/** What the agencies' application knows of who redeems a link. */
export interface Redeemer {
  readonly organizationId?: string;
  readonly verifiedEmail?: string;
}

/** Redeems a link's token as the deployed function does. */
export const redeem = (token: string, redeemer: Redeemer = {}) =>
  createLinkRedemptionFunction({
    clients: { linkSecret },
    tables: tablesOf(dynamo, context.tables),
    context: testContext(),
  })({
    token,
    ...redeemer,
  });

/** Invites an agency; answers the association and the token of the link, which the carrier has. */
export async function invite(carrier: string, fields: object): Promise<{ id: string; token: string }> {
  const { data } = await context.ask(carrier, routes.inviteAssociation, { body: draft(fields) });
  const token = new URL(String(data['url'])).searchParams.get('token') ?? '';
  return { id: String(data['downstreamEntityAssociationId']), token };
}

/** Asks for a link that signs an address in. */
export const signIn = (carrier: string, associationId: string, email: string): Promise<Asked> =>
  context.ask(carrier, routes.getAssociationSignInUrl, { ...at(associationId), query: { email } });

/** An association as its carrier sees it now. */
export const shown = async (carrier: string, associationId: string): Promise<Record<string, unknown>> =>
  (await context.ask(carrier, routes.getAssociation, at(associationId))).data;

export const address = (): string => `${randomUUID()}@lonestar.example`;

/** An agency with an organization, a carrier that it works with, and an imported contact of each scope. */
export async function victim() {
  const [carrier, organization] = await Promise.all([context.carrier(), agencyOrganization()]);
  const agency = await importedAgency(organization);
  const association = newObjectId(new Date());
  const [wide, ofCarrier] = [address(), address()];
  const contactId = newObjectId(new Date());
  const person = { type: 'contact', firstName: 'Maria', lastName: 'Delgado' };
  await imported(carrier, { type: 'association', _id: association, downstreamEntityId: agency });
  await imported(
    undefined,
    { ...person, _id: contactId, email: wide, associations: [{ downstreamEntityId: agency }] },
    {
      ...person,
      email: ofCarrier,
      associations: [{ downstreamEntityId: agency, downstreamEntityAssociationId: association }],
    },
  );
  return { carrier, organization, agency, association, wide, ofCarrier, contactId };
}

/** An agency that a carrier added by itself, with the contact that it named. */
export async function privateVictim() {
  const carrier = await context.carrier();
  const email = address();
  const { data } = await add(carrier, { email });
  const { _id: agency } = data['downstreamEntity'] as { _id: string };
  return { carrier, association: String(data['_id']), agency, email };
}
