import { shardAmong } from '../data/shard.ts';

// The index by-change of a table: its aggregate's items, deleted ones too, by the time of their last change. Each write of
// such an item sets `changeMark` in the same write, so there is no change without its mark, whoever crashes.

/**
 * Partitions of an owner's changes. A change moves the item's entry, which takes two write units: two imports at once, of
 * 330 records a second each, take 1,320, more than the 1,000 of a partition. Times rise, so DynamoDB can't split a busy
 * partition by them. With four, each is used for a third; a poll that finds nothing reads each of them once.
 */
export const changeShards = 4;

/** The owner of the changes of what belongs to the whole platform: agencies. */
export const platform = 'PLATFORM';

/** A partition of the index. */
export const partitionOf = (owner: string, shard: number): string => `${owner}#CHANGED#${shard}`;

/** The attributes of an item that changed at a time. They come from the server alone, whatever an import says. */
export const changeMark = (owner: string, id: string, at: Date) => ({
  changeKey: partitionOf(owner, shardAmong(id, changeShards)),
  changedAt: at.toISOString(),
});
