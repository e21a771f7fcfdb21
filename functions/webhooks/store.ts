import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { wantedUpdate } from '../../shared/domain/webhooks/drain-item.ts';
import {
  type StoredDelivery,
  type StoredWebhook,
  storedDelivery,
  storedWebhook,
  webhookItem,
  webhookKeys,
  webhookPartitions,
} from '../../shared/domain/webhooks/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { itemsInOrder, type PageOf } from '../../shared/platform/data/item-page.ts';
import { retryOnConflict, VersionConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { queryPages } from '../../shared/platform/data/query-pages.ts';
import { itemKey, parseStored } from '../../shared/platform/data/stored.ts';
import { type TransactionItem, transact, unconditional } from '../../shared/platform/data/transact.ts';
import { DomainError } from '../../shared/platform/errors/domain-error.ts';

/** What of a delivery must be equal, where it is given. */
export type DeliveryFilter = {
  readonly [Field in 'status' | 'webhookType']?: StoredDelivery[Field] | undefined;
};

/** Makes the items of the same transaction from what the change answers. */
export type TransactionItemsOf = (webhook: StoredWebhook) => readonly TransactionItem[];

/** One owner's webhooks; what another organization owns cannot even be addressed. Reads see every earlier write. */
export interface WebhookStore {
  /** Every webhook of an owner, oldest first. */
  list(owner: string): AsyncIterable<StoredWebhook[]>;
  find(owner: string, webhookId: string): Promise<StoredWebhook | undefined>;
  /** A page of those of a webhook's deliveries that match, newest first, and how many there are. */
  deliveries(
    owner: string,
    webhookId: string,
    page: PageOf & DeliveryFilter,
  ): Promise<{ readonly items: StoredDelivery[]; readonly total: number }>;
  /** @throws DomainError `state_conflict` when the owner has as many as it may have. */
  create(owner: string, webhook: StoredWebhook, items: TransactionItemsOf): Promise<void>;
  /**
   * Changes a webhook by what it is when it is changed, however many do so at once. What its receiver failed before a new
   * URL, or before it was enabled again, no longer counts.
   * @throws DomainError `not_found`; TransactionContention when others keep changing it.
   */
  change(
    owner: string,
    webhookId: string,
    changed: (webhook: StoredWebhook) => StoredWebhook,
    items: TransactionItemsOf,
  ): Promise<StoredWebhook>;
  /**
   * Deletes a webhook and answers what it was.
   * @throws DomainError `not_found`; TransactionContention when others keep changing it.
   */
  delete(owner: string, webhookId: string, now: Date, items: TransactionItemsOf): Promise<StoredWebhook>;
}

/** Webhooks that an organization may have (OpenAPI, "createWebhook"). */
export const mostWebhooks = 20;

/** Tells that webhooks and their number differ, which no request can bring about. */
class WebhookCountError extends Error {
  override readonly name = 'WebhookCountError';
}

export function createWebhookStore(client: DynamoDBClient, table: string): WebhookStore {
  const find = (owner: string, webhookId: string) =>
    getItem(client, table, webhookKeys.webhook(owner, webhookId), storedWebhook, { consistent: true });

  const counted = (owner: string, by: 1 | -1): TransactionItem => ({
    write: {
      Update: {
        TableName: table,
        Key: toItem(webhookKeys.count(owner)),
        UpdateExpression: 'ADD #count :by',
        ConditionExpression: by === 1 ? 'attribute_not_exists(#count) OR #count < :bound' : '#count > :bound',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: toItem({ ':by': by, ':bound': by === 1 ? mostWebhooks : 0 }),
      },
    },
    refused: () =>
      by === 1
        ? new DomainError('state_conflict', {
            message: `An organization can have at most ${mostWebhooks} webhooks; delete one first.`,
            limit: { expected: `at most ${mostWebhooks} webhooks`, actual: String(mostWebhooks) },
          })
        : new WebhookCountError('A webhook that was not counted is deleted.'),
  });

  /** Asks for a look, since what the last one knew of the webhook no longer holds. */
  const wanted = (owner: string, webhookId: string, now: Date, resetsHealth: boolean): TransactionItem =>
    unconditional({ Update: wantedUpdate(table, { owner, webhookId }, now, { resetsHealth }) });

  const whileUnchanged = ({ version }: StoredWebhook) => ({
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: toItem({ ':version': version }),
  });

  const changedError = () => new VersionConflict();

  /** Writes what `plan` makes of the webhook, again while others change it in between. */
  function write<Result>(
    owner: string,
    webhookId: string,
    plan: (before: StoredWebhook) => {
      readonly result: Result;
      readonly write: TransactWriteItem;
      readonly furtherItems: readonly TransactionItem[];
    },
  ): Promise<Result> {
    return retryOnConflict(async () => {
      const before = await find(owner, webhookId);
      if (before === undefined) throw new DomainError('not_found');
      const { result, write: own, furtherItems } = plan(before);
      await transact(client, [{ write: own, refused: changedError }, ...furtherItems]);
      return result;
    });
  }

  return {
    async *list(owner) {
      const query = {
        TableName: table,
        KeyConditionExpression: 'pk = :partition',
        ExpressionAttributeValues: toItem({ ':partition': webhookPartitions.webhooks(owner) }),
        ConsistentRead: true,
      };
      for await (const items of queryPages(client, query)) {
        yield items.map((item) => parseStored(storedWebhook, unmarshall(item)));
      }
    },

    find,

    // The keys of all deliveries are counted, then those of the page are read: two waits that cannot be one. The index holds
    // what they are filtered by.
    async deliveries(owner, webhookId, { page, limit, status, webhookType }) {
      const fields = Object.entries({ status, webhookType }).filter(([, value]) => value !== undefined);
      const query = {
        TableName: table,
        IndexName: 'by-webhook',
        KeyConditionExpression: 'listKey = :partition',
        ...(fields.length === 0
          ? {}
          : {
              FilterExpression: fields.map(([name]) => `#${name} = :${name}`).join(' AND '),
              ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
            }),
        ExpressionAttributeValues: toItem({
          ':partition': webhookPartitions.deliveries(owner, webhookId),
          ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
        }),
        ScanIndexForward: false,
      };
      const first = (page - 1) * limit;
      const shown: { readonly pk: string; readonly sk: string }[] = [];
      let total = 0;
      for await (const items of queryPages(client, query)) {
        const start = Math.max(0, first - total);
        const keys = items.slice(start, start + limit - shown.length);
        shown.push(...keys.map((item) => parseStored(itemKey, unmarshall(item))));
        total += items.length;
      }
      const items = await itemsInOrder(client, table, shown);
      return { items: items.map((item) => parseStored(storedDelivery, item)), total };
    },

    async create(owner, webhook, items) {
      const put = { TableName: table, Item: toItem(webhookItem(owner, webhook)) };
      await transact(client, [
        counted(owner, 1),
        {
          write: { Put: { ...put, ConditionExpression: 'attribute_not_exists(pk)' } },
          refused: changedError,
        },
        ...items(webhook),
      ]);
    },

    change: (owner, webhookId, changed, items) =>
      write(owner, webhookId, (before) => {
        const after = { ...changed(before), version: before.version + 1 };
        const Item = toItem(webhookItem(owner, after));
        return {
          result: after,
          write: { Put: { TableName: table, Item, ...whileUnchanged(before) } },
          furtherItems: [
            ...(resetsHealth(before, after)
              ? [wanted(owner, webhookId, new Date(after.updatedAt), true)]
              : []),
            ...items(after),
          ],
        };
      }),

    delete: (owner, webhookId, now, items) =>
      write(owner, webhookId, (before) => {
        const Key = toItem(webhookKeys.webhook(owner, webhookId));
        return {
          result: before,
          write: { Delete: { TableName: table, Key, ...whileUnchanged(before) } },
          // A look removes the due entries.
          furtherItems: [counted(owner, -1), wanted(owner, webhookId, now, false), ...items(before)],
        };
      }),
  };
}

/** Whether what a receiver failed no longer counts after a change. */
const resetsHealth = (before: StoredWebhook, after: StoredWebhook): boolean =>
  after.url !== before.url || (after.isActive && !before.isActive);
