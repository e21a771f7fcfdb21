import type * as z from 'zod/mini';

declare const isCompatible: unique symbol;

export interface Compatible {
  readonly [isCompatible]: true;
}

/** A schema that `compatible` made; what reads tables and queues takes no other. */
export type CompatibleSchema<Output = unknown> = z.core.$ZodType<Output> & Compatible;

/** Every such schema by its name. */
export const compatibleSchemas = new Map<string, z.core.$ZodType>();

/**
 * Marks the schema of what one version of the service writes and another reads: items, messages, events, and what functions
 * pass on to each other. Two versions are side by side during a deployment, and data stays, so that
 * `test/infra/compatibility.test.ts` compares these schemas with those of the previous release.
 *
 * @param name the table and the item, or `messages/…`, `schedules/…`, and `invocations/…`, which others write and which need
 *   not be read by an earlier version. A schema that is renamed counts as removed.
 */
export function compatible<Schema extends z.core.$ZodType>(
  name: string,
  schema: Schema,
): Schema & Compatible {
  if (compatibleSchemas.has(name)) throw new Error(`Two schemas have the name ${name}.`);
  compatibleSchemas.set(name, schema);
  return schema as Schema & Compatible;
}
