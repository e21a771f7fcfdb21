// Shared by the tests of webhook deliveries. Each file that imports it gets its own tables before its first test.

import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type DeliverDeps, deliver } from '../../functions/webhook-delivery/deliver.ts';
import { createExchange } from '../../functions/webhook-delivery/exchange.ts';
import { createDeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { fanOut } from '../../functions/webhook-fanout/fan-out.ts';
import { createFanoutStore } from '../../functions/webhook-fanout/store.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import { parseStored } from '../../shared/data/stored.ts';
import { outboxTable, webhooksTable } from '../../shared/data/tables.ts';
import { deliveryIdOf, queuedDelivery } from '../../shared/webhooks/deliveries.ts';
import type { DeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { healthKey, storedHealth } from '../../shared/webhooks/health.ts';
import { type StoredWebhook, storedWebhook, webhookKeys } from '../../shared/webhooks/stored.ts';
import { memoryQueues, putEvent, putWebhook, webhookSecrets } from './deliveries.ts';
import { type Reply, startReceiver } from './receiver.ts';
import { recordingLogger } from './recording-logger.ts';
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
/** The queue’s visibility timeout, after which a crashed worker’s message is redelivered: longer than a hold. */
export const visibilityMs = 180_000;

/** A new organization with its queues, and a clock that tests move. */
export function newContext() {
  const owner = newObjectId(new Date());
  let time = Date.now();
  const now = () => new Date(time);
  const memory = memoryQueues(now);
  const log = recordingLogger();
  const deps: DeliverDeps = {
    store: createDeliveryStore(dynamo, { webhooks, outbox }),
    queues: memory.queues,
    secrets: webhookSecrets,
    exchange: createExchange({ rules: { loopback: true }, timeLimitMs: 20_000 }),
    now,
    random: () => 0.5,
    log,
  };
  const got = (path: string) => receiver.got.filter((one) => one.path === path);
  return {
    owner,
    now,
    memory,
    log,
    deps,
    got,
    advance: (ms: number) => {
      time += ms;
    },
    webhook: (path: string, given: Partial<StoredWebhook> = {}) =>
      putWebhook(webhooks, owner, { url: receiver.url(path), ...given }),
    event: () => putEvent(outbox, owner),
    fanOut: (detail: Awaited<ReturnType<typeof putEvent>>, queues: DeliveryQueues = memory.queues) =>
      fanOut({ message: { detail } }, { store: createFanoutStore(dynamo, webhooks), queues, now, log }),
    async delivery(eventId: string, { _id }: StoredWebhook) {
      const key = webhookKeys.delivery(owner, _id, deliveryIdOf(eventId, _id));
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: webhooks, Key: toItem(key), ConsistentRead: true }),
      );
      return Item && parseStored(queuedDelivery, unmarshall(Item));
    },
    async stored({ _id }: StoredWebhook) {
      const { Item = {} } = await dynamo.send(
        new GetItemCommand({ TableName: webhooks, Key: toItem(webhookKeys.webhook(owner, _id)) }),
      );
      return parseStored(storedWebhook, unmarshall(Item));
    },
    async health({ _id }: StoredWebhook) {
      const { Item } = await dynamo.send(
        new GetItemCommand({
          TableName: webhooks,
          Key: toItem(healthKey(owner, _id)),
          ConsistentRead: true,
        }),
      );
      return Item && parseStored(storedHealth, unmarshall(Item));
    },
    /** Restarts a delivery and sends its message, as a requested redelivery does. */
    async redeliver(eventId: string, { _id: webhookId }: StoredWebhook) {
      const deliveryId = deliveryIdOf(eventId, webhookId);
      const { Attributes = {} } = await dynamo.send(
        new UpdateItemCommand({
          TableName: webhooks,
          Key: toItem(webhookKeys.delivery(owner, webhookId, deliveryId)),
          UpdateExpression:
            'SET #status = :pending, retry = :none, nextAttemptAt = :now ADD attempt :one REMOVE lease',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: toItem({
            ':pending': 'pending',
            ':none': 0,
            ':now': now().toISOString(),
            ':one': 1,
          }),
          ReturnValues: 'ALL_NEW',
        }),
      );
      const { attempt } = parseStored(queuedDelivery, unmarshall(Attributes));
      const message = { upstreamEntityId: owner, webhookId, deliveryId, attempt, lane: 'slow' as const };
      await memory.queues.send([{ message, delaySeconds: 0 }]);
    },
    /** Delivers messages as they become due, again if the worker crashed, until none is left; answers their number. */
    async drain(some: Partial<DeliverDeps> = {}, atMost = 200): Promise<number> {
      for (let count = 0; ; count += 1) {
        if (count === atMost) throw new Error('The queues are never empty.');
        const next = memory.take();
        if (next === undefined) return count;
        time = Math.max(time, next.visibleAt);
        try {
          await deliver({ message: next.message }, { ...deps, ...some });
        } catch {
          memory.waiting.push({ ...next, visibleAt: time + visibilityMs });
        }
      }
    },
  };
}

export const outcomes = ({ log }: ReturnType<typeof newContext>): unknown[] =>
  log.lines.filter(({ event }) => event === 'webhook_delivery').map(({ outcome }) => outcome);
