import { setTimeout as pause } from 'node:timers/promises';
import { type ChunkLimits, chunks } from '../../shared/platform/data/chunks.ts';

/** How long the first item of a group waits for others. */
const gatherMs = 5;

/**
 * Does work for single items in groups within limits: what is asked for within some milliseconds, and what is asked for
 * while a group is under way.
 *
 * @param work answers for each item, in their order, and does not fail
 */
export function inGroups<Item, Result>(
  limits: ChunkLimits<Item>,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: { readonly item: Item; readonly settle: (result: Promise<Result>) => void }[] = [];
  let isUnderWay = false;

  async function workOnAll(): Promise<void> {
    isUnderWay = true;
    await pause(gatherMs);
    while (waiting.length > 0) {
      const items = waiting.map(({ item }) => item);
      const [first = []] = chunks(items, limits);
      const group = waiting.splice(0, first.length);
      const results = work(first);
      for (const [index, { settle }] of group.entries()) settle(results.then((all) => resultAt(all, index)));
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
