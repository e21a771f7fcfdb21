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
  /** What each value of an enum means; the list is part of the published description. */
  readonly values?: Meanings<Value>;
  readonly examples?: readonly DeepReadonly<Value>[];
  /** Whether an enum never gets another value; in responses, any other enum is documented as open. */
  readonly isClosed?: true;
} & { readonly [Word in keyof JsonSchemaWords]?: JsonSchemaWords[Word] | undefined };

/** A meaning for every value of an enum. */
type Meanings<Value> = { readonly [Word in Extract<Value, string>]: string };

/** Documentation of fields, each a description or more; fields that are left out keep what their schema says. */
type ShapeDocumentation<Shape extends z.core.$ZodShape> = {
  readonly [Key in keyof Shape]?: string | Documentation<z.input<Shape[Key]>>;
};

/**
 * Documents a schema: `described(z.string(), DOCUMENTED && { description: 'Its name.' })`. It is registered rather than
 * a `z.meta` check, which would run for every value.
 *
 * @returns the schema itself; a copy of one that is documented already, which keeps what the new documentation leaves out.
 */
export function described<Schema extends z.core.$ZodType>(
  schema: Schema,
  documentation: false | Documentation<z.input<Schema>>,
): Schema {
  if (DOCUMENTED && documentation !== false) {
    return document(z.globalRegistry.has(schema) ? copyOf(schema) : schema, documentation);
  }
  return schema;
}

/**
 * Documents the fields of an object: `z.object(describedShape({ name: z.string() }, DOCUMENTED && { name: 'Its name.' }))`.
 *
 * @returns the shape, with copies of the schemas: several fields may share one.
 */
export function describedShape<Shape extends z.core.$ZodShape>(
  shape: Shape,
  fields: false | ShapeDocumentation<Shape>,
): Shape {
  if (DOCUMENTED && fields !== false) return documentedShape(shape, fields);
  return shape;
}

function documentedShape<Shape extends z.core.$ZodShape>(
  shape: Shape,
  fields: ShapeDocumentation<Shape>,
): Shape {
  const documented = Object.entries<z.core.$ZodType>(shape).map(([name, schema]) => {
    const documentation: string | Documentation<unknown> | undefined = fields[name];
    if (documentation === undefined) return [name, schema];
    const isText = typeof documentation === 'string';
    return [name, document(copyOf(schema), isText ? { description: documentation } : documentation)];
  });
  return Object.fromEntries(documented);
}

/** A copy to document anew: not of another copy, so that the document refers to the component directly. */
function copyOf<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  const { parent } = schema._zod;
  const isCopy = parent !== undefined && parent._zod.def === schema._zod.def;
  return isCopy ? copyOf(parent as Schema) : z.clone(schema);
}

/** What the values of documented enums mean. */
const meanings = new WeakMap<z.core.$ZodType, Readonly<Record<string, string>>>();

/** What the values of a schema mean, also where it makes an enum optional or is a copy of one. */
function meaningsOf(schema: z.core.$ZodType): Readonly<Record<string, string>> | undefined {
  const { def, parent } = (schema as z.core.$ZodTypes)._zod;
  const inner = def.type === 'optional' || def.type === 'default' ? def.innerType : parent;
  return meanings.get(schema) ?? (inner && meaningsOf(inner));
}

function document<Schema extends z.core.$ZodType>(
  schema: Schema,
  { values = meaningsOf(schema), description, ...words }: Documentation<unknown>,
): Schema {
  if (values !== undefined) meanings.set(schema, values);
  const list = Object.entries<string>(values ?? {}).map(([value, meaning]) => `- \`${value}\`: ${meaning}`);
  const text = [description ?? [], list.length === 0 ? [] : list.join('\n')].flat().join('\n\n');
  z.globalRegistry.add(schema, { ...words, ...(text === '' ? {} : { description: text }) });
  return schema;
}
