import { index, pk, sk, type TableDesign } from '../../platform/data/table-design.ts';

/**
 * Events on their way to the bus, each written in one transaction with the change that it reports. They are kept for as
 * long as they can be redelivered.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | event | `<upstream>#<entityId>` | `EVENT#<eventId>` |
 * | deferred event; once it is released, that it has no number yet | the same | `DEFERRED#<eventId>` |
 * | last number given to a type of event about the entity | the same | `SEQUENCE#<type>` |
 * | last position issued in the feed of an organization | `<upstream>#FEED` | `COUNTER` |
 * | which event is at a position of the feed | `<upstream>#FEED#<position / 1,000>` | `<position, 16 digits>` |
 * | when the next deferred event may be released | `DEFERRED` | `PACE` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | unpublished | events that the bus has not accepted yet | `unpublishedKey` = `UNPUBLISHED#<shard of the entity's pk>` | `createdAt` |
 * | unpublished, too | deferred events that wait | `unpublishedKey` = `DEFERRED#<shard of the upstream>` | `createdAt` |
 *
 * An event gets its number and its position in one transaction, before the bus gets it; one that the bus has accepted has no
 * `unpublishedKey`, so it leaves the index. The index holds only keys, in 64
 * shards: every business write that emits an event waits for it, and an event of 200 KB would cost it twice.
 */
export const outboxTable = {
  name: 'outbox',
  partitionKey: pk,
  sortKey: sk,
  indexes: {
    unpublished: index('unpublishedKey', 'createdAt'),
  },
  timeToLive: 'expiresAt',
  stream: 'new image',
  kind: 'business',
} as const satisfies TableDesign;
