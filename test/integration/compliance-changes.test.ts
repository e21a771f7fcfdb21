import { BatchWriteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createComplianceChangesFunction } from '../../functions/compliance-changes/function.ts';
import { dueMessage } from '../../functions/compliance-changes/messages.ts';
import { createChangeStore } from '../../functions/compliance-changes/store.ts';
import { agentKeys, itemOfAgent, type StoredAgent } from '../../shared/agents/stored.ts';
import { associationItem } from '../../shared/associations/stored.ts';
import { complianceKeys } from '../../shared/compliance/stored.ts';
import { stateCodes } from '../../shared/contract/primitives.ts';
import { concurrently } from '../../shared/data/concurrently.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import {
  agentsTable,
  associationsTable,
  complianceTable,
  downstreamEntitiesTable,
  outboxTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import { downstreamEntityKeys } from '../../shared/downstream-entities/stored.ts';
import { eventOf } from '../../shared/events/event.ts';
import type { SendMessages } from '../../shared/queue/send-messages.ts';
import { licenseItem, subscriptionIdOf } from '../../shared/registry-records/stored.ts';
import type { ComplianceConfig } from '../../shared/resources/compliance.ts';
import { testContext } from '../support/context.ts';
import { eventsIn } from '../support/events.ts';
import { withInterruption } from '../support/faults.ts';
import { handOver, testQueue } from '../support/queue-messages.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTables, dynamo } from '../support/tables.ts';

const carrier = '65f0c1d2e3a4b5c6d7e8f900';
const agentId = '65f0c1d2e3a4b5c6d7e8f903';
const associationId = '65f0c1d2e3a4b5c6d7e8f904';
const productId = '65f0c1d2e3a4b5c6d7e8f905';
const entityId = '65f0c1d2e3a4b5c6d7e8f906';
const agentNpn = '8123456';
const agencyNpn = '17654321';
const start = Date.parse('2026-06-01T09:00:00.000Z');

const designs = {
  compliance: complianceTable,
  agents: agentsTable,
  associations: associationsTable,
  downstreamEntities: downstreamEntitiesTable,
  registryRecords: registryRecordsTable,
  outbox: outboxTable,
};

let names: Record<keyof typeof designs, string>;
let work: (message: object) => Promise<unknown>;
let clock: number;
/** The worker's queue: messages, and when they come out. */
let queue: { readonly message: object; readonly at: number }[];
/** What becomes of messages that the worker sends: they go to its queue, unless told. */
let send: SendMessages;

const enqueue: SendMessages = async (messages, delaySeconds = 0) => {
  queue.push(...messages.map((message) => ({ message, at: clock + delaySeconds * 1_000 })));
};

const put = (table: string, item: Record<string, unknown>) =>
  dynamo.send(new PutItemCommand({ TableName: table, Item: toItem(item) }));

beforeEach(async () => {
  names = await createTables(designs);
  clock = start;
  queue = [];
  send = enqueue;
  const logger = recordingLogger();
  const handler = createComplianceChangesFunction({
    clients: { dynamo, send: (...sent) => send(...sent) },
    tables: names,
    queue: testQueue,
    context: testContext({ logger, now: () => new Date(clock) }),
  });
  work = (message) => handOver(handler, logger, message);
  await configure([{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }]);
  await addAgent(agentNpn, agentId);
});

const configure = (states: ComplianceConfig['states'], product: { id?: string; name?: string } = {}) =>
  put(names.compliance, {
    ...complianceKeys.config(carrier, product.id ?? productId),
    productId: product.id ?? productId,
    productName: product.name ?? 'Cargo',
    states,
    isDeleted: false,
    createdAt: new Date(start).toISOString(),
    updatedAt: new Date(start).toISOString(),
  });

async function addAgent(npn: string, _id: string): Promise<void> {
  const agent: StoredAgent = {
    _id,
    npn,
    firstName: 'Maria',
    middleName: null,
    lastName: 'Delgado',
    email: null,
    labeledEmails: [],
    isDeliverable: false,
    externalId: null,
    authority: [],
    downstreamEntityAssociationIds: [associationId],
    downstreamEntityIds: [],
    creationPath: 'import',
    isUploadedByUpstreamEntity: true,
    isArchived: false,
    isDeleted: false,
    createdAt: new Date(start).toISOString(),
    updatedAt: new Date(start).toISOString(),
  };
  await put(names.agents, itemOfAgent(carrier, agent));
  await put(names.agents, { ...agentKeys.npn(carrier, npn), agentId: _id });
}

