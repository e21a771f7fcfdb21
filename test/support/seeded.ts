import { createHash } from 'node:crypto';

/** A number from 0 up to 1 that follows from a seed and what it is for. */
export const draw = (...words: readonly (string | number)[]): number =>
  createHash('sha256').update(JSON.stringify(words)).digest().readUInt32BE() / 2 ** 32;

/** An item chosen by a number from 0 up to 1. */
export function chosen<Item>(items: readonly Item[], number: number): Item {
  const item = items[Math.floor(number * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}

/** Random choices that follow from a seed: whole numbers from 0 to below a limit, and what is true in so many of 100 cases. */
export function randomOf(seed: string) {
  let draws = 0;
  const below = (limit: number): number => {
    draws += 1;
    return Math.floor(draw(seed, draws) * limit);
  };
  return { below, chance: (percent: number): boolean => below(100) < percent };
}
