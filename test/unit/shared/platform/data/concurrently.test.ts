import { setImmediate as soon } from 'node:timers/promises';
import * as fc from 'fast-check';
import { collect } from '../../../../../shared/platform/data/collect.ts';
import {
  concurrently,
  mapAhead,
  mapConcurrently,
  readAhead,
} from '../../../../../shared/platform/data/concurrently.ts';

async function* later(items: readonly number[]): AsyncGenerator<number> {
  for (const item of items) {
    await soon();
    yield item;
  }
}

test('every item is processed once, never more at a time than the limit', () =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(), { maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      async (items, limit) => {
        const done: number[] = [];
        let underWay = 0;
        await concurrently(later(items), limit, async (item) => {
          underWay += 1;
          expect(underWay).toBeLessThanOrEqual(limit);
          await soon();
          underWay -= 1;
          done.push(item);
        });
        expect(done.sort()).toEqual([...items].sort());
      },
    ),
  ));

test('after an error no more items are started, and those in progress finish', async () => {
  const done: number[] = [];
  const work = concurrently([1, 2, 3, 4, 5, 6], 2, async (item) => {
    await soon();
    if (item === 2) throw new Error('two');
    await soon();
    done.push(item);
  });
  await expect(work).rejects.toThrow('two');
  expect(done).toEqual([1]);
});

test('results are in the order of the items, whichever is ready first', async () => {
  const results = await mapConcurrently([3, 1, 2], 3, async (turns) => {
    for (let turn = 0; turn < turns; turn += 1) await soon();
    return `after ${turns}`;
  });
  expect(results).toEqual(['after 3', 'after 1', 'after 2']);
});

test('the next items are requested while one is processed, and their error is thrown', async () => {
  expect(
    await collect(
      (async function* () {
        for await (const item of readAhead(later([1, 2, 3]))) yield [item];
      })(),
    ),
  ).toEqual([1, 2, 3]);
  const seen: number[] = [];
  const broken = async () => {
    for await (const item of readAhead(
      (async function* () {
        yield* later([1, 2]);
        throw new Error('broken off');
      })(),
    ))
      seen.push(item);
  };
  await expect(broken()).rejects.toThrow('broken off');
  expect(seen).toEqual([1, 2]);
});

describe('what is made of items ahead', () => {
  it('is made of two more while the caller works on one, in order, and of the first alone', async () => {
    const begun: number[] = [];
    const make = async (item: number): Promise<number> => {
      begun.push(item);
      // The later ones are ready first.
      for (let turn = item; turn < 10; turn += 1) await soon();
      return item;
    };
    const seen: [made: number, begun: number][] = [];
    for await (const made of mapAhead(later([1, 2, 3, 4, 5]), 2, make)) seen.push([made, begun.length]);
    expect(seen).toEqual([
      [1, 1],
      [2, 4],
      [3, 5],
      [4, 5],
      [5, 5],
    ]);
  });

  it('fails where its turn comes', async () => {
    const seen: number[] = [];
    const make = async (item: number): Promise<number> => {
      if (item === 2) throw new Error('not made');
      return item;
    };
    const all = async () => {
      for await (const made of mapAhead(later([1, 2, 3]), 2, make)) seen.push(made);
    };
    await expect(all()).rejects.toThrow('not made');
    expect(seen).toEqual([1]);
  });
});
