import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { collect } from '../../shared/data/collect.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { StoredItemError } from '../../shared/data/stored.ts';
import {
  agentsTable,
  associationsTable,
  outboxTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import { createEventItems } from '../../shared/events/outbox.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import { JobUnfinished } from '../../shared/queue/scheduled-jobs.ts';
import {
  type ReconciliationDeps,
  reconcile,
  reconcileAll,
  reconciliationJobs,
} from '../../shared/registry-reconciliation/reconcile.ts';
import { createReconciliationStore } from '../../shared/registry-reconciliation/store.ts';
import { newSubscription, subscriptionIdOf, subscriptionItem } from '../../shared/registry-records/stored.ts';
import { exampleRegulatoryAction } from '../../shared/resources/regulatory-action.ts';
import { createTables, dynamo } from '../support/tables.ts';

const carrier = '65f0c1d2e3a4b5c6d7e8f900';
const npns = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const asOf = new Date('2026-06-02T09:00:00.000Z');

/** Stores a subscription of the carrier. */
type PutSubscription = (npn: string, changes?: object) => Promise<void>;

/** A reconciliation for whose every holder the registry has one new action. */
async function setUp(): Promise<{ deps: ReconciliationDeps; failures: unknown[]; put: PutSubscription }> {
  const tables = await createTables({
    registryRecords: registryRecordsTable,
    outbox: outboxTable,
    agents: agentsTable,
    associations: associationsTable,
  });
  const put: PutSubscription = async (npn, changes = {}) => {
    const owner = { dataOwnerId: carrier, dataOwnerModel: 'upstreamEntity' } as const;
    const item = { ...subscriptionItem(carrier, newSubscription(owner, npn, 'agent')), ...changes };
    await dynamo.send(new PutItemCommand({ TableName: tables.registryRecords, Item: toItem(item) }));
  };
  await Promise.all(npns.map((npn) => put(npn)));
  const { _id, registryDataSubscriptionId, npn, createdAt, updatedAt, ...action } = exampleRegulatoryAction;
  const failures: unknown[] = [];
  const deps: ReconciliationDeps = {
    store: createReconciliationStore(dynamo, tables.registryRecords),
    registry: { fetchRegulatoryActions: async () => [action] },
    holders: createNpnHolders(dynamo, tables),
    events: createEventItems(tables.outbox),
    now: () => asOf,
    onFailure: (_, error) => failures.push(error),
  };
  return { deps, failures, put };
}

test('a subscription that cannot be read stops none of the others, and its job is retried', async () => {
  const { deps, failures, put } = await setUp();
  await put('10', { entityModel: 'unknown' });
  expect(await reconcileAll(asOf, deps)).toMatchObject({ subscriptions: 10, added: 9, failed: 1 });
  expect(failures).toEqual([expect.any(StoredItemError)]);
  const jobs = (await collect(reconciliationJobs(asOf, deps.store))).flat();
  const outcomes = await Promise.allSettled(jobs.map((job) => reconcile(job, deps)));
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(reasons).toEqual([expect.any(JobUnfinished)]);
});

test('a job whose subscriptions cannot be read stops none of the others', async () => {
  const { deps, failures } = await setUp();
  const unreachable = subscriptionIdOf(carrier, '5');
  const store: ReconciliationDeps['store'] = {
    ...deps.store,
    read: async (some) => {
      if (some.some((one) => one.registryDataSubscriptionId === unreachable)) throw new Error('Not now.');
      return deps.store.read(some);
    },
  };
  const { subscriptions, added, failed } = await reconcileAll(asOf, { ...deps, store });
  expect(subscriptions).toBe(npns.length);
  expect(added).toBeGreaterThan(0);
  expect(added + failed).toBe(npns.length);
  expect(failures).toHaveLength(failed);
});
