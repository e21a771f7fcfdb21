import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';

/** Keys read at once. */
const concurrency = 8;

/** Reads each value once by its key, however many markets need it. */
export async function readEach<Value>(
  keys: readonly string[],
  read: (key: string) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const once = [...new Set(keys)];
  const values = await mapConcurrently(once, concurrency, async (key) => [key, await read(key)] as const);
  return new Map(values);
}
