// Shared by the tests of webhook deliveries. Each file that imports it gets its own tables before its first test.

import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type DrainDeps, drain } from '../../functions/webhook-delivery/drain.ts';
import { createExchange } from '../../functions/webhook-delivery/exchange.ts';
import { createLeaseStore } from '../../functions/webhook-delivery/lease-store.ts';
import { createDeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { wakeOverdue } from '../../functions/webhook-delivery/wake-overdue.ts';
import { createFanoutStore, fanOut } from '../../functions/webhook-fanout/function.ts';
import { createDeliveryRequests, toRedeliver } from '../../functions/webhooks/delivery-requests.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { deliveryIdOf, queuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import { drainKey, storedDrain } from '../../shared/domain/webhooks/drain-item.ts';
import type { DrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { dueEntries } from '../../shared/domain/webhooks/due-entries.ts';
import { type StoredWebhook, storedWebhook, webhookKeys } from '../../shared/domain/webhooks/stored.ts';
import { webhooksTable } from '../../shared/domain/webhooks/table.ts';
import { createWaker } from '../../shared/domain/webhooks/wake.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { anyItem, parseStored } from '../../shared/platform/data/stored.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { memoryQueues, putEvents, putWebhook, webhookSecrets } from './deliveries.ts';
import { type Reply, startReceiver } from './receiver.ts';
import { recordingLogger } from './recording-logger.ts';
import { noDestination } from './roles.ts';
import { createTable, dynamo } from './tables.ts';

export let webhooks: string;
export let outbox: string;
/** The receiver’s responses by path; 200 by default. */
export const replies = new Map<string, (time: number) => Reply | Promise<Reply>>();
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  [webhooks, outbox] = await Promise.all([createTable(webhooksTable), createTable(outboxTable)]);
  receiver = await startReceiver((path) => {
    const times = receiver.got.filter((one) => one.path === path).length;
    return replies.get(path)?.(times) ?? 200;
  });
});

afterAll(() => receiver.close());

export const hour = 3_600_000;
/** The queues’ visibility timeout, after which the message of a worker that crashed is redelivered. */
const visibilityMs = 450_000;
const minute = 60_000;

/** What a worker is made of, over a client that may crash it. */
export const workerParts = (
  client: DynamoDBClient,
  { queues, now }: { readonly queues: DrainQueues; readonly now: () => Date },
) => ({
  leases: createLeaseStore(tableOf(webhooksTable, client, webhooks)),
  store: createDeliveryStore(tablesOf(client, { webhooks, outbox })),
  waker: createWaker(tableOf(webhooksTable, client, webhooks), { queues, now }),
  queues,
});

type TestEvent = Awaited<ReturnType<typeof putEvents>>[number];

const exchange = createExchange({ rules: { loopback: true }, timeLimitMs: 20_000 });

