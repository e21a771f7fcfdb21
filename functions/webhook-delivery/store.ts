import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AnyEvent, webhookDisabled } from '#domain/events/payloads.ts';
import { outboxEvent, outboxKeys, storedEvent } from '#domain/events/stored.ts';
import { eventItemsOf } from '#domain/events/transaction-items.ts';
import type { Tables } from '#domain/tables.ts';
import {
  type DueEntry,
  drainDays,
  drainKey,
  drainRequest,
  dueEntries,
  dueEntryOf,
  nextDrainKeyOf,
  readDueEntry,
  type StoredDrain,
  secondsLater,
  storedDrain,
  type WebhookReference,
} from '#domain/webhooks/drain.ts';
import type { WebhookDelivery } from '#domain/webhooks/resource.ts';
import { rememberedAttempts } from '#domain/webhooks/schedule.ts';
import {
  type Health,
  type QueuedDelivery,
  queuedDelivery,
  type StoredWebhook,
  storedWebhook,
  webhookKeys,
} from '#domain/webhooks/stored.ts';
import { batchStatements } from '#platform/aws/limits.ts';
import {
  absentOr,
  appended,
  atMost,
  below,
  type Changes,
  type Condition,
  exists,
} from '#platform/data/expressions.ts';
import {
  anyItem,
  itemKey,
  parseIfStored,
  parseStoredOrError,
  type StoredItemError,
} from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import { leaseSeconds } from './uses.ts';

/** Outcome of an attempt for the delivery and for the webhook. */
export interface DeliveryOutcome {
  readonly status: WebhookDelivery['status'];
  readonly nextAttemptAt: Date | null;
  /** Why the webhook is disabled, where it is. */
  readonly disable: string | null;
}

/** An attempt that was made, and what follows from it. */
interface AttemptRecord {
  readonly delivery: QueuedDelivery;
  readonly attempt: WebhookDelivery['attempts'][number];
  readonly outcome: DeliveryOutcome;
  readonly endedAt: Date;
}

/** Changes of the delivery; a full log loses its oldest attempt. */
const changesOf = ({ delivery, attempt, outcome, endedAt }: AttemptRecord): Changes => ({
  attempts:
    delivery.attempts.length < rememberedAttempts
      ? appended([attempt])
      : [...delivery.attempts.slice(1 - rememberedAttempts), attempt],
  status: outcome.status,
  nextAttemptAt: outcome.nextAttemptAt?.toISOString() ?? null,
  attempt: delivery.attempt + 1,
  retry: delivery.retry + 1,
  updatedAt: endedAt.toISOString(),
});

/** Nothing was written of the attempt's number before. */
const isNext = ({ delivery }: AttemptRecord): Condition => ({ attempt: delivery.attempt, status: 'pending' });

const deliveryKey = (owner: string, { webhookId, _id }: QueuedDelivery) =>
  webhookKeys.delivery(owner, webhookId, _id);

/** Whether an attempt was written; if not, the delivery has gone on without it, as it is stored, or is deleted. */
type AdvanceResult =
  | { readonly isWritten: true }
  | { readonly isWritten: false; readonly storedDelivery: QueuedDelivery | undefined };

/** Writes an attempt, as long as nothing was written of its number before. */
async function advance(table: Table, owner: string, attemptRecord: AttemptRecord): Promise<AdvanceResult> {
  const { delivery, attempt } = attemptRecord;
  const change = await table.change(
    queuedDelivery,
    deliveryKey(owner, delivery),
    changesOf(attemptRecord),
    isNext(attemptRecord),
  );
  if (change.isWritten) return { isWritten: true };
  // The answer to the write may have been lost, and its repetition refused.
  const { item: storedDelivery } = change;
  const isOwn =
    storedDelivery?.attempt === delivery.attempt + 1 &&
    storedDelivery.attempts.at(-1)?.attemptedAt === attempt.attemptedAt;
  return isOwn ? { isWritten: true } : { isWritten: false, storedDelivery };
}

/**
 * Writes attempts in one call, each under its own condition and for itself, as `advance` does: a call for each costs more
 * processor time than the delivery.
 * @returns for each whether it was certainly written; the others are left to `advance`, which finds out why.
 */
