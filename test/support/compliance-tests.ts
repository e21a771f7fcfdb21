// Shared by the tests of compliance. Each file that imports it gets its own tables before its first test.

import { createComplianceFunction } from '../../functions/compliance/function.ts';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import {
  type Registry,
  type RegistryEntity,
  RegistryUnavailable,
} from '../../shared/domain/registry/registry.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import type { Route } from '../../shared/platform/contract/route.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import type { Pipeline } from '../../shared/platform/request/pipeline.ts';
import { idempotencyTable, rateCountersTable } from '../../shared/platform/request/tables.ts';
import { apiEvent, carrier, type EventOptions, lambdaContext } from './api-event.ts';
import { testContext } from './context.ts';
import { importInto } from './imports.ts';
import { organizationsIn } from './organizations.ts';
import { createTable, dynamo } from './tables.ts';

export const { routes } = complianceRoutes;

export const productId = '65f0c1d2e3a4b5c6d7e8f905';

let pipeline: Pipeline;
export let registryRecordsName: string;
export let outbox: string;
export let importConfigs: (owner: string, configs: readonly object[]) => Promise<unknown>;
export let newOwner: () => Promise<string>;

const entity = (kind: RegistryEntity['kind'], name: string): RegistryEntity => ({
  kind,
  name,
  residentStateCode: null,
  licenses: [],
  appointments: [],
});

/** A registry that knows two NPNs, and counts concurrent requests. */
function fakeRegistry() {
  const state = { asked: [] as string[], underWay: 0, atOnce: 0, down: false };
  const known = new Map([
    ['17654321', entity('firm', 'Lone Star Brokerage')],
    ['8123456', entity('individual', 'Maria Delgado')],
  ]);
  const registry: Registry = {
    subscribe: () => Promise.resolve(),
    async fetch(npn) {
      state.asked.push(npn);
      state.underWay += 1;
      state.atOnce = Math.max(state.atOnce, state.underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      state.underWay -= 1;
      if (state.down) throw new RegistryUnavailable('down');
      const found = known.get(npn);
      return found && { ...found, actions: [] };
    },
  };
  return { state, registry };
}

export const { state: registryState, registry } = fakeRegistry();

beforeAll(async () => {
  const [compliance, registryRecords, idempotency, rateCounters, organizationsName] = await Promise.all([
    createTable(complianceTable),
    createTable(registryRecordsTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
    createTable(organizationsTable),
  ]);
  registryRecordsName = registryRecords;
  outbox = await createTable(outboxTable);
  newOwner = organizationsIn(organizationsName);
  const importRecords = importInto({ compliance, organizations: organizationsName });
  importConfigs = async (organizationId, configs) => {
    const lines = configs.map((config) => JSON.stringify({ type: 'compliance-config', ...config }));
    expect(await importRecords({ organizationId, firstLine: 1, lines })).toMatchObject({ rejected: [] });
  };
  pipeline = createComplianceFunction({
    clients: { dynamo, registry },
    tables: {
      // What the lists of policies and the receipts read, which have tests of their own.
      agents: 'no-agents',
      associations: 'no-associations',
      carriers: 'no-carriers',
      downstreamEntities: 'no-entities',
      organizations: organizationsName,
      policies: 'no-policies',
      saleReceipts: 'no-receipts',
      compliance,
      outbox,
      registryRecords,
      idempotency,
      rateCounters,
    },
    context: testContext(),
  });
});

beforeEach(() => {
  Object.assign(registryState, { asked: [], underWay: 0, atOnce: 0, down: false });
});

/** Each organization has its own credential, so that no test uses up another’s rate limit. */
export async function ask(owner: string, route: Route, options: EventOptions = {}) {
  const identity = { ...carrier, organizationId: owner, credentialId: owner };
  const { status, body, headers } = await pipeline(apiEvent(route, { identity, ...options }), lambdaContext);
  const chunks: string[] = [];
  if (typeof body === 'string') chunks.push(body);
  else for await (const chunk of body) chunks.push(String(chunk));
  const json = JSON.parse(chunks.join('')) as { data?: unknown; errorType?: string; details?: unknown };
  return { status, headers, ...json };
}
