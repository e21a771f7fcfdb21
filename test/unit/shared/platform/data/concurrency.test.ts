import { setImmediate as soon } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expiringCache, remembering } from '#platform/data/caches.ts';
import {
  chunks,
  collect,
  concurrently,
  joinPages,
  mapAhead,
  readAhead,
} from '#platform/data/concurrently.ts';

describe('what is made of items ahead', () => {
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
          await concurrently(
            later(items),
            async (item) => {
              underWay += 1;
              expect(underWay).toBeLessThanOrEqual(limit);
              await soon();
              underWay -= 1;
              done.push(item);
            },
            limit,
          );
          expect(done.sort()).toEqual([...items].sort());
        },
      ),
    ));

  test('after an error no more items are started, and those in progress finish', async () => {
    const done: number[] = [];
    const work = concurrently(
      [1, 2, 3, 4, 5, 6],
      async (item) => {
        await soon();
        if (item === 2) throw new Error('two');
        await soon();
        done.push(item);
      },
      2,
    );
    await expect(work).rejects.toThrow('two');
    expect(done).toEqual([1]);
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

  it('is made of two more while the caller works on one, in order, and of the first alone', async () => {
    const begun: number[] = [];
    const make = async (item: number): Promise<number> => {
      begun.push(item);
      // The later ones are ready first.
      for (let turn = item; turn < 10; turn += 1) await soon();
      return item;
    };
    const seen: [made: number, begun: number][] = [];
    for await (const made of mapAhead(later([1, 2, 3, 4, 5]), make)) seen.push([made, begun.length]);
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
      for await (const made of mapAhead(later([1, 2, 3]), make)) seen.push(made);
    };
    await expect(all()).rejects.toThrow('not made');
    expect(seen).toEqual([1]);
  });
});

test.each([
  [[], []],
  [[[1]], [[1]]],
  [
    [[1], [2], [3, 4], [5], []],
    [[1], [2, 3, 4], [5]],
  ],
  [
    [[], [1], [2], [3]],
    [[], [1, 2], [3]],
  ],
])(
  'of pages that are joined by twos, the first comes alone, and the last one as it is',
  async (pages, joined) => {
    async function* source(): AsyncGenerator<number[]> {
      yield* pages;
    }
    const seen: number[][] = [];
    for await (const page of joinPages(source(), 2)) seen.push(page);
    expect(seen).toEqual(joined);
  },
);

describe('chunks', () => {
  const of = (text: string): number => text.length;

  it('splits items into chunks of at most that number', () => {
    expect(chunks([1, 2, 3, 4, 5], { count: 2 })).toEqual([[1, 2], [3, 4], [5]]);
    expect(chunks([], { count: 2 })).toEqual([]);
  });

  it('ends a chunk before it exceeds its bytes, and fills it to the last one', () => {
    const limits = { count: 10, size: { bytes: 4, of } };
    expect(chunks(['aa', 'bb', 'c', 'dddd', 'e'], limits)).toEqual([['aa', 'bb'], ['c'], ['dddd'], ['e']]);
  });

  it('keeps every item and the order, and keeps to both limits', async () => {
    const size = { bytes: 20, of };
    await fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 })), fc.integer({ min: 1, max: 5 }), (items, count) => {
        const made = chunks(items, { count, size });
        expect(made.flat()).toEqual(items);
        for (const chunk of made) {
          expect(chunk.length).toBeLessThanOrEqual(count);
          if (chunk.length > 1) expect(chunk.join('').length).toBeLessThanOrEqual(size.bytes);
        }
      }),
    );
  });
});

describe('expiring cache', () => {
  /** A cache of two values for ten milliseconds, and what was loaded for it. */
  function setup() {
    const loaded: string[] = [];
    let time = 0;
    const cache = expiringCache({
      load: async (key) => {
        loaded.push(key);
        if (key === 'bad') throw new Error('no');
        return `value of ${key}`;
      },
      lifetimeMs: 10,
      capacity: 2,
      now: () => time,
    });
    return {
      cache,
      loaded,
      pass: (ms: number) => {
        time += ms;
      },
    };
  }

  it('a value is loaded once in its lifetime', async () => {
    const { cache, loaded, pass } = setup();
    expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['value of a', 'value of a']);
    pass(9);
    await cache.get('a');
    expect(loaded).toEqual(['a']);
    pass(1);
    await cache.get('a');
    expect(loaded).toEqual(['a', 'a']);
  });

  it('a failure is not cached, and what is forgotten is loaded again', async () => {
    const { cache, loaded } = setup();
    for (const _time of [1, 2]) await expect(cache.get('bad')).rejects.toThrow('no');
    await cache.get('a');
    cache.forget('a');
    await cache.get('a');
    expect(loaded).toEqual(['bad', 'bad', 'a', 'a']);
  });

  it('of more values than it holds, the one goes that was loaded first', async () => {
    const { cache, loaded, pass } = setup();
    for (const key of ['a', 'b']) {
      await cache.get(key);
      pass(5);
    }
    // Loaded again, the first is the newest.
    for (const key of ['a', 'c']) await cache.get(key);
    expect(loaded.splice(0)).toEqual(['a', 'b', 'a', 'c']);
    for (const key of ['a', 'c', 'b']) await cache.get(key);
    expect(loaded).toEqual(['b']);
  });

  it('a failure that comes late leaves what was loaded after it', async () => {
    const loads: ((value: string | Promise<never>) => void)[] = [];
    const cache = expiringCache({
      load: () => new Promise<string>((resolve) => loads.push(resolve)),
      lifetimeMs: 10,
      capacity: 2,
      now: () => 0,
    });
    const first = cache.get('a');
    cache.forget('a');
    const second = cache.get('a');
    loads[0]?.(Promise.reject(new Error('late')));
    await expect(first).rejects.toThrow('late');
    loads[1]?.('a value');
    expect(await Promise.all([second, cache.get('a')])).toEqual(['a value', 'a value']);
    expect(loads).toHaveLength(2);
  });
});

describe('remembering', () => {
  test('a value is read once in a stretch, and again after many others', async () => {
    const asked: string[][] = [];
    const find = remembering(async (keys) => {
      asked.push([...keys]);
      return keys.filter((key) => key !== 'nobody').map((key) => [key, `value of ${key}`]);
    });
    expect([...(await find(['a', 'a', 'nobody']))]).toEqual([['a', 'value of a']]);
    expect((await find(['a', 'b'])).get('b')).toBe('value of b');
    await find(['b']);
    expect(asked).toEqual([['a', 'nobody'], ['b']]);
    await find(Array.from({ length: 2_000 }, (_, index) => String(index)));
    expect((await find(['b'])).get('b')).toBe('value of b');
    expect(asked.at(-1)).toEqual(['b']);
  });

  test('calls at the same time read a value once, and what one found stays when others make the list forget', async () => {
    const asked: string[][] = [];
    const find = remembering(async (keys) => {
      asked.push([...keys]);
      return keys.map((key) => [key, `value of ${key}`]);
    });
    const [one, other] = await Promise.all([find(['a', 'b']), find(['b', 'c'])]);
    expect(asked).toEqual([['a', 'b'], ['c']]);
    expect([...one.keys(), ...other.keys()]).toEqual(['a', 'b', 'b', 'c']);
    await find(Array.from({ length: 2_000 }, (_, index) => String(index)));
    await find(['d']);
    expect(one.get('a')).toBe('value of a');
  });
});
