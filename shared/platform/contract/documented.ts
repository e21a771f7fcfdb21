import * as z from 'zod/mini';
import type { stateCode } from './primitives.ts';
import type { Route, RouteTable, V2RowOf } from './route.ts';

// Words about schemas and routes. They stand in files `docs.ts`, which no function imports; the OpenAPI document and the
// operators' help put them beside what zod says of a schema. A field whose name and schema say it all has none.

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** Keywords of JSON Schema, where zod's conversion omits or misstates what callers may send. */
type Keywords = Pick<
  z.core.JSONSchema.BaseSchema,
  | 'type'
  | 'minLength'
  | 'maxLength'
  | 'pattern'
  | 'minimum'
  | 'maximum'
  | 'minProperties'
  | 'maxProperties'
  | 'uniqueItems'
  | 'deprecated'
>;

/** Documentation of a schema whose values callers write as `Value`. */
interface Words<Value> extends Keywords {
  readonly description: string;
  /** Meanings of a text's values so far; the list is part of the published description. */
  readonly values?: Readonly<Record<string, string>>;
  readonly examples?: readonly DeepReadonly<Value>[];
  /** Keywords of zod's conversion that no reader needs. */
  readonly omits?: readonly (keyof z.core.JSONSchema.BaseSchema)[];
}

/** A meaning for every value of an enum, which the published description lists. */
type Meanings<Value> = { readonly [Word in Extract<Value, string>]: string };

/** Schema within null, lists, and values that may be left out. */
type Inner<Schema> = Schema extends
  | z.core.$ZodOptional<infer Within>
  | z.core.$ZodNullable<infer Within>
  | z.core.$ZodDefault<infer Within>
  | z.core.$ZodArray<infer Within>
  ? Inner<Within>
  : Schema;

declare const schemaOf: unique symbol;

/** Docs of a schema in a place where it stands, null, lists, and what may be left out aside. */
interface Reference<Schema> {
  readonly [schemaOf]: Schema;
}

interface WithShape {
  readonly shape: z.core.$ZodShape;
}

/** Words for the parts of a schema: the fields of an object, and the meanings of an enum's values, unless they are plain. */
type Parts<Schema> = Schema extends typeof stateCode
  ? object
  : Schema extends z.core.$ZodEnum
    ? { readonly values: Meanings<z.output<Schema>> } | { readonly isPlain: true }
    : Schema extends WithShape
      ? { readonly fields: FieldDocs<Schema> }
      : object;

type FieldDoc<Schema extends z.core.$ZodType> = LongDoc<Schema> | Short<z.input<Schema>>;

type LongDoc<Schema extends z.core.$ZodType> =
  | (Words<z.input<Schema>> & Partial<Parts<Inner<Schema>>>)
  | Reference<Inner<Schema>>;

/** A description alone, or with an example. */
type Short<Value> = string | readonly [description: string, example: DeepReadonly<Value>];

/** Words for fields of an object of which there is more to say than their names do: a description or more. */
export type FieldDocs<Schema extends WithShape> = {
  readonly [Name in keyof Schema['shape']]?: FieldDoc<Schema['shape'][Name]>;
};

/** Words about a schema wherever it stands; an `id` makes it a component of the document. */
export type DocsOf<Schema extends z.core.$ZodType> = Partial<Words<z.input<Schema>>> &
  (z.core.$ZodType extends Schema ? { readonly fields?: object } : Partial<Parts<Inner<Schema>>>) & {
    readonly id?: string;
    /** Whether an enum never gets another value; in responses, any other enum is documented as open. */
    readonly isClosed?: true;
  };

/** Docs of a schema, as other docs refer to them: a field without words has none there either. */
type DocumentedSchema<Schema extends z.core.$ZodType> = Omit<DocsOf<Schema>, 'fields'> &
  Reference<Inner<Schema>> &
  (Schema extends { readonly shape: infer Shape extends z.core.$ZodShape }
    ? {
        readonly fields: {
          readonly [Name in keyof Shape]-?: object extends Parts<Inner<Shape[Name]>>
            ? FieldDoc<Shape[Name]>
            : LongDoc<Shape[Name]>;
        };
      }
    : object);

/**
 * Says what a schema is wherever it stands. A field of that schema needs no words of its own; as docs of one that may be
 * something else, what it returns says that it is just that.
 */
export function documented<Schema extends z.core.$ZodType>(
  schema: Schema,
  docs: DocsOf<Schema>,
): DocumentedSchema<Schema> {
  z.globalRegistry.add(schema, docs);
  return { ...docs, isSaid: true } as unknown as DocumentedSchema<Schema>;
}

/** Docs of a field whose schema is documented: what the field is, in place of what the schema is. */
export const as = <Schema>(
  _docs: Reference<Schema>,
  words: string | Partial<Words<unknown>>,
): Reference<Schema> => words as unknown as Reference<Schema>;

/** Words for the row of a route. */
export type RouteDocs<R extends Route> = {
  readonly summary: string;
  readonly description: string;
  /** Examples of the answer by name, where that of its schema does not show all of it. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  /** The schema of an item of the answer, where the row has one that says less. */
  readonly item?: z.core.$ZodType;
} & (R extends { readonly query: infer Query extends WithShape }
  ? {
      readonly query?: FieldDocs<Query>;
    }
  : object) &
  (R['answer'] extends { readonly with: infer Shape extends z.core.$ZodShape }
    ? { readonly with?: { readonly [Name in keyof Shape]?: FieldDoc<Shape[Name]> } }
    : object);

/** Words for a group of routes. A row of v1 has those of its row of v2, but for its own. */
export interface GroupDocs<Table extends RouteTable = RouteTable> {
  readonly description: string;
  readonly routes: {
    readonly [Id in keyof Table as V2RowOf<Id, Table> extends never ? Id : never]: RouteDocs<Table[Id]>;
  } & {
    readonly [Id in keyof Table as V2RowOf<Id, Table> extends never ? never : Id]?: Partial<
      RouteDocs<Table[Id]>
    >;
  };
}
