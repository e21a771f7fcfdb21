import * as z from 'zod/mini';
import { concurrently } from '../../platform/data/concurrently.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { drainKey, type StoredDrain, storedDrain, type WebhookReference, wanted } from './drain-item.ts';
import type { DelayedDrain, DrainQueues } from './drain-queues.ts';
import { queueOf } from './health.ts';

/** Makes workers drain webhooks whose due entries are written. */
export type Waker = ReturnType<typeof createWaker>;

/** Seconds for which a message counts as on its way. */
export const wantedForSeconds = 30;

/** Drain items that are written at once. */
const writesAtOnce = 16;

const keyedDrain = storedItem('webhooks/drain-with-key', () => ({
  ...storedDrain.shape,
  pk: z.string(),
  sk: z.string(),
}));

/** A drain item's key as one text. */
const written = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => `${pk}#${sk}`;

/** Whole seconds for which a webhook still rests. */
const restSeconds = ({ restUntil }: StoredDrain, now: Date): number =>
  restUntil === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(restUntil) - now.getTime()) / 1_000));

/**
 * Whether a drain is certain that begins after this read: one that was asked for has not begun while `wantedAt` is there, nor
 * one that comes at the end of a rest while that is there. Whatever is written before the read, it sees.
 */
function isComing(drain: StoredDrain, now: Date): boolean {
  const { wantedAt, nextDrainAt, restUntil } = drain;
  if (wantedAt !== undefined && now.getTime() - Date.parse(wantedAt) < wantedForSeconds * 1_000) return true;
  return restSeconds(drain, now) > 0 && nextDrainAt !== undefined && nextDrainAt === restUntil;
}

const isOverdue = ({ nextDrainAt }: StoredDrain, now: Date): boolean =>
  nextDrainAt !== undefined && Date.parse(nextDrainAt) <= now.getTime();

export function createWaker(
  table: Table,
  { queues, now }: { readonly queues: DrainQueues; readonly now: () => Date },
) {
  const drainAt = ({ owner, webhookId }: WebhookReference, drain: StoredDrain, at: Date): DelayedDrain => ({
    message: { owner, webhookId, queue: queueOf(drain) },
    delaySeconds: restSeconds(drain, at),
  });

  async function wake(
    webhooks: readonly WebhookReference[],
    isNeeded: (drain: StoredDrain, at: Date) => boolean,
  ): Promise<number> {
    const found = await table.getAll(keyedDrain, webhooks.map(drainKey));
    const drains = new Map(found.map((drain) => [written(drain), drain]));
    const at = now();
    const needed = webhooks
      .map((webhook) => ({ webhook, drain: drains.get(written(drainKey(webhook))) ?? {} }))
      .filter(({ drain }) => isNeeded(drain, at));
    await concurrently(needed, writesAtOnce, async ({ webhook }) => {
      await table.update(drainKey(webhook), wanted(webhook, at));
    });
    await queues.send(needed.map(({ webhook, drain }) => drainAt(webhook, drain, at)));
    return needed.length;
  }

  return {
    /** Sends a message for each webhook unless one is on its way; answers how many it sent. */
    wake: (webhooks: readonly WebhookReference[]) => wake(webhooks, (drain, at) => !isComing(drain, at)),
    /** As `wake`, but leaves out those whose `nextDrainAt` is still to come. */
    wakeOverdue: (webhooks: readonly WebhookReference[]) => wake(webhooks, isOverdue),
    /** Sends the message alone, for a writer whose own transaction asked for the drain (`wanted`). */
    send: (webhook: WebhookReference, drain: StoredDrain | undefined = {}) =>
      queues.send([drainAt(webhook, drain, now())]),
  };
}