async function advanceTogether(
  table: Table,
  owner: string,
  records: readonly AttemptRecord[],
): Promise<readonly boolean[]> {
  if (records.length === 1) return [false];
  try {
    return await table.updateTogether(
      records.map((attemptRecord) => ({
        key: deliveryKey(owner, attemptRecord.delivery),
        changes: changesOf(attemptRecord),
        condition: isNext(attemptRecord),
      })),
    );
  } catch {
    // `advance` meets the same failure, if it lasts, and throws it.
    return records.map(() => false);
  }
}

/** Deliveries by id; one that is missing was deleted. */
export type Deliveries = ReadonlyMap<string, QueuedDelivery | StoredItemError>;

/** Events by id; one that is missing is no longer kept. */
type Events = ReadonlyMap<string, AnyEvent | StoredItemError>;

/**
 * Writes an attempt with what follows from it, and the due entry of the next one. When the delivery has gone on meanwhile, the
 * attempt is only added to its log, and the due entry is that of the attempt it has gone on to. Answers when that is due.
 */
export type RecordAttempt = (attempt: AttemptRecord) => Promise<string | undefined>;

/** A webhook's due entries, its deliveries and their events. Reads see every earlier write. */
export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

const keyOfEntry = ({ pk, sk }: DueEntry) => ({ pk, sk });

/** Adds the attempt to the log alone. A transaction, whose repetition adds nothing, since the write has no condition. */
async function log(
  table: Table,
  owner: string,
  { delivery, attempt, endedAt }: AttemptRecord,
): Promise<void> {
  const goneError = new Error('The delivery is deleted.');
  const changes = { attempts: appended([attempt]), updatedAt: endedAt.toISOString() };
  try {
    await table.transact([
      table.items.update(deliveryKey(owner, delivery), changes, exists, () => goneError),
    ]);
  } catch (error) {
    if (error !== goneError) throw error;
  }
}

/** Milliseconds for which the first item of a group waits for others. */
const gatherMs = 5;

/**
 * Does work for single items in groups of at most so many: what is asked for within some milliseconds, and what is asked for
 * while a group is under way.
 *
 * @param work answers for each item, in their order, and does not fail
 */
export function inGroups<Item, Result>(
  count: number,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: { readonly item: Item; readonly settle: (result: Promise<Result>) => void }[] = [];
  let isUnderWay = false;

  async function workOnAll(): Promise<void> {
    isUnderWay = true;
    await pause(gatherMs);
    while (waiting.length > 0) {
      const group = waiting.splice(0, count);
      const results = work(group.map(({ item }) => item));
      for (const [index, { settle }] of group.entries())
        settle(results.then((allResults) => resultAt(allResults, index)));
      await results;
    }
    isUnderWay = false;
  }

  return (item) =>
    new Promise((settle) => {
      waiting.push({ item, settle });
      if (!isUnderWay) void workOnAll();
    });
}

function resultAt<Result>(results: readonly Result[], index: number): Result {
  const result = results[index];
  if (result === undefined) throw new Error('A group was not answered for one of its items.');
  return result;
}

/** Disables a webhook with a reason, as long as its owner has not changed it; answers whether it did. Its owner's feed has it. */
function disabling({ webhooks, outbox }: Tables<'webhooks' | 'outbox'>) {
  const events = eventItemsOf(outbox.items, { WEBHOOK_DISABLED: webhookDisabled });
  return async (
    owner: string,
    webhook: StoredWebhook,
    disabledReason: string,
    endedAt: Date,
  ): Promise<boolean> => {
    const { _id: webhookId, url, version } = webhook;
    const changedError = new Error('The webhook was changed.');
    const event = {
      type: 'WEBHOOK_DISABLED',
      upstreamEntityId: owner,
      entityId: webhookId,
      payload: { webhookId, url, disabledReason },
    } as const;
    try {
      await webhooks.transact([
        webhooks.items.update(
          webhookKeys.webhook(owner, webhookId),
          { isActive: false, disabledReason, version: version + 1, updatedAt: endedAt.toISOString() },
          { version, isActive: true },
          () => changedError,
        ),
        ...events([event], endedAt),
      ]);
      return true;
    } catch (error) {
      if (error === changedError) return false;
      throw error;
    }
  };
}

