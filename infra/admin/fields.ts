// Describes the fields of a schema in words, for the help of operators' commands.
import type * as z from 'zod/mini';
import { isObject } from '../json.ts';
import type { JsonSchema } from '../openapi/document.ts';
import { jsonSchemaOf } from '../openapi/json-schema.ts';

type Definitions = NonNullable<JsonSchema['$defs']>;

/** A schema with what it refers to, beside which its own words count. */
function resolved(schema: unknown, defs: Definitions): JsonSchema {
  if (!isObject(schema)) throw new Error(`${JSON.stringify(schema)} is not a schema.`);
  const { $ref, ...own }: JsonSchema = schema;
  return $ref === undefined ? own : { ...resolved(defs[$ref.slice('#/$defs/'.length)], defs), ...own };
}

/**
 * The fields of an object's schema as callers write them, and after each one those within it, such as `checklist[].name`: each
 * with its values, and what it means in the lines below.
 * @param docs words for fields.
 */
export function describeFields(
  schema: z.core.$ZodType,
  docs: Readonly<Record<string, unknown>> = {},
): string {
  const json = jsonSchemaOf(schema, { io: 'input', unrepresentable: 'any' }, docs);
  return fieldLines('', json, json.$defs ?? {}).join('\n');
}

/** The lines for the fields within a value: an object, perhaps, or a list of objects. */
function fieldLines(path: string, schema: unknown, defs: Definitions): string[] {
  const { anyOf = [], items, properties, required = [] } = resolved(schema, defs);
  if (items !== undefined) return fieldLines(`${path}[]`, items, defs);
  if (properties === undefined) return anyOf.flatMap((one) => fieldLines(path, one, defs));
  return Object.entries(properties).flatMap(([name, property]) => {
    const inner = path === '' ? name : `${path}.${name}`;
    const given = resolved(property, defs);
    return [
      `${inner}${required.includes(name) ? ' (required)' : ''}: ${valuesOf(given, defs)}`,
      ...meaningOf(given).map((line) => `    ${line}`),
      ...fieldLines(inner, given, defs),
    ];
  });
}

/** The documentation of a field, and its default if it has one that means something. */
function meaningOf({ description, default: value }: JsonSchema): string[] {
  const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  const parts = [description ?? [], isEmpty ? [] : `Default: ${JSON.stringify(value)}.`].flat();
  return parts.join(' ').split(/\n+/).filter(Boolean);
}

/** The values of a field in a few words. */
function valuesOf(schema: unknown, defs: Definitions): string {
  const { anyOf, items, format, pattern, minLength, maxLength, type, ...given } = resolved(schema, defs);
  const values = given.enum ?? (given.const === undefined ? undefined : [given.const]);
  if (values !== undefined) return values.join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => valuesOf(one, defs)))].join(' or ');
  if (items !== undefined) return `list of ${valuesOf(items, defs)}`;
  if (format !== undefined) return format;
  if (pattern === '^[0-9a-fA-F]{24}$') return 'id';
  if (pattern !== undefined) return `string matching ${pattern}`;
  if (maxLength !== undefined) return `string of ${minLength ?? 0} to ${maxLength} characters`;
  return [type ?? 'any value'].flat().join(' or ');
}
