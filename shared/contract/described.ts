import * as z from 'zod/mini';

declare global {
  /**
   * Whether documentation is part of the build: true where the OpenAPI document is generated, false in the functions'
   * bundles, from which esbuild then removes everything behind `DOCUMENTED &&`.
   */
  const DOCUMENTED: boolean;
}

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** JSON Schema keywords, where zod's conversion omits or misstates what callers may send. */
type JsonSchemaWords = Pick<
  z.core.JSONSchema.BaseSchema,
  | 'type'
  | 'enum'
  | 'pattern'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'minProperties'
  | 'uniqueItems'
  | 'deprecated'
>;

/** Documentation of a schema whose values callers write as `Value`; an `id` makes it a component. */
export type Documentation<Value> = {
  readonly id?: string;
  readonly description?: string;
  readonly examples?: readonly DeepReadonly<Value>[];
} & { readonly [Word in keyof JsonSchemaWords]?: JsonSchemaWords[Word] | undefined };

/**
 * Documents a schema: `described(z.string(), DOCUMENTED && { description: 'Its name.' })`. It is registered rather than
 * a `z.meta` check, which would run for every value.
 *
 * @returns the schema itself.
 */
export function described<Schema extends z.core.$ZodType>(
  schema: Schema,
  documentation: false | Documentation<z.input<Schema>>,
): Schema {
  if (documentation !== false) {
    if (z.globalRegistry.has(schema))
      throw new Error('A schema is documented twice; describe a z.clone of it.');
    z.globalRegistry.add(schema, documentation);
  }
  return schema;
}