/** A new organization with its queues, and a clock that tests move. */
export function newContext() {
  const owner = newObjectId(new Date());
  let time = Date.now();
  const now = () => new Date(time);
  const memory = memoryQueues(now);
  const log = recordingLogger();
  const parts = workerParts(dynamo, { queues: memory.queues, now });
  const deps: DrainDeps = {
    ...parts,
    secrets: webhookSecrets,
    connect: () => ({ exchange, close: () => undefined }),
    now,
    random: () => 0.5,
    sendToDestination: noDestination,
    log,
  };
  const got = (path: string) => receiver.got.filter((one) => one.path === path);

  const items = (pk: string) =>
    collect(tableOf(webhooksTable, dynamo, webhooks).query(anyItem, pk, { consistent: true }));
  const read = async (key: Record<string, string>) => {
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: webhooks, Key: toItem(key), ConsistentRead: true }),
    );
    return Item && unmarshall(Item);
  };

  /** When the schedule, which comes every minute, finds the first webhook that is overdue. */
  const nextTick = async (): Promise<number> => {
    const looks = (await items(`${owner}#DRAIN`)).flatMap((item) => item['nextDrainAt'] ?? []);
    const first = Math.min(...looks.map((at) => Date.parse(String(at))));
    return Math.max(time, Math.ceil(first / minute) * minute);
  };
  /** The schedule, as far as this organization's webhooks are concerned. */
  const tick = (waker = parts.waker) =>
    wakeOverdue({
      webhooks: {
        async *overdue(at) {
          const found = (await items(`${owner}#DRAIN`)).filter(
            ({ nextDrainAt }) => nextDrainAt !== undefined && String(nextDrainAt) <= at.toISOString(),
          );
          yield found.map(({ sk }) => ({ owner, webhookId: String(sk) }));
        },
      },
      waker,
      now,
      log,
    });

  return {
    owner,
    now,
    memory,
    log,
    deps,
    waker: parts.waker,
    got,
    advance: (ms: number) => {
      time += ms;
    },
    webhook: (path: string, given: Partial<StoredWebhook> = {}) =>
      putWebhook(webhooks, owner, { url: receiver.url(path), ...given }),
    events: (count: number) => putEvents(outbox, owner, count),
    async event(): Promise<TestEvent> {
      const [event] = await putEvents(outbox, owner, 1);
      if (event === undefined) throw new Error('No event.');
      return event;
    },
    /** Fans out a batch of the queue. */
    async fanOut(
      events: TestEvent | readonly TestEvent[],
      { client = dynamo, queues = memory.queues }: { client?: DynamoDBClient; queues?: DrainQueues } = {},
    ) {
      const waker = createWaker(tableOf(webhooksTable, client, webhooks), { queues, now });
      const batch = fanOut({
        store: createFanoutStore(tableOf(webhooksTable, client, webhooks)),
        waker,
        now,
        log,
      });
      await Promise.all([events].flat().map((detail) => batch.work({ message: { detail }, last: false })));
      await batch.finish();
    },
    async delivery(eventId: string, { _id }: StoredWebhook) {
      const item = await read(webhookKeys.delivery(owner, _id, deliveryIdOf(eventId, _id)));
      return item && parseStored(queuedDelivery, item);
    },
    async stored({ _id }: StoredWebhook) {
      return parseStored(storedWebhook, await read(webhookKeys.webhook(owner, _id)));
    },
    exists: async ({ _id }: StoredWebhook) => (await read(webhookKeys.webhook(owner, _id))) !== undefined,
    async drainItem({ _id: webhookId }: StoredWebhook) {
      const item = await read(drainKey({ owner, webhookId }));
      return item && parseStored(storedDrain, item);
    },
    /** The due entries of a webhook. */
    entries: ({ _id }: StoredWebhook) => items(dueEntries(owner, _id)),
    /** Asks for a delivery anew, as the API does. */
    async redeliver(eventId: string, { _id: webhookId }: StoredWebhook) {
      const requests = createDeliveryRequests(tableOf(webhooksTable, dynamo, webhooks));
      const found = await requests.find(owner, webhookId, deliveryIdOf(eventId, webhookId));
      if (found.delivery === undefined) throw new Error('There is no such delivery.');
      const asked = toRedeliver(found.delivery, now());
      await requests.requestRedelivery({ owner, webhookId }, [asked], []);
      await parts.waker.send({ owner, webhookId }, found.drain);
    },
    tick,
    /** Works on the next message that is visible now. */
    async workOnce(some: Partial<DrainDeps> = {}): Promise<void> {
      const next = memory.take({ dueBy: time });
      if (next === undefined) throw new Error('There is no message.');
      await drain({ message: next.message }, { ...deps, ...some });
    },
    /**
     * Lets time pass until nothing is left to do: workers get messages as they become visible, again if they crashed, and
     * the schedule comes every minute. Answers the number of messages.
     */
    async drain(some: Partial<DrainDeps> = {}, atMost = 200): Promise<number> {
      for (let count = 0; ; ) {
        if (count === atMost) throw new Error('There is always something left to do.');
        const dueBy = await nextTick();
        const next = memory.take({ dueBy });
        if (next === undefined) {
          if (dueBy === Number.POSITIVE_INFINITY) return count;
          time = dueBy;
          await tick();
          continue;
        }
        time = Math.max(time, next.visibleAt);
        count += 1;
        try {
          await drain({ message: next.message }, { ...deps, ...some });
        } catch {
          memory.waiting.push({ ...next, visibleAt: time + visibilityMs });
        }
      }
    },
  };
}

export const outcomes = ({ log }: ReturnType<typeof newContext>): unknown[] =>
  log.lines.filter(({ event }) => event === 'webhook_delivery').map(({ outcome }) => outcome);
