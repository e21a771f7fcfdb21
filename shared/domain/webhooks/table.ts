import { businessTable, index } from '../../platform/data/table-design.ts';

/**
 * Webhooks with their deliveries.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | webhook with its secrets | `<owner>#WEBHOOK` | `<webhookId>` |
 * | number of webhooks, at most 20 | `<owner>` | `WEBHOOK_COUNT` |
 * | delivery with its attempts | `<owner>#DELIVERY#<webhookId>` | `<deliveryId>` |
 * | due entry: a delivery's next attempt, made from its record | `<owner>#DUE#<webhookId>` | `<nextAttemptAt>#<deliveryId>#<attempt>` |
 * | drain item: who drains a webhook, when the next check is due, and its receiver's health | `<owner>#DRAIN` | `<webhookId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-webhook, with `status` and `webhookType` | pages of a webhook's deliveries | `listKey` = `<owner>#<webhookId>` | `listSort` = `<createdAt>#<deliveryId>` |
 * | by-next-drain | webhooks that nobody drained in time, of every owner | `nextDrainKey` = `NEXT_DRAIN#<shard>` | `nextDrainAt` |
 *
 * Whether something is left to deliver is decided by consistent reads of the due entries. The index by-next-drain only finds
 * webhooks, in 64 shards; one for which nothing is left has no `nextDrainKey`.
 */
export const webhooksTable = businessTable('webhooks', {
  indexes: {
    'by-webhook': index('listKey', 'listSort', ['status', 'webhookType']),
    'by-next-drain': index('nextDrainKey', 'nextDrainAt'),
  },
  timeToLive: 'expiresAt',
});
