import { realTime } from '../dates/dates.ts';

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
  // It serves everybody, also those whose clock is ahead.
  const now = (): number => realTime(new Date(options.now())).getTime();
  const entries = new Map<string, { readonly value: Promise<Value>; readonly expiresAt: number }>();
  return {
    get(key: string): Promise<Value> {
      const known = entries.get(key);
      if (known !== undefined && now() < known.expiresAt) return known.value;
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