export function createDeliveryStore(tables: Tables<'webhooks' | 'outbox'>) {
  const table = tables.webhooks;

  /** Writes a due entry. */
  async function addEntry(entry: DueEntry): Promise<void> {
    await table.put(keyOfEntry(entry));
  }

  return {
    /** The first due entries of a webhook, soonest first. */
    async entries({ owner, webhookId }: WebhookReference, limit: number): Promise<DueEntry[]> {
      const first = { consistent: true, limit };
      return (await table.page(itemKey, dueEntries(owner, webhookId), first)).items;
    },

    /** A webhook as it is now, and these of its deliveries. */
    async read({ owner, webhookId }: WebhookReference, deliveryIds: readonly string[]) {
      const webhookKey = webhookKeys.webhook(owner, webhookId);
      const keys = deliveryIds.map((id) => webhookKeys.delivery(owner, webhookId, id));
      const items = await table.getAll(anyItem, [webhookKey, ...keys]);
      const isWebhook = ({ pk }: Record<string, unknown>): boolean => pk === webhookKey.pk;
      return {
        webhook: parseIfStored(storedWebhook, items.find(isWebhook)),
        deliveries: new Map(
          items
            .filter((item) => !isWebhook(item))
            .map((item) => [String(item['sk']), parseStoredOrError(queuedDelivery, item)]),
        ),
      };
    },

    /** The events of deliveries. */
    async events(owner: string, deliveries: readonly QueuedDelivery[]): Promise<Events> {
      const events = new Map<string, AnyEvent | StoredItemError>();
      const numbersById = new Map<string, Pick<AnyEvent, 'webhookType' | 'sequence'>>();
      const keys = deliveries.flatMap(({ event, eventId, webhookType }) => {
        if ('inline' in event) {
          events.set(eventId, event.inline);
          return [];
        }
        numbersById.set(eventId, { webhookType, sequence: event.sequence });
        return [outboxKeys.event(owner, event.entityId, eventId)];
      });
      for (const item of await tables.outbox.getAll(anyItem, keys)) {
        const eventId = String(item['eventId']);
        const number = numbersById.get(eventId);
        if (number === undefined) continue;
        const event = parseStoredOrError(outboxEvent, item);
        events.set(eventId, event instanceof Error ? event : storedEvent(event, number));
      }
      return events;
    },

    /** Records the attempts of one worker's lease of an owner's webhook: those that are over while a write is under way are written together next. */
    recorder(owner: string): RecordAttempt {
      const writeTogether = inGroups(batchStatements, (records: readonly AttemptRecord[]) =>
        advanceTogether(table, owner, records),
      );
      return async (attemptRecord) => {
        const result: AdvanceResult = (await writeTogether(attemptRecord))
          ? { isWritten: true }
          : await advance(table, owner, attemptRecord);
        if (!result.isWritten) await log(table, owner, attemptRecord);
        const { delivery, outcome } = attemptRecord;
        // The worker that the delivery has gone on with may have stopped before the entry was written, and that of the attempt that
        // was made goes now.
        const after = result.isWritten
          ? {
              ...delivery,
              status: outcome.status,
              attempt: delivery.attempt + 1,
              nextAttemptAt: outcome.nextAttemptAt?.toISOString() ?? null,
            }
          : result.storedDelivery;
        const next = after && dueEntryOf(owner, after);
        // After the record, which names it: after a crash here the entry of the attempt that was made leads to the record.
        if (next === undefined) return undefined;
        await addEntry(next);
        return readDueEntry(next).dueAt;
      };
    },

    /**
     * The delivery has no next attempt: it waits for its owner to ask, or has failed. Answers whether it was so; one that went
     * on is left alone.
     */
    endDelivery: (owner: string, delivery: QueuedDelivery, status: WebhookDelivery['status'], now: Date) =>
      table.update(
        deliveryKey(owner, delivery),
        { status, nextAttemptAt: null, updatedAt: now.toISOString() },
        { attempt: delivery.attempt, status: 'pending' },
      ),

    addEntry,
    removeEntries: (entries: readonly DueEntry[]) => table.deleteAll(entries.map(keyOfEntry)),

    /** Removes due entries together with their deliveries. */
    async forget(
      { owner, webhookId }: WebhookReference,
      entries: readonly DueEntry[],
      deliveryIds: readonly string[],
    ) {
      await table.deleteAll(deliveryIds.map((id) => webhookKeys.delivery(owner, webhookId, id)));
      await table.deleteAll(entries.map(keyOfEntry));
    },

    disable: disabling(tables),
  };
}

/** The right to drain a webhook. */
export interface Lease {
  readonly webhook: WebhookReference;
  /** `<when the lease ends>#<random>`. */
  readonly token: string;
  readonly takenAt: Date;
  /** The drain item when the lease was taken. */
  readonly drain: StoredDrain;
}