async function addAgency(): Promise<void> {
  const at = new Date(start).toISOString();
  await put(names.downstreamEntities, {
    ...downstreamEntityKeys.entity(entityId),
    _id: entityId,
    legalName: 'Lone Star Brokerage',
    category: 'agency',
    npn: agencyNpn,
    ein: null,
    isNpnRequired: true,
    isDeleted: false,
    createdAt: at,
    updatedAt: at,
  });
  await put(
    names.associations,
    associationItem({
      _id: associationId,
      upstreamEntityId: carrier,
      downstreamEntityId: entityId,
      externalId: null,
      producerCode: null,
      branchName: 'North',
      parentDownstreamEntityAssociationId: null,
      status: 'active',
      agency: { npn: agencyNpn, isDeleted: false },
      isDeleted: false,
      version: 1,
      createdAt: at,
      updatedAt: at,
    }),
  );
}

const license = (npn: string, status = 'active', stateCode: 'TX' | 'OK' = 'TX') =>
  put(
    names.registryRecords,
    licenseItem(carrier, {
      registryDataSubscriptionId: subscriptionIdOf(carrier, npn),
      npn,
      stateCode,
      licenseNumber: '1',
      licenseClassCode: null,
      licenseClassName: null,
      status,
      residencyStatus: 'resident',
      issueDate: null,
      nextRenewalDate: '2030-01-01',
      expirationDate: null,
      linesOfAuthority: [],
      updatedAt: new Date(start).toISOString(),
    }),
  );

/** An event of the bus, as it comes out of the queue. */
const busSays = (npn?: string) =>
  work({ source: 'test', detail: { upstreamEntityId: carrier, payload: npn === undefined ? {} : { npn } } });

/** Lets the time pass, and with it what comes out of the queue. */
async function pass(seconds: number): Promise<void> {
  const until = clock + seconds * 1_000;
  for (;;) {
    const at = Math.min(...queue.map((one) => one.at));
    if (at > until) break;
    const next = queue.filter((one) => one.at === at);
    queue = queue.filter((one) => one.at !== at);
    clock = Math.max(clock, at);
    await concurrently(next, 8, async ({ message }) => void (await work(message)));
  }
  clock = until;
}

const told = () => eventsIn(names.outbox);

test('a change is told a minute later, with what changed, and nothing twice', async () => {
  await license(agentNpn);
  await busSays(agentNpn);
  await pass(59);
  expect(await told()).toEqual([]);
  await pass(2);
  const [event, ...others] = await told();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ type: 'AGENT_COMPLIANCE_STATUS_CHANGE', entityId: agentId });
  const whole = { ...event, webhookType: event?.type, sequence: 1 };
  expect(z.parse(eventOf('AGENT_COMPLIANCE_STATUS_CHANGE'), whole).payload).toEqual([
    {
      agentId,
      npn: agentNpn,
      downstreamEntityAssociationIds: [associationId],
      products: [
        {
          productId,
          productName: 'Cargo',
          states: [
            {
              stateCode: 'TX',
              complianceStatus: 'COMPLIANT',
              licenseStatus: { statusName: 'Licensed' },
              appointmentStatus: { statusName: 'Not Required' },
            },
          ],
        },
      ],
    },
  ]);
  await busSays(agentNpn);
  await pass(120);
  expect(await told()).toHaveLength(1);
  expect(queue).toEqual([]);
});

test('one of whom the registry knows nothing is not told of, and then compared with that', async () => {
  await busSays(agentNpn);
  await pass(61);
  expect(await told()).toEqual([]);
  await license(agentNpn);
  await busSays(agentNpn);
  await pass(61);
  await license(agentNpn, 'inactive');
  await busSays(agentNpn);
  await pass(61);
  const names = (await told()).map(
    ({ payload }) => JSON.stringify(payload).match(/"statusName":"([^"]+)"/)?.[1],
  );
  expect(names).toEqual(['Licensed', 'Missing License']);
});

test('changes slide the window, up to thirty minutes', async () => {
  await license(agentNpn);
  for (let minute = 0; minute < 40; minute += 0.75) {
    await busSays(agentNpn);
    await pass(45);
    const due = (await told()).map(({ occurredAt }) => Date.parse(occurredAt) - start);
    if (clock - start < 30 * 60_000) expect(due).toEqual([]);
    else expect(due).toEqual([30 * 60_000]);
  }
  // Each window has one message, whatever number of changes it takes.
  expect(queue).toHaveLength(1);
});

test('a product and a state that are asked about no longer are STATE_REMOVED', async () => {
  await addAgency();
  await license(agencyNpn);
  await busSays(agencyNpn);
  await pass(61);
  await configure([{ stateCode: 'OK', linesOfAuthority: [], appointment: 'on binding' }]);
  await busSays(agencyNpn);
  await pass(61);
  const [, last] = await told();
  expect(last).toMatchObject({
    type: 'DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE',
    entityId: associationId,
    payload: [
      {
        downstreamEntityAssociationId: associationId,
        legalName: 'Lone Star Brokerage',
        branchName: 'North',
        npn: agencyNpn,
        products: [
          {
            states: [
              {
                stateCode: 'OK',
                complianceStatus: 'NOT_COMPLIANT',
                licenseStatus: { statusName: 'Missing License' },
                appointmentStatus: { statusName: 'Appointment on Binding' },
              },
              {
                stateCode: 'TX',
                licenseStatus: { statusName: 'STATE_REMOVED' },
                appointmentStatus: { statusName: 'STATE_REMOVED' },
              },
            ],
          },
        ],
      },
    ],
  });
});

