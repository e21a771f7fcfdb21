import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type RegistryAction, unknownNpn } from '#domain/registry/registry.ts';
import { exampleRegulatoryAction } from '#domain/registry/resources.ts';
import { registryKeys } from '#domain/registry-records/stored.ts';
import { createSubscribedNpns } from '#domain/registry-records/subscriptions.ts';
import { agentsTable, registryRecordsTable, tablesOf } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { tableOf } from '#platform/data/table.ts';
import {
  overdueAfterDays,
  registryReconciliationFunction,
} from '../../functions/registry-reconciliation/function.ts';
import type { ReconciliationJob } from '../../functions/registry-reconciliation/reconcile.ts';
import { licenseOf } from '../support/agency-records.ts';
import { associationsOnTables } from '../support/associations.ts';
import { add, context } from '../support/associations-tests.ts';
import { testContext } from '../support/context.ts';
import { eventsFor } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { holdersIn } from '../support/holders.ts';
import { license as licenseLine } from '../support/import-lines.ts';
import { importInto } from '../support/imports.ts';
import { deliverMessage, testQueue } from '../support/queue-messages.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, dynamo } from '../support/tables.ts';

let agents: string;
let carrier: string;
let polled: string[];
let sent: ReconciliationJob[];
let isQueueDown: boolean;
let time: Date | undefined;
let status: string;
let actions: Map<string, RegistryAction[]>;
let mostCallsANight: number | undefined;

const { registryDataSubscriptionId, npn: _npn, updatedAt, ...license } = licenseOf({});

beforeEach(async () => {
  Object.assign(context, await associationsOnTables());
  agents = await createTable(agentsTable);
  carrier = await context.carrier();
  [polled, sent, isQueueDown, time, status] = [[], [], false, undefined, 'active'];
  [actions, mostCallsANight] = [new Map(), undefined];
});

const logger = recordingLogger();
const newFunction = (client = dynamo) =>
  registryReconciliationFunction.compose({
    registry: {
      fetch: async (npn) => {
        polled.push(npn);
        return {
          kind: 'individual',
          name: 'Maria Delgado',
          licenses: [{ ...license, status }],
          appointments: [],
          actions: actions.get(npn) ?? [],
        };
      },
    },
    send: async (jobs) => {
      if (isQueueDown) throw new Error('The queue is down.');
      sent.push(...(jobs as ReconciliationJob[]));
    },
    tables: tablesOf(client, { ...context.tables, agents }),
    queue: testQueue,
    mostCallsANight,
    context: testContext({ logger, now: () => time ?? new Date() }),
  });

/** Calls the function as its schedule does every minute, and delivers what it queues. */
async function pollFirst(client = dynamo): Promise<void> {
  const handler = newFunction(client);
  await handler({ task: 'new-npns' });
  for (const job of sent.splice(0)) await deliverMessage((event) => handler(event) as never, logger, job);
}

const importRecords = (
  records: readonly object[],
  emitEvents = false,
  importer: object = { organizationId: carrier },
) =>
  importInto({ ...context.tables, agents })({
    ...importer,
    firstLine: 1,
    lines: records.map((record) => JSON.stringify(record)),
    emitEvents,
  });

const agency = (npn: string) => ({ legalName: 'Agency', category: 'agency', npn, isNpnRequired: true });

/** Sort keys of first polls that are not made yet. */
const firstPollsLeft = async () =>
  (await everyItem(dynamo, context.tables.registryRecords))
    .map(({ sk }) => String(sk))
    .filter((sk) => sk.startsWith('FIRST#'));

const licensesOf = (npn: string, owner = carrier) =>
  holdersIn(context.tables.registryRecords).licensesOf(owner, npn);

test('an imported agent and agency, and one that is added, are polled once, and have their licenses', async () => {
  await importRecords([
    { type: 'agent', npn: '11', firstName: 'Maria', lastName: 'Delgado' },
    { type: 'association', downstreamEntity: agency('12') },
  ]);
  expect(await add(carrier, { downstreamEntityNpn: '13' })).toMatchObject({ status: 201 });
  await pollFirst();
  expect(polled.toSorted()).toEqual(['11', '12', '13']);
  for (const npn of ['11', '12', '13']) expect(await licensesOf(npn)).toHaveLength(1);
  await pollFirst();
  // The same again: nobody came in.
  await importRecords([{ type: 'agent', npn: '11', firstName: 'Maria', lastName: 'Delgado' }]);
  await pollFirst();
  expect(polled).toHaveLength(3);
});

