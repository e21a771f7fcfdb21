import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { sandboxRoutes } from '../../functions/sandbox/routes.ts';
import { createSandboxNightsFunction } from '../../functions/sandbox-nights/function.ts';
import { createWebhooksFunction } from '../../functions/webhooks/function.ts';
import { webhookRoutes } from '../../functions/webhooks/routes.ts';
import { createSimulator } from '../../shared/domain/registry/simulator.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { createClocks } from '../../shared/domain/sandbox/clocks.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { callerOf, send } from '../support/api-event.ts';
import { ask, clock, given, id, newOwner, now, tables } from '../support/carrier-records.ts';
import { testContext } from '../support/context.ts';
import { memoryDataKeys } from '../support/data-keys.ts';
import { memoryQueues } from '../support/deliveries.ts';
import { eventsFor } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { withFaults } from '../support/faults.ts';
import { publishAll } from '../support/feed.ts';
import { agent } from '../support/import-lines.ts';
import { memoryRoles } from '../support/roles.ts';
import {
  answersOf,
  appointed,
  config,
  licensed,
  newCarrier,
  producerNpn,
  productId,
  question,
  routes,
} from '../support/sale-checks-tests.ts';
import { createTables, dynamo } from '../support/tables.ts';

const sandbox = sandboxRoutes.routes;
const license = {
  stateCode: 'TX',
  licenseNumber: '100',
  licenseClassName: 'Insurance Producer',
  issueDate: '2020-01-01',
  nextRenewalDate: '2026-09-01',
  linesOfAuthority: [{ code: '16', name: 'Property' }],
};
const order = { stateCode: 'TX', actionId: '7', disposition: 'Suspension', dateOfAction: '2026-07-20' };

let nights: () => Promise<unknown>;
let webhooks: ReturnType<typeof createWebhooksFunction>;

beforeAll(async () => {
  const context = testContext({ now });
  const registry = createSimulator(tableOf(registryRecordsTable, dynamo, tables.registryRecords), now);
  nights = createSandboxNightsFunction({ clients: { registry }, tables: tablesOf(dynamo, tables), context });
  webhooks = createWebhooksFunction({
    clients: {
      dynamo,
      queues: memoryQueues(now).queues,
      dataKeys: memoryDataKeys(),
      roles: memoryRoles().roles,
    },
    tables: { ...tables, ...(await createTables(['webhooks'])) },
    addressRules: { loopback: false },
    context,
  });
});

beforeEach(() => {
  clock.ofOwners = createClocks(dynamo, tables.registryRecords);
});

const later = (days: number): string => new Date(clock.time.getTime() + days * 86_400_000).toISOString();

async function advance(owner: string, days: number): Promise<void> {
  const asked = await ask(owner, sandbox.advanceSandboxClock, { body: { to: later(days) } });
  expect(asked).toMatchObject({ status: 202 });
  await nights();
}

const clockOf = async (owner: string) => (await ask(owner, sandbox.getSandboxClock)).data;

async function askForReset(owner: string): Promise<void> {
  const data = { now: clock.time.toISOString(), status: 'advancing' };
  expect(await ask(owner, sandbox.resetSandbox)).toMatchObject({ status: 202, data });
  expect(await clockOf(owner)).toEqual(data);
}

async function reset(owner: string): Promise<void> {
  clock.time = new Date(clock.time.getTime() + 1_000);
  await askForReset(owner);
  await nights();
  expect(await clockOf(owner)).toEqual({ now: clock.time.toISOString(), status: 'ready' });
}

const record = (owner: string, body: object) =>
  ask(owner, sandbox.replaceSandboxRegistryRecord, { params: { npn: producerNpn }, body });

/** Publishes all events of an owner; answers the feed. */
async function feedOf(owner: string, after?: number) {
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

const asked = question({ agency: undefined });

const answersTo = async (owner: string) => ({
  checks: (await answersOf(owner, [asked])).checks,
  configs: (await ask(owner, complianceRoutes.routes.listComplianceConfigs)).data,
  stored: await storedFor(owner),
});

/** Another organization with a producer of the same NPN. */
async function newBystander(): Promise<string> {
  const owner = await newOwner();
  const producer = agent({ _id: id(3), npn: producerNpn, downstreamEntityAssociationIds: [] });
  await given(owner, config(), producer, licensed(producerNpn), appointed(producerNpn));
  return owner;
}

async function requireNothing(owner: string): Promise<void> {
  const states = [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }];
  const { status } = await ask(owner, complianceRoutes.routes.replaceComplianceConfig, {
    params: { productId },
    body: { productName: 'General Liability', productCode: 'CGL', states },
  });
  expect(status).toBe(200);
}