test('a change without an NPN concerns every producer and every agency of the carrier', async () => {
  await addAgency();
  // More than one page of them.
  const others = Array.from({ length: 205 }, (_, index) => String(index + 1));
  for (let at = 0; at < others.length; at += 25) {
    const RequestItems = {
      [names.agents]: others
        .slice(at, at + 25)
        .map((npn) => ({ PutRequest: { Item: toItem({ ...agentKeys.npn(carrier, npn), agentId }) } })),
    };
    await dynamo.send(new BatchWriteItemCommand({ RequestItems }));
  }
  await Promise.all([agentNpn, agencyNpn].map((npn) => license(npn)));
  await busSays();
  await pass(0);
  const noted = queue.map(({ message }) => z.parse(dueMessage, message).due.npn);
  expect(noted.sort()).toEqual([agentNpn, agencyNpn, ...others].sort());
  queue = queue.filter(({ message }) => [agentNpn, agencyNpn].includes(z.parse(dueMessage, message).due.npn));
  await pass(61);
  expect((await told()).map((event) => event.entityId).sort()).toEqual([agentId, associationId]);
  expect(queue).toEqual([]);
});

test('a message that could not be sent is sent when the change is delivered again', async () => {
  await license(agentNpn);
  send = () => Promise.reject(new Error('broken off'));
  await expect(busSays(agentNpn)).rejects.toThrow('broken off');
  send = enqueue;
  await busSays(agentNpn);
  await pass(61);
  expect(await told()).toHaveLength(1);
});

test('a window whose message was lost gets another one with the next change', async () => {
  await license(agentNpn);
  await busSays(agentNpn);
  queue = [];
  clock += 17 * 60_000;
  await busSays(agentNpn);
  await pass(61);
  expect(await told()).toHaveLength(1);
});

test('workers that meet tell of a change once', async () => {
  await license(agentNpn);
  await busSays(agentNpn);
  const [next] = queue.splice(0);
  clock = start + 60_000;
  if (next === undefined) throw new Error('There is no message.');
  await Promise.all(Array.from({ length: 6 }, () => work(next.message)));
  expect(await told()).toHaveLength(1);
});

test('what changes while a change is told is told with it, or after it', async () => {
  await license(agentNpn);
  await busSays(agentNpn);
  clock = start + 60_000;
  const [next] = queue.splice(0);
  const readsConfigs = (command: string, input: object) =>
    command === 'QueryCommand' && JSON.stringify(input).includes(complianceKeys.config(carrier, '').pk);
  await withInterruption(
    readsConfigs,
    async () => {
      await license(agentNpn, 'inactive');
      await busSays(agentNpn);
    },
    () => work(next?.message ?? {}),
  );
  await pass(61);
  // Licensed for a moment only: by the end of the window there is nothing to tell.
  expect(await told()).toEqual([]);
});

test('an agency with many branches, and products for every state, are told in full', async () => {
  await addAgency();
  const at = new Date(start).toISOString();
  const branches = Array.from({ length: 94 }, (_, index) => String(index + 1).padStart(24, 'b'));
  for (const _id of branches) {
    await put(
      names.associations,
      associationItem({
        _id,
        upstreamEntityId: carrier,
        downstreamEntityId: entityId,
        externalId: null,
        producerCode: null,
        branchName: _id,
        parentDownstreamEntityAssociationId: null,
        status: 'active',
        agency: { npn: agencyNpn, isDeleted: false },
        isDeleted: false,
        version: 1,
        createdAt: at,
        updatedAt: at,
      }),
    );
  }
  await busSays(agencyNpn);
  await pass(61);
  await configure(
    stateCodes.map((stateCode) => ({ stateCode, linesOfAuthority: ['16'], appointment: 'required' })),
  );
  await busSays(agencyNpn);
  await pass(61);
  const events = await told();
  expect(events).toHaveLength(95);
  expect(new Set(events.map((event) => event.entityId)).size).toBe(95);
});

test('an NPN that nobody of the carrier has is forgotten', async () => {
  await license('42');
  await busSays('42');
  await pass(61);
  expect(await told()).toEqual([]);
  const changes = createChangeStore(dynamo, names);
  expect(await changes.find(carrier, '42')).toBeUndefined();
  expect(await changes.reported(carrier, '42')).toBeUndefined();
});
