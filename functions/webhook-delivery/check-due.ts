// What of a webhook is due: checked when it is drained, and found by the schedule where it was not drained in time.
import type { AnyEvent } from '#domain/events/payloads.ts';
import {
  type DueEntry,
  dueEntryOf,
  nextDrainKey,
  nextDrainShards,
  readDueEntry,
  secondsLater,
  type Waker,
  type WebhookReference,
  webhookOfDrain,
} from '#domain/webhooks/drain.ts';
import type { QueuedDelivery, StoredWebhook } from '#domain/webhooks/stored.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { chunks, concurrently } from '#platform/data/concurrently.ts';
import { atMost } from '#platform/data/expressions.ts';
import { itemKey, StoredItemError } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { type Log, type LogOutcome, toError } from '#platform/log/log.ts';
import type { AttemptDeps } from './attempt.ts';
import type { Deliveries } from './store.ts';

/** A delivery whose next attempt is due, with its event and the entry that led to it. */
interface DueAttempt {
  readonly entry: DueEntry;
  readonly delivery: QueuedDelivery;
  readonly event: AnyEvent;
}

/** Result of a check of a webhook’s due entries. Whatever needs no attempt is done with. */
export interface DueCheck {
  /** Undefined when there is nothing to attempt. */
  readonly webhook?: StoredWebhook;
  readonly attempts: readonly DueAttempt[];
  /** Time of the next check, since an entry that was seen is due then, or is ahead of its delivery. */
  readonly nextAt?: string | undefined;
  /** Whether there may be more that is due now. */
  readonly hasMore: boolean;
}

/** Seconds after which an item that can't be read is read again, since an operator may have mended it. */
export const unreadableSeconds = 3_600;

/** Seconds after which an entry that is ahead of its delivery is checked again. */
const aheadSeconds = 1;

/** Seconds from when an entry is due, in which a transaction that writes it with its delivery may be under way. */
const transactionSeconds = 60;

const nothing = { attempts: [], hasMore: false } as const;

/** Logs why something due is not attempted. */
type LogUnattempted = (deliveryId: string, outcome: LogOutcome<'webhook_delivery'>) => void;

/**
 * Whether an entry may be of a transaction that its delivery does not show yet: DynamoDB may show its items one after the other
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation).
 */
function isAhead(
  entry: DueEntry,
  delivery: QueuedDelivery | StoredItemError | undefined,
  now: Date,
): boolean {
  const { dueAt, attempt } = readDueEntry(entry);
  if (
    delivery instanceof StoredItemError ||
    secondsLater(new Date(dueAt), transactionSeconds) <= now.toISOString()
  )
    return false;
  return delivery === undefined || delivery.attempt < attempt;
}

/**
 * Reads a page of a webhook's due entries, and the webhook as it is now. A disabled webhook's entries go, and their
 * deliveries wait for a replay; a deleted one's go with their deliveries; an entry that its delivery does not confirm is
 * replaced by the one that it does. An entry ahead of its delivery stays for a minute, unless that is shown before.
 */
export async function checkDue(
  reference: WebhookReference,
  pageSize: number,
  deps: AttemptDeps,
): Promise<DueCheck> {
  const { store, now, log } = deps;
  const entries = await store.entries(reference, pageSize);
  if (entries.length === 0) return nothing;
  const isFull = entries.length === pageSize;
  const checkedAt = now();
  const isDue = (entry: DueEntry): boolean => Date.parse(readDueEntry(entry).dueAt) <= checkedAt.getTime();
  const dueNow = entries.filter(isDue);
  const first = entries.find((entry) => !isDue(entry));
  const ids = idsOf(dueNow);
  const { webhook, deliveries } = await store.read(reference, ids);
  const logOutcome: LogUnattempted = (deliveryId, outcome) =>
    log.info('webhook delivery', {
      event: 'webhook_delivery',
      outcome,
      upstreamEntityId: reference.owner,
      webhookId: reference.webhookId,
      deliveryId,
    });

  if (webhook === undefined) {
    const deliveryIds = idsOf(entries);
    await store.forget(reference, entries, deliveryIds);
    for (const deliveryId of deliveryIds) logOutcome(deliveryId, 'webhook_deleted');
    return { attempts: [], hasMore: isFull };
  }
  const ahead = new Set(
    dueNow.filter((entry) => isAhead(entry, deliveries.get(readDueEntry(entry).deliveryId), checkedAt)),
  );
  const ripe = (candidates: readonly DueEntry[]): DueEntry[] =>
    candidates.filter((entry) => !ahead.has(entry));
  const aheadAt = ahead.size === 0 ? [] : [secondsLater(checkedAt, aheadSeconds)];
  // Another check at once would find a page of nothing else again.
  const hasMore = isFull && ahead.size < entries.length;
  if (!webhook.isActive) {
    const isReplaced = await suspend(reference, ripe(entries), deps, logOutcome);
    return { attempts: [], nextAt: aheadAt[0], hasMore: hasMore || isReplaced };
  }
  const outcome = await attemptsOf(reference, { dueNow: ripe(dueNow), deliveries }, deps, logOutcome);
  const nextTimes = [
    ...aheadAt,
    ...outcome.laterAt,
    ...(first === undefined ? [] : [readDueEntry(first).dueAt]),
  ];
  return {
    webhook,
    attempts: outcome.attempts,
    nextAt: nextTimes.sort()[0],
    hasMore: outcome.isReplaced || (first === undefined && hasMore),
  };
}

const idsOf = (entries: readonly DueEntry[]): string[] =>
  Array.from(new Set(entries.map((entry) => readDueEntry(entry).deliveryId)));

