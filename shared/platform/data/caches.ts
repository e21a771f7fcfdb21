// What keeps values that were read or computed, each for as long as it may.

/**
 * Caches what `load` returned for each key for `lifetimeMs`; a failure is not cached.
 *
 * @param options.lifetimeMs how long a value is cached, counted from before it was requested.
 * @param options.capacity how many keys are cached; the oldest is evicted.
 */
export function expiringCache<Value>(options: {
  readonly load: (key: string) => Promise<Value>;
  readonly lifetimeMs: number;
  readonly capacity: number;
  readonly now: () => number;
}) {
  const { now } = options;
  const entries = new Map<string, { readonly value: Promise<Value>; readonly expiresAt: number }>();
  return {
    get(key: string): Promise<Value> {
      const knownValue = entries.get(key);
      if (knownValue !== undefined && now() < knownValue.expiresAt) return knownValue.value;
      const entry = { value: options.load(key), expiresAt: now() + options.lifetimeMs };
      entries.delete(key);
      entries.set(key, entry);
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      const oldest = entries.keys().next();
      if (entries.size > options.capacity && oldest.done === false) entries.delete(oldest.value);
      return entry.value;
    },
    forget: (key: string): void => void entries.delete(key),
  };
}

/** A value that is read with the first call, and once; after a failure the next call reads it again. */
export function readOnce<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

/** Finds the value of a key in a map, or else makes it and puts it there. */
export function valueByKey<Key, Value>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

/** The most answers that are remembered: a holder's records repeat few statuses, names, and times. */
const mostAnswers = 10_000;

/** A function that computes each answer once. */
export function memoize<Value>(compute: (text: string) => Value): (text: string) => Value {
  const answers = new Map<string, { readonly value: Value }>();
  return (text) => {
    const answer = answers.get(text);
    if (answer !== undefined) return answer.value;
    if (answers.size >= mostAnswers) answers.clear();
    const value = compute(text);
    answers.set(text, { value });
    return value;
  };
}

/** Values that are remembered, beside those of the keys that were asked for last. */
const most = 500;

/** Finds values by their keys; one that is not found is not there. */
export type FindAll<Value> = (keys: Iterable<string>) => Promise<ReadonlyMap<string, Value>>;

/**
 * Remembers values by their keys, also for calls at the same time. It forgets them when it has too many: those of a long list
 * would not fit into memory.
 */
export function remembering<Value>(
  read: (keys: readonly string[]) => Promise<Iterable<readonly [key: string, value: Value]>>,
): FindAll<Value> {
  const batches = new Map<string, Promise<ReadonlyMap<string, Value>>>();
  return async (keys) => {
    const uniqueKeys = [...new Set(keys)];
    if (batches.size > most) batches.clear();
    const missingKeys = uniqueKeys.filter((key) => !batches.has(key));
    if (missingKeys.length > 0) {
      const batch = read(missingKeys).then((entries) => new Map(entries));
      for (const key of missingKeys) batches.set(key, batch);
    }
    const batchesOfKeys = await Promise.all(uniqueKeys.map((key) => batches.get(key)));
    const entryOf = (key: string, index: number): [string, Value][] => {
      const value = batchesOfKeys[index]?.get(key);
      return value === undefined ? [] : [[key, value]];
    };
    return new Map(uniqueKeys.flatMap(entryOf));
  };
}
