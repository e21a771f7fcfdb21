import * as z from 'zod/mini';
import { lazyObject } from '../contract/lazy-object.ts';

/** A stored item that breaks its schema. The message names the paths, never the values. */
export class StoredItemError extends Error {
  override readonly name = 'StoredItemError';
}

/**
 * Parses an item on its way out of a table; attributes that the schema does not name, keys among them, are dropped.
 * @throws StoredItemError when the item breaks its schema: it was written by other code, or by hand.
 */
export function parseStored<Schema extends z.core.$ZodType>(schema: Schema, item: unknown): z.output<Schema> {
  const result = z.safeParse(schema, item);
  if (result.success) return result.data;
  const key = z.safeParse(itemKey, item).data;
  const faults = result.error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
  throw new StoredItemError(
    `The item ${key?.pk ?? '?'} ${key?.sk ?? ''} does not match its schema at ${faults.join(', ')}.`,
  );
}

/** As `parseStored`, but an item that breaks its schema is answered as its error, so that it stops none of the others. */
export function parseStoredOrError<Schema extends z.core.$ZodType>(
  schema: Schema,
  item: unknown,
): z.output<Schema> | StoredItemError {
  try {
    return parseStored(schema, item);
  } catch (error) {
    if (error instanceof StoredItemError) return error;
    throw error;
  }
}

const itemKey = lazyObject(() => ({ pk: z.string(), sk: z.optional(z.string()) }));