test('an agency that gets another NPN is polled with it, for its carriers and for its own organization', async () => {
  const organization = await context.carrier(100, 'downstreamEntity');
  const entity = {
    type: 'downstream-entity',
    _id: 'd'.repeat(24),
    ...agency('12'),
    downstreamOrganizationId: organization,
  };
  await importRecords([entity, { type: 'association', downstreamEntityId: entity._id }]);
  await pollFirst();
  expect(polled.splice(0)).toEqual(['12']);
  expect(await licensesOf('12')).toHaveLength(1);
  expect(await licensesOf('12', organization)).toHaveLength(1);
  await importRecords([{ ...entity, npn: '15' }], false, {});
  await pollFirst();
  expect(polled).toEqual(['15']);
  expect(await licensesOf('15')).toHaveLength(1);
  expect(await licensesOf('15', organization)).toHaveLength(1);
});

describe('of two agents whose import was silent, a night of one call polls the one', () => {
  const agentOf = (npn: string) => ({ type: 'agent', npn, firstName: 'Maria', lastName: 'Delgado' });
  const {
    _id,
    registryDataSubscriptionId: _of,
    npn: _holder,
    updatedAt: _at,
    ...action
  } = exampleRegulatoryAction;
  const actionEvents = async () =>
    (await eventsFor(context.tables.outbox, carrier)).filter(
      ({ type }) => type === 'AGENT_REGULATORY_ACTION_ADDED',
    );

  /** The night after the first polls: of those whom nobody asked for, whoever was polled first comes first. */
  async function night(): Promise<void> {
    mostCallsANight = 1;
    time = new Date(Date.now() + 3_600_000);
    polled.length = 0;
    const handler = newFunction();
    await handler({ task: 'dispatch' });
    for (const job of sent.splice(0)) await deliverMessage((event) => handler(event) as never, logger, job);
  }

  beforeEach(async () => {
    await importRecords([agentOf('11')]);
    await pollFirst();
  });

  test('of whom the first poll found an action, and sends its event', async () => {
    actions.set('12', [action]);
    await importRecords([agentOf('12')]);
    await pollFirst();
    expect(await actionEvents()).toEqual([]);
    await night();
    expect(polled).toEqual(['12']);
    expect(await actionEvents()).toHaveLength(1);
  });

  test('of whom an action was imported, and sends its event', async () => {
    await importRecords([agentOf('12')]);
    await pollFirst();
    await importRecords([{ type: 'regulatory-action', npn: '12', ...action }]);
    expect(await actionEvents()).toEqual([]);
    await night();
    expect(polled).toEqual(['12']);
    expect(await actionEvents()).toHaveLength(1);
  });

  test('whose first poll it is, without events', async () => {
    await importRecords([agentOf('12')]);
    await night();
    expect(polled).toEqual(['12']);
    expect(await eventsFor(context.tables.outbox, carrier)).toEqual([]);
    await pollFirst();
    expect(polled).toEqual(['12']);
  });

  test('who was polled first, where there is nothing to report', async () => {
    await importRecords([agentOf('12')]);
    await pollFirst();
    await night();
    expect(polled).toEqual(['11']);
  });
});

test('a night makes the first poll of a second carrier, which has no subscription yet', async () => {
  await importRecords([{ type: 'agent', npn: '13', firstName: 'Maria', lastName: 'Delgado' }]);
  await pollFirst();
  const other = await context.carrier();
  expect(await add(other, { downstreamEntityNpn: '13' })).toMatchObject({ status: 201 });
  time = new Date(Date.now() + 3_600_000);
  const handler = newFunction();
  await handler({ task: 'dispatch' });
  for (const job of sent.splice(0)) await deliverMessage((event) => handler(event) as never, logger, job);
  expect(await licensesOf('13', other)).toHaveLength(1);
});

test('a second carrier’s agent has the NPN polled again, for both carriers', async () => {
  const agent = { type: 'agent', npn: '11', firstName: 'Maria', lastName: 'Delgado' };
  await importRecords([agent]);
  await pollFirst();
  carrier = await context.carrier();
  await importRecords([agent]);
  await pollFirst();
  expect(polled).toEqual(['11', '11']);
  expect(await licensesOf('11')).toHaveLength(1);
});

test('a poll for another carrier’s import without events sends those of the carriers that had the NPN', async () => {
  const agent = { type: 'agent', npn: '11', firstName: 'Maria', lastName: 'Delgado' };
  await importRecords([agent]);
  await pollFirst();
  const first = carrier;
  carrier = await context.carrier();
  await importRecords([agent]);
  status = 'inactive';
  await pollFirst();
  const synchronized = async (owner: string) =>
    (await eventsFor(context.tables.outbox, owner)).filter(
      ({ type }) => type === 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
    );
  expect(await synchronized(first)).toHaveLength(1);
  expect(await synchronized(carrier)).toEqual([]);
});

test('a first poll that the queue does not accept is queued by the next call', async () => {
  await add(carrier, { downstreamEntityNpn: '13' });
  isQueueDown = true;
  await expect(pollFirst()).rejects.toThrow('The queue is down.');
  isQueueDown = false;
  await pollFirst();
  expect(polled).toEqual(['13']);
});