/** Times of the next drain; without `nextDrainAt` nothing is left to do. */
interface NextDrain {
  readonly nextDrainAt?: string | undefined;
  /** Time at which the message arrives that is sent for it. */
  readonly delayedUntil?: string | undefined;
  /** End of a failing webhook’s back-off. */
  readonly backOffUntil?: string | undefined;
}

export type LeaseStore = ReturnType<typeof createLeaseStore>;

export function createLeaseStore(table: Table) {
  /** Writes the changes; `drain` is the item as it is then, or as it is when the condition does not hold. */
  async function write(webhook: WebhookReference, changes: Changes, condition: Condition) {
    const { isWritten, item } = await table.change(storedDrain, drainKey(webhook), changes, condition);
    return { drain: item ?? {}, isRefused: !isWritten };
  }

  const changesOfRelease = (
    { webhook: { webhookId } }: Lease,
    { nextDrainAt, delayedUntil, backOffUntil }: NextDrain,
  ): Changes => ({
    lease: undefined,
    nextDrainAt,
    nextDrainKey: nextDrainAt === undefined ? undefined : nextDrainKeyOf(webhookId),
    ...(delayedUntil === undefined ? {} : { delayedUntil }),
    ...(backOffUntil === undefined ? {} : { backOffUntil }),
  });

  return {
    /**
     * Takes the lease; undefined while another worker has it, who then sees that it is wanted, or while the webhook backs off. What
     * is written before somebody asks for a drain is seen by the worker that takes the lease afterwards.
     */
    async take(webhook: WebhookReference, now: Date): Promise<Lease | undefined> {
      const until = secondsLater(now, leaseSeconds);
      const token = `${until}#${randomBytes(8).toString('hex')}`;
      const time = now.toISOString();
      const changes = {
        lease: token,
        nextDrainAt: until,
        nextDrainKey: nextDrainKeyOf(webhook.webhookId),
        expiresAt: expiresAfterDays(now, drainDays),
        wantedAt: undefined,
        backOffUntil: undefined,
      };
      const isFree = { lease: absentOr(below(time)), backOffUntil: absentOr(atMost(time)) };
      const { drain, isRefused } = await write(webhook, changes, isFree);
      // The answer to the write may have been lost, and its repetition refused.
      if (isRefused && drain.lease !== token) return undefined;
      return { webhook, token, takenAt: now, drain };
    },

    /** Gives the lease back; `wanted` when somebody asked for another drain meanwhile, and the lease is kept. */
    async release(lease: Lease, next: NextDrain): Promise<'released' | 'wanted' | 'lost'> {
      const isUnwanted = { lease: lease.token, wantedAt: undefined };
      const { drain, isRefused } = await write(lease.webhook, changesOfRelease(lease, next), isUnwanted);
      if (!isRefused) return 'released';
      return drain.lease === lease.token ? 'wanted' : 'lost';
    },

    /** Clears the request for another drain, which the worker that has the lease makes now. */
    async clearWanted({ webhook, token }: Lease): Promise<void> {
      await write(webhook, { wantedAt: undefined }, { lease: token });
    },

    /** Gives the lease back until the webhook has backed off; false when another worker took it meanwhile. */
    async backOff(
      lease: Lease,
      {
        backOffUntil,
        delayedUntil,
      }: { readonly backOffUntil: string; readonly delayedUntil: string | undefined },
    ) {
      const changes = changesOfRelease(lease, { nextDrainAt: backOffUntil, backOffUntil, delayedUntil });
      return !(await write(lease.webhook, changes, { lease: lease.token })).isRefused;
    },

    /** Gives the lease back and asks for a drain by another worker; false as for `backOff`. */
    async requeue({ webhook, token }: Lease, now: Date): Promise<boolean> {
      const changes = { ...drainRequest(webhook, now), lease: undefined };
      return !(await write(webhook, changes, { lease: token })).isRefused;
    },

    /** Writes what was learned of a receiver; answers its health as it was reset meanwhile, if it was. */
    async saveHealth(
      { webhook, token, drain: { healthSince } }: Lease,
      { failures = 0, firstFailureAt }: Health,
    ) {
      const isOfThisHealth = { lease: token, healthSince };
      const { drain, isRefused } = await write(webhook, { failures, firstFailureAt }, isOfThisHealth);
      return isRefused ? drain : undefined;
    },
  };
}
