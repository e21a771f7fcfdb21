// Shared by the tests of contacts. Each file that imports it gets its own tables before its first test.

import type { Contact } from '#domain/contacts/resource.ts';
import { type ContactStore, createContactStore, withScope } from '#domain/contacts/store.ts';
import type { ContactScope, StoredContact } from '#domain/contacts/stored.ts';
import { contactsTable } from '#domain/tables.ts';
import type { Identity } from '#platform/contract/route.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';
import { contactsFunction } from '../../functions/contacts/function.ts';
import { contactRoutes } from '../../functions/contacts/routes.ts';
import { callerOf, type EventOptions, send } from './api-event.ts';
import { testContext } from './context.ts';
import { id, scopesIn } from './scopes.ts';
import { createTables, dynamo } from './tables.ts';

export const { routes } = contactRoutes;

let pipeline: Pipeline;
type Scopes = ReturnType<typeof scopesIn>;
export let entity: Scopes['entity'];
export let association: Scopes['association'];
export let contacts: ContactStore;
const used = ['contacts', 'associations', 'downstreamEntities', 'idempotency', 'rateCounters'] as const;
export let tables: Record<(typeof used)[number], string>;

beforeAll(async () => {
  tables = await createTables(used);
  ({ entity, association } = scopesIn(tables));
  contacts = createContactStore(tableOf(contactsTable, dynamo, tables.contacts));
  pipeline = contactsFunction.compose({
    dynamo,
    tables,
    context: testContext(),
  });
});

export const put = (table: string, item: Record<string, unknown>) => writesOf(dynamo, table).putAll([item]);

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

type Caller = Pick<Identity, 'organizationId' | 'category'>;

export const ask = (
  route: Parameters<typeof send>[1],
  { organizationId, category }: Caller,
  options: EventOptions = {},
) => send(pipeline, route, { identity: callerOf(organizationId, category), ...options });

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
