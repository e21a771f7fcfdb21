// What the tests of a carrier's agents, policies, compliance and sales share: tables, imports into them, and the functions that
// answer the carrier, by one clock. Each file that imports it gets its own tables before its first test.

import {
  type EntityReport,
  type Registry,
  type RegistryHolder,
  RegistryUnavailable,
} from '#domain/registry/registry.ts';
import type { Route } from '#platform/contract/route.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';
import { uses as movesUses } from '../../functions/agency-moves/uses.ts';
import { agentsFunction } from '../../functions/agents/function.ts';
import { agentRoutes } from '../../functions/agents/routes.ts';
import { complianceFunction } from '../../functions/compliance/function.ts';
import { uses as complianceUses } from '../../functions/compliance/uses.ts';
import { uses as importUses } from '../../functions/import/uses.ts';
import { saleChecksFunction } from '../../functions/sale-checks/function.ts';
import { saleCheckRoutes } from '../../functions/sale-checks/routes.ts';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { rematch as rematchAll } from '../../infra/admin/program.ts';
import { carrier, type EventOptions, send } from './api-event.ts';
import { testContext } from './context.ts';
import { importFunctionOf, recordsInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { memorySignatureKeys } from './signature-keys.ts';
import { createTables, dynamo, tablesUsedBy } from './tables.ts';

/** The time of imports and requests. */
export const clock = { time: new Date() };
export const now = (): Date => clock.time;

const used = tablesUsedBy(importUses, movesUses, complianceUses);
export let tables: Readonly<Record<(typeof used)[number], string>>;
/** Creates an organization; answers its id. */
export let newOwner: ReturnType<typeof organizationsIn>;
export let importLines: ReturnType<typeof recordsInto>;

beforeAll(async () => {
  // What is recorded before all tests is known in each of them.
  clock.time = new Date('2026-07-01T11:00:00.000Z');
  tables = await createTables(used);
  newOwner = organizationsIn(tables.organizations, now);
  importLines = recordsInto(tables, now);
});

beforeEach(() => {
  clock.time = new Date('2026-07-01T12:00:00.000Z');
  Object.assign(registryState, { asked: [], underWay: 0, atOnce: 0, down: false });
});

/** An id from a number. */
export const id = (number: number): string => number.toString(16).padStart(24, '0');

/** Imports records, all of which must be good; what is imported after them is said later. */
export async function given(
  organizationId: string | undefined,
  ...records: readonly object[]
): Promise<void> {
  expect(await importLines(organizationId, records)).toMatchObject({ rejected: [] });
  clock.time = new Date(clock.time.getTime() + 1);
}

/** Invokes the import with a command of operators. */
export const invokeImport: Invoke = async (_name, payload) => {
  const answer = await importFunctionOf(tables, now)(payload);
  return resultOf(JSON.parse(JSON.stringify(answer)));
};

/** Matches again what is open of an owner. */
export const rematch = (organizationId: string) => rematchAll(invokeImport, { organizationId });

const entity = (kind: RegistryHolder['kind'], name: string): EntityReport => ({
  kind,
  name,
  licenses: [],
  appointments: [],
  actions: [],
});

const registered = new Map([
  ['17654321', entity('firm', 'Lone Star Brokerage')],
  ['8123456', entity('individual', 'Maria Delgado')],
]);

/** What the registry, which knows two NPNs, was asked, and how many requests it had at once. */
export const registryState = { asked: [] as string[], underWay: 0, atOnce: 0, down: false };

const registry: Registry = {
  async fetch(npn) {
    registryState.asked.push(npn);
    registryState.underWay += 1;
    registryState.atOnce = Math.max(registryState.atOnce, registryState.underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    registryState.underWay -= 1;
    if (registryState.down) throw new RegistryUnavailable('down');
    return registered.get(npn);
  },
};

const receiptKeys = memorySignatureKeys();

/** The function that a route belongs to. */
function pipelineOf(route: Route): Pipeline {
  const deployed = { tables, context: testContext({ now }) };
  const isOf = ({ routes }: { readonly routes: Readonly<Record<string, Route>> }) =>
    Object.values(routes).includes(route);
  if (isOf(agentRoutes)) return agentsFunction.compose({ ...deployed, dynamo });
  if (isOf(saleCheckRoutes)) return saleChecksFunction.compose({ ...deployed, dynamo, receiptKeys });
  return complianceFunction.compose({ ...deployed, dynamo, registry, questionsADay: 30 });
}

/** What an organization is answered. It has a credential of its own, so that no test uses up another's rate limit. */
export async function ask(owner: string, route: Route, options: EventOptions = {}) {
  const identity = { ...carrier, organizationId: owner, credentialId: owner };
  const answer = await send(pipelineOf(route), route, { identity, ...options });
  return { ...answer, data: answer.json['data'], details: answer.json['details'] };
}
