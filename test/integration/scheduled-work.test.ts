import { createScheduledWork } from '../../functions/admin/scheduled-work.ts';
import {
  agentsTable,
  associationsTable,
  outboxTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import { createEventSteps } from '../../shared/events/outbox.ts';
import { createSweepStore } from '../../shared/licence-sweep/store.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, dynamo } from '../support/tables.ts';

async function scheduledWork(now: string) {
  const [registryRecords, agents, associations, outbox] = await Promise.all([
    createTable(registryRecordsTable),
    createTable(agentsTable),
    createTable(associationsTable),
    createTable(outboxTable),
  ]);
  const work = createScheduledWork({
    dynamo,
    tables: { registryRecords, agents, associations },
    registry: {
      subscribe: async () => undefined,
      fetchEntity: async () => undefined,
      fetchRegulatoryActions: async () => [],
    },
    events: createEventSteps(outbox),
    now: () => new Date(now),
    log: recordingLogger(),
  });
  return { work, lastDay: () => createSweepStore(dynamo, registryRecords).lastCompletedDay('2000-01-01') };
}

test('work is done as of now, as of a time, or as of a date in New York', async () => {
  const { work, lastDay } = await scheduledWork('2027-02-10T04:00:00.000Z');
  expect(await work.sweepLicences({})).toEqual({ days: 1, jobs: 32, licences: 0, events: 0, failed: 0 });
  expect(await lastDay()).toBe('2027-02-09');
  expect(await work.sweepLicences({ asOf: '2027-02-12T10:00:00.000Z' })).toMatchObject({ days: 3 });
  expect(await lastDay()).toBe('2027-02-12');
  expect(await work.sweepLicences({ asOf: '2027-02-13' })).toMatchObject({ days: 1 });
  expect(await lastDay()).toBe('2027-02-13');
});

test('a regulatory pass answers what it came to', async () => {
  const { work } = await scheduledWork('2027-02-10T04:00:00.000Z');
  const nothing = { subscriptions: 0, actions: 0, added: 0, updated: 0, failed: 0 };
  expect(await work.passRegulatoryActions({})).toEqual(nothing);
});
