import { businessTable } from '../../platform/data/table-design.ts';

/**
 * Events on their way to the bus, each written in one transaction with the change that it reports, and kept for as long as it
 * can be redelivered.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | event | `<upstream>#<entityId>` | `EVENT#<eventId>` |
 * | that it is not published | `UNPUBLISHED#<shard of the event's pk>` | `<occurredAt>#<eventId>` |
 * | that a deferred one is not | `DEFERRED#<shard of the upstream>` | the same |
 * | that a deferred one is not, with its entity's events | `<upstream>#<entityId>` | `DEFERRED#<eventId>` |
 * | last number given to a type of event about the entity | the same | `SEQUENCE#<type>` |
 * | last position issued in the feed of an organization | `<upstream>#FEED` | `COUNTER` |
 * | which events are at some positions of the feed in a row | the same | `<last of the positions, 16 digits>` |
 * | when the next deferred event may be published | `DEFERRED` | `PACE` |
 * | who publishes deferred events, and whether some were added since | `DEFERRED` | `RELEASE` |
 *
 * An event is written once: an item of 2 KB takes six write units. What changes on its way is small, and says where it is. It
 * gets its number and its position in one transaction, before the bus gets it; one that the bus has accepted has no entry in an
 * UNPUBLISHED or DEFERRED partition. The item of its number remembers the numbers of events that have an entry: no event gets
 * two.
 */
export const outboxTable = businessTable('outbox', {
  timeToLive: 'expiresAt',
  stream: 'new image',
});
