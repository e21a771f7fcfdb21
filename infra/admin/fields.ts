// Describes the fields of a schema in words, for the help of operators' commands.

import type * as z from 'zod/mini';
import { isoDatePattern } from '#platform/contract/docs.ts';
import { type RecordType, recordSchemas } from '../../functions/import/record-schemas.ts';
import type { JsonSchema } from '../openapi/schemas.ts';
import { jsonSchemaOf } from '../openapi/schemas.ts';
import { sampleLines } from '../samples.ts';
import { isObject } from '../text.ts';

type Definitions = NonNullable<JsonSchema['$defs']>;

/** A schema with what it refers to, beside which its own words count. */
function resolve(schema: unknown, defs: Definitions): JsonSchema {
  if (!isObject(schema)) throw new Error(`${JSON.stringify(schema)} is not a schema.`);
  const { $ref, ...members }: JsonSchema = schema;
  return $ref === undefined ? members : { ...resolve(defs[$ref.slice('#/$defs/'.length)], defs), ...members };
}

/**
 * The fields of an object's schema as callers write them, and after each one those within it, such as `checklist[].name`: each
 * with its values, and what it means in the lines below, where its schema says it.
 */
export function describeFields(schema: z.core.$ZodType): string {
  const json = jsonSchemaOf(schema, { io: 'input', unrepresentable: 'any' });
  const defs = json.$defs ?? {};
  return Array.from(fieldsWithin('', json, defs), (field) => fieldLine(field, defs))
    .flat()
    .join('\n');
}

/** A field within a value. */
interface Field {
  readonly path: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

/** The fields within a value: an object, perhaps, or a list of objects. Each stands before those within it. */
function* fieldsWithin(path: string, schema: unknown, defs: Definitions): Generator<Field> {
  const { anyOf = [], items, properties, required = [] } = resolve(schema, defs);
  if (items !== undefined) yield* fieldsWithin(`${path}[]`, items, defs);
  else if (properties === undefined) for (const option of anyOf) yield* fieldsWithin(path, option, defs);
  else {
    for (const [name, property] of Object.entries(properties)) {
      const inner = path === '' ? name : `${path}.${name}`;
      const field = resolve(property, defs);
      yield { path: inner, isRequired: required.includes(name), schema: field };
      yield* fieldsWithin(inner, field, defs);
    }
  }
}

const fieldLine = ({ path, isRequired, schema }: Field, defs: Definitions): string[] => [
  `${path}${isRequired ? ' (required)' : ''}: ${valuesOf(schema, defs)}`,
  ...meaningOf(schema).map((line) => `    ${line}`),
];

/** The kind of values that a field takes; a text where none of the others fits. */
export interface FieldKind {
  readonly kind: 'number' | 'date' | 'text';
  /** The texts that it takes; empty where it takes any. */
  readonly accepted: readonly string[];
}

/** Schema of a list's values; undefined for a field that is no list. */
const itemOf = (field: JsonSchema, defs: Definitions): JsonSchema | undefined => {
  const list = [field, ...(field.anyOf ?? [])].map((option) => resolve(option, defs));
  const items = list.find((option) => option.items !== undefined)?.items;
  return items === undefined ? undefined : resolve(items, defs);
};

/** The values of an object's schema that are no objects or lists of objects, by path: `names[]` of a list of them. */
export function fieldKinds(schema: z.core.$ZodType): ReadonlyMap<string, FieldKind> {
  const json = jsonSchemaOf(schema, { io: 'input', unrepresentable: 'any' });
  const defs = json.$defs ?? {};
  const allFields = Array.from(fieldsWithin('', json, defs));
  const leaves = allFields.filter(
    ({ path }) =>
      !allFields.some(
        (otherField) => otherField.path.startsWith(`${path}.`) || otherField.path.startsWith(`${path}[]`),
      ),
  );
  return new Map(
    leaves.map(({ path, schema }) => {
      const item = itemOf(schema, defs);
      const field = item ?? schema;
      const values = valuesOf(field, defs);
      const kind = /^(number|integer)\b/.test(values) ? 'number' : /^date\b/.test(values) ? 'date' : 'text';
      const acceptedValues = [field, ...(field.anyOf ?? [])].flatMap(
        (option) => resolve(option, defs).enum ?? [],
      );
      return [
        item === undefined ? path : `${path}[]`,
        { kind, accepted: acceptedValues.filter((value) => typeof value === 'string') },
      ];
    }),
  );
}

/** The documentation of a field, and its default if it has one that means something. */
function meaningOf({ description, default: value }: JsonSchema): string[] {
  const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  const parts = [description ?? [], isEmpty ? [] : `Default: ${JSON.stringify(value)}.`].flat();
  return parts.join(' ').split(/\n+/).filter(Boolean);
}

/** The values of a field in a few words. */
function valuesOf(schema: unknown, defs: Definitions): string {
  const { anyOf, items, format, pattern, minLength, maxLength, type, ...members } = resolve(schema, defs);
  const values = members.enum ?? (members.const === undefined ? undefined : [members.const]);
  if (values !== undefined) return values.join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((option) => valuesOf(option, defs)))].join(' or ');
  if (items !== undefined) return `list of ${valuesOf(items, defs)}`;
  if (format !== undefined) return format;
  if (pattern === '^[0-9a-fA-F]{24}$') return 'id';
  if (pattern === isoDatePattern) return 'date or date-time';
  if (pattern !== undefined) return `string matching ${pattern}`;
  if (maxLength !== undefined) return `string of ${minLength ?? 0} to ${maxLength} characters`;
  return [type ?? 'any value'].flat().join(' or ');
}

/** The types of records that can be imported, in the order of import. */
export const recordTypes = Object.keys(recordSchemas) as RecordType[];

/** The fields of records of a type, and the first sample of one. */
export function describeRecords(type: RecordType): string {
  const samples = [...sampleLines('upstream'), ...sampleLines('downstream')];
  const sample = samples.find((line) => line.startsWith(`{"type":"${type}"`));
  if (sample === undefined) throw new Error(`There is no sample of the type ${type}.`);
  return `${describeFields(recordSchemas[type])}\n\nExample:\n\n${sample}`;
}
