// Shared by the tests of contacts. Each file that imports it gets its own tables before its first test.

import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createContactsFunction } from '../../functions/contacts/function.ts';
import { contactRoutes } from '../../functions/contacts/routes.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import type { Contact } from '../../shared/domain/contacts/resource.ts';
import { type ContactStore, createContactStore, withScope } from '../../shared/domain/contacts/store.ts';
import type { ContactScope, StoredContact } from '../../shared/domain/contacts/stored.ts';
import { contactsTable } from '../../shared/domain/contacts/table.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import type { Identity } from '../../shared/platform/identity/identity.ts';
import type { Pipeline } from '../../shared/platform/request/pipeline.ts';
import { idempotencyTable, rateCountersTable } from '../../shared/platform/request/tables.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import { testContext } from './context.ts';
import { id, scopesIn } from './scopes.ts';
import { createTable, dynamo } from './tables.ts';

export const { routes } = contactRoutes;

let pipeline: Pipeline;
export let contacts: ContactStore;
export const tables = { contacts: '', associations: '', downstreamEntities: '' };

beforeAll(async () => {
  const [idempotency, rateCounters] = await Promise.all([
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
  tables.contacts = await createTable(contactsTable);
  tables.associations = await createTable(associationsTable);
  tables.downstreamEntities = await createTable(downstreamEntitiesTable);
  contacts = createContactStore(tableOf(contactsTable, dynamo, tables.contacts));
  pipeline = createContactsFunction({
    clients: { dynamo },
    tables: { ...tables, idempotency, rateCounters },
    context: testContext(),
  });
});

export const put = (table: string, item: Record<string, unknown>) =>
  dynamo.send(new PutItemCommand({ TableName: table, Item: toItem(item) }));
export const { entity, association } = scopesIn(tables);

export const person = (email = `${id()}@agency.example`) => ({
  firstName: 'Maria',
  lastName: 'Delgado',
  email,
});

export const scopeAt = (downstreamEntityId: string, rest: Partial<ContactScope> = {}): ContactScope => ({
  downstreamEntityId,
  businessRoles: [],
  isPrimary: false,
  ...rest,
});

/** Stores a contact with these scopes. */
export async function store(scopes: readonly ContactScope[], values: Partial<StoredContact> = {}) {
  const [first, ...others] = scopes;
  if (first === undefined) throw new Error('A contact has a scope.');
  const made = withScope(undefined, { person: person(), scope: first }, new Date());
  const contact = { ...made, ...values, scopes: [first, ...others] };
  await contacts.save(undefined, contact, []);
  return contact;
}

export const ask = async (
  route: Parameters<typeof apiEvent>[0],
  caller: Pick<Identity, 'organizationId' | 'category'>,
  options: Parameters<typeof apiEvent>[1] = {},
) => {
  const identity = { ...caller, credentialId: randomUUID() };
  const { status, headers, body } = await pipeline(apiEvent(route, { identity, ...options }), lambdaContext);
  let text = '';
  if (typeof body === 'string') text = body;
  else for await (const piece of body) text += piece;
  return { status, headers, json: JSON.parse(text) as Record<string, unknown> };
};

export const carrierOf = (organizationId: string) => ({
  organizationId,
  category: 'upstreamEntity' as const,
});
export const agencyOf = (organizationId: string) => ({
  organizationId,
  category: 'downstreamEntity' as const,
});

export const listFor = async (upstream: string, query: Record<string, string> = {}): Promise<Contact[]> => {
  const { status, json } = await ask(routes.listContacts, carrierOf(upstream), { query });
  expect(status).toBe(200);
  return json['data'] as Contact[];
};

export const pageFor = async (downstream: string, query: Record<string, string> = {}) => {
  const { status, json } = await ask(routes.listAgencyContacts, agencyOf(downstream), { query });
  expect(status).toBe(200);
  return json['data'] as { items: Contact[]; total: number };
};

export const ids = (found: readonly Contact[]): string[] => found.map(({ contactId }) => contactId).sort();
