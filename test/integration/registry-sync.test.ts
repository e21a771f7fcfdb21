import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { createRegistrySyncFunction } from '../../functions/registry-sync/function.ts';
import { stateCodes } from '../../shared/contract/primitives.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import { outboxTable, registryRecordsTable } from '../../shared/data/tables.ts';
import {
  type Registry,
  type RegistryAction,
  type RegistryEntity,
  RegistryUnavailable,
} from '../../shared/registry/registry.ts';
import type { SyncJob } from '../../shared/registry/sync-job.ts';
import { registryKeys } from '../../shared/registry-records/stored.ts';
import { testContext } from '../support/context.ts';
import { eventsIn } from '../support/events.ts';
import { handOver, testQueue } from '../support/queue-messages.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { heldOf, queueJob } from '../support/registry-records.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

let table: string;
let outbox: string;
const newTables = async () => {
  [table, outbox] = await Promise.all([createTable(registryRecordsTable), createTable(outboxTable)]);
};
beforeAll(newTables);

const first = new Date('2026-03-01T09:00:00.000Z');
const later = new Date('2026-04-01T09:00:00.000Z');
const npn = '17654321';

const license = (index: number, status = 'active'): RegistryEntity['licenses'][number] => ({
  stateCode: stateCodes[index % stateCodes.length] ?? 'TX',
  licenseNumber: String(1_000 + index),
  licenseClassCode: '1',
  licenseClassName: 'Agency',
  status,
  residencyStatus: 'resident',
  issueDate: '2020-01-01',
  nextRenewalDate: '2027-03-31',
  expirationDate: '2027-03-31',
  linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
});
const appointment = (index: number): RegistryEntity['appointments'][number] => ({
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
});
const action = (actionId: string, disposition: string): RegistryAction => ({
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
const entity = (
  licenses: RegistryEntity['licenses'],
  appointments: RegistryEntity['appointments'] = [],
): RegistryEntity => ({ kind: 'firm', name: 'A firm', residentStateCode: 'TX', licenses, appointments });

const count = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** A registry that answers this, and counts who subscribed. */
const registryOf = (
  known: RegistryEntity | undefined,
  actions: readonly RegistryAction[] = [],
): Registry & { readonly subscribed: string[] } => {
  const subscribed: string[] = [];
  return {
    subscribed,
    subscribe: async (one) => void subscribed.push(one),
    fetchEntity: async () => known,
    fetchRegulatoryActions: async () => actions,
  };
};

const newJob = (): Promise<SyncJob> =>
  queueJob(dynamo, table, { organizationId: newObjectId(first), npn, jobId: randomUUID() });

/** Queues another job for the same subscription. */
async function requeued(job: SyncJob, jobId: string = randomUUID()): Promise<SyncJob> {
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

/** What carriers were told of the job's subscription. */
const toldOf = async ({ registryDataSubscriptionId }: SyncJob) =>
  (await eventsIn(outbox)).filter(({ entityId }) => entityId === registryDataSubscriptionId);

function setUp(registry: Registry, now = first) {
  const logger = recordingLogger();
  const handler = createRegistrySyncFunction({
    clients: { dynamo, registry },
    tables: { registryRecords: table, outbox },
    queue: testQueue,
    context: testContext({ logger, now: () => now }),
  });
  return {
    lines: logger.lines,
    work: (message: SyncJob, last = false) => handOver(handler, logger, message, { last }),
  };
}

const statusOf = async (job: SyncJob) => (await heldOf(dynamo, table, job)).subscription?.['entityInfo'];

it('holds what the registry reports, and tells of the success', async () => {
  const job = await newJob();
  const registry = registryOf(entity([license(0), license(1)], [appointment(1)]), [action('7', 'Fine')]);
  const { work, lines } = setUp(registry);

  const { calls, inSequence } = await databaseCalls(async () => {
    expect(await work(job)).toBe('done');
  });

  expect(calls).toEqual(['UpdateItemCommand', 'QueryCommand', 'TransactWriteItemsCommand']);
  expect(inSequence).toBe(3);
  const { subscription, records } = await heldOf(dynamo, table, job);
  expect(subscription).toMatchObject({
    entityInfo: { status: 'success', jobId: job.jobId, message: null },
    lastSynchronizationDate: first.toISOString(),
    pdbAlertsSubscriptionStatus: 'active',
  });
  expect(Object.values(records)).toHaveLength(4);
  for (const record of Object.values(records)) {
    expect(record).toMatchObject({
      npn,
      registryDataSubscriptionId: job.registryDataSubscriptionId,
      updatedAt: first.toISOString(),
    });
  }
  expect(registry.subscribed).toEqual([npn]);
  expect(await toldOf(job)).toMatchObject([
    {
      type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
      upstreamEntityId: job.organizationId,
      occurredAt: first.toISOString(),
      payload: { registryDataSubscriptionId: job.registryDataSubscriptionId, npn },
    },
  ]);
  expect(lines).toMatchObject([{ event: 'registry_sync', outcome: 'success', jobId: job.jobId }]);
});

it('writes what has changed and nothing else, deletes what is gone, and keeps regulatory actions', async () => {
  const job = await newJob();
  const before = registryOf(entity([license(0), license(1), license(2)], [appointment(1), appointment(2)]), [
    action('1', 'Fine'),
    action('2', 'Fine'),
    action('3', 'Fine'),
  ]);
  await setUp(before).work(job);
  const held = (await heldOf(dynamo, table, job)).records;

  const again = await requeued(job);
  const after = registryOf(entity([license(0), license(1, 'inactive')], [appointment(2)]), [
    action('1', 'Fine'),
    action('2', 'Revocation'),
  ]);
  await setUp(after, later).work(again);
  const { records } = await heldOf(dynamo, table, job);

  const key = (index: number) => `LICENSE#${license(index).stateCode}#${1_000 + index}#1`;
  const sent = { createdAt: first.toISOString(), updatedAt: later.toISOString() };
  expect(records[key(0)]).toEqual(held[key(0)]);
  expect(records[key(1)]).toMatchObject({ status: 'inactive', updatedAt: later.toISOString() });
  expect(records[key(2)]).toBeUndefined();
  expect(Object.keys(records).filter((sk) => sk.startsWith('APPOINTMENT#'))).toHaveLength(1);
  expect(records['ACTION#TX#1']).toEqual(held['ACTION#TX#1']);
  expect(records['ACTION#TX#2']).toEqual({ ...held['ACTION#TX#2'], ...sent, disposition: 'Revocation' });
  expect(records['ACTION#TX#3']).toEqual(held['ACTION#TX#3']);
});

it('a record that the registry reports twice is one', async () => {
  const job = await newJob();
  const { work } = setUp(registryOf(entity([license(0), license(0, 'inactive')])));
  await work(job);
  const { records } = await heldOf(dynamo, table, job);
  expect(Object.values(records)).toMatchObject([{ status: 'inactive' }]);
});

it('an agency’s subscription is synchronized without an event', async () => {
  const job = await newJob();
  await dynamo.send(
    new UpdateItemCommand({
      TableName: table,
      Key: toItem(registryKeys.subscription(job.organizationId, job.registryDataSubscriptionId)),
      UpdateExpression: 'SET dataOwnerModel = :agency',
      ExpressionAttributeValues: toItem({ ':agency': 'downstreamEntity' }),
    }),
  );
  await setUp(registryOf(entity([license(0)]))).work(job);
  expect(await statusOf(job)).toMatchObject({ status: 'success' });
  expect(await toldOf(job)).toEqual([]);
});

it('an NPN that the registry does not know fails at once', async () => {
  const job = await newJob();
  const registry = registryOf(undefined);
  expect(await setUp(registry).work(job)).toBe('done');
  expect(await statusOf(job)).toMatchObject({
    status: 'failed',
    message: 'The registry does not know this NPN.',
  });
  expect(await toldOf(job)).toEqual([]);
  expect(registry.subscribed).toEqual([]);
});

describe('while the registry is unavailable', () => {
  const down: Registry = {
    subscribe: () => Promise.reject(new RegistryUnavailable('down')),
    fetchEntity: () => Promise.reject(new RegistryUnavailable('down')),
    fetchRegulatoryActions: () => Promise.reject(new RegistryUnavailable('down')),
  };

  it('a synchronization is delivered again', async () => {
    const job = await newJob();
    const { work, lines } = setUp(down);
    expect(await work(job)).toBe('again');
    expect(await statusOf(job)).toMatchObject({ status: 'in progress' });
    expect(lines).toMatchObject([{ event: 'registry_unavailable', last: false }]);
  });

  it('the last delivery says so and goes to the dead-letter queue; redriven, it is done after all', async () => {
    const job = await newJob();
    expect(await setUp(down).work(job, true)).toBe('again');
    expect(await statusOf(job)).toMatchObject({
      status: 'failed',
      message: 'The registry could not be reached.',
    });

    expect(await setUp(registryOf(entity([license(0)]))).work(job)).toBe('done');
    expect(await statusOf(job)).toMatchObject({ status: 'success', message: null });
  });
});

it('a last delivery that fails for another reason leaves no synchronization under way', async () => {
  const job = await newJob();
  const broken = { ...registryOf(undefined), fetchEntity: () => Promise.reject(new Error('a defect')) };
  await expect(setUp(broken).work(job, true)).rejects.toThrow('a defect');
  expect(await statusOf(job)).toMatchObject({ status: 'failed' });
});

describe('a job that is not the subscription’s any more', () => {
  it('does nothing when another was queued before it began', async () => {
    const old = await newJob();
    const current = await requeued(old);
    const { work, lines } = setUp(registryOf(entity([license(0)])));
    expect(await work(old)).toBe('done');
    expect(lines).toMatchObject([{ outcome: 'obsolete' }]);
    expect((await heldOf(dynamo, table, old)).records).toEqual({});
    expect(await statusOf(old)).toMatchObject({ status: 'queued', jobId: current.jobId });
  });

  it('cannot overwrite what a newer one wrote while it waited for the registry', async () => {
    const old = await newJob();
    const slow: Registry = {
      ...registryOf(undefined),
      async fetchEntity() {
        const newer = await requeued(old);
        await setUp(registryOf(entity([license(0)])), later).work(newer);
        return entity([license(0, 'inactive'), license(1)]);
      },
    };
    const { work, lines } = setUp(slow);
    expect(await work(old)).toBe('done');
    expect(lines).toMatchObject([{ outcome: 'obsolete' }]);
    const { records } = await heldOf(dynamo, table, old);
    expect(Object.values(records)).toMatchObject([{ status: 'active', updatedAt: later.toISOString() }]);
  });

  it('does nothing when it is done already', async () => {
    const job = await newJob();
    await setUp(registryOf(entity([license(0)]))).work(job);
    const done = await heldOf(dynamo, table, job);
    await setUp(registryOf(entity([license(1)])), later).work(job);
    expect(await heldOf(dynamo, table, job)).toEqual(done);
    expect(await toldOf(job)).toHaveLength(1);
  });

  it('is gone with its subscription', async () => {
    const job = await newJob();
    await dynamo.send(
      new DeleteItemCommand({
        TableName: table,
        Key: toItem(registryKeys.subscription(job.organizationId, job.registryDataSubscriptionId)),
      }),
    );
    const { work, lines } = setUp(registryOf(entity([license(0)])));
    expect(await work(job)).toBe('done');
    expect(lines).toMatchObject([{ outcome: 'no_subscription' }]);
    expect(await statusOf(job)).toBeUndefined();
  });
});

it('deliveries of one job beside each other make what one makes', async () => {
  const registry = registryOf(entity(count(30).map((index) => license(index))));
  const alone = await newJob();
  await setUp(registry).work(alone);
  const made = await heldOf(dynamo, table, alone);
  await newTables();
  const job = await queueJob(dynamo, table, alone);
  const verdicts = await Promise.all(
    count(5).map(() =>
      setUp(registry)
        .work(job)
        .catch(() => 'again'),
    ),
  );
  expect(verdicts).toContain('done');
  await setUp(registry).work(job);
  expect(await heldOf(dynamo, table, job)).toEqual(made);
  expect(await toldOf(job)).toHaveLength(1);
});

describe('a delivery that breaks off at any call of the database leaves the rest to the next', () => {
  const before = registryOf(
    entity(
      count(120).map((index) => license(index)),
      count(10).map(appointment),
    ),
    [action('1', 'Fine')],
  );
  // 220 changes: two whole chunks and a rest.
  const after = registryOf(
    entity(
      count(160).map((index) => license(index + 60, index < 60 ? 'inactive' : 'active')),
      [appointment(11)],
    ),
    [action('2', 'Fine')],
  );
  const calls = ['begin', 'read', 'first chunk', 'second chunk', 'third chunk'];

  const organizationId = newObjectId(first);
  const prepared = async (): Promise<SyncJob> => {
    await newTables();
    const job = await queueJob(dynamo, table, { organizationId, npn, jobId: 'first' });
    await setUp(before).work(job);
    return requeued(job, 'second');
  };

  it.each(
    ['before it is made', 'after it is made'].flatMap((moment) =>
      calls.map((name, index) => [name, moment, index] as const),
    ),
  )('%s, %s', async (_, moment, at) => {
    const undisturbed = await prepared();
    const made = await databaseCalls(() => setUp(after, later).work(undisturbed));
    expect(made.calls).toHaveLength(calls.length);
    const expected = await heldOf(dynamo, table, undisturbed);

    const job = await prepared();
    let call = -1;
    dynamo.middlewareStack.add(
      (next) => async (args) => {
        call += 1;
        if (call === at && moment === 'before it is made') throw new Error('broke off');
        const answer = await next(args);
        if (call === at) throw new Error('broke off');
        return answer;
      },
      { step: 'initialize', name: 'breaking' },
    );
    try {
      await expect(setUp(after, later).work(job)).rejects.toThrow('broke off');
    } finally {
      dynamo.middlewareStack.remove('breaking');
    }
    expect(await setUp(after, later).work(job)).toBe('done');
    expect(await heldOf(dynamo, table, job)).toEqual(expected);
    // One event for each of the two jobs.
    expect(await toldOf(job)).toHaveLength(2);
  });
});
