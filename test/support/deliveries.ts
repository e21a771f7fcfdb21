import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { AnyEvent } from '#domain/events/payloads.ts';
import { newEventId, outboxKeys } from '#domain/events/stored.ts';
import type { DelayedDrain, DrainMessage, DrainQueues } from '#domain/webhooks/drain-queues.ts';
import { createWebhookSecrets } from '#domain/webhooks/secrets.ts';
import { type QueueName, type StoredWebhook, webhookItem } from '#domain/webhooks/stored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { writesOf } from '#platform/data/table.ts';
import { memoryDataKeys } from './data-keys.ts';
import { dynamo } from './tables.ts';

/** A message in a queue, and when it becomes visible. */
export interface Waiting {
  readonly message: DrainMessage;
  readonly visibleAt: number;
}

/** Both deliveries queues in memory. */
export function memoryQueues(now: () => Date) {
  const waiting: Waiting[] = [];
  const queues: DrainQueues = {
    async send(looks: readonly DelayedDrain[]) {
      for (const { message, delaySeconds } of looks) {
        waiting.push({ message, visibleAt: now().getTime() + delaySeconds * 1_000 });
      }
    },
  };
  return {
    queues,
    waiting,
    /** Receives the next message, of one queue if named; undefined while none is due. */
    take(options: { readonly queue?: QueueName; readonly dueBy?: number } = {}): Waiting | undefined {
      const { queue, dueBy = Number.POSITIVE_INFINITY } = options;
      const candidates = waiting.filter(
        ({ message, visibleAt }) => visibleAt <= dueBy && (queue === undefined || message.queue === queue),
      );
      if (candidates.length === 0) return undefined;
      const first = candidates.reduce((one, other) => (other.visibleAt < one.visibleAt ? other : one));
      waiting.splice(waiting.indexOf(first), 1);
      return first;
    },
  };
}

/** The secret of the webhooks that `putWebhook` stores. */
export const webhookSecret = `whsec_${Buffer.from('a secret of thirty-two bytes! ok').toString('base64')}`;

export const webhookSecrets = createWebhookSecrets(memoryDataKeys(), () => new Date());

/** Stores a webhook. */
export async function putWebhook(
  table: string,
  owner: string,
  given: Partial<StoredWebhook> = {},
): Promise<StoredWebhook> {
  const at = new Date().toISOString();
  const _id = given._id ?? newObjectId(new Date());
  const webhook: StoredWebhook = {
    _id,
    url: 'http://127.0.0.1:9/',
    types: ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED'],
    isActive: true,
    disabledReason: null,
    secret: await webhookSecrets.protect(_id, webhookSecret),
    secretLastFour: webhookSecret.slice(-4),
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...given,
  };
  await dynamo.send(new PutItemCommand({ TableName: table, Item: toItem(webhookItem(owner, webhook)) }));
  return webhook;
}

type TestEvent = AnyEvent & { readonly entityId: string };

/** Stores published events in the outbox. */
export async function putEvents(table: string, owner: string, count: number): Promise<TestEvent[]> {
  const made = Array.from({ length: count }, () => newEvent(owner));
  await writesOf(dynamo, table).putAll(made.map(({ item }) => item));
  return made.map(({ event }) => event);
}

function newEvent(owner: string) {
  const at = new Date().toISOString();
  const entityId = newObjectId(new Date());
  const event = {
    eventId: newEventId(),
    webhookType: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED' as const,
    upstreamEntityId: owner,
    occurredAt: at,
    sequence: 1,
    payload: { registryDataSubscriptionId: entityId, npn: '17654321' },
  };
  const { webhookType: type, ...rest } = event;
  const item = {
    ...outboxKeys.event(owner, entityId, event.eventId),
    ...rest,
    type,
    entityId,
  };
  return { item, event: { ...event, entityId } };
}
