import { createHash } from 'node:crypto';

/** Random choices that follow from a seed. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  digits(count: number): string;
  /** A number with two neighboring digits swapped that differ, where it has such. */
  swapped(number: string): string;
}

export function randomOf(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32BE();
  // A linear congruential generator with the constants of Numerical Recipes, of whose state the high bits are used.
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  };
  return {
    below,
    pick,
    chance: (percent) => below(100) < percent,
    digits: (count) => Array.from({ length: count }, () => String(below(10))).join(''),
    swapped(number) {
      const places = [...number].flatMap((digit, at) =>
        at > 0 && number[at + 1] !== undefined && number[at + 1] !== digit ? [at] : [],
      );
      if (places.length === 0) return number;
      const at = pick(places);
      return number.slice(0, at) + number.charAt(at + 1) + number.charAt(at) + number.slice(at + 2);
    },
  };
}
