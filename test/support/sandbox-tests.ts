// Shared by the tests of organizations that rehearse. Each file that imports it gets its own tables before its first test.

import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { sandboxRoutes } from '../../functions/sandbox/routes.ts';
import { sandboxNightsFunction } from '../../functions/sandbox-nights/function.ts';
import { webhooksFunction } from '../../functions/webhooks/function.ts';
import { webhookRoutes } from '../../functions/webhooks/routes.ts';
import { createSimulator } from '../../shared/domain/registry/simulator.ts';
import { createClocks } from '../../shared/domain/sandbox/clocks.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { callerOf, send } from './api-event.ts';
import { ask, clock, given, id, newOwner, now, tables } from './carrier-records.ts';
import { testContext } from './context.ts';
import { memoryDataKeys } from './data-keys.ts';
import { memoryQueues } from './deliveries.ts';
import { eventsFor } from './events.ts';
import { everyItem } from './every-item.ts';
import { publishAll } from './feed.ts';
import { agent } from './import-lines.ts';
import {
  answersOf,
  appointed,
  config,
  licensed,
  producerNpn,
  productId,
  question,
} from './sale-checks-tests.ts';
import { createTables, dynamo } from './tables.ts';

export const sandbox = sandboxRoutes.routes;
export const license = {
  stateCode: 'TX',
  licenseNumber: '100',
  licenseClassName: 'Insurance Producer',
  issueDate: '2020-01-01',
  nextRenewalDate: '2026-09-01',
  linesOfAuthority: [{ code: '16', name: 'Property' }],
};
const order = { stateCode: 'TX', actionId: '7', disposition: 'Suspension', dateOfAction: '2026-07-20' };

export let nights: () => Promise<unknown>;
let webhooks: ReturnType<typeof webhooksFunction.compose>;

beforeAll(async () => {
  const context = testContext({ now });
  const registry = createSimulator(tableOf(registryRecordsTable, dynamo, tables.registryRecords), now);
  nights = sandboxNightsFunction.compose({ registry, tables: tablesOf(dynamo, tables), context });
  webhooks = webhooksFunction.compose({
    dynamo,
    queues: memoryQueues(now).queues,
    dataKeys: memoryDataKeys(),
    tables: { ...tables, ...(await createTables(['webhooks'])) },
    addressRules: { loopback: false },
    context,
  });
});

beforeEach(() => {
  clock.ofOwners = createClocks(dynamo, tables.registryRecords);
});

export const later = (days: number): string =>
  new Date(clock.time.getTime() + days * 86_400_000).toISOString();

export async function advance(owner: string, days: number): Promise<void> {
  const asked = await ask(owner, sandbox.advanceSandboxClock, { body: { to: later(days) } });
  expect(asked).toMatchObject({ status: 202 });
  await nights();
}

export const clockOf = async (owner: string) => (await ask(owner, sandbox.getSandboxClock)).data;

export async function askForReset(owner: string): Promise<void> {
  const data = { now: clock.time.toISOString(), status: 'advancing' };
  expect(await ask(owner, sandbox.resetSandbox)).toMatchObject({ status: 202, data });
  expect(await clockOf(owner)).toEqual(data);
}

export async function reset(owner: string): Promise<void> {
  clock.time = new Date(clock.time.getTime() + 1_000);
  await askForReset(owner);
  await nights();
  expect(await clockOf(owner)).toEqual({ now: clock.time.toISOString(), status: 'ready' });
}

export const record = (owner: string, body: object) =>
  ask(owner, sandbox.replaceSandboxRegistryRecord, { params: { npn: producerNpn }, body });

/** Publishes all events of an owner; answers the feed. */
export async function feedOf(owner: string, after?: number) {
  await publishAll(tables.outbox, await eventsFor(tables.outbox, owner), { now: () => clock.time });
  const query = after === undefined ? {} : { query: { after: String(after) } };
  const route = webhookRoutes.routes.listEvents;
  const { data } = await send(webhooks, route, { identity: callerOf(owner), ...query });
  return data as { readonly items: readonly { readonly webhookType: string }[]; readonly next: number };
}

/** What says when something was written, or which visit was the last one. */
const passing = ['changedAt', 'lastVisit', 'revision', 'recordHash'];

/** All that is stored of what answers of an owner rest on, but for what was last reported, which events show. */
async function storedFor(owner: string) {
  const ofTables = [tables.registryRecords, tables.compliance].map((table) => everyItem(dynamo, table));
  return (await Promise.all(ofTables))
    .flat()
    .filter(({ pk, sk }) => String(pk).includes(owner) && !['#VERSION', 'REPORTED'].includes(String(sk)))
    .map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => !passing.includes(name))))
    .sort((one, other) => (`${one['pk']} ${one['sk']}` < `${other['pk']} ${other['sk']}` ? -1 : 1));
}

export const asked = question({ agency: undefined });

export const answersTo = async (owner: string) => ({
  checks: (await answersOf(owner, [asked])).checks,
  configs: (await ask(owner, complianceRoutes.routes.listComplianceConfigs)).data,
  stored: await storedFor(owner),
});

/** Another organization with a producer of the same NPN. */
export async function newBystander(): Promise<string> {
  const owner = await newOwner();
  const producer = agent({ _id: id(3), npn: producerNpn, downstreamEntityAssociationIds: [] });
  await given(owner, config(), producer, licensed(producerNpn), appointed(producerNpn));
  return owner;
}

export async function requireNothing(owner: string, validFrom?: string): Promise<void> {
  const states = [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }];
  const { status } = await ask(owner, complianceRoutes.routes.replaceComplianceConfig, {
    params: { productId },
    body: { productName: 'General Liability', productCode: 'CGL', states, validFrom },
  });
  expect(status).toBe(200);
}

export async function rehearse(owner: string): Promise<void> {
  expect((await record(owner, { licenses: [license], regulatoryActions: [order] })).status).toBe(200);
  await advance(owner, 45);
  await requireNothing(owner);
  await advance(owner, 90);
}
