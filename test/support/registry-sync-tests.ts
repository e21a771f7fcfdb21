// Shared by the tests of synchronizations. Each file that imports it gets its own tables before its first test.

import { randomUUID } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type {
  EntityReport,
  Registry,
  RegistryAction,
  RegistryAppointment,
  RegistryLicense,
} from '#domain/registry/registry.ts';
import type { SyncJob } from '#domain/registry-records/resources.ts';
import { registryKeys } from '#domain/registry-records/stored.ts';
import { outboxTable, registryRecordsTable, tablesOf } from '#domain/tables.ts';
import { stateCodes } from '#platform/contract/primitives.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { registrySyncFunction } from '../../functions/registry-sync/function.ts';
import { testContext } from './context.ts';
import { eventsAbout } from './events.ts';
import { deliverMessage, testQueue } from './queue-messages.ts';
import { recordingLogger } from './recording-logger.ts';
import { heldOf, queueJob } from './registry-records.ts';
import { lineOf } from './sample-records.ts';
import { createTable, dynamo } from './tables.ts';

export let table: string;
let outbox: string;
export const newTables = async () => {
  [table, outbox] = await Promise.all([createTable(registryRecordsTable), createTable(outboxTable)]);
};
beforeAll(newTables);

export const first = new Date('2026-03-01T09:00:00.000Z');
export const later = new Date('2026-04-01T09:00:00.000Z');
export const npn = '17654321';

export const license = (index: number, status = 'active'): RegistryLicense => ({
  stateCode: stateCodes[index % stateCodes.length] ?? 'TX',
  licenseNumber: String(1_000 + index),
  licenseClassCode: '1',
  licenseClassName: 'Agency',
  status,
  residencyStatus: 'resident',
  issueDate: '2020-01-01',
  nextRenewalDate: '2027-03-31',
  expirationDate: '2027-03-31',
  statusReason: null,
  statusDate: null,
  linesOfAuthority: [lineOf({ code: '16', name: 'Casualty' })],
});
export const appointment = (index: number): RegistryAppointment => ({
  stateCode: 'TX',
  carrierName: 'Beacon Specialty Insurance Company',
  ein: null,
  companyCode: String(index),
  lineOfAuthorityName: 'Casualty',
  lineOfAuthorityCode: '16',
  status: 'active',
  terminationReason: null,
  statusChangeDate: null,
  renewalDate: null,
  appointerStateCoId: null,
  countyName: null,
  effectiveDate: null,
  countyCode: null,
});
export const action = (actionId: string, disposition: string): RegistryAction => ({
  stateCode: 'TX',
  actionId,
  originOfAction: null,
  reasonForAction: null,
  disposition,
  dateOfAction: '2025-05-02',
  effectiveDate: null,
  enterDate: null,
  fileRef: null,
  penaltyFineForfeitureInUSD: 500,
  lengthOfOrderInDays: null,
});
export const entity = (
  licenses: RegistryLicense[],
  appointments: RegistryAppointment[] = [],
): EntityReport => ({ kind: 'firm', name: 'A firm', licenses, appointments, actions: [] });

export const count = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** A registry with these records. */
export const registryOf = (
  known: EntityReport | undefined,
  actions: readonly RegistryAction[] = [],
): Registry => ({ fetch: async () => known && { ...known, actions } });

/** Queues a job for a new organization’s subscription, or the one given. */
export const newJob = (given: Partial<Parameters<typeof queueJob>[2]> = {}): Promise<SyncJob> =>
  queueJob(dynamo, table, { organizationId: newObjectId(first), npn, jobId: randomUUID(), ...given });

/** Queues another job for the same subscription. */
export async function requeued(job: SyncJob, jobId: string = randomUUID()): Promise<SyncJob> {
  await dynamo.send(
    new UpdateItemCommand({
      TableName: table,
      Key: toItem(registryKeys.subscription(job.organizationId, job.registryDataSubscriptionId)),
      UpdateExpression: 'SET entityInfo.jobId = :job, entityInfo.#status = :queued',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: toItem({ ':job': jobId, ':queued': 'queued' }),
    }),
  );
  return { ...job, jobId };
}

/** The events about a job's subscription. */
export const eventsOf = ({ registryDataSubscriptionId }: SyncJob) =>
  eventsAbout(outbox, registryDataSubscriptionId);

export function setUp(registry: Registry, now = first) {
  const logger = recordingLogger();
  const handler = registrySyncFunction.compose({
    registry,
    tables: tablesOf(dynamo, { registryRecords: table, outbox }),
    queue: testQueue,
    context: testContext({ logger, now: () => now }),
  });
  return {
    lines: logger.lines,
    work: (message: SyncJob, last = false) => deliverMessage(handler, logger, message, { last }),
  };
}

/** The job's subscription and its records, as they are stored. */
export const storedOf = (job: SyncJob) => heldOf(dynamo, table, job);

export const statusOf = async (job: SyncJob) => (await storedOf(job)).subscription?.['entityInfo'];
