import * as z from 'zod/mini';
import { timestamp } from '../../platform/contract/primitives.ts';
import type { Changes } from '../../platform/data/expressions.ts';
import { shardAmong } from '../../platform/data/shard.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Key } from '../../platform/data/table-items.ts';
import { expiresAfterDays } from '../../platform/dates/expiry.ts';
import { health } from './health.ts';

/** A webhook, with the organization that owns it. */
export interface WebhookReference {
  readonly owner: string;
  readonly webhookId: string;
}

/** A webhook's drain item: who drains it and when somebody has to drain it next. One that never had work has none. */
export const storedDrain = storedItem('webhooks/drain', () => ({
  ...health.shape,
  /** When a worker was last asked to drain; removed by the worker that then does. */
  wantedAt: z.optional(timestamp),
  /** When the schedule asks a worker to drain, if nobody has by then; without it nothing is left to do. */
  nextDrainAt: z.optional(timestamp),
  /** Who drains the webhook: `<when the lease ends>#<random>`, which sorts by time. */
  lease: z.optional(z.string()),
  /** When the message arrives that was sent with a delay. */
  delayedUntil: z.optional(timestamp),
  /** A failing webhook is not drained before then. */
  restUntil: z.optional(timestamp),
  /** When its health was last reset; what was learned before then is not written any more. */
  healthSince: z.optional(timestamp),
}));

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
export const drainDays = 40;

/** Seconds after which a drain that was asked for, and did not happen, is asked for again by the schedule. */
export const drainWithinSeconds = 60;

/** `seconds` later, as it is stored. */
export const later = (from: Date, seconds: number): string =>
  new Date(from.getTime() + seconds * 1_000).toISOString();

/**
 * The changes of a webhook's drain item that ask for a drain: a worker that drains it now checks again before it ends, and
 * otherwise the schedule sends the message if nobody does. Whoever writes this sends it at once (`Waker.send`).
 * @param resetsHealth whether what its receiver failed before no longer counts.
 */
export const wanted = (
  { webhookId }: WebhookReference,
  now: Date,
  { resetsHealth = false }: { readonly resetsHealth?: boolean } = {},
): Changes => ({
  wantedAt: now.toISOString(),
  nextDrainAt: later(now, drainWithinSeconds),
  nextDrainKey: nextDrainKeyOf(webhookId),
  expiresAt: expiresAfterDays(now, drainDays),
  ...(resetsHealth
    ? { healthSince: now.toISOString(), failures: undefined, firstFailureAt: undefined, restUntil: undefined }
    : {}),
});
