import { expiringCache } from '../../../../../shared/platform/data/expiring-cache.ts';

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
  for (const key of ['a', 'b']) await cache.get(key);
  pass(10);
  // Loaded again, it is the newest.
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
