// Visits of the registry about one NPN, polls and synchronizations, each with an answer that takes its time.

import { randomUUID } from 'node:crypto';
import type { EntityReport } from '#domain/registry/registry.ts';
import { registryKeys, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { registryRecordsTable, tablesOf } from '#domain/tables.ts';
import { tableOf } from '#platform/data/table.ts';
import { pollNpn } from '../../functions/registry-reconciliation/reconcile.ts';
import { registrySyncFunction } from '../../functions/registry-sync/function.ts';
import { testContext } from './context.ts';
import { holdersIn } from './holders.ts';
import { deliverMessage, testQueue } from './queue-messages.ts';
import { recordingLogger } from './recording-logger.ts';
import { carrier, deps, now, tables } from './registry-records-tests.ts';
import { count, entity, license } from './registry-sync-tests.ts';
import { dynamo } from './tables.ts';

export const npn = '17654321';
export const subscriptionId = subscriptionIdOf(carrier, npn);

type Answer = () => Promise<Pick<EntityReport, 'licenses' | 'appointments'>>;

/** What the registry answers of so many licenses. */
export const listOf = (status: string, length = 1) =>
  entity(count(length).map((index) => license(index, status)));

/** The nightly poll of the NPN, with what the registry answers. */
export const poll = (answer: Answer) => {
  const nightly = deps();
  const registry = { fetch: async () => ({ ...entity([]), ...(await answer()), actions: [] }) };
  return pollNpn(npn, [], { ...nightly, registry });
};

/** A synchronization that the carrier asks for. */
export async function synchronize(answer: Answer): Promise<readonly unknown[]> {
  const jobId = randomUUID();
  await tableOf(registryRecordsTable, dynamo, tables.registryRecords).update(
    registryKeys.subscription(carrier, subscriptionId),
    { 'entityInfo.status': 'queued', 'entityInfo.jobId': jobId },
  );
  const logger = recordingLogger();
  const handler = registrySyncFunction.compose({
    registry: { fetch: async () => ({ ...entity([]), ...(await answer()), actions: [] }) },
    tables: tablesOf(dynamo, tables),
    queue: testQueue,
    context: testContext({ logger, now }),
  });
  const job = { organizationId: carrier, registryDataSubscriptionId: subscriptionId, npn, jobId };
  await deliverMessage(handler, logger, job);
  return logger.lines.map(({ outcome }) => outcome);
}

/** What lists show of an owner’s NPN. */
export const shownOf = (owner = carrier) => holdersIn(tables.registryRecords).shownOf(owner, npn);

/** The statuses of the licenses that are held. */
export const held = async (owner = carrier) => [
  ...new Set(
    [...(await shownOf(owner))].flatMap(([sk, { status }]) => (sk.startsWith('LICENSE#') ? [status] : [])),
  ),
];
