// Shared by the tests of compliance changes. Each file that imports it gets new tables before each test.

import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { agentKeys, itemOfAgent } from '#domain/agents/stored.ts';
import { associationItem } from '#domain/associations/stored.ts';
import { createBaselines, createSilentMoves } from '#domain/baselines/baseline.ts';
import { createRecordConfig } from '#domain/compliance/record-config.ts';
import type { ComplianceConfig } from '#domain/decision/compliance-config.ts';
import { downstreamEntityKeys } from '#domain/downstream-entities/stored.ts';
import type { License } from '#domain/registry/resources.ts';
import { subscriptionIdOf } from '#domain/registry-records/stored.ts';
import {
  agentsTable,
  associationsTable,
  complianceTable,
  downstreamEntitiesTable,
  outboxTable,
  registryRecordsTable,
  tablesOf,
} from '#domain/tables.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import { organizationsTable } from '#platform/data/table-design.ts';
import type { SendMessages } from '#platform/queue/send.ts';
import { complianceChangesFunction, recheckJob } from '../../functions/compliance-changes/function.ts';
import { entityOf, licenseOf, producerOf } from './agency-records.ts';
import { testContext } from './context.ts';
import { eventsIn } from './events.ts';
import { newId } from './filings.ts';
import { holdersIn } from './holders.ts';
import { deliverMessage, testQueue } from './queue-messages.ts';
import { recordingLogger } from './recording-logger.ts';
import { agencyCopy } from './scopes.ts';
import { createTables, dynamo } from './tables.ts';

export const carrier = '65f0c1d2e3a4b5c6d7e8f900';
export const agentId = '65f0c1d2e3a4b5c6d7e8f903';
export const associationId = '65f0c1d2e3a4b5c6d7e8f904';
export const productId = '65f0c1d2e3a4b5c6d7e8f905';
const entityId = '65f0c1d2e3a4b5c6d7e8f906';
export const agentNpn = '8123456';
export const agencyNpn = '17654321';
export const start = Date.parse('2026-06-01T09:00:00.000Z');
const startTimestamp = new Date(start).toISOString();

const designs = {
  compliance: complianceTable,
  agents: agentsTable,
  associations: associationsTable,
  downstreamEntities: downstreamEntitiesTable,
  registryRecords: registryRecordsTable,
  organizations: organizationsTable,
  outbox: outboxTable,
};

export let names: Record<keyof typeof designs, string>;
export let work: (message: object) => Promise<unknown>;

interface Worker {
  clock: number;
  /** Its messages, and when they become visible. */
  queue: { readonly message: object; readonly at: number }[];
  /** How it sends messages: to its own queue, unless a test replaces this. */
  send: SendMessages;
  /** What it sent to its queue of what follows from imports. */
  ofImports: object[];
}

export const enqueue: SendMessages = async (messages, delaySeconds = 0) => {
  worker.queue.push(...messages.map((message) => ({ message, at: worker.clock + delaySeconds * 1_000 })));
};

export const worker: Worker = { clock: start, queue: [], send: enqueue, ofImports: [] };

const put = (table: string, item: Record<string, unknown>) =>
  dynamo.send(new PutItemCommand({ TableName: table, Item: toItem(item) }));

beforeEach(async () => {
  names = await createTables(designs);
  Object.assign(worker, { clock: start, queue: [], send: enqueue, ofImports: [] });
  const logger = recordingLogger();
  const handler = complianceChangesFunction.compose({
    send: (...sent) => worker.send(...sent),
    sendOfImports: async (messages) => void worker.ofImports.push(...messages),
    tables: tablesOf(dynamo, names),
    queue: testQueue,
    context: testContext({ logger, now: () => new Date(worker.clock) }),
  });
  work = (message) => deliverMessage(handler, logger, message);
  const long = new Date('2026-01-01T09:00:00.000Z');
  await configure([{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }], { at: long });
  await addAgent(agentId, agentNpn);
});

/** Stores an agent, of the agency unless it is said to be of others. */
export async function addAgent(
  _id: string,
  npn: string,
  downstreamEntityAssociationIds = [associationId],
): Promise<void> {
  const agent = producerOf({ _id, npn, downstreamEntityAssociationIds });
  await put(names.agents, itemOfAgent(carrier, agent, new Date()));
  await put(names.agents, { ...agentKeys.npn(carrier, npn), agentId: _id });
}

/** Records what the carrier's product requires, now unless another time is given. */
export const configure = (
  states: ComplianceConfig['states'],
  { at = new Date(worker.clock), isSilent = false } = {},
) =>
  createRecordConfig(tableOf(complianceTable, dynamo, names.compliance))(
    carrier,
    {
      config: { productId, productName: 'Cargo', states, validFrom: '2026-01-01' },
      isSilent,
      mustExist: false,
    },
    at,
    () => [],
  );

