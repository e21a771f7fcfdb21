// Several visits of the registry about one NPN at once, each with an answer that takes its time.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { registrySyncFunction } from '../../functions/registry-sync/function.ts';
import type { RegistryEntity } from '../../shared/domain/registry/registry.ts';
import { pollNpn } from '../../shared/domain/registry-reconciliation/poll.ts';
import { registryKeys, subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { testContext } from '../support/context.ts';
import { holdersIn } from '../support/holders.ts';
import { handOver, testQueue } from '../support/queue-messages.ts';
import { randomOf } from '../support/random.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import {
  action,
  carrier,
  deps,
  failures,
  now,
  otherCarrier,
  subscribe,
  tables,
} from '../support/registry-records-tests.ts';
import { count, entity, license } from '../support/registry-sync-tests.ts';
import { dynamo } from '../support/tables.ts';

const npn = '17654321';
const subscriptionId = subscriptionIdOf(carrier, npn);

type Answer = () => Promise<Pick<RegistryEntity, 'licenses' | 'appointments'>>;

const listOf = (status: string, length = 1) => entity(count(length).map((index) => license(index, status)));

/** The nightly poll of the NPN, with what the registry answers. */
const poll = (answer: Answer, actions: readonly ReturnType<typeof action>[] = []) => {
  const nightly = deps();
  const registry = {
    ...nightly.registry,
    poll: async () => {
      const { licenses, appointments } = await answer();
      return { licenses, appointments, actions };
    },
  };
  return pollNpn(npn, [], { ...nightly, registry });
};

/** A synchronization that the carrier asks for. */
async function synchronize(answer: Answer): Promise<readonly unknown[]> {
  const jobId = randomUUID();
  await tableOf(registryRecordsTable, dynamo, tables.registryRecords).update(
    registryKeys.subscription(carrier, subscriptionId),
    { 'entityInfo.status': 'queued', 'entityInfo.jobId': jobId },
  );
  const logger = recordingLogger();
  const handler = registrySyncFunction.compose({
    registry: {
      subscribe: async () => undefined,
      fetch: async () => ({ ...entity([]), ...(await answer()), actions: [] }),
    },
    tables: tablesOf(dynamo, tables),
    queue: testQueue,
    context: testContext({ logger, now }),
  });
  const job = { organizationId: carrier, registryDataSubscriptionId: subscriptionId, npn, jobId };
  await handOver(handler, logger, job);
  return logger.lines.map(({ outcome }) => outcome);
}

const itemsOf = (owner = carrier) => holdersIn(tables.registryRecords).itemsOf(owner, npn);

/** The statuses of the licenses that are held. */
const held = async (owner = carrier) => [
  ...new Set(
    [...(await itemsOf(owner))].flatMap(([sk, { status }]) => (sk.startsWith('LICENSE#') ? [status] : [])),
  ),
];

/** Opens once. */
function gate() {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), isOpen };
}

beforeEach(() => subscribe(npn));

test('a poll that asked before a synchronization asks again, and leaves what is newer', async () => {
  let status = 'active';
  const outcomes: unknown[] = [];
  const totals = await poll(async () => {
    const answer = listOf(status);
    if (status === 'active') {
      status = 'inactive';
      outcomes.push(...(await synchronize(async () => listOf(status))));
    }
    return answer;
  });
  expect(outcomes).toEqual(['success']);
  expect(totals).toMatchObject({ changed: 0, failed: 0 });
  expect(await held()).toEqual(['inactive']);
});

test('a synchronization that asked before a poll asks again, and leaves what is newer', async () => {
  let status = 'active';
  const outcomes = await synchronize(async () => {
    const answer = listOf(status);
    if (status === 'active') {
      status = 'inactive';
      expect(await poll(async () => listOf(status))).toMatchObject({ changed: 1, failed: 0 });
    }
    return answer;
  });
  expect(outcomes).toEqual(['success']);
  expect(await held()).toEqual(['inactive']);
});

test('an older answer is not recorded over a newer one that changed nothing', async () => {
  await poll(async () => listOf('active'));
  let status = 'inactive';
  const totals = await poll(async () => {
    const answer = listOf(status);
    if (status === 'inactive') {
      status = 'active';
      expect(await poll(async () => listOf(status))).toMatchObject({ changed: 0, failed: 0 });
    }
    return answer;
  });
  expect(totals).toMatchObject({ changed: 0, failed: 0 });
  expect(await held()).toEqual(['active']);
});

