import * as z from 'zod/mini';
import { ZodMiniObject } from 'zod/mini';
import { $constructor, $ZodObjectJIT } from 'zod/v4/core';
import { faultPaths } from './json.ts';

/** A stored item that breaks its schema. The message names its schema, its key, and the paths, never the values. */
export class StoredItemError extends Error {
  override readonly name = 'StoredItemError';
}

declare const isStored: unique symbol;

interface StoredShape {
  readonly [isStored]: true;
}

/** A schema that `storedItem` made; what reads tables takes no other. */
export type StoredSchema<Output = unknown> = z.core.$ZodType<Output> & StoredShape;

/** Every such schema by its name. */
export const storedSchemas = new Map<string, z.core.$ZodType>();

/**
 * A schema by which items are parsed.
 * @param name the table and the item, for the error of an item that breaks the schema.
 */
export function storedSchema<Schema extends z.core.$ZodType>(
  name: string,
  schema: Schema,
): Schema & StoredShape {
  if (storedSchemas.has(name)) throw new Error(`Two schemas have the name ${name}.`);
  storedSchemas.set(name, schema);
  return schema as Schema & StoredShape;
}

/** An object whose parser is compiled, as those of `zod` are: `zod/mini` leaves it out, and records are parsed by the thousand. */
const CompiledObject = $constructor<ZodMiniObject, z.core.$ZodObjectDef>(
  'CompiledObject',
  (schema, definition) => {
    ZodMiniObject.init(schema, definition);
    $ZodObjectJIT.init(schema, definition);
  },
);

/** `z.object` with such a parser. */
export const compiledObject = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  new CompiledObject({ type: 'object', shape: fields }) as ReturnType<typeof z.object<Fields>>;

/** The schema of an item with these fields; see `storedSchema`. */
export const storedItem = <Fields extends z.core.$ZodLooseShape>(name: string, fields: Fields) =>
  storedSchema(name, compiledObject(fields));

/** The key of an item; `sk` is empty where the table's key has one part. */
export const itemKey = storedItem('item-key', { pk: z.string(), sk: z._default(z.string(), '') });

/** An item as it is stored, where the schema that parses it follows from what it is. */
export const anyItem = z.unknown() as unknown as StoredSchema<Record<string, unknown>>;

/**
 * Parses an item on its way out of a table; attributes that the schema does not name, keys among them, are dropped.
 * @throws StoredItemError when the item breaks its schema: it was written by other code, or by hand.
 */
export function parseStored<Value>(schema: StoredSchema<Value>, item: unknown): Value {
  const result = z.safeParse(schema, item);
  if (result.success) return result.data;
  const key = z.safeParse(keyInMessage, item).data;
  const [name = 'item'] = [...storedSchemas].find(([, otherSchema]) => otherSchema === schema) ?? [];
  throw new StoredItemError(
    `The ${name} ${key?.pk ?? '?'} ${key?.sk ?? ''} does not match its schema at ${faultPaths(result.error.issues).join(', ')}.`,
  );
}

/** Parses an item as `parseStored` does, where there may be none. */
export const parseIfStored = <Value>(schema: StoredSchema<Value>, item: unknown): Value | undefined =>
  item === undefined ? undefined : parseStored(schema, item);

/** Parses an item as `parseStored` does, but answers one that breaks its schema as its error: a worker goes on with the others. */
export function parseStoredOrError<Value>(
  schema: StoredSchema<Value>,
  item: unknown,
): Value | StoredItemError {
  try {
    return parseStored(schema, item);
  } catch (error) {
    if (error instanceof StoredItemError) return error;
    throw error;
  }
}

const keyInMessage = z.object({ pk: z.string(), sk: z.optional(z.string()) });

/**
 * Bytes of an item as DynamoDB counts them: its attributes' names and values, with a few bytes for numbers, lists and maps.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 *
 * @param item as DynamoDB's wire format has it, or the SDK, which has bytes as bytes
 */
export function storedBytes(item: Readonly<Record<string, unknown>>): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function valueBytes(attribute: unknown): number {
  if (!isObject(attribute)) return 0;
  const [[type, value] = ['NULL', true]] = Object.entries(attribute);
  switch (type) {
    case 'S':
      return Buffer.byteLength(String(value));
    case 'B':
      return value instanceof Uint8Array ? value.length : Buffer.from(String(value), 'base64').length;
    case 'N':
      // A byte for two digits, one more, and one for a sign.
      return (
        Math.ceil(String(value).replace(/[-.]/g, '').length / 2) + (String(value).startsWith('-') ? 2 : 1)
      );
    case 'SS':
    case 'NS':
      return Array.isArray(value)
        ? value.reduce((sum: number, member) => sum + Buffer.byteLength(String(member)), 0)
        : 0;
    case 'L':
      return Array.isArray(value)
        ? value.reduce((sum: number, member) => sum + 1 + valueBytes(member), 3)
        : 3;
    case 'M':
      return isObject(value)
        ? Object.entries(value).reduce(
            (sum, [name, member]) => sum + 1 + Buffer.byteLength(name) + valueBytes(member),
            3,
          )
        : 3;
    default:
      return 1;
  }
}
