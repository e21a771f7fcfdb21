// Shared by the tests of producers. Each file that imports it gets its own tables before its first test.

import { createAgentsFunction } from '../../functions/agents/function.ts';
import { agentRoutes } from '../../functions/agents/routes.ts';
import { createAgentStore } from '../../functions/agents/store.ts';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import type { AgentItem } from '../../shared/domain/agents/resource.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { contactsTable } from '../../shared/domain/contacts/table.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import type { Route } from '../../shared/platform/contract/route.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { apiEvent, carrier, lambdaContext } from './api-event.ts';
import { testContext } from './context.ts';
import { importInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { createTable, dynamo } from './tables.ts';

/** The time of imports and requests. */
export const clock = { time: new Date('2026-07-01T12:00:00.000Z') };
export const now = () => clock.time;

export let tables: Record<
  'agents' | 'downstreamEntities' | 'organizations' | 'registryRecords' | 'compliance',
  string
>;
/** Creates an organization; answers its id. */
export let newOwner: ReturnType<typeof organizationsIn>;
export let importLines: (organizationId: string, records: readonly object[]) => Promise<ImportOutcome>;

beforeAll(async () => {
  const [organizationsName, agents, associations, contacts, downstreamEntities, registryRecords, compliance] =
    await Promise.all([
      createTable(organizationsTable),
      createTable(agentsTable),
      createTable(associationsTable),
      createTable(contactsTable),
      createTable(downstreamEntitiesTable),
      createTable(registryRecordsTable),
      createTable(complianceTable),
    ]);
  tables = { agents, downstreamEntities, organizations: organizationsName, registryRecords, compliance };
  newOwner = organizationsIn(organizationsName, now);
  const importRecords = importInto({ ...tables, associations, contacts }, now);
  importLines = (organizationId, records) =>
    importRecords({ organizationId, firstLine: 1, lines: records.map((record) => JSON.stringify(record)) });
});

export const registryRecords = () =>
  createRegistryRecords(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
export const store = () => createAgentStore(tableOf(agentsTable, dynamo, tables.agents), registryRecords());

export const list = (owner: string, filters: Parameters<ReturnType<typeof store>['list']>[1] = {}) =>
  collect(store().list(owner, filters));

/** The ids of agents, sorted. */
export const idsOf = (items: readonly AgentItem[]): string[] => items.map(({ agent }) => agent._id).sort();

/** An id from a number. */
export const id = (number: number): string => number.toString(16).padStart(24, '0');

/** Sends a request through the group’s pipeline. */
export async function ask(owner: string, route: Route, params: Record<string, string>, query = {}) {
  const answer = createAgentsFunction({ clients: { dynamo }, tables, context: testContext({ now }) });
  const identity = { ...carrier, organizationId: owner };
  const { status, body } = await answer(apiEvent(route, { params, query, identity }), lambdaContext);
  const chunks: string[] = [];
  if (typeof body === 'string') chunks.push(body);
  else for await (const chunk of body) chunks.push(String(chunk));
  const json = JSON.parse(chunks.join('')) as { data: unknown; details: unknown };
  return { status, ...json };
}

export const { routes } = agentRoutes;
