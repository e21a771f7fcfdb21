import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { agentKeys } from '../../shared/agents/stored.ts';
import { associationKeys, associationPartitions } from '../../shared/associations/stored.ts';
import { collect } from '../../shared/data/collect.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import {
  agentsTable,
  associationsTable,
  outboxTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import { createEventItems } from '../../shared/events/outbox.ts';
import { eventPayloads } from '../../shared/events/payloads.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import { type RegistryAction, RegistryUnavailable } from '../../shared/registry/registry.ts';
import {
  type ReconciliationDeps,
  reconcile,
  reconcileAll,
  reconciliationJobs,
} from '../../shared/registry-reconciliation/reconcile.ts';
import { createReconciliationStore } from '../../shared/registry-reconciliation/store.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import {
  actionItem,
  newSubscription,
  registryKeys,
  regulatoryActionIdOf,
  subscriptionIdOf,
  subscriptionItem,
} from '../../shared/registry-records/stored.ts';
import { amendableFieldNames } from '../../shared/resources/regulatory-action.ts';
import { eventsIn } from '../support/events.ts';
import { risingClock } from '../support/rising-clock.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

const carrier = '65f0c1d2e3a4b5c6d7e8f900';
const agency = '65f0c1d2e3a4b5c6d7e8f999';
const agentId = '65f0c1d2e3a4b5c6d7e8f903';
const associationId = '65f0c1d2e3a4b5c6d7e8f904';
const at = (day: number): Date => new Date(Date.UTC(2026, 5, day, 9));

let records: string;
let outbox: string;
let agents: string;
let associations: string;
/** The registry’s actions by NPN; it is unavailable for other NPNs. */
let registered: Map<string, readonly RegistryAction[]>;
let failures: unknown[];

const put = (table: string, item: Record<string, unknown>) =>
  dynamo.send(new PutItemCommand({ TableName: table, Item: toItem(item) }));

beforeEach(async () => {
  [records, outbox, agents, associations] = await Promise.all([
    createTable(registryRecordsTable),
    createTable(outboxTable),
    createTable(agentsTable),
    createTable(associationsTable),
  ]);
  registered = new Map();
  failures = [];
});

const now = risingClock();

const deps = (): ReconciliationDeps => ({
  store: createReconciliationStore(dynamo, records),
  registry: {
    fetchRegulatoryActions: async (npn) => {
      const actions = registered.get(npn);
      if (actions === undefined) throw new RegistryUnavailable('Not now.');
      return actions;
    },
  },
  holders: createNpnHolders(dynamo, { agents, associations }),
  events: createEventItems(outbox),
  now,
  onFailure: (_, error) => failures.push(error),
});

const action = (changed: Partial<RegistryAction> = {}): RegistryAction => ({
  stateCode: 'TX',
  actionId: '4471',
  originOfAction: 'Department of Insurance',
  reasonForAction: 'Late filing',
  disposition: null,
  dateOfAction: '2026-05-02',
  effectiveDate: '2026-05-02',
  enterDate: '2026-05-09',
  fileRef: 'TX-2026-4471',
  penaltyFineForfeitureInUSD: 250,
  lengthOfOrderInDays: null,
  ...changed,
});

async function subscribe(
  npn: string,
  entityModel: 'agent' | 'downstreamEntity' | null = null,
  owner = carrier,
): Promise<void> {
  const dataOwnerModel = owner === carrier ? 'upstreamEntity' : 'downstreamEntity';
  const subscription = newSubscription({ dataOwnerId: owner, dataOwnerModel }, npn, entityModel);
  await put(records, subscriptionItem(owner, subscription));
}

/** Stores an action as a synchronization or an import does, without reporting it. */
const putAction = (npn: string, held: RegistryAction) =>
  put(
    records,
    actionItem(carrier, {
      _id: regulatoryActionIdOf(carrier, { ...held, npn }),
      registryDataSubscriptionId: subscriptionIdOf(carrier, npn),
      npn,
      ...held,
      createdAt: at(1).toISOString(),
      updatedAt: at(1).toISOString(),
    }),
  );

const types = async () => (await eventsIn(outbox)).map(({ type }) => type);

test('an action is emitted once as added, and nothing while nothing changes', async () => {
  await put(agents, { ...agentKeys.npn(carrier, '8'), agentId });
  await subscribe('8');
  registered.set('8', [action()]);
  expect(await reconcileAll(at(2), deps())).toEqual({
    subscriptions: 1,
    actions: 1,
    added: 1,
    updated: 0,
    failed: 0,
  });
  expect(await reconcileAll(at(3), deps())).toEqual({
    subscriptions: 1,
    actions: 1,
    added: 0,
    updated: 0,
    failed: 0,
  });
  const [event, ...others] = await eventsIn(outbox);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ type: 'AGENT_REGULATORY_ACTION_ADDED', entityId: agentId });
  expect(z.parse(eventPayloads.AGENT_REGULATORY_ACTION_ADDED, event?.payload)).toMatchObject({
    agentId,
    npn: '8',
    stateCode: 'TX',
    actionId: '4471',
  });
  // The action is stored from then on.
  const held = await collect(createRegistryRecords(dynamo, records).regulatoryActionsOf(carrier, '8'));
  expect(held).toMatchObject([{ actionId: '4471', createdAt: at(2).toISOString() }]);
});

