import { type OutboxItem, shardOf, unpublishedKey } from '../../shared/domain/events/stored.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { exists } from '../../shared/platform/data/expressions.ts';
import { anyItem } from '../../shared/platform/data/stored.ts';
import { type AssignNumbers, createNumbering } from './numbers.ts';
import { byTime, type Outbox, type OutboxKey, oldestKeys, shardKeys } from './oldest-keys.ts';

/** The publisher's access to the outbox. */
export interface OutboxStore {
  readonly assignNumbers: AssignNumbers;
  /** Removes the event from the index of unpublished events. */
  markPublished(item: Pick<OutboxItem, 'pk' | 'sk'>, at: Date): Promise<void>;
  /**
   * Keys of unpublished events that came into the stream before then: some of every shard at a time, oldest first. The
   * index lags, so that an event may have been published since. Deferred events are not among them.
   */
  unpublished(before: Date): AsyncIterable<readonly OutboxKey[]>;
  /**
   * Unpublished events of these entities, by their `pk`, that came into the stream before then, as they are stored, oldest
   * first. The index lags.
   */
  unpublishedOf(entities: ReadonlySet<string>, before: string): Promise<unknown[]>;
  /** The events under these keys that are still unpublished, as they are stored, in the keys' order. */
  findUnpublished(keys: readonly OutboxKey[]): Promise<unknown[]>;
}

export function createOutboxStore(table: Outbox): OutboxStore {
  const findUnpublished: OutboxStore['findUnpublished'] = async (keys) => {
    const found = await table.getAll(anyItem, keys);
    const byKey = new Map(found.map((item) => [`${item['pk']} ${item['sk']}`, item]));
    return keys
      .map(({ pk, sk }) => byKey.get(`${pk} ${sk}`))
      .filter((item) => item?.['unpublishedKey'] !== undefined);
  };

  return {
    assignNumbers: createNumbering(table),

    async markPublished({ pk, sk }, at) {
      const changes = { publishedAt: at.toISOString(), unpublishedKey: undefined };
      if (!(await table.update({ pk, sk }, changes, exists))) throw new Error('The event is deleted.');
    },

    unpublished: (before) => oldestKeys(table, unpublishedKey, before),

    async unpublishedOf(entities, before) {
      const shards = new Set(Array.from(entities, shardOf));
      const keys = await Promise.all(
        Array.from(shards, (shard) => collect(shardKeys(table, unpublishedKey(shard), before))),
      );
      const wanted = keys.flat().filter(({ pk }) => entities.has(pk));
      return findUnpublished(wanted.toSorted(byTime));
    },

    findUnpublished,
  };
}
