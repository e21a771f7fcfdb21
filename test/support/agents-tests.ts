// Shared by the tests of producers. Each file that imports it gets its own tables before its first test.

import { createAgentsFunction } from '../../functions/agents/function.ts';
import { agentRoutes } from '../../functions/agents/routes.ts';
import { createAgentStore } from '../../functions/agents/store.ts';
import type { AgentItem } from '../../shared/domain/agents/resource.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import type { Route } from '../../shared/platform/contract/route.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { carrier, send } from './api-event.ts';
import { testContext } from './context.ts';
import { recordsInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { createTables, dynamo } from './tables.ts';

/** The time of imports and requests. */
export const clock = { time: new Date('2026-07-01T12:00:00.000Z') };
export const now = () => clock.time;

const used = [
  'agents',
  'associations',
  'compliance',
  'contacts',
  'downstreamEntities',
  'organizations',
  'registryRecords',
] as const;
export let tables: Record<(typeof used)[number], string>;
/** Creates an organization; answers its id. */
export let newOwner: ReturnType<typeof organizationsIn>;
export let importLines: ReturnType<typeof recordsInto>;

beforeAll(async () => {
  tables = await createTables(used);
  newOwner = organizationsIn(tables.organizations, now);
  importLines = recordsInto(tables, now);
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
  const { status, json } = await send(answer, route, { params, query, identity });
  return { status, ...(json as { data: unknown; details: unknown }) };
}

export const { routes } = agentRoutes;
