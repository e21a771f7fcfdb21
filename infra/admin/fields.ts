// Describes the fields of a schema in words, for the operators' page and the program's help.
import type * as z from 'zod/mini';
import { isObject } from '../json.ts';
import type { JsonSchema } from '../openapi/document.ts';
import { jsonSchemaOf } from '../openapi/json-schema.ts';

/** A field of an input or a record. */
export interface Field {
  /** Its name; of a field within others all names, as in `checklist[].name`. */
  readonly path: string;
  /** Its type or its accepted values, in Markdown. */
  readonly values: string;
  readonly isRequired: boolean;
  /** Its documentation, as in the OpenAPI document. */
  readonly meaning?: string;
}

type Definitions = NonNullable<JsonSchema['$defs']>;

/** A schema with what it refers to, beside which its own words count. */
function resolved(schema: unknown, defs: Definitions): JsonSchema {
  if (!isObject(schema)) throw new Error(`${JSON.stringify(schema)} is not a schema.`);
  const { $ref, ...own }: JsonSchema = schema;
  return $ref === undefined ? own : { ...resolved(defs[$ref.slice('#/$defs/'.length)], defs), ...own };
}

/** The object that a value is, may be (if it is not null), or that the elements of a list are. */
function objectIn(given: JsonSchema, defs: Definitions): { suffix: string; object: JsonSchema } | undefined {
  if (given.properties !== undefined) return { suffix: '.', object: given };
  if (given.type === 'array') {
    const found = objectIn(resolved(given.items, defs), defs);
    return found && { suffix: `[]${found.suffix}`, object: found.object };
  }
  const objects = (given.anyOf ?? []).map((one) => objectIn(resolved(one, defs), defs));
  return objects.find((one) => one !== undefined);
}

/**
 * The fields of an object's schema as callers write them.
 * @param depth `all` adds the fields within objects and lists of objects, after the field that holds them.
 * @param docs words for fields.
 */
export function fieldsOf(
  schema: z.core.$ZodType,
  depth: 'top' | 'all' = 'top',
  docs: Readonly<Record<string, unknown>> = {},
): readonly Field[] {
  const json = jsonSchemaOf(schema, { io: 'input', unrepresentable: 'any' }, docs);
  return fieldsWithin('', json, json.$defs ?? {}, depth);
}

function fieldsWithin(
  prefix: string,
  { properties = {}, required = [] }: JsonSchema,
  defs: Definitions,
  depth: 'top' | 'all',
): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const given = resolved(schema, defs);
    const path = `${prefix}${name}`;
    const field = {
      path,
      values: kindOf(given, defs, depth),
      isRequired: required.includes(name),
      ...meaningOf(given),
    };
    const inner = depth === 'all' ? objectIn(given, defs) : undefined;
    if (inner === undefined) return [field];
    return [field, ...fieldsWithin(`${path}${inner.suffix}`, inner.object, defs, depth)];
  });
}

/** The documentation of a field, and its default if it has one that means something. */
function meaningOf({ description, default: value }: JsonSchema): Pick<Field, 'meaning'> {
  const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  const parts = [description, isEmpty ? undefined : `Default: ${JSON.stringify(value)}.`];
  const meaning = parts.filter((part) => part !== undefined).join(' ');
  return meaning === '' ? {} : { meaning };
}

/** Describes the values of a field in a few words. */
function kindOf(schema: unknown, defs: Definitions, depth: 'top' | 'all'): string {
  const given = resolved(schema, defs);
  if (given.const !== undefined) return `\`${given.const}\``;
  if (given.enum !== undefined) return given.enum.map((value) => `\`${value}\``).join(', ');
  if (given.anyOf !== undefined) {
    return [...new Set(given.anyOf.map((alternative) => kindOf(alternative, defs, depth)))].join(' or ');
  }
  if (given.type === 'array') return `list of ${kindOf(given.items, defs, depth)}`;
  if (given.type === 'string') return stringOf(given);
  if (given.type === 'integer') {
    const { minimum = Number.MIN_SAFE_INTEGER } = given;
    const range = minimum === Number.MIN_SAFE_INTEGER ? '' : `, at least ${minimum}`;
    return `integer${range}`;
  }
  if (given.properties !== undefined) {
    if (depth === 'all') return 'object';
    const fields = Object.keys(given.properties).map((field) => `\`${field}\``);
    return given.required?.length === fields.length
      ? `object with ${fields.join(', ')}`
      : `object with any of ${fields.join(', ')}`;
  }
  return given.type === undefined ? 'any value' : [given.type].flat().join(' or ');
}

const formats: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'time (ISO 8601)',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  email: 'email address',
};

function stringOf({ pattern, format, minLength, maxLength }: JsonSchema): string {
  if (format !== undefined) return formats[format] ?? format;
  if (pattern === '^[0-9a-fA-F]{24}$') return 'id';
  if (pattern !== undefined) return `string matching \`${pattern}\``;
  if (maxLength === undefined) return 'string';
  return `string of ${minLength ?? 0} to ${maxLength.toLocaleString('en-US')} characters`;
}
