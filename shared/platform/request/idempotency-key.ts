import { invalid } from '../contract/errors.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The headers that can carry a key. */
export const idempotencyKeyHeaders = ['idempotency-key', 'x-idempotency-key'] as const;

/**
 * The idempotency key of a request, from either of its two headers; quotes around it are tolerated.
 * @param headers by lower-case name; one that was sent more than once has its values as a list.
 * @throws ApiError `validation_error` when it is not a UUID, or several are sent and differ.
 */
export function idempotencyKey(headers: Readonly<Record<string, string>>): string | undefined {
  const keys = new Set<string>();
  for (const name of idempotencyKeyHeaders) {
    for (const value of headers[name]?.split(',') ?? []) {
      const key = value.trim().replace(/^"(.*)"$/, '$1');
      if (!uuid.test(key)) throw invalid({ path: name, message: 'must be a UUID' });
      keys.add(key.toLowerCase());
      if (keys.size > 1) throw invalid({ path: name, message: 'differs from another one; send one key' });
    }
  }
  return [...keys][0];
}
