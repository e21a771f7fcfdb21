import type { JsonSchema } from '../../infra/openapi/document.ts';

/** A value that may be written and that the reader refuses. */
export interface Break {
  /** Where it is: `statusHistory[].status`; empty for the whole. */
  readonly path: string;
  readonly why: string;
}

/** Keywords that are compared. Any other must not be passed over as if it said nothing. */
const keywords = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'format', 'pattern', 'contentEncoding', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'items', 'minItems', 'maxItems'],
  ...['uniqueItems', 'properties', 'required', 'additionalProperties', 'propertyNames'],
]);

const lowerBounds = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems'] as const;
const upperBounds = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems'] as const;

/**
 * What of one schema's values a reader with another refuses. The schemas' structure is compared and not examples of them, so
 * that no break depends on luck: what is not certain to be accepted is a break. Members that `written` does not name are
 * not written, unless it says that others may be.
 *
 * @throws Error for a keyword that is not compared.
 */
export function breaksOf(written: JsonSchema, reader: JsonSchema, path = ''): Break[] {
  const accepted = alternativesOf(reader);
  return alternativesOf(written).flatMap((one) =>
    accepted
      .map((other) => breaksOfOne(one, other, path))
      .reduce((fewest, breaks) => (breaks.length < fewest.length ? breaks : fewest)),
  );
}

/** A schema as alternatives that have one type each. */
function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword));
  if (unknown !== undefined) throw new Error(`The comparison does not know the keyword ${unknown}.`);
  const { anyOf, type, ...rest } = schema;
  if (anyOf !== undefined) return anyOf.flatMap((one) => alternativesOf(schemaIn(one)));
  return Array.isArray(type) ? type.map((one): JsonSchema => ({ ...rest, type: one })) : [schema];
}

function breaksOfOne(written: JsonSchema, reader: JsonSchema, path: string): Break[] {
  if (Object.keys(reader).length === 0) return [];
  const breaks = (...reasons: readonly string[]): Break[] => reasons.map((why) => ({ path, why }));

  const refused = valuesOf(written)?.filter((value) => !isAccepted(value, reader));
  if (refused !== undefined) return refused.length === 0 ? [] : breaks(`may be ${refused.join(', ')}`);
  if (valuesOf(reader) !== undefined) return breaks('may be a value that the reader does not list');
  if (written.type !== reader.type && !(written.type === 'integer' && reader.type === 'number')) {
    return breaks(`may be of the type ${written.type ?? 'any'}, and not ${reader.type}`);
  }
  return [
    ...breaks(...boundsBroken(written, reader)),
    ...(reader.type === 'array'
      ? breaksOf(schemaIn(written.items), schemaIn(reader.items), `${path}[]`)
      : []),
    ...(reader.type === 'object' ? breaksOfMembers(written, reader, path) : []),
  ];
}

const valuesOf = ({ const: only, enum: several }: JsonSchema): readonly unknown[] | undefined =>
  only === undefined ? several : [only];

function isAccepted(value: unknown, reader: JsonSchema): boolean {
  const values = valuesOf(reader);
  if (values !== undefined) return values.includes(value);
  if (typeof value !== reader.type) return false;
  if (typeof value !== 'string') return true;
  const { pattern = '', minLength = 0, maxLength = Number.POSITIVE_INFINITY } = reader;
  return new RegExp(pattern, 'u').test(value) && value.length >= minLength && value.length <= maxLength;
}

function boundsBroken(written: JsonSchema, reader: JsonSchema): string[] {
  const below = lowerBounds.filter((bound) => (written[bound] ?? -Infinity) < (reader[bound] ?? -Infinity));
  const above = upperBounds.filter((bound) => (written[bound] ?? Infinity) > (reader[bound] ?? Infinity));
  const form = (['pattern', 'format'] as const).filter(
    (word) => reader[word] !== undefined && written[word] !== reader[word],
  );
  // Bytes are not text, and a set is not a list.
  const kind = (['contentEncoding', 'uniqueItems'] as const).filter((word) => written[word] !== reader[word]);
  return [...below, ...above, ...form, ...kind].map((word) => `its ${word} is another`);
}

function breaksOfMembers(written: JsonSchema, reader: JsonSchema, path: string): Break[] {
  const members = { ...reader.properties, ...written.properties };
  const others = written.additionalProperties;
  const named = Object.keys(members).flatMap((name): Break[] => {
    const at = path === '' ? name : `${path}.${name}`;
    const mayBeMissing = reader.required?.includes(name) && !written.required?.includes(name);
    const missing = mayBeMissing ? [{ path: at, why: 'may be missing' }] : [];
    const value = written.properties?.[name] ?? (typeof others === 'object' ? others : undefined);
    const expected = reader.properties?.[name] ?? reader.additionalProperties ?? {};
    if (value === undefined) return missing;
    if (expected === false) return [{ path: at, why: 'is a member that the reader does not know' }];
    return [...missing, ...breaksOf(schemaIn(value), schemaIn(expected), at)];
  });
  if (typeof others !== 'object' || reader.additionalProperties === undefined) return named;
  if (reader.additionalProperties === false) return [...named, { path, why: 'may have any member' }];
  return [
    ...named,
    ...breaksOf(schemaIn(written.propertyNames), schemaIn(reader.propertyNames), `${path}{name}`),
    ...breaksOf(others, schemaIn(reader.additionalProperties), `${path}{}`),
  ];
}

/** JSON Schema also has lists, and `true` and `false`, where a schema may be; ours do not. */
function schemaIn(place: JsonSchema['items'] | JsonSchema['additionalProperties']): JsonSchema {
  if (place === undefined) return {};
  if (typeof place === 'object' && !Array.isArray(place)) return place;
  throw new Error('The comparison expects a schema.');
}
