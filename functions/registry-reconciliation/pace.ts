import { setTimeout as pause } from 'node:timers/promises';
import { registryKeys } from '#domain/registry-records/stored.ts';
import { storedNumber } from '#platform/contract/primitives.ts';
import { above, absentOr, added, atMost } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';

/** Reserves slots; each resolves when what it was reserved for may begin. */
export type Pace = (slots: number) => Promise<readonly (() => Promise<void>)[]>;

interface PaceOptions {
  /** Slots of the environment, shared by all functions. */
  readonly perSecond: number;
  readonly now: () => Date;
  /** Waits some milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

const pace = storedItem('registry-records/pace', () => ({
  nextAt: storedNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
}));

/**
 * Slots at equal distances, over all workers and operators' commands together: one item says when the next slot begins, and
 * each reservation moves it on by as many slots as it reserves, conditionally. A worker's own limit would not do: a queue's
 * workers are two at least, a small account can't reserve executions to have fewer, and an operator's command runs besides.
 * A caller reserves some slots at once, so that the item takes a fraction of their rate.
 */
export function createPace(table: Table, { perSecond, now, wait = pause }: PaceOptions): Pace {
  const intervalMs = 1_000 / perSecond;
  const key = registryKeys.pace();

  /** The milliseconds at which the first of some slots begins; undefined where the condition does not hold. */
  async function reserve(isBehind: boolean, costMs: number): Promise<number | undefined> {
    const time = now().getTime();
    const { isWritten, item } = isBehind
      ? await table.change(pace, key, { nextAt: added(costMs) }, { nextAt: above(time) })
      : // Slots that nobody took are gone: they must not add up to a burst.
        await table.change(pace, key, { nextAt: time + costMs }, { nextAt: absentOr(atMost(time)) });
    return isWritten ? item.nextAt - costMs : undefined;
  }

  return async (slots) => {
    if (slots === 0) return [];
    const costMs = slots * intervalMs;
    let first: number | undefined;
    while (first === undefined) first = (await reserve(true, costMs)) ?? (await reserve(false, costMs));
    const start = first;
    return Array.from({ length: slots }, (_, index) => async () => {
      const waitMs = start + index * intervalMs - now().getTime();
      if (waitMs > 0) await wait(waitMs);
    });
  };
}