test('an amendment is emitted with its changed fields and their previous values', async () => {
  await put(associations, {
    ...associationKeys.association(carrier, associationId),
    npnKey: associationPartitions.ofNpn(carrier, '9'),
  });
  await subscribe('9', 'downstreamEntity');
  registered.set('9', [action()]);
  await reconcileAll(at(2), deps());
  registered.set('9', [action({ disposition: 'Penalty', penaltyFineForfeitureInUSD: null })]);
  expect(await reconcileAll(at(3), deps())).toMatchObject({ added: 0, updated: 1 });
  expect(await reconcileAll(at(4), deps())).toMatchObject({ added: 0, updated: 0 });
  const [, event] = await eventsIn(outbox);
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
  const [held] = await collect(createRegistryRecords(dynamo, records).regulatoryActionsOf(carrier, '9'));
  expect(held).toMatchObject({ createdAt: at(2).toISOString(), updatedAt: at(3).toISOString() });
});

test('an action that changes back and forth is emitted each time', async () => {
  await subscribe('8', 'agent');
  for (const [day, fileRef] of ['A', 'B', 'A', 'B'].entries()) {
    registered.set('8', [action({ fileRef })]);
    await reconcileAll(at(day + 1), deps());
  }
  expect(await types()).toEqual([
    'AGENT_REGULATORY_ACTION_ADDED',
    ...Array.from({ length: 3 }, () => 'AGENT_REGULATORY_ACTION_UPDATED'),
  ]);
});

test('actions that a synchronization or an import stored are emitted, and so are their changes', async () => {
  await subscribe('8', 'agent');
  registered.set('8', []);
  await putAction('8', action());
  expect(await reconcileAll(at(2), deps())).toMatchObject({ added: 1, updated: 0 });
  await putAction('8', action({ fileRef: 'amended' }));
  expect(await reconcileAll(at(3), deps())).toMatchObject({ added: 0, updated: 1 });
  // A synchronization that stores the same action first does not prevent the event.
  registered.set('8', [action({ fileRef: 'amended again' })]);
  await putAction('8', action({ fileRef: 'amended again' }));
  expect(await reconcileAll(at(4), deps())).toMatchObject({ added: 0, updated: 1 });
});

test('previous values are null if the last reported ones cannot be read', async () => {
  await subscribe('8', 'agent');
  registered.set('8', [action()]);
  await reconcileAll(at(2), deps());
  await dynamo.send(
    new UpdateItemCommand({
      TableName: records,
      Key: toItem(registryKeys.reported(carrier, { ...action(), npn: '8' })),
      UpdateExpression: 'SET #fields = :broken',
      ExpressionAttributeNames: { '#fields': 'fields' },
      ExpressionAttributeValues: toItem({ ':broken': 'of an older time' }),
    }),
  );
  await reconcileAll(at(3), deps());
  await reconcileAll(at(4), deps());
  const [, event, ...others] = await eventsIn(outbox);
  expect(others).toEqual([]);
  expect(event?.payload).toMatchObject({ changedFields: amendableFieldNames, previousValues: null });
});

test('concurrent reconciliations emit everything once', async () => {
  await subscribe('8', 'agent');
  registered.set('8', [action(), action({ actionId: '2' }), action({ stateCode: 'OK' })]);
  const first = await Promise.all([1, 2, 3].map(() => reconcileAll(at(2), deps())));
  expect(first.reduce((sum, { added }) => sum + added, 0)).toBe(3);
  registered.set('8', [action({ fileRef: null }), action({ actionId: '2' }), action({ stateCode: 'OK' })]);
  const second = await Promise.all([1, 2, 3].map(() => reconcileAll(at(3), deps())));
  expect(second.reduce((sum, { updated }) => sum + updated, 0)).toBe(1);
  expect(await types()).toHaveLength(4);
});

test('a holder that the registry cannot answer for does not stop the others', async () => {
  await Promise.all(['7', '8', '9'].map((npn) => subscribe(npn, 'agent')));
  registered.set('7', [action()]).set('9', [action()]);
  expect(await reconcileAll(at(2), deps())).toMatchObject({ subscriptions: 3, added: 2, failed: 1 });
  expect(await types()).toEqual(['AGENT_REGULATORY_ACTION_ADDED', 'AGENT_REGULATORY_ACTION_ADDED']);
  expect(failures[0]).toBeInstanceOf(RegistryUnavailable);
  // The queue redelivers a job that failed.
  const jobs = (await collect(reconciliationJobs(at(2), deps().store))).flat();
  const outcomes = await Promise.allSettled(jobs.map((job) => reconcile(job, deps())));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('jobs contain every carrier subscription once, at most 25 each, and none of agencies', async () => {
  const npns = Array.from({ length: 60 }, (_, index) => String(index + 1));
  await Promise.all(npns.map((npn) => subscribe(npn)));
  await subscribe('1', null, agency);
  const jobs = (await collect(reconciliationJobs(at(2), createReconciliationStore(dynamo, records)))).flat();
  expect(Math.max(...jobs.map(({ subscriptions }) => subscriptions.length))).toBeLessThanOrEqual(25);
  const included = jobs.flatMap((job) => job.subscriptions.map((one) => one.registryDataSubscriptionId));
  expect(included.sort()).toEqual(npns.map((npn) => subscriptionIdOf(carrier, npn)).sort());
});

test('an unchanged holder only costs reads', async () => {
  await subscribe('8', 'agent');
  registered.set('8', [action()]);
  await reconcileAll(at(2), deps());
  const { calls } = await databaseCalls(() => reconcileAll(at(3), deps()));
  expect(calls.filter((call) => !/Query|BatchGet/.test(call))).toEqual([]);
});
