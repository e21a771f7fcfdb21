import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { eventPayloads } from '#domain/events/payloads.ts';
import { createSweepStore } from '#domain/license-sweep/store.ts';
import { type RegistryAction, type RegistryReport, RegistryUnavailable } from '#domain/registry/registry.ts';
import { amendableFieldNames } from '#domain/registry/resources.ts';
import { reportToAll } from '#domain/registry-reconciliation/visit.ts';
import { createRecordedHolders, createRegistryRecords } from '#domain/registry-records/store.ts';
import { registryKeys, regulatoryActionIdOf, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { registryRecordsTable, tablesOf } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { tableOf } from '#platform/data/table.ts';
import { sweepAll } from '../../functions/license-sweep/function.ts';
import {
  jobsOf,
  npnsOfJob,
  reconcile,
  reconcileAll,
  reconciliationJobs,
} from '../../functions/registry-reconciliation/reconcile.ts';
import { licenseOf } from '../support/agency-records.ts';
import { eventsIn } from '../support/events.ts';
import { holdersIn, recordedItems } from '../support/holders.ts';
import {
  action,
  agency,
  agentId,
  associationId,
  at,
  carrier,
  deps,
  failures,
  now,
  otherCarrier,
  polled,
  put,
  putAgencyNpn,
  putAgentNpn,
  reconcileOn,
  registered,
  subscribe,
  subscribeOnly,
  tables,
  visitedRegistry,
} from '../support/registry-records-tests.ts';
import { held, listOf, npn, poll, subscriptionId, synchronize } from '../support/registry-visits.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('registry reconciliation', () => {
  /** Records an action as an import does, without reporting it. */
  const putAction = (npn: string, held: RegistryAction, time = at(1)) =>
    holdersIn(tables.registryRecords).import(carrier, npn, time.toISOString(), {
      actions: [
        {
          _id: regulatoryActionIdOf(carrier, { ...held, npn }),
          registryDataSubscriptionId: subscriptionIdOf(carrier, npn),
          npn,
          ...held,
          createdAt: time.toISOString(),
          updatedAt: time.toISOString(),
        },
      ],
    });

  const hourAfter = (day: number) => new Date(at(day).getTime() + 3_600_000);

  /** What is sent to the carriers. */
  const sent = async () =>
    (await eventsIn(tables.outbox)).filter(({ type }) => type !== 'COMPLIANCE_INPUTS_CHANGED');
  const types = async () => (await sent()).map(({ type }) => type);

  test('an action is emitted once as added, and nothing while nothing changes', async () => {
    await subscribe('8');
    registered.set('8', { actions: [action()] });
    expect(await reconcileOn(2)).toEqual({
      npns: 1,
      subscriptions: 1,
      changed: 0,
      actions: 1,
      added: 1,
      updated: 0,
      failed: 0,
      left: 0,
    });
    expect(await reconcileOn(3)).toMatchObject({ npns: 1, actions: 1, added: 0, updated: 0 });
    const [event, ...others] = await sent();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'AGENT_REGULATORY_ACTION_ADDED', entityId: agentId });
    expect(z.parse(eventPayloads.AGENT_REGULATORY_ACTION_ADDED, event?.payload)).toMatchObject({
      agentId,
      npn: '8',
      stateCode: 'TX',
      actionId: '4471',
    });
    // The action is stored from then on.
    const held = await collect(
      createRecordedHolders(
        tableOf(registryRecordsTable, dynamo, tables.registryRecords),
      ).regulatoryActionsOf(carrier, '8'),
    );
    expect(held).toMatchObject([{ actionId: '4471', createdAt: expect.any(String) }]);
  });

  test('an action that is new or amended, and nothing else, has the compliance of its NPN checked', async () => {
    await subscribe('8');
    registered.set('8', { actions: [action()] });
    await reconcileOn(2);
    await reconcileOn(3);
    registered.set('8', { actions: [action({ disposition: 'Revocation' })] });
    await reconcileOn(4);
    const checks = (await eventsIn(tables.outbox)).filter(({ type }) => type === 'COMPLIANCE_INPUTS_CHANGED');
    expect(checks.map(({ payload }) => payload)).toEqual([{ npn: '8' }, { npn: '8' }]);
  });

  test('an amendment is emitted with its changed fields and their previous values', async () => {
    await putAgencyNpn('9');
    await subscribeOnly('9', { entityModel: 'downstreamEntity' });
    registered.set('9', { actions: [action()] });
    await reconcileOn(2);
    registered.set('9', { actions: [action({ disposition: 'Penalty', penaltyFineForfeitureInUSD: null })] });
    expect(await reconcileOn(3)).toMatchObject({ added: 0, updated: 1 });
    expect(await reconcileOn(4)).toMatchObject({ added: 0, updated: 0 });
    const [, event] = await sent();
    expect(event).toMatchObject({
      type: 'DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED',
      entityId: associationId,
      payload: {
        downstreamEntityAssociationId: associationId,
        disposition: 'Penalty',
        penaltyFineForfeitureInUSD: null,
        changedFields: ['disposition', 'penaltyFineForfeitureInUSD'],
        previousValues: { disposition: null, penaltyFineForfeitureInUSD: 250 },
      },
    });
    const [held] = await collect(
      createRecordedHolders(
        tableOf(registryRecordsTable, dynamo, tables.registryRecords),
      ).regulatoryActionsOf(carrier, '9'),
    );
    expect(held?.updatedAt).not.toBe(held?.createdAt);
  });

  test('an import of an older file is put right, and nothing is said of it', async () => {
    await subscribe('8');
    registered.set('8', { actions: [action({ disposition: 'Penalty' })] });
    await reconcileOn(2);
    await putAction('8', action({ disposition: null }));
    expect(await reconcileOn(3)).toMatchObject({ added: 0, updated: 0 });
    const held = await collect(
      createRecordedHolders(
        tableOf(registryRecordsTable, dynamo, tables.registryRecords),
      ).regulatoryActionsOf(carrier, '8'),
    );
    expect(held).toMatchObject([{ disposition: 'Penalty' }]);
    expect(await types()).toEqual(['AGENT_REGULATORY_ACTION_ADDED']);
  });

  test('actions that a synchronization or an import stored are emitted, and so are their changes', async () => {
    await subscribe('8');
    registered.set('8', { actions: [] });
    await putAction('8', action());
    expect(await reconcileOn(2)).toMatchObject({ added: 1, updated: 0 });
    await putAction('8', action({ fileRef: 'amended' }), hourAfter(2));
    expect(await reconcileOn(3)).toMatchObject({ added: 0, updated: 1 });
    // A synchronization that stores the same action first does not prevent the event.
    registered.set('8', { actions: [action({ fileRef: 'amended again' })] });
    await putAction('8', action({ fileRef: 'amended again' }), hourAfter(3));
    expect(await reconcileOn(4)).toMatchObject({ added: 0, updated: 1 });
  });

  test('previous values are null if the last reported ones cannot be read', async () => {
    await subscribe('8');
    registered.set('8', { actions: [action()] });
    await reconcileOn(2);
    await dynamo.send(
      new UpdateItemCommand({
        TableName: tables.registryRecords,
        Key: toItem(registryKeys.reported(carrier, { ...action(), npn: '8' })),
        UpdateExpression: 'SET #fields = :broken',
        ExpressionAttributeNames: { '#fields': 'fields' },
        ExpressionAttributeValues: toItem({ ':broken': 'of an older time' }),
      }),
    );
    await reconcileOn(3);
    await reconcileOn(4);
    const [, event, ...others] = await sent();
    expect(others).toEqual([]);
    expect(event?.payload).toMatchObject({ changedFields: amendableFieldNames, previousValues: null });
  });

  test('concurrent reconciliations emit everything once', async () => {
    await subscribe('8');
    registered.set('8', { actions: [action(), action({ actionId: '2' }), action({ stateCode: 'OK' })] });
    const first = await Promise.all([1, 2, 3].map(() => reconcileOn(2)));
    expect(first.reduce((sum, { added }) => sum + added, 0)).toBe(3);
    registered.set('8', {
      actions: [action({ fileRef: null }), action({ actionId: '2' }), action({ stateCode: 'OK' })],
    });
    const second = await Promise.all([1, 2, 3].map(() => reconcileOn(3)));
    expect(second.reduce((sum, { updated }) => sum + updated, 0)).toBe(1);
    expect(await types()).toHaveLength(4);
  });

  test('a holder that the registry cannot answer for does not stop the others', async () => {
    await Promise.all(['7', '8', '9'].map((npn) => subscribe(npn)));
    registered.set('7', { actions: [action()] }).set('9', { actions: [action()] });
    expect(await reconcileOn(2)).toMatchObject({ subscriptions: 3, added: 2, failed: 1 });
    expect(await types()).toEqual(['AGENT_REGULATORY_ACTION_ADDED', 'AGENT_REGULATORY_ACTION_ADDED']);
    expect(failures[0]).toBeInstanceOf(RegistryUnavailable);
    // The queue redelivers a job that failed.
    const jobs = (await collect(reconciliationJobs(at(2), deps()))).flat();
    const outcomes = await Promise.allSettled(jobs.map((job) => reconcile(job, deps())));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  test('an unchanged holder costs reads, a write that says who visited it, and one that says when it was polled', async () => {
    await subscribe('8');
    registered.set('8', { actions: [action()] });
    await reconcileOn(2);
    const { calls } = await databaseCalls(() => reconcileOn(3));
    const writes = calls.filter((call) => !/Query|BatchGet|GetItem/.test(call));
    expect(writes).toEqual(['TransactWriteItemsCommand', 'UpdateItemCommand']);
  });

  test('an action against whom a carrier has both as an agent and as an agency is reported of both', async () => {
    await putAgencyNpn('8');
    await subscribe('8');
    registered.set('8', { actions: [action()] });
    await reconcileOn(2);
    registered.set('8', { actions: [action({ disposition: 'Fine' })] });
    await reconcileOn(3);
    expect((await types()).sort()).toEqual([
      'AGENT_REGULATORY_ACTION_ADDED',
      'AGENT_REGULATORY_ACTION_UPDATED',
      'DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED',
      'DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED',
    ]);
  });

  test('an action against somebody whom nobody holds any more is stored, and reported when it is held again', async () => {
    await subscribeOnly('8', { entityModel: 'agent' });
    registered.set('8', { actions: [action()] });
    expect(await reconcileOn(2)).toMatchObject({ actions: 1, added: 0, failed: 0 });
    expect(await types()).toEqual([]);
    const held = await collect(
      createRecordedHolders(
        tableOf(registryRecordsTable, dynamo, tables.registryRecords),
      ).regulatoryActionsOf(carrier, '8'),
    );
    expect(held).toMatchObject([{ actionId: '4471' }]);
    await putAgentNpn('8');
    expect(await reconcileOn(3)).toMatchObject({ added: 1 });
    expect(await types()).toEqual(['AGENT_REGULATORY_ACTION_ADDED']);
  });
});

