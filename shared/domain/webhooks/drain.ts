import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import type { Changes } from '#platform/data/expressions.ts';
import { shardAmong } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Key, Table } from '#platform/data/table.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import { keptDays } from '../events/stored.ts';
import type { DelayedDrain, DrainQueues } from './drain-queues.ts';
import { scheduleDays } from './schedule.ts';
import { health, type QueuedDelivery, queueOf } from './stored.ts';

/** A webhook, with the organization that owns it. */
export interface WebhookReference {
  readonly owner: string;
  readonly webhookId: string;
}

/** A webhook's drain item: who drains it and when somebody has to drain it next. A webhook that never had work has none. */
export const storedDrain = storedItem('webhooks/drain', {
  ...health.shape,
  /** Time at which a worker was last asked to drain; removed by the worker that then does. */
  wantedAt: z.optional(timestamp),
  /** Time at which the schedule asks a worker to drain, if nobody has by then; without it nothing is left to do. */
  nextDrainAt: z.optional(timestamp),
  /** Lease of the worker that drains the webhook: `<when the lease ends>#<random>`, which sorts by time. */
  lease: z.optional(z.string()),
  /** Time at which the message arrives that was sent with a delay. */
  delayedUntil: z.optional(timestamp),
  /** A failing webhook is not drained before then. */
  backOffUntil: z.optional(timestamp),
  /** Time of the last reset of its health; what was learned before then is not written any more. */
  healthSince: z.optional(timestamp),
});

export type StoredDrain = z.output<typeof storedDrain>;

const partitionSuffix = '#DRAIN';

export const drainKey = ({ owner, webhookId }: WebhookReference) => ({
  pk: `${owner}${partitionSuffix}`,
  sk: webhookId,
});

/** The webhook of a drain item's key. */
export const webhookOfDrain = ({ pk, sk }: Required<Key>): WebhookReference => ({
  owner: pk.slice(0, -partitionSuffix.length),
  webhookId: sk,
});

/** Shards of the index of drain items by `nextDrainAt`. */
export const nextDrainShards = 64;

/** A shard's partition of the index. */
export const nextDrainKey = (shard: number): string => `NEXT_DRAIN#${shard}`;

/** The partition of the index for a webhook. */
export const nextDrainKeyOf = (webhookId: string): string =>
  nextDrainKey(shardAmong(webhookId, nextDrainShards));

/** Days for which a drain item is kept after its last write: more than a webhook's deliveries. */
export const drainDays = keptDays + scheduleDays + 1;

/** Seconds after which a drain that was asked for, and did not happen, is asked for again by the schedule. */
export const drainWithinSeconds = 60;

/** `seconds` later, as it is stored. */
export const secondsLater = (from: Date, seconds: number): string =>
  new Date(from.getTime() + seconds * 1_000).toISOString();

/**
 * The changes of a webhook's drain item that ask for a drain: a worker that drains it now checks again before it ends, and
 * otherwise the schedule sends the message if nobody does. What writes this sends it at once (`Waker.send`).
 * @param resetsHealth whether what its receiver failed before no longer counts.
 */
export const drainRequest = (
  { webhookId }: WebhookReference,
  now: Date,
  { resetsHealth = false }: { readonly resetsHealth?: boolean } = {},
): Changes => ({
  wantedAt: now.toISOString(),
  nextDrainAt: secondsLater(now, drainWithinSeconds),
  nextDrainKey: nextDrainKeyOf(webhookId),
  expiresAt: expiresAfterDays(now, drainDays),
  ...(resetsHealth
    ? {
        healthSince: now.toISOString(),
        failures: undefined,
        firstFailureAt: undefined,
        backOffUntil: undefined,
      }
    : {}),
});

/** Due entries of a webhook, soonest first. Their keys are all they have. */
export const dueEntries = (owner: string, webhookId: string): string => `${owner}#DUE#${webhookId}`;

/** The key of a due entry; `sk` is `<dueAt>#<deliveryId>#<attempt>`. */
export type DueEntry = Required<Key>;

/** Fields of a delivery that its due entry is made of. */
type DueDelivery = Pick<QueuedDelivery, '_id' | 'webhookId' | 'attempt' | 'status' | 'nextAttemptAt'>;

