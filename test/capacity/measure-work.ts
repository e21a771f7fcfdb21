import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Cost, MeasuredCosts, WorkName } from '../../infra/capacity/measured-costs.ts';
import { clientSettings } from '../../infra/local/aws/call.ts';
import type { LocalRun } from '../../infra/local/local-run.ts';
import { examplePayloads } from '../../shared/domain/events/example-payloads.ts';
import { itemsOfEvent, keptDays, newEventId, outboxKeys } from '../../shared/domain/events/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { addDays, newYorkDate } from '../../shared/platform/dates/calendar.ts';
import { expiresAfterDays } from '../../shared/platform/dates/expiry.ts';
import { samplePolicyTransaction } from '../bench/sample-policies.ts';
import { everyItem } from '../support/every-item.ts';
import { admin, call, importRecords, newOrganization, type Organization } from '../support/local-api.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Meter } from './meter.ts';

interface WorkOptions {
  readonly run: LocalRun;
  readonly meter: Meter;
  readonly logDirectory: string;
  /** One step alone; all of them if undefined. */
  readonly only: string | undefined;
  /** Waits until nothing is under way. @throws Error if a function has failed since the start. */
  readonly settle: (work: string) => Promise<void>;
}

/** The table of a name, and a client that the local run's streams follow. */
async function createTableAccess({ awsEndpoint, operatorAccessKeyId, dynamo }: LocalRun) {
  const access = { accessKeyId: operatorAccessKeyId };
  const streamed = new DynamoDBClient(clientSettings({ endpoint: awsEndpoint, ...access }));
  const engine = new DynamoDBClient(clientSettings(dynamo));
  const { TableNames = [] } = await engine.send(new ListTablesCommand({}));
  const named = (name: string): string =>
    TableNames.find((physical) => physical.includes(`${name.replaceAll('-', '')}Table`)) ?? name;
  return {
    putAll: (table: string, items: readonly object[]) =>
      streamed.send(
        new TransactWriteItemsCommand({
          TransactItems: items.map((item) => ({
            Put: { TableName: named(table), Item: toItem({ ...item }) },
          })),
        }),
      ),
    items: (table: string) => everyItem(engine, named(table)),
  };
}

