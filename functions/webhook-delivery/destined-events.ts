import { setTimeout as pause } from 'node:timers/promises';
import type { BusEvent } from '../../shared/domain/events/event.ts';
import { type ChunkLimits, chunks } from '../../shared/platform/data/chunks.ts';

/** An event on its way to a destination. */
export interface DestinedEvent extends BusEvent {
  /** The headers that a URL would get. */
  readonly headers: Readonly<Record<string, string>>;
  /** What a FIFO queue keeps in order: the entity. */
  readonly groupId: string;
  /** What a FIFO queue takes once within five minutes. */
  readonly deduplicationId: string;
}

/** Sends an event, and answers the id that the service gave it. @throws SDK errors, and `EntryRefused`. */
export type SendEvent = (event: DestinedEvent) => Promise<string | undefined>;

/** A bus refused an event of a call that it accepted. */
export class EntryRefused extends Error {
  readonly $metadata = { httpStatusCode: 200 };

  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}

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
