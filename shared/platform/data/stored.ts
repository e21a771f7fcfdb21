import * as z from 'zod/mini';
import { type CompatibleSchema, compatible } from '../contract/compatible.ts';
import { lazyObject } from '../contract/lazy-object.ts';

/** A stored item that breaks its schema. The message names the paths, never the values. */
export class StoredItemError extends Error {
  override readonly name = 'StoredItemError';
}

/** The key of an item of a table whose key has two parts. */
export const itemKey = compatible(
  'item-key',
  lazyObject(() => ({ pk: z.string(), sk: z.string() })),
);

/**
 * Parses an item on its way out of a table; attributes that the schema does not name, keys among them, are dropped.
 * @throws StoredItemError when the item breaks its schema: it was written by other code, or by hand.
 */
export function parseStored<Schema extends CompatibleSchema>(
  schema: Schema,
  item: unknown,
): z.output<Schema> {
  const result = z.safeParse(schema, item);
  if (result.success) return result.data;
  const key = z.safeParse(keyInMessage, item).data;
  const faults = result.error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
  throw new StoredItemError(
    `The item ${key?.pk ?? '?'} ${key?.sk ?? ''} does not match its schema at ${faults.join(', ')}.`,
  );
}

/** As `parseStored`, where there may be no item. */
export const parseIfStored = <Schema extends CompatibleSchema>(
  schema: Schema,
  item: unknown,
): z.output<Schema> | undefined => (item === undefined ? undefined : parseStored(schema, item));

/** As `parseStored`, but an item that breaks its schema is answered as its error, so that it stops none of the others. */
export function parseStoredOrError<Schema extends CompatibleSchema>(
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

const keyInMessage = lazyObject(() => ({ pk: z.string(), sk: z.optional(z.string()) }));