test('an agency is polled although the NPN was, for another carrier, since its job was queued', async () => {
  await add(carrier, { downstreamEntityNpn: '13' });
  const handler = newFunction();
  await handler({ task: 'new-npns' });
  await createSubscribedNpns(
    tableOf(registryRecordsTable, dynamo, context.tables.registryRecords),
  ).recordPoll('13', new Date(Date.now() + 1_000), unknownNpn);
  for (const job of sent) await deliverMessage((event) => handler(event) as never, logger, job);
  expect(await licensesOf('13')).toHaveLength(1);
  // The second delivery of the job finds it done.
  for (const job of sent) await deliverMessage((event) => handler(event) as never, logger, job);
  expect(polled).toEqual(['13']);
});

test('a first poll whose job is lost is queued again, but not while the job may be under way', async () => {
  await add(carrier, { downstreamEntityNpn: '13' });
  const handler = newFunction();
  await handler({ task: 'new-npns' });
  await handler({ task: 'new-npns' });
  expect(sent.splice(0)).toHaveLength(1);
  time = new Date(Date.now() + 61 * 60_000);
  await pollFirst();
  expect(polled).toEqual(['13']);
  time = new Date(Date.now() + 3 * 60 * 60_000);
  await pollFirst();
  expect(polled).toEqual(['13']);
});

test('who comes in again while the poll goes on is polled again', async () => {
  await add(carrier, { downstreamEntityNpn: '13' });
  const handler = newFunction();
  await handler({ task: 'new-npns' });
  await add(carrier, { downstreamEntityNpn: '13', branchName: 'Second' });
  for (const job of sent.splice(0)) await deliverMessage((event) => handler(event) as never, logger, job);
  await pollFirst();
  expect(polled.filter((npn) => npn === '13')).not.toHaveLength(0);
  expect(await firstPollsLeft()).toEqual([]);
});

test.each([
  ['an import without events', false],
  ['an import with events', true],
])(
  '%s of a branch leaves the first poll of an agency that was just added its events',
  async (_, emitEvents) => {
    const { data } = await add(carrier, { downstreamEntityNpn: '13' });
    const { _id: downstreamEntityId } = data['downstreamEntity'] as { readonly _id: string };
    const branch = { type: 'association', downstreamEntityId, branchName: 'Second' };
    expect(await importRecords([branch], emitEvents)).toMatchObject({ imported: 1 });
    await pollFirst();
    expect(polled).toEqual(['13']);
    const types = (await eventsFor(context.tables.outbox, carrier)).map(({ type }) => type);
    expect(types).toContain('ENTITY_COMPLIANCE_DATA_SYNCHRONIZED');
  },
);

test('an agency that a carrier adds after an import without events has its first poll send events', async () => {
  const [_id, branch] = ['d'.repeat(24), 'e'.repeat(24)];
  const entity = { type: 'downstream-entity', _id, ...agency('13') };
  await importRecords([
    entity,
    { type: 'association', _id: branch, downstreamEntityId: _id, branchName: 'First' },
  ]);
  expect(await add(carrier, { downstreamEntityId: _id, branchName: 'Second' })).toMatchObject({
    status: 201,
  });
  await pollFirst();
  const types = (await eventsFor(context.tables.outbox, carrier)).map(({ type }) => type);
  expect(types).toContain('ENTITY_COMPLIANCE_DATA_SYNCHRONIZED');
});

test('imported records alone need no first poll, but the next reconciliation polls them', async () => {
  await importRecords([licenseLine({ npn: '14', stateCode: 'TX', licenseNumber: '1' })]);
  await pollFirst();
  expect(polled).toEqual([]);
  const handler = newFunction();
  await handler({ task: 'dispatch' });
  expect(sent.flatMap(({ npns }) => npns)).toEqual(['14']);
});

test('NPNs that were not polled for 28 days are logged, with how many they are, until they are', async () => {
  await importRecords([
    { type: 'agent', npn: '11', firstName: 'Maria', lastName: 'Delgado' },
    { type: 'agent', npn: '12', firstName: 'Maria', lastName: 'Delgado' },
  ]);
  await pollFirst();
  const overdue = () => logger.lines.filter(({ event }) => event === 'npns_overdue');
  const overdueAfterMs = overdueAfterDays * 86_400_000;
  expect(overdueAfterDays).toBe(28);
  time = new Date(Date.now() + overdueAfterMs - 60_000);
  await pollFirst();
  expect(overdue()).toEqual([]);
  await dynamo.send(
    new UpdateItemCommand({
      TableName: context.tables.registryRecords,
      Key: toItem(registryKeys.npn('12')),
      UpdateExpression: 'SET pollSort = :later',
      ExpressionAttributeValues: toItem({ ':later': time.toISOString() }),
    }),
  );
  time = new Date(Date.now() + overdueAfterMs + 1_000);
  await pollFirst();
  expect(overdue()).toEqual([expect.objectContaining({ level: 'warn', npns: 1 })]);
});
