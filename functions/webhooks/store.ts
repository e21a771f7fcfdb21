import { drainKey, wanted } from '../../shared/domain/webhooks/drain-item.ts';
import {
  type StoredDelivery,
  type StoredWebhook,
  storedDelivery,
  storedWebhook,
  webhookItem,
  webhookKeys,
  webhookPartitions,
} from '../../shared/domain/webhooks/stored.ts';
import { above, absentOr, added, atLeast, below, isNew } from '../../shared/platform/data/expressions.ts';
import { retryOnConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { itemKey } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { Key } from '../../shared/platform/data/table-items.ts';
import type { PageOf } from '../../shared/platform/data/table-reads.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import { DomainError } from '../../shared/platform/errors/domain-error.ts';

/** What of a delivery must be equal, where it is given. */
export type DeliveryFilter = {
  readonly [Field in 'status' | 'webhookType']?: StoredDelivery[Field] | undefined;
};

/** Makes the items of the same transaction from what the change answers. */
export type TransactionItemsOf = (webhook: StoredWebhook) => readonly TransactionItem[];

/** One owner's webhooks; what another organization owns cannot even be addressed. Reads see every earlier write. */
export type WebhookStore = ReturnType<typeof createWebhookStore>;

/** Webhooks that an organization may have (OpenAPI, "createWebhook"). */
export const mostWebhooks = 20;

/** Tells that webhooks and their number differ, which no request can bring about. */
class WebhookCountError extends Error {
  override readonly name = 'WebhookCountError';
}

const counted = (table: Table, owner: string, by: 1 | -1): TransactionItem =>
  table.items.update(
    webhookKeys.count(owner),
    { count: added(by) },
    { count: by === 1 ? absentOr(below(mostWebhooks)) : above(0) },
    () =>
      by === 1
        ? new DomainError('state_conflict', {
            message: `An organization can have at most ${mostWebhooks} webhooks; delete one first.`,
            limit: { expected: `at most ${mostWebhooks} webhooks`, actual: String(mostWebhooks) },
          })
        : new WebhookCountError('A webhook that was not counted is deleted.'),
  );

export function createWebhookStore(table: Table<'by-webhook'>) {
  const find = (owner: string, webhookId: string) =>
    table.get(storedWebhook, webhookKeys.webhook(owner, webhookId));

  /** Asks for a drain, since what the last one knew of the webhook no longer holds. */
  const askForDrain = (owner: string, webhookId: string, now: Date, resetsHealth: boolean): TransactionItem =>
    table.items.update(drainKey({ owner, webhookId }), wanted({ owner, webhookId }, now, { resetsHealth }));

  /** Writes what `plan` makes of the webhook, again while others change it in between. */
  function write<Result>(
    owner: string,
    webhookId: string,
    plan: (before: StoredWebhook) => { readonly result: Result; readonly items: readonly TransactionItem[] },
  ): Promise<Result> {
    return retryOnConflict(async () => {
      const before = await find(owner, webhookId);
      if (before === undefined) throw new DomainError('not_found');
      const { result, items } = plan(before);
      await table.transact(items);
      return result;
    });
  }

  return {
    /** Every webhook of an owner, oldest first. */
    list: (owner: string) =>
      table.query(storedWebhook, webhookPartitions.webhooks(owner), { consistent: true, leavesOut: true }),

    find,

    // The keys of all deliveries since then are counted, then those of the page are read: two waits that cannot be one. The index holds
    // what they are filtered by.
    /** A page of those of a webhook's deliveries since a time that match, newest first, and how many there are. */
    async deliveries(
      owner: string,
      webhookId: string,
      since: string,
      { page, limit, status, webhookType }: PageOf & DeliveryFilter,
    ) {
      const given = Object.entries({ status, webhookType }).filter(([, value]) => value !== undefined);
      const newestFirst = {
        index: 'by-webhook',
        descending: true,
        sort: atLeast(since),
        ...(given.length === 0 ? {} : { filter: Object.fromEntries(given) }),
      } as const;
      const partition = webhookPartitions.deliveries(owner, webhookId);
      const first = (page - 1) * limit;
      const shown: Key[] = [];
      let total = 0;
      for await (const keys of table.query(itemKey, partition, newestFirst)) {
        const start = Math.max(0, first - total);
        shown.push(...keys.slice(start, start + limit - shown.length));
        total += keys.length;
      }
      return { items: await table.getInOrder(storedDelivery, shown, { leavesOut: true }), total };
    },

    /** @throws DomainError `state_conflict` when the owner has as many as it may have. */
    create: (owner: string, webhook: StoredWebhook, items: TransactionItemsOf) =>
      table.transact([
        counted(table, owner, 1),
        table.items.put(webhookItem(owner, webhook), isNew),
        ...items(webhook),
      ]),

    /**
     * Changes a webhook by what it is when it is changed, however many do so at once. What its receiver failed before a new
     * URL, or before it was enabled again, no longer counts.
     * @throws DomainError `not_found`; TransactionContention when others keep changing it.
     */
    change: (
      owner: string,
      webhookId: string,
      changed: (webhook: StoredWebhook) => StoredWebhook,
      items: TransactionItemsOf,
    ) =>
      write(owner, webhookId, (before) => {
        const { version } = before;
        const after = { ...changed(before), version: version + 1 };
        return {
          result: after,
          items: [
            table.items.put(webhookItem(owner, after), { version }),
            ...(resetsHealth(before, after)
              ? [askForDrain(owner, webhookId, new Date(after.updatedAt), true)]
              : []),
            ...items(after),
          ],
        };
      }),

    /**
     * Deletes a webhook and answers what it was.
     * @throws DomainError `not_found`; TransactionContention when others keep changing it.
     */
    delete: (owner: string, webhookId: string, now: Date, items: TransactionItemsOf) =>
      write(owner, webhookId, (before) => ({
        result: before,
        items: [
          table.items.delete(webhookKeys.webhook(owner, webhookId), { version: before.version }),
          counted(table, owner, -1),
          // A check removes the due entries.
          askForDrain(owner, webhookId, now, false),
          ...items(before),
        ],
      })),
  };
}

/** Whether what a receiver failed no longer counts after a change. */
const resetsHealth = (before: StoredWebhook, after: StoredWebhook): boolean =>
  after.url !== before.url || (after.isActive && !before.isActive);