test('an older answer of which a part is recorded when a newer one is found to change nothing does not stay', async () => {
  const length = 60;
  await poll(async () => listOf('active', length));
  const [newerIsThere, partIsThere] = [gate(), gate()];
  let transactions = 0;
  let newer: ReturnType<typeof poll> | undefined;
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'TransactWriteItemsCommand') return next(args);
        transactions += 1;
        if (transactions === 1) {
          newer = poll(async () => listOf('active', length));
          await newerIsThere.isOpen;
          return next(args).finally(partIsThere.open);
        }
        newerIsThere.open();
        await partIsThere.isOpen;
        return next(args);
      },
    { step: 'initialize', name: 'meeting' },
  );
  let status = 'inactive';
  try {
    await poll(async () => {
      const answer = listOf(status, length);
      status = 'active';
      return answer;
    });
    expect(await newer).toMatchObject({ failed: 0 });
  } finally {
    dynamo.middlewareStack.remove('meeting');
  }
  expect(transactions).toBeGreaterThan(2);
  expect(await held()).toEqual(['active']);
});

test('of two polls with regulatory actions alone the one that asked later counts', async () => {
  const nightly = deps();
  let disposition = 'Fine';
  const pollActions = (meanwhile: () => Promise<unknown>) =>
    pollNpn(npn, [], {
      ...nightly,
      registry: {
        ...nightly.registry,
        poll: async () => {
          const actions = [action({ disposition })];
          await meanwhile();
          return { licenses: undefined, appointments: undefined, actions };
        },
      },
    });
  let isFirst = true;
  await pollActions(async () => {
    if (!isFirst) return;
    isFirst = false;
    disposition = 'Dismissed';
    await pollActions(async () => undefined);
  });
  const actions = [...(await itemsOf())].filter(([sk]) => sk.startsWith('ACTION#'));
  expect(actions).toMatchObject([[expect.any(String), { disposition: 'Dismissed' }]]);
});

test('one that is superseded again and again writes nothing, and its job is done again', async () => {
  const answer = async () => {
    await poll(async () => listOf('inactive'));
    return listOf('active');
  };
  expect(await poll(answer)).toMatchObject({ changed: 0, failed: 1 });
  expect(failures).toMatchObject([{ name: 'VisitSuperseded' }]);
  expect(await synchronize(answer)).toEqual(['superseded']);
  expect(await held()).toEqual(['inactive']);
});

test('a poll that is superseded for one subscriber is recorded for the others', async () => {
  await subscribe(npn, otherCarrier);
  let status = 'active';
  let questions = 0;
  const totals = await poll(async () => {
    questions += 1;
    const answer = listOf(status);
    if (status === 'active') {
      status = 'inactive';
      await synchronize(async () => listOf(status));
    }
    return answer;
  });
  expect(await held()).toEqual(['inactive']);
  expect(await held(otherCarrier)).toHaveLength(1);
  expect(totals).toMatchObject({ subscriptions: 2, changed: 1, failed: 0 });
  expect(questions).toBe(2);
});

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

test.each(count(4))('visits at random are recorded in the order in which they asked: %i', async (seed) => {
  const random = randomOf(`visits ${seed}`);
  await subscribe(npn, otherCarrier);
  let version = 0;
  const answer = async () => {
    const asked = listOf(`active - ${version}`, 50);
    await pause(random.below(60));
    return asked;
  };
  const visits = count(10).map(async () => {
    await pause(random.below(200));
    version += 1;
    await (random.chance(50) ? poll(answer) : synchronize(answer));
  });
  await Promise.all(visits);
  // Those that were superseded too often are made again.
  await poll(answer);
  for (const owner of [carrier, otherCarrier]) {
    expect(await held(owner)).toEqual([`active - ${version}`]);
    const stated = [...(await itemsOf(owner)).values()].filter(({ what }) => what === 'stated');
    const versions = stated
      .toSorted((one, other) => String(one['recordedAt']).localeCompare(String(other['recordedAt'])))
      .map(({ rows }) => Number((rows as { status: string }[])[0]?.status.slice('active - '.length)));
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
  }
});