describe('registry reconciliation failures', () => {
  const npns = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

  beforeEach(async () => {
    for (const npn of npns) {
      await subscribe(npn);
      registered.set(npn, { actions: [action()] });
    }
  });

  test('a job that fails as a whole stops none of the others', async () => {
    const whole = deps();
    const totals = await reconcileAll(at(2), {
      ...whole,
      npns: {
        ...whole.npns,
        async *waiting(reason, shard) {
          if (reason !== 'NEW' || shard > 0) return;
          // With NPNs that nobody subscribes to, the first job is full.
          const others = Array.from({ length: npnsOfJob - npns.length }, (_, index) => String(100 + index));
          yield [...npns, ...others].map((npn) => ({ npn, since: '1' }));
          yield [{ npn: '10', since: '2' }];
        },
        notPolledSince: async (some, time) => {
          if (some.includes('10')) throw new Error('Not now.');
          return whole.npns.notPolledSince(some, time);
        },
      },
    });
    expect(totals).toMatchObject({ npns: npnsOfJob + 1, added: 9, failed: 1 });
    expect(failures).toHaveLength(1);
  });
});

describe('polls', () => {
  type ReportedLicense = NonNullable<RegistryReport['licenses']>[number];

  const { registryDataSubscriptionId, npn: _npn, updatedAt, ...exampleLicense } = licenseOf({});

  /** A license as the registry reports it. */
  const reported = (nextRenewalDate: string, changed: Partial<ReportedLicense> = {}): ReportedLicense => ({
    ...exampleLicense,
    nextRenewalDate,
    expirationDate: nextRenewalDate,
    ...changed,
  });

  /** Stores a license as an import does. */
  async function putLicense(npn: string, nextRenewalDate: string, owner = carrier): Promise<void> {
    const registryDataSubscriptionId = subscriptionIdOf(owner, npn);
    const license = licenseOf({ registryDataSubscriptionId, npn, nextRenewalDate });
    for (const item of recordedItems(owner, { licenses: [license] })) await put(tables.registryRecords, item);
  }

  const licensesOf = (npn: string, owner = carrier) =>
    holdersIn(tables.registryRecords).licensesOf(owner, npn);

  const subscriptionOf = async (npn: string, owner = carrier) =>
    createRegistryRecords(tableOf(registryRecordsTable, dynamo, tables.registryRecords)).findSubscription(
      owner,
      subscriptionIdOf(owner, npn),
    );

  const sweepOn = (day: string) =>
    sweepAll(new Date(`${day}T09:00:00.000Z`), {
      ...deps(),
      store: createSweepStore(tablesOf(dynamo, tables)),
      onFailure: (_, error) => failures.push(error),
    });

  test('a license renewed at the registry is not reported as expired', async () => {
    for (const npn of ['1', '2']) {
      await subscribe(npn);
      await putLicense(npn, '2026-06-02');
    }
    registered.set('1', { licenses: [reported('2028-06-02')], appointments: [] });
    registered.set('2', { licenses: [reported('2026-06-02')], appointments: [] });
    expect(await reconcileAll(at(3), deps())).toMatchObject({ npns: 2, subscriptions: 2, failed: 0 });
    await sweepOn('2026-06-03');
    const expired = (await eventsIn(tables.outbox)).filter(({ type }) => type === 'AGENT_LICENSE_EXPIRED');
    expect(expired).toMatchObject([{ payload: { agentId, npn: '2', nextRenewalDate: '2026-06-02' } }]);
    expect(await licensesOf('1')).toMatchObject([{ nextRenewalDate: '2028-06-02' }]);
  });

  test('one poll serves every subscriber of an NPN, of whatever organization, with the events of a synchronization', async () => {
    await subscribe('1');
    await subscribe('1', otherCarrier);
    await subscribeOnly('1', { owner: agency, entityModel: 'agent' });
    registered.set('1', { licenses: [reported('2028-06-02')], appointments: [] });
    expect(await reconcileOn(3)).toMatchObject({ npns: 1, subscriptions: 3, changed: 3 });
    expect(polled).toEqual(['1']);
    for (const owner of [carrier, otherCarrier, agency]) {
      expect(await licensesOf('1', owner)).toMatchObject([{ nextRenewalDate: '2028-06-02' }]);
      expect(await subscriptionOf('1', owner)).toMatchObject({
        entityInfo: { status: 'success' },
        lastSynchronizationDate: expect.any(String),
        pdbAlertsSubscriptionStatus: 'active',
      });
    }
    // Agencies have no webhooks. The event also has the compliance of the NPN determined again.
    const events = await eventsIn(tables.outbox);
    expect(events.map(({ upstreamEntityId }) => upstreamEntityId).sort()).toEqual([carrier, otherCarrier]);
    for (const event of events) {
      expect(event).toMatchObject({
        type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
        payload: { npn: '1', registryDataSubscriptionId: event.entityId },
      });
    }
    await reconcileOn(4);
    expect(await eventsIn(tables.outbox)).toHaveLength(2);
  });

  test('a poll that changes nothing but its own time is no change to whoever follows the lists', async () => {
    await subscribe('1');
    registered.set('1', { licenses: [reported('2028-06-02')], appointments: [] });
    await reconcileOn(3);
    const records = createRegistryRecords(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
    const itemsChangedSince = async (since: Date) =>
      (await collect(records.npnsChangedSince(carrier, since.toISOString()))).flat();
    const polledFirst = await subscriptionOf('1');
    const unchangedSince = now();
    expect(await reconcileOn(4)).toMatchObject({ npns: 1, changed: 0 });
    expect(await itemsChangedSince(unchangedSince)).toEqual([]);
    const polledAgain = await subscriptionOf('1');
    expect(polledAgain?.lastSynchronizationDate).not.toBe(polledFirst?.lastSynchronizationDate);
    registered.set('1', { licenses: [reported('2030-06-02')], appointments: [] });
    await reconcileOn(5);
    expect(await itemsChangedSince(unchangedSince)).toEqual(['1']);
  });

  test('licenses that the registry no longer reports are left out; those it says nothing of stay', async () => {
    for (const npn of ['1', '2']) {
      await subscribe(npn);
      await putLicense(npn, '2027-06-02');
    }
    registered.set('1', { licenses: [], appointments: [] }).set('2', {});
    await reconcileOn(3);
    expect(await licensesOf('1')).toEqual([]);
    expect(await licensesOf('2')).toHaveLength(1);
  });

  test('an NPN that nobody holds any more is brought up to date without an event', async () => {
    await subscribeOnly('1', { entityModel: 'agent' });
    registered.set('1', { licenses: [reported('2028-06-02')], appointments: [] });
    expect(await reconcileOn(3)).toMatchObject({ npns: 1, changed: 1, failed: 0 });
    expect(await licensesOf('1')).toHaveLength(1);
    expect(await eventsIn(tables.outbox)).toEqual([]);
  });

  test('NPNs with a license that ends within 30 days are polled before the others', async () => {
    const npns = Array.from({ length: 40 }, (_, index) => String(index + 1));
    for (const npn of npns) {
      await subscribe(npn);
      registered.set(npn, {});
    }
    await reconcileOn(1);
    // From the evening of 2 June on, New York time.
    await putLicense('17', '2026-06-02');
    await putLicense('23', '2026-07-02');
    await putLicense('31', '2026-06-20');
    await putLicense('5', '2026-07-03');
    await putLicense('6', '2026-06-01');
    const jobs = (await collect(reconciliationJobs(new Date('2026-06-03T01:00:00.000Z'), deps()))).flat();
    const order = jobs.flatMap((job) => job.npns);
    expect(order.slice(0, 3).sort()).toEqual(['17', '23', '31']);
    expect(order.toSorted()).toEqual(npns.toSorted());
    expect(Math.max(...jobs.map((job) => job.npns.length))).toBeLessThanOrEqual(25);
    expect(jobs.map(({ position }) => position)).toEqual(
      jobs.map((_, index) => jobs.slice(0, index).reduce((sum, { npns: some }) => sum + some.length, 0)),
    );
  });

  test('a job that is delivered again polls only what was not polled', async () => {
    for (const npn of ['1', '2']) await subscribe(npn);
    registered.set('1', {});
    const [job] = jobsOf(['1', '2'], { asOf: at(3), startedAt: at(3), position: 0 });
    await expect(job && reconcile(job, deps())).rejects.toThrow();
    registered.set('2', {});
    expect(job && (await reconcile(job, deps()))).toMatchObject({ npns: 1, failed: 0 });
    // A job's NPNs are polled side by side.
    expect(polled.toSorted()).toEqual(['1', '2', '2']);
  });

  test('a poll that began before a reconciliation does not count for it', async () => {
    await subscribe('1');
    registered.set('1', {});
    const reconcileFrom = async (startedAt: Date, { registry, ...others }: ReturnType<typeof deps>) => {
      const [job] = jobsOf(['1'], { asOf: at(3), startedAt, position: 0 });
      return job && reconcile(job, { ...others, registry });
    };
    const earlier = deps();
    let startedAt = at(3);
    const registry = visitedRegistry(async (npn) => {
      const report = await reportToAll(earlier.registry, npn);
      startedAt = now();
      return report;
    });
    await reconcileFrom(now(), { ...earlier, registry });
    expect(await reconcileFrom(startedAt, deps())).toMatchObject({ npns: 1, failed: 0 });
    expect(polled).toEqual(['1', '1']);
  });

  test('a subscription that waits for its synchronization keeps its status', async () => {
    await subscribe('1');
    const Key = toItem(registryKeys.subscription(carrier, subscriptionIdOf(carrier, '1')));
    await dynamo.send(
      new UpdateItemCommand({
        TableName: tables.registryRecords,
        Key,
        UpdateExpression: 'SET entityInfo.#status = :queued, entityInfo.jobId = :job',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: toItem({ ':queued': 'queued', ':job': 'a-job' }),
      }),
    );
    registered.set('1', { licenses: [], appointments: [] });
    await reconcileOn(3);
    expect(await subscriptionOf('1')).toMatchObject({ entityInfo: { status: 'queued', jobId: 'a-job' } });
  });
});

// Several visits about one NPN at once.
describe('registry visits', () => {
  beforeEach(() => subscribe(npn));

  test.each([
    ['a poll', poll, synchronize],
    ['a synchronization', synchronize, poll],
    ['a poll', poll, poll],
  ])(
    'of %s and a visit that asked later and was recorded first, the later one counts',
    async (_, first, second) => {
      await poll(async () => listOf('active'));
      await first(async () => {
        await second(async () => listOf('inactive'));
        return listOf('active');
      });
      expect(await held()).toEqual(['inactive']);
      expect(failures).toEqual([]);
    },
  );

  test('a poll during which a synchronization fails is recorded', async () => {
    const key = registryKeys.subscription(carrier, subscriptionId);
    const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
    await poll(async () => listOf('active'));
    const totals = await poll(async () => {
      await table.update(key, { 'entityInfo.status': 'failed' });
      return listOf('inactive');
    });
    expect(totals).toMatchObject({ changed: 1, failed: 0 });
  });
});
