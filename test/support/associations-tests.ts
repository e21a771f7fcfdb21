// Shared by the tests of associations and of who may see what an agency shares: the functions of associations, contacts and
// imports on the same tables. Each file that imports it gets its own tables before its first test.

import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Contact } from '#domain/contacts/resource.ts';
import { tablesOf } from '#domain/tables.ts';
import type { OrganizationCategory } from '#platform/contract/route.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';
import { contactsFunction } from '../../functions/contacts/function.ts';
import { contactRoutes } from '../../functions/contacts/routes.ts';
import { downstreamEntityAssociationRoutes } from '../../functions/downstream-entity-associations/routes.ts';
import { linkRedemptionFunction } from '../../functions/link-redemption/function.ts';
import { type Answer, callerOf, type EventOptions, send } from './api-event.ts';
import { associationsOnTables } from './associations.ts';
import { testContext } from './context.ts';
import { namedAgency } from './import-lines.ts';
import { recordsInto } from './imports.ts';
import { linkSecret } from './link-secret.ts';
import { dynamo } from './tables.ts';

export const { routes } = downstreamEntityAssociationRoutes;

export let context: Awaited<ReturnType<typeof associationsOnTables>>;

let contacts: Pipeline;

beforeAll(async () => {
  context = await associationsOnTables();
  const { tables } = context;
  contacts = contactsFunction.compose({ dynamo, tables, context: testContext() });
});

beforeEach(() => {
  context.controls.now = () => new Date();
  context.controls.sendToRegistrySync = async () => {};
});

let count = 0;

/** The body that adds a new agency. */
export const draft = (fields: object = {}): object => {
  count += 1;
  return {
    downstreamEntityName: `Agency ${count}`,
    firstName: 'Maria',
    lastName: 'Delgado',
    email: `contact-${count}@example.com`,
    category: 'agency',
    isNpnRequired: false,
    ...fields,
  };
};

type Options = Pick<EventOptions, 'headers' | 'identity'>;

/** Adds an association for a carrier. */
export const add = (owner: string, fields: object = {}, options: Options = {}): Promise<Answer> =>
  context.ask(owner, routes.addAssociation, { body: draft(fields), ...options });

/** Adds an association; answers its id. */
export const added = async (owner: string, fields: object = {}): Promise<string> => {
  const { status, data, json } = await add(owner, fields);
  if (status !== 201) throw new Error(JSON.stringify(json));
  return String(data['_id']);
};

/** The parameters of a route on one association. */
export const at = (downstreamEntityAssociationId: string) => ({ params: { downstreamEntityAssociationId } });

/** Changes an association. */
export const change = (owner: string, id: string, body: object, options: Options = {}): Promise<Answer> =>
  context.ask(owner, routes.updateAssociation, { ...at(id), body, ...options });

/** The ids of a carrier’s list, sorted. */
export const list = async (owner: string, query: Record<string, string> = {}): Promise<string[]> => {
  const { data, json } = await context.ask(owner, routes.listAssociations, { query });
  if (!Array.isArray(data)) throw new Error(JSON.stringify(json));
  return data.map(({ _id }: { _id: string }) => _id).sort();
};

/** The number of responses by status and error type. */
export const tally = (answers: readonly Answer[]): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const { status, errorType } of answers) {
    const key = `${status} ${String(errorType ?? '')}`.trim();
    found[key] = (found[key] ?? 0) + 1;
  }
  return found;
};

/** A stored item of the associations' table. */
export const itemOf = async (key: Record<string, string>): Promise<Record<string, unknown> | undefined> => {
  const { Item } = await dynamo.send(
    new GetItemCommand({ TableName: context.tables.associations, Key: toItem(key), ConsistentRead: true }),
  );
  return Item && unmarshall(Item);
};

/** Stores an agency that is already on the platform; answers its id. */
export async function entity(fields: object = {}): Promise<string> {
  const _id = newObjectId(new Date());
  const now = new Date().toISOString();
  await context.put('downstreamEntities', {
    pk: `ENTITY#${_id}`,
    _id,
    legalName: 'Lone Star Brokerage',
    category: 'agency',
    npn: '17654321',
    ein: null,
    isNpnRequired: true,
    isDeleted: false,
    createdAt: now,
    updatedAt: now,
    ...fields,
  });
  return _id;
}

/** Imports records that must all be valid. */
export async function imported(organizationId: string | undefined, ...records: readonly object[]) {
  expect(await recordsInto(context.tables)(organizationId, records)).toMatchObject({
    imported: records.length,
    rejected: [],
  });
}

/** An organization of the agencies' side. */
export const agencyOrganization = (): Promise<string> => context.carrier(0, 'downstreamEntity');

/** An imported agency, of an organization or not; its id. */
export async function importedAgency(downstreamOrganizationId?: string): Promise<string> {
  const _id = newObjectId(new Date());
  const ofOrganization = downstreamOrganizationId === undefined ? {} : { downstreamOrganizationId };
  await imported(
    undefined,
    namedAgency(_id, 'Lone Star Brokerage', { npn: '17654321', ein: '75-1234567', ...ofOrganization }),
  );
  return _id;
}

const askContacts = (
  route: Parameters<typeof send>[1],
  organizationId: string,
  category: OrganizationCategory,
  options: EventOptions = {},
): Promise<Answer> => send(contacts, route, { identity: callerOf(organizationId, category), ...options });

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
export const agencyAdds = (organizationId: string, body: object): Promise<Answer> =>
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
export const agencyContact = (organizationId: string, contactId: string): Promise<Answer> =>
  askContacts(contactRoutes.routes.getAgencyContact, organizationId, 'downstreamEntity', {
    params: { contactId },
  });

/** What the agencies' application knows of who redeems a link. */
interface Redeemer {
  readonly organizationId?: string;
  readonly verifiedEmail?: string;
}

/** Redeems a link's token as the deployed function does. */
export const redeem = (token: string, redeemer: Redeemer = {}) =>
  linkRedemptionFunction.compose({
    linkSecret,
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
export const signIn = (carrier: string, associationId: string, email: string): Promise<Answer> =>
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