/** What the service does without being asked for an answer: what one operation costs each function. */
export async function measureWork({ run, meter, logDirectory, only, settle }: WorkOptions) {
  const tables = await createTableAccess(run);
  const costs: Partial<MeasuredCosts['work']> = {};

  /** Runs of the publisher: its mapping reads a stream, which no call tells. */
  const publisherRuns = async (): Promise<number> =>
    (await readFile(join(logDirectory, 'event-publisher.log'), 'utf8').catch(() => '')).split(
      /"(?:events_published|deferred_events_released)"/,
    ).length - 1;

  /** Does some work and all that follows from it, and keeps what each of the functions asked for. */
  const measure = async (
    name: WorkName,
    functions: readonly string[],
    operations: number,
    work: () => Promise<unknown>,
  ): Promise<void> => {
    await settle(`before ${name}`);
    const runsBefore = await publisherRuns();
    meter.reset();
    await work();
    await settle(name);
    const runs = (await publisherRuns()) - runsBefore;
    const byFunction = functions.map((one): [string, Cost] => {
      const cost = meter.costOf(one, operations);
      return [one, one === 'event-publisher' ? { ...cost, invocations: round(runs / operations) } : cost];
    });
    costs[name] = Object.fromEntries(byFunction);
  };

  const steps = {
    events: measureEvents,
    policies: measurePolicies,
    releases: measureReleases,
    producers: measureProducers,
    synchronizations: measureSynchronizations,
  };
  for (const [name, step] of Object.entries(steps)) if (only === undefined || only === name) await step();
  return costs;

  /**
   * Events of four carriers with a healthy webhook each, five for each at a time: more at once and a busy machine answers
   * calls so late that functions repeat them.
   */
  async function measureEvents(): Promise<void> {
    const receiver = await startReceiver(() => 204);
    const carriers = await Promise.all(Array.from({ length: 4 }, () => newOrganization('upstreamEntity')));
    const webhookType = 'AGENT_LICENSE_EXPIRING' as const;
    for (const { bearer } of carriers) {
      const body = { url: receiver.url('/'), types: [webhookType] };
      const { status, text } = await call('POST', '/v2/upstream/webhooks', { headers: bearer, body });
      if (status !== 201) throw new Error(text);
    }
    const burst = () =>
      carriers.flatMap(({ organizationId }) =>
        Array.from({ length: 5 }, () =>
          outboxItemsOf(organizationId, webhookType, examplePayloads[webhookType]),
        ),
      );
    const bursts = Array.from({ length: 5 }, burst);
    await measure(
      'event',
      ['event-publisher', 'webhook-fanout', 'webhook-delivery'],
      bursts.flat().length,
      async () => {
        for (const [index, events] of bursts.entries()) {
          await Promise.all(events.map((items) => tables.putAll('outbox', items)));
          while (receiver.got.length < events.length * (index + 1)) await settle(`burst ${index + 1}`);
        }
      },
    );
    receiver.close();
  }

  async function measurePolicies(): Promise<void> {
    const carrier = await newOrganization('upstreamEntity');
    const transactions = Array.from({ length: 200 }, (_, index) => {
      const {
        policyId: _id,
        upstreamEntityId: _of,
        ...record
      } = samplePolicyTransaction(Math.floor(index / 2), index);
      return { type: 'policy-transaction', ...record };
    });
    const importPolicies = () => importRecords(carrier.organizationId, ...transactions);
    await measure('policyTransactionImported', ['import'], transactions.length, importPolicies);
    await measure('policyTransactionImportedUnchanged', ['import'], transactions.length, importPolicies);
  }

  /**
   * Producers imported with an event each, which is released at the end of the import. Events of the producers' first polls are
   * published with them.
   */
  async function measureReleases(): Promise<void> {
    const carrier = await newOrganization('upstreamEntity');
    await measure('eventReleased', ['import', 'event-publisher'], producers, () => importAgents(carrier));
    const { import: imported, ...released } = costs.eventReleased ?? {};
    if (imported === undefined) throw new Error('Nothing was imported.');
    costs.agentImportedWithEvent = { import: imported };
    costs.eventReleased = released;
  }

  /** Licenses of producers, whose compliance changes with them, and what happens with them at night. */
  async function measureProducers(): Promise<void> {
    const carrier = await newOrganization('upstreamEntity');
    await importAgents(carrier);
    const licenses = npns(producers).map((npn, index) => licenseOf(npn, index));
    await measure('licenseImported', ['import'], licenses.length, () =>
      importRecords(carrier.organizationId, ...licenses),
    );
    await complianceOf(carrier);
    await measureNights();
  }

  /** Changes on which the compliance of producers depends, each reported when its window has ended. */
  async function complianceOf({ organizationId, bearer }: Organization): Promise<void> {
    const changed = npns(10);
    const states = [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'not required' }];
    const body = { productName: 'General Liability', states };
    await call('PUT', `/v2/upstream/compliance-configs/${newObjectId(new Date())}`, {
      headers: bearer,
      body,
    });
    await settle('work');
    await pause(windowMs);
    await measure('complianceChange', ['compliance-changes'], changed.length, async () => {
      const events = changed.map((npn) =>
        outboxItemsOf(organizationId, 'COMPLIANCE_INPUTS_CHANGED', { npn }),
      );
      await Promise.all(events.map((items) => tables.putAll('outbox', items)));
      await settle('work');
      await pause(windowMs);
    });
  }

  /** Synchronizations of an agency, of which only the first finds something new. */
  async function measureSynchronizations(): Promise<void> {
    const { bearer: headers } = await newOrganization('upstreamEntity');
    const path = '/v2/upstream/downstream-entity-associations';
    const agency = {
      downstreamEntityName: 'Lone Star Brokerage',
      firstName: 'Maria',
      lastName: 'Delgado',
      email: 'maria.delgado@example.com',
      category: 'agency',
      isNpnRequired: true,
      downstreamEntityNpn: '17654322',
    };
    const { json } = await call('POST', `${path}/add`, { headers, body: agency });
    const { _id } = z.parse(z.looseObject({ _id: z.string() }), json['data']);
    await measure('synchronization', ['registry-sync'], synchronizations, async () => {
      for (let time = 0; time < synchronizations; time += 1) {
        const { status, text } = await call('POST', `${path}/${_id}/sync`, { headers });
        if (status !== 202) throw new Error(text);
        await settle('work');
      }
    });
  }

  /** The license sweep, and the nightly polls of the registry, of which the second find nothing new. */
  async function measureNights(): Promise<void> {
    await run.fireSchedule('registry-reconciliation-new-npns');
    await settle('work');
    const polled = (await tables.items('registry-records')).filter(({ sk }) => sk === 'NPN').length;
    const poll = () => run.fireSchedule('registry-reconciliation-dispatch');
    await measure('licenseSwept', ['license-sweep'], npns(producers).length, () =>
      run.fireSchedule('license-sweep-dispatch'),
    );
    await poll();
    await measure('poll', ['registry-reconciliation'], polled, poll);
  }
}

/** Longer than a window of compliance changes, and its delayed message. */
const windowMs = 75_000;

const synchronizations = 3;

/** Producers with a license each: more of them, and a busy machine answers their first polls too late. */
const producers = 40;

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

const npns = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(72_000_000 + index));

const agentOf = (npn: string, index: number) => ({
  type: 'agent',
  npn,
  firstName: 'Maria',
  lastName: `Delgado ${index}`,
  email: `maria.${index}@example.com`,
});

/** Imports producers, each with an event. */
const importAgents = ({ organizationId }: Organization) =>
  admin('import', {
    organizationId,
    firstLine: 1,
    lines: npns(producers).map((npn, index) => JSON.stringify(agentOf(npn, index))),
    emitEvents: true,
  });

/** A license that the sweep reports today as expiring. */
const licenseOf = (npn: string, index: number) => ({
  type: 'license',
  npn,
  stateCode: 'TX',
  licenseNumber: String(400_000 + index),
  status: 'active',
  issueDate: '2020-01-01',
  nextRenewalDate: addDays(newYorkDate(new Date()), 60),
  linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
});

/** The items of an event, as the transaction of its change writes them. */
function outboxItemsOf(upstreamEntityId: string, type: string, payload: unknown): readonly object[] {
  const [eventId, entityId, at] = [newEventId(), newObjectId(new Date()), new Date()];
  const event = {
    ...outboxKeys.event(upstreamEntityId, entityId, eventId),
    ...{ eventId, type, upstreamEntityId, entityId, occurredAt: at.toISOString(), payload },
  };
  return itemsOfEvent(event, expiresAfterDays(at, keptDays));
}
