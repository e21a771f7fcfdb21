import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { eventPayloads } from '#domain/events/payloads.ts';
import { type RegistryAction, RegistryUnavailable } from '#domain/registry/registry.ts';
import { amendableFieldNames } from '#domain/registry/resources.ts';
import { createRecordedHolders } from '#domain/registry-records/store.ts';
import { registryKeys, regulatoryActionIdOf, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { registryRecordsTable } from '#domain/table-designs.ts';
import { collect } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { tableOf } from '#platform/data/table.ts';
import { npnsOfJob } from '../../functions/registry-reconciliation/poll.ts';
import { reconciliationJobs } from '../../functions/registry-reconciliation/queue.ts';
import { reconcile, reconcileAll } from '../../functions/registry-reconciliation/reconcile.ts';
import { eventsIn } from '../support/events.ts';
import { holdersIn } from '../support/holders.ts';
import {
  action,
  agentId,
  associationId,
  at,
  carrier,
  deps,
  failures,
  putAgencyNpn,
  putAgentNpn,
  reconcileOn,
  registered,
  subscribe,
  subscribeOnly,
  tables,
} from '../support/registry-records-tests.ts';
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
      byOrganization: [
        { organizationId: carrier, subscriptions: 1, changed: 0, actions: 1, added: 1, updated: 0 },
      ],
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