/**
 * The due entry of a delivery's next attempt; undefined when there is none. The attempt's number makes it unique: removing
 * the entry of an attempt that was made can't remove that of a redelivery requested for the same millisecond.
 */
export const dueEntryOf = (owner: string, delivery: DueDelivery): DueEntry | undefined => {
  const { _id, webhookId, attempt, status, nextAttemptAt } = delivery;
  if (status !== 'pending' || nextAttemptAt === null) return undefined;
  return { pk: dueEntries(owner, webhookId), sk: `${nextAttemptAt}#${_id}#${attempt}` };
};

/** Reads when an entry is due, of which delivery it is, and the number of its attempt. */
export function readDueEntry({ sk }: DueEntry) {
  const [dueAt = '', deliveryId = '', attempt] = sk.split('#');
  return { dueAt, deliveryId, attempt: Number(attempt) };
}

/** Makes workers drain webhooks whose due entries are written. */
export type Waker = ReturnType<typeof createWaker>;

/** Seconds for which a message counts as on its way. */
export const wantedForSeconds = 30;

const keyedDrain = storedItem('webhooks/drain-with-key', {
  ...storedDrain.shape,
  pk: z.string(),
  sk: z.string(),
});

/** A drain item's key as one text. */
const keyText = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => `${pk}#${sk}`;

/** Whole seconds for which a webhook still backs off. */
const backOffSeconds = ({ backOffUntil }: StoredDrain, now: Date): number =>
  backOffUntil === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(backOffUntil) - now.getTime()) / 1_000));

/**
 * Whether a drain is certain that begins after this read: one that was asked for has not begun while `wantedAt` is there, nor
 * one that comes when the webhook has backed off while that is there. Whatever is written before the read, it sees.
 */
function isComing(drain: StoredDrain, now: Date): boolean {
  const { wantedAt, nextDrainAt, backOffUntil } = drain;
  if (wantedAt !== undefined && now.getTime() - Date.parse(wantedAt) < wantedForSeconds * 1_000) return true;
  return backOffSeconds(drain, now) > 0 && nextDrainAt !== undefined && nextDrainAt === backOffUntil;
}

const isOverdue = ({ nextDrainAt }: StoredDrain, now: Date): boolean =>
  nextDrainAt !== undefined && Date.parse(nextDrainAt) <= now.getTime();

export function createWaker(
  table: Table,
  { queues, now }: { readonly queues: DrainQueues; readonly now: () => Date },
) {
  const drainAt = ({ owner, webhookId }: WebhookReference, drain: StoredDrain, time: Date): DelayedDrain => ({
    message: { owner, webhookId, queue: queueOf(drain) },
    delaySeconds: backOffSeconds(drain, time),
  });

  async function wake(
    webhooks: readonly WebhookReference[],
    isNeeded: (drain: StoredDrain, time: Date) => boolean,
  ): Promise<number> {
    const drainItems = await table.getAll(keyedDrain, webhooks.map(drainKey));
    const drains = new Map(drainItems.map((drain) => [keyText(drain), drain]));
    const time = now();
    const webhooksToWake = webhooks
      .map((webhook) => ({ webhook, drain: drains.get(keyText(drainKey(webhook))) ?? {} }))
      .filter(({ drain }) => isNeeded(drain, time));
    await concurrently(webhooksToWake, async ({ webhook }) => {
      await table.update(drainKey(webhook), drainRequest(webhook, time));
    });
    await queues.send(webhooksToWake.map(({ webhook, drain }) => drainAt(webhook, drain, time)));
    return webhooksToWake.length;
  }

  return {
    /** Sends a message for each webhook unless one is on its way; answers how many it sent. */
    wake: (webhooks: readonly WebhookReference[]) => wake(webhooks, (drain, time) => !isComing(drain, time)),
    /** Wakes as `wake` does, but leaves out those whose `nextDrainAt` is still to come. */
    wakeOverdue: (webhooks: readonly WebhookReference[]) => wake(webhooks, isOverdue),
    /** Sends the message alone, for a writer whose own transaction asked for the drain (`drainRequest`). */
    send: (webhook: WebhookReference, drain: StoredDrain | undefined = {}) =>
      queues.send([drainAt(webhook, drain, now())]),
  };
}
