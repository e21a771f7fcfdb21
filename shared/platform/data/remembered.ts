/** The most answers that are remembered: a holder's records repeat few statuses, names, and times. */
const mostAnswers = 10_000;

/** A function that computes each answer once. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const answers = new Map<string, { readonly value: Value }>();
  return (text) => {
    const found = answers.get(text);
    if (found !== undefined) return found.value;
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
 * Reads each value once in a stretch of a list that stands together, also of calls at the same time, and forgets it later: a long list's
 * would not fit into memory.
 */
export function remembering<Value>(
  read: (keys: readonly string[]) => Promise<Iterable<readonly [key: string, value: Value]>>,
): FindAll<Value> {
  const batches = new Map<string, Promise<ReadonlyMap<string, Value>>>();
  return async (keys) => {
    const asked = [...new Set(keys)];
    if (batches.size > most) batches.clear();
    const missing = asked.filter((key) => !batches.has(key));
    if (missing.length > 0) {
      const batch = read(missing).then((found) => new Map(found));
      for (const key of missing) batches.set(key, batch);
    }
    const found = await Promise.all(asked.map((key) => batches.get(key)));
    const entryOf = (key: string, index: number): [string, Value][] => {
      const value = found[index]?.get(key);
      return value === undefined ? [] : [[key, value]];
    };
    return new Map(asked.flatMap(entryOf));
  };
}
