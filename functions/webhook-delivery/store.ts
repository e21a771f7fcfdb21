import { randomBytes } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '../../shared/data/batch-get.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { getItem } from '../../shared/data/get-item.ts';
import { TransactionContention } from '../../shared/data/optimistic-lock.ts';
import { parseStored } from '../../shared/data/stored.ts';
import { type TransactionItem, transact } from '../../shared/data/transact.ts';
import { expiresAfterDays } from '../../shared/dates/expiry.ts';
import type { AnyEvent } from '../../shared/events/event.ts';
import { outboxItem, outboxKeys } from '../../shared/events/stored.ts';
import type { WebhookDelivery } from '../../shared/resources/webhook.ts';
import {
  type DeliveryMessage,
  type QueuedDelivery,
  queuedDelivery,
  rememberedAttempts,
} from '../../shared/webhooks/deliveries.ts';
import {
  type Health,
  healthDays,
  healthKey,
  isHealthy,
  type Lane,
  laneSlots,
  type SlotName,
  storedHealth,
} from '../../shared/webhooks/health.ts';
import { type StoredWebhook, storedWebhook, webhookKeys } from '../../shared/webhooks/stored.ts';
import type { DeliveryOutcome } from './schedule.ts';

/** What a message is about, as it is now. */
export interface DeliveryState {
  readonly delivery: QueuedDelivery | undefined;
  readonly webhook: StoredWebhook | undefined;
  readonly health: Health;
}

/** The right to make an attempt: a lease on the delivery and one of the webhook's slots. */
export interface Hold {
  readonly slot: SlotName;
  /** `<when it ends>#<random>`, in the lease and in the slot. */
  readonly token: string;
}

/** An attempt that was made, and what follows from it. */
export interface AttemptRecord {
  readonly delivery: QueuedDelivery;
  readonly webhook: StoredWebhook;
  readonly health: Health;
  readonly hold: Hold;
  readonly attempt: WebhookDelivery['attempts'][number];
  readonly outcome: DeliveryOutcome;
  readonly at: Date;
}

/** How a webhook came to be disabled, or why not. */
export interface Recorded {
  readonly disabled: boolean;
}

export interface DeliveryStore {
  /** Sees every earlier write. */
  look(
    message: Pick<DeliveryMessage, 'upstreamEntityId' | 'webhookId' | 'deliveryId'>,
  ): Promise<DeliveryState>;
  /** The event that is delivered; undefined when it is no longer kept. */
  event(owner: string, delivery: QueuedDelivery): Promise<AnyEvent | undefined>;
  /**
   * Takes the right to make the delivery's next attempt; undefined when another worker has it, when all slots of the lane
   * are taken, or when the webhook lost the health that the fast lane asks for.
   */
  begin(
    owner: string,
    delivery: QueuedDelivery,
    health: Health,
    lane: Lane,
    now: Date,
  ): Promise<Hold | undefined>;
  /** Writes an attempt with all that follows from it, and gives back the right to it. */
  record(owner: string, attempt: AttemptRecord): Promise<Recorded>;
  /** The attempt that was due is not made: the webhook is disabled, and its owner may ask for the delivery later. */
  suspend(owner: string, delivery: QueuedDelivery, now: Date): Promise<void>;
  /** The delivery can't be made any more. */
  giveUp(owner: string, delivery: QueuedDelivery, now: Date): Promise<void>;
}

/**
 * How long a worker that crashed keeps others from its delivery and holds its slot: well beyond the longest attempt, and
 * below the time after which its message is delivered again.
 */
export const holdSeconds = 60;

/** Rounds for a free slot, each with what the one before learned. */
const slotRounds = 3;

class DeliveryTaken extends Error {
  override readonly name = 'DeliveryTaken';
}

class SlotTaken extends Error {
  override readonly name = 'SlotTaken';
  readonly health: Health;
  constructor(health: Health) {
    super();
    this.health = health;
  }
}

class StandingChanged extends Error {
  override readonly name = 'StandingChanged';
}

class WebhookChanged extends Error {
  override readonly name = 'WebhookChanged';
}

const numberedEvent = z.extend(outboxItem, { sequence: z.int() });

/** A slot of the lane that nobody holds, any of them: two workers should not reach for the same. */
function freeSlot(health: Health, lane: Lane, now: Date): SlotName | undefined {
  const free = laneSlots[lane].filter((name) => (health[name] ?? '') < now.toISOString());
  return free[Math.floor(Math.random() * free.length)];
}

