/** Values that are remembered, beside those of the keys that were asked for last. */
const most = 500;

/** Finds values by their keys; one that is not found is not there. */
export type FindAll<Value> = (keys: Iterable<string>) => Promise<ReadonlyMap<string, Value>>;

/**
 * Reads each value once in a stretch of a list that stands together, and forgets it later: a long list's would not fit into
 * memory. What it answers is complete until the next call.
 */
export function remembering<Value>(
  read: (keys: readonly string[]) => Promise<Iterable<readonly [key: string, value: Value]>>,
): FindAll<Value> {
  const known = new Map<string, Value>();
  return async (keys) => {
    if (known.size > most) known.clear();
    const missing = [...new Set(keys)].filter((key) => !known.has(key));
    if (missing.length > 0) for (const [key, value] of await read(missing)) known.set(key, value);
    return known;
  };
}