/**
 * Removes a disabled webhook's entries, due or not, and leaves their deliveries without a next attempt. A delivery that has another
 * entry by now is left to the next check: it was asked for anew, when the webhook must have been active again, or a crash
 * kept that entry from being written.
 * @returns whether there are such deliveries.
 */
async function suspend(
  reference: WebhookReference,
  entries: readonly DueEntry[],
  { store, now }: AttemptDeps,
  logOutcome: LogUnattempted,
): Promise<boolean> {
  const { deliveries } = await store.read(reference, idsOf(entries));
  const checkedKeys = new Set(entries.map(({ sk }) => sk));
  const keptKeys = new Set<string>();
  let isReplaced = false;
  await concurrently(deliveries.values(), async (delivery) => {
    if (delivery instanceof Error) return;
    const ownEntry = dueEntryOf(reference.owner, delivery);
    if (ownEntry === undefined) return;
    if (!checkedKeys.has(ownEntry.sk)) {
      await store.addEntry(ownEntry);
      isReplaced = true;
      return;
    }
    if (await store.endDelivery(reference.owner, delivery, 'pending', now())) {
      logOutcome(delivery._id, 'webhook_disabled');
      return;
    }
    // Until the entry that it has by now is certainly written, this one leads to it.
    keptKeys.add(ownEntry.sk);
  });
  await store.removeEntries(entries.filter(({ sk }) => !keptKeys.has(sk)));
  return isReplaced || keptKeys.size > 0;
}

/** The attempts that are due, and what became of the entries that lead to none. */
async function attemptsOf(
  { owner, webhookId }: WebhookReference,
  { dueNow, deliveries }: { readonly dueNow: readonly DueEntry[]; readonly deliveries: Deliveries },
  { store, now, log }: AttemptDeps,
  logOutcome: LogUnattempted,
) {
  const attempts: DueAttempt[] = [];
  const confirmedEntries: { readonly entry: DueEntry; readonly delivery: QueuedDelivery }[] = [];
  const obsolete: DueEntry[] = [];
  const laterAt: string[] = [];
  let isReplaced = false;

  const postpone = async (entry: DueEntry, error: StoredItemError): Promise<void> => {
    const { dueAt, deliveryId } = readDueEntry(entry);
    const postponedTo = secondsLater(now(), unreadableSeconds);
    await store.addEntry({ pk: entry.pk, sk: `${postponedTo}${entry.sk.slice(dueAt.length)}` });
    obsolete.push(entry);
    laterAt.push(postponedTo);
    log.error('A delivery or its event cannot be read.', {
      event: 'delivery_unreadable',
      upstreamEntityId: owner,
      webhookId,
      deliveryId,
      error: toError(error),
    });
  };

  for (const entry of dueNow) {
    const delivery = deliveries.get(readDueEntry(entry).deliveryId);
    if (delivery instanceof StoredItemError) {
      await postpone(entry, delivery);
      continue;
    }
    const ownEntry = delivery && dueEntryOf(owner, delivery);
    if (delivery !== undefined && ownEntry?.sk === entry.sk) {
      confirmedEntries.push({ entry, delivery });
      continue;
    }
    if (ownEntry !== undefined) {
      await store.addEntry(ownEntry);
      isReplaced = true;
    }
    obsolete.push(entry);
  }
  const events = await store.events(
    owner,
    confirmedEntries.map(({ delivery }) => delivery),
  );
  for (const { entry, delivery } of confirmedEntries) {
    const event = events.get(delivery.eventId);
    if (event instanceof StoredItemError) await postpone(entry, event);
    else if (event === undefined) {
      if (await store.endDelivery(owner, delivery, 'failed', now())) {
        obsolete.push(entry);
        logOutcome(delivery._id, 'event_expired');
      } else isReplaced = true;
    } else attempts.push({ entry, delivery, event });
  }
  await store.removeEntries(obsolete);
  return { attempts, laterAt, isReplaced };
}

/** The schedule's invocation. */
export interface WakeOverdueTask {
  readonly task: 'wake-overdue';
}

/** Finds webhooks that nobody drained in time. */
type OverdueWebhooks = ReturnType<typeof createOverdueWebhooks>;

/** Shards that are read at once. */
const shardsAtOnce = 16;

export const createOverdueWebhooks = (webhooks: Table<'by-next-drain'>) => ({
  /** Webhooks of all shards whose `nextDrainAt` has come, some at a time; the index may lag behind. */
  async *overdue(now: Date): AsyncIterable<WebhookReference[]> {
    const shards = Array.from({ length: nextDrainShards }, (_, shard) => nextDrainKey(shard));
    for (const shardGroup of chunks(shards, { count: shardsAtOnce })) {
      const references: WebhookReference[] = [];
      await concurrently(shardGroup, async (shard) => {
        const untilNow = { index: 'by-next-drain', sort: atMost(now.toISOString()) } as const;
        for await (const keys of webhooks.query(itemKey, shard, untilNow)) {
          references.push(...keys.map(webhookOfDrain));
        }
      });
      yield* chunks(references, { count: batchGetKeys });
    }
  },
});

interface WakeOverdueDeps {
  readonly webhooks: OverdueWebhooks;
  readonly waker: Waker;
  readonly now: () => Date;
  readonly log: Log;
}

/** Wakes every webhook whose next drain is due: retries, and whatever a crash left behind. */
export async function wakeOverdue({
  webhooks,
  waker,
  now,
  log,
}: WakeOverdueDeps): Promise<{ readonly woken: number }> {
  let woken = 0;
  for await (const references of webhooks.overdue(now())) woken += await waker.wakeOverdue(references);
  if (woken > 0) log.info('Drains of webhooks were due.', { event: 'webhooks_overdue', woken });
  return { woken };
}