export function createDeliveryStore(
  client: DynamoDBClient,
  tables: { readonly webhooks: string; readonly outbox: string },
): DeliveryStore {
  const table = tables.webhooks;

  const deliveryKey = (owner: string, delivery: QueuedDelivery) =>
    toItem(webhookKeys.delivery(owner, delivery.webhookId, delivery._id));

  const takeDelivery = (
    owner: string,
    delivery: QueuedDelivery,
    token: string,
    now: Date,
  ): TransactionItem => ({
    write: {
      Update: {
        TableName: table,
        Key: deliveryKey(owner, delivery),
        UpdateExpression: 'SET #lease = :token',
        ConditionExpression:
          '#status = :pending AND attempt = :attempt AND (attribute_not_exists(#lease) OR #lease < :now)',
        ExpressionAttributeNames: { '#status': 'status', '#lease': 'lease' },
        ExpressionAttributeValues: toItem({
          ':token': token,
          ':pending': 'pending',
          ':attempt': delivery.attempt,
          ':now': now.toISOString(),
        }),
      },
    },
    refused: () => new DeliveryTaken(),
  });

  const takeSlot = (
    owner: string,
    webhookId: string,
    { slot, token }: Hold,
    lane: Lane,
    now: Date,
  ): TransactionItem => ({
    write: {
      Update: {
        TableName: table,
        Key: toItem(healthKey(owner, webhookId)),
        UpdateExpression: 'SET #slot = :token, expiresAt = :expiresAt',
        ConditionExpression: [
          '(attribute_not_exists(#slot) OR #slot < :now)',
          ...(lane === 'fast' ? ['(attribute_not_exists(isFailing) OR isFailing <> :true)'] : []),
        ].join(' AND '),
        ExpressionAttributeNames: { '#slot': slot },
        ExpressionAttributeValues: toItem({
          ':token': token,
          ':now': now.toISOString(),
          ':expiresAt': expiresAfterDays(now, healthDays),
          ...(lane === 'fast' ? { ':true': true } : {}),
        }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refused: (stored) => new SlotTaken(parseStored(storedHealth, stored ? unmarshall(stored) : {})),
  });

  /** The delivery after an attempt, as long as nobody asked for it anew in between. */
  const advanced = (
    owner: string,
    { delivery, hold, attempt, outcome, at }: AttemptRecord,
  ): TransactionItem => {
    const full = delivery.attempts.length >= rememberedAttempts;
    const { status, nextAttemptAt } = outcome;
    return {
      write: {
        Update: {
          TableName: table,
          Key: deliveryKey(owner, delivery),
          UpdateExpression: `SET attempts = ${full ? ':entries' : 'list_append(attempts, :entries)'}, #status = :status, nextAttemptAt = :next, attempt = :attempt, retry = :retry, updatedAt = :at REMOVE #lease`,
          ConditionExpression: '#lease = :token',
          ExpressionAttributeNames: { '#status': 'status', '#lease': 'lease' },
          ExpressionAttributeValues: toItem({
            ':entries': full ? [...delivery.attempts.slice(1 - rememberedAttempts), attempt] : [attempt],
            ':status': status,
            ':next': nextAttemptAt?.toISOString() ?? null,
            ':attempt': delivery.attempt + 1,
            ':retry': delivery.retry + 1,
            ':at': at.toISOString(),
            ':token': hold.token,
          }),
        },
      },
      refused: () => new DeliveryTaken(),
    };
  };

  /** The attempt alone: the delivery has gone on without it. */
  const logged = (owner: string, { delivery, attempt, at }: AttemptRecord): TransactionItem => ({
    write: {
      Update: {
        TableName: table,
        Key: deliveryKey(owner, delivery),
        UpdateExpression: 'SET attempts = list_append(attempts, :entry), updatedAt = :at',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: toItem({ ':entry': [attempt], ':at': at.toISOString() }),
      },
    },
    refused: () => new DeliveryTaken(),
  });

  /** The webhook's health after an attempt; `strict` also frees the slot, and says that nobody succeeded meanwhile. */
  const healthAfter = (
    owner: string,
    { webhook, health, hold, outcome, at }: AttemptRecord,
    options: { readonly strict: boolean; readonly disables: boolean },
  ): TransactionItem => {
    const failed = outcome.status !== 'succeeded';
    const startsAnew = !failed || options.disables;
    const removed = [...(options.strict ? ['#slot'] : []), ...(startsAnew ? ['firstFailureAt'] : [])];
    const sinceThen = options.disables && health.firstFailureAt !== undefined;
    const conditions = [
      ...(options.strict ? ['#slot = :token'] : []),
      ...(sinceThen ? ['firstFailureAt = :since'] : []),
    ];
    return {
      write: {
        Update: {
          TableName: table,
          Key: toItem(healthKey(owner, webhook._id)),
          UpdateExpression: [
            'SET isFailing = :failed, expiresAt = :expiresAt',
            ...(startsAnew ? [] : [', firstFailureAt = if_not_exists(firstFailureAt, :at)']),
            ...(removed.length === 0 ? [] : [` REMOVE ${removed.join(', ')}`]),
          ].join(''),
          ...(conditions.length === 0 ? {} : { ConditionExpression: conditions.join(' AND ') }),
          ...(options.strict ? { ExpressionAttributeNames: { '#slot': hold.slot } } : {}),
          ExpressionAttributeValues: toItem({
            ':failed': failed,
            ':expiresAt': expiresAfterDays(at, healthDays),
            ':at': startsAnew ? undefined : at.toISOString(),
            ':token': options.strict ? hold.token : undefined,
            ':since': sinceThen ? health.firstFailureAt : undefined,
          }),
        },
      },
      refused: () => new StandingChanged(),
    };
  };

  /** The webhook disabled, as long as its owner has not changed it: then the attempt says nothing of what it is now. */
  const disabledWrite = (owner: string, { webhook, at }: AttemptRecord, reason: string): TransactionItem => ({
    write: {
      Update: {
        TableName: table,
        Key: toItem(webhookKeys.webhook(owner, webhook._id)),
        UpdateExpression: 'SET isActive = :false, disabledReason = :reason, version = :next, updatedAt = :at',
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: toItem({
          ':false': false,
          ':reason': reason,
          ':version': webhook.version,
          ':next': webhook.version + 1,
          ':at': at.toISOString(),
        }),
      },
    },
    refused: () => new WebhookChanged(),
  });

  /** Changes a delivery as long as the attempt that was looked at is its next; one that went on is left alone. */
  async function settle(
    owner: string,
    delivery: QueuedDelivery,
    status: WebhookDelivery['status'],
    now: Date,
  ): Promise<void> {
    try {
      await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: deliveryKey(owner, delivery),
          UpdateExpression: 'SET #status = :status, nextAttemptAt = :none, updatedAt = :at',
          ConditionExpression: 'attempt = :attempt AND #status = :pending',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: toItem({
            ':status': status,
            ':none': null,
            ':at': now.toISOString(),
            ':attempt': delivery.attempt,
            ':pending': 'pending',
          }),
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  return {
    async look({ upstreamEntityId, webhookId, deliveryId }) {
      const keys = {
        delivery: webhookKeys.delivery(upstreamEntityId, webhookId, deliveryId),
        webhook: webhookKeys.webhook(upstreamEntityId, webhookId),
        health: healthKey(upstreamEntityId, webhookId),
      };
      const found = await batchGet(client, table, Object.values(keys), { consistent: true });
      const under = ({ pk }: { readonly pk: string }) => found.find((item) => item['pk'] === pk);
      return {
        delivery: parseStored(z.optional(queuedDelivery), under(keys.delivery)),
        webhook: parseStored(z.optional(storedWebhook), under(keys.webhook)),
        health: parseStored(storedHealth, under(keys.health) ?? {}),
      };
    },

    async event(owner, { event, eventId, webhookType }) {
      if ('inline' in event) return event.inline;
      const key = outboxKeys.event(owner, event.entityId, eventId);
      const found = await getItem(client, tables.outbox, key, numberedEvent, { consistent: false });
      if (found === undefined) return undefined;
      const { upstreamEntityId, occurredAt, sequence, payload } = found;
      return { eventId, webhookType, upstreamEntityId, occurredAt, sequence, payload };
    },

    async begin(owner, delivery, health, lane, now) {
      const until = new Date(now.getTime() + holdSeconds * 1_000).toISOString();
      const token = `${until}#${randomBytes(8).toString('hex')}`;
      let known = health;
      for (let round = 1; round <= slotRounds; round += 1) {
        const slot = freeSlot(known, lane, now);
        if (slot === undefined || (lane === 'fast' && !isHealthy(known))) return undefined;
        try {
          await transact(client, [
            takeDelivery(owner, delivery, token, now),
            takeSlot(owner, delivery.webhookId, { slot, token }, lane, now),
          ]);
          return { slot, token };
        } catch (error) {
          if (error instanceof SlotTaken) known = error.health;
          else if (error instanceof DeliveryTaken || error instanceof TransactionContention) return undefined;
          else throw error;
        }
      }
      return undefined;
    },

    // What no longer applies is left out and the rest is still written: an attempt that was made must be recorded.
    async record(owner, attempt) {
      let current = true;
      let strict = true;
      let { disable } = attempt.outcome;
      for (;;) {
        const disables = disable !== null;
        try {
          await transact(client, [
            current ? advanced(owner, attempt) : logged(owner, attempt),
            healthAfter(owner, attempt, { strict, disables }),
            ...(disable === null ? [] : [disabledWrite(owner, attempt, disable)]),
          ]);
          return { disabled: disables };
        } catch (error) {
          if (error instanceof DeliveryTaken && current) current = false;
          else if (error instanceof StandingChanged && (strict || disables)) {
            strict = false;
            disable = null;
          } else if (error instanceof WebhookChanged) disable = null;
          else throw error;
        }
      }
    },

    suspend: (owner, delivery, now) => settle(owner, delivery, 'pending', now),
    giveUp: (owner, delivery, now) => settle(owner, delivery, 'failed', now),
  };
}