async function rehearse(owner: string): Promise<void> {
  expect((await record(owner, { licenses: [license], regulatoryActions: [order] })).status).toBe(200);
  await advance(owner, 45);
  await requireNothing(owner);
  await advance(owner, 90);
}

test('everything is as before, but for events that were sent, whose positions stay', async () => {
  const [owner, bystander] = [await newCarrier(), await newBystander()];
  const [before, ofBystander] = [await answersTo(owner), await answersTo(bystander)];
  expect(before.checks).toMatchObject([{ answer: 'yes' }]);
  const { items: first, next } = await feedOf(owner);
  await rehearse(owner);
  const { receiptId = '', checks } = await answersOf(owner, [asked], { receipt: true });
  expect(checks).toMatchObject([{ answer: 'no' }]);
  const params = { receiptId };
  expect(await ask(owner, routes.getSaleReceipt, { params })).toMatchObject({ status: 200 });
  const during = await feedOf(owner);
  const types = during.items.map(({ webhookType }) => webhookType);
  expect(types).toEqual(
    expect.arrayContaining([
      'AGENT_COMPLIANCE_STATUS_CHANGE',
      'AGENT_LICENSE_EXPIRING',
      'AGENT_LICENSE_EXPIRED',
      'AGENT_REGULATORY_ACTION_ADDED',
    ]),
  );

  await reset(owner);
  expect(await answersTo(owner)).toEqual(before);
  expect(await answersTo(bystander)).toEqual(ofBystander);
  expect(await ask(owner, routes.getSaleReceipt, { params })).toMatchObject({ status: 404 });
  expect(await ask(owner, sandbox.getSandboxRegistryRecord, { params: { npn: producerNpn } })).toMatchObject({
    status: 404,
  });
  expect(await feedOf(owner)).toMatchObject({ items: first, next: during.next });
  expect(await feedOf(owner, next)).toMatchObject({ items: [], next: during.next });

  // Again, with the same events.
  await rehearse(owner);
  const again = await feedOf(owner, during.next);
  expect(again.items.map(({ webhookType }) => webhookType).sort()).toEqual(types.slice(first.length).sort());
});

test('what is of the past by then stays, and the registry says again what it makes up', async () => {
  const owner = await newCarrier();
  await record(owner, { licenses: [license], appointments: [] });
  await advance(owner, 1);
  const during = await answersTo(owner);
  clock.time = new Date(clock.time.getTime() + 2 * 86_400_000);
  await advance(owner, 30);
  await reset(owner);
  const facts = (items: readonly Record<string, unknown>[]) =>
    items.filter(({ sk }) => /^FACT#.*#(?:LICENSE|APPOINTMENT)#/.test(String(sk)));
  const [then, after] = [facts(during.stored), facts((await answersTo(owner)).stored)];
  expect(after).toEqual(expect.arrayContaining(then));
  // What the visit of the reset found: the registry makes up others.
  expect(after.length).toBeGreaterThan(then.length);
  expect(await eventsFor(tables.outbox, owner)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
        occurredAt: clock.time.toISOString(),
      }),
    ]),
  );
});

test.each(['before', 'after'] as const)(
  'a reset that breaks off goes on, wherever a call breaks off %s it takes effect',
  async (fault) => {
    const owner = await newCarrier();
    const before = await answersTo(owner);
    await rehearse(owner);
    await askForReset(owner);
    const isWrite = (command: string) => /Put|Update|Delete|Write/.test(command);
    let isDone = false;
    // Each run comes some writes further than the one before, until one comes to the end.
    for (let reached = 1; !isDone; reached += 4) {
      let writes = 0;
      const faultOf = (command: string) => {
        if (!isWrite(command)) return 'none';
        writes += 1;
        return writes === reached + 2 ? fault : 'none';
      };
      isDone = await withFaults(faultOf, nights).then(
        () => true,
        () => false,
      );
      // Whoever broke off keeps its lease for a while.
      if (!isDone) clock.time = new Date(clock.time.getTime() + 400_000);
      if (reached % 3 === 0) await askForReset(owner);
    }
    await nights();
    expect(await clockOf(owner)).toMatchObject({ status: 'ready' });
    expect(await answersTo(owner)).toEqual(before);
  },
);