/** Stores associations of the carrier with the agency or its branches, by their ids and names. */
export const putAssociations = (branches: readonly (readonly [string, string])[]): Promise<void> =>
  writesOf(dynamo, names.associations).putAll(
    branches.map(([_id, branchName]) =>
      associationItem(
        {
          _id,
          upstreamEntityId: carrier,
          downstreamEntityId: entityId,
          externalId: null,
          producerCode: null,
          branchName,
          parentDownstreamEntityAssociationId: null,
          status: 'active',
          agency: { ...agencyCopy, npn: agencyNpn },
          isDeleted: false,
          version: 1,
          createdAt: startTimestamp,
          updatedAt: startTimestamp,
        },
        new Date(),
      ),
    ),
  );

/** Stores the agency and the carrier's association with it. */
export async function addAgency(): Promise<void> {
  const agency = entityOf(newId(), { _id: entityId, npn: agencyNpn });
  await put(names.downstreamEntities, { ...downstreamEntityKeys.entity(entityId), ...agency });
  await putAssociations([[associationId, 'North']]);
}

/**
 * Records Texas licenses of an NPN at a time, now unless another is given: a command that sends events, unless it is to be silent, and
 * begins then, unless it has begun before.
 */
export async function putLicenses(
  npn: string,
  licenses: readonly Partial<License>[],
  {
    at = new Date(worker.clock),
    isSilent = false,
    begunAt = at,
  }: { readonly at?: Date; readonly isSilent?: boolean; readonly begunAt?: Date } = {},
): Promise<void> {
  const registryDataSubscriptionId = subscriptionIdOf(carrier, npn);
  const rows = licenses.map((fields) =>
    licenseOf({ registryDataSubscriptionId, npn, linesOfAuthority: [], ...fields }),
  );
  const now = () => at;
  const moves = isSilent
    ? createSilentMoves(tablesOf(dynamo, names), now).ofRecords(carrier, npn)
    : undefined;
  await holdersIn(names.registryRecords).import(
    carrier,
    npn,
    now,
    { licenses: rows },
    { isSilent, moves, begunAt },
  );
}

/** Records a Texas license of this NPN. */
export const putLicense = (npn: string, status = 'active', isSilent = false): Promise<void> => {
  const statusDate = new Date(worker.clock).toISOString();
  return putLicenses(npn, [{ status, statusDate, nextRenewalDate: '2030-01-01' }], { isSilent });
};

/** What was last reported of an NPN. */
export const baselineOf = (npn: string) => createBaselines(tablesOf(dynamo, names)).find(carrier, npn);

/** Delivers an event of the bus to the worker, as its queue does. */
export const deliverChange = (npn?: string) =>
  work({
    source: 'test',
    detail: { eventId: randomUUID(), upstreamEntityId: carrier, payload: npn === undefined ? {} : { npn } },
  });

/** Stores what finds producers by their NPNs, with further attributes. */
export const addProducers = (npns: readonly string[], more: object = {}): Promise<void> =>
  writesOf(dynamo, names.agents).putAll(
    npns.map((npn) => ({ ...agentKeys.npn(carrier, npn), agentId, ...more })),
  );

/** Moves the clock forward, and delivers the messages that become visible meanwhile. */
export async function advance(seconds: number): Promise<void> {
  const until = worker.clock + seconds * 1_000;
  for (;;) {
    const at = Math.min(...worker.queue.map((one) => one.at));
    if (at > until) break;
    const next = worker.queue.filter((one) => one.at === at);
    worker.queue = worker.queue.filter((one) => one.at !== at);
    worker.clock = Math.max(worker.clock, at);
    await concurrently(next, async ({ message }) => void (await work(message)), 8);
  }
  worker.clock = until;
}

export const events = () => eventsIn(names.outbox);

export const npnsUpTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

/** Producers of two pages, by their size. */
export const producers = npnsUpTo(40);
export const pageSize = 25;

/** Adds them. */
export const addLargeProducers = () =>
  addProducers(producers, { filler: 'f'.repeat(2 ** 20 / pageSize - 200) });

/** Takes what the worker has sent to itself. */
export const takeMessages = (): object[] => worker.queue.splice(0).map(({ message }) => message);

/** The NPNs of a recheck’s jobs. */
export const npnsOf = (messages: readonly object[]): string[] =>
  messages.flatMap((message) => z.parse(recheckJob, message).recheck.npns);

/** Delivers the message until the worker is done with it, as the queue does; answers how often. */
export async function deliverUntilDone(deliver: () => Promise<unknown>): Promise<number> {
  for (let deliveries = 1; deliveries < 100; deliveries += 1) {
    if ((await deliver().catch(() => 'retry')) === 'done') return deliveries;
  }
  throw new Error('The worker is never done.');
}
