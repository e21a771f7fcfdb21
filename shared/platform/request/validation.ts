// Validation of requests: what is wrong with an input, in the words of its schema, and JSON that is safe to read.
import * as z from 'zod/mini';
import { ApiError, invalid, invalidAt, invalidFields } from '../contract/errors.ts';
import { isMultiline, storedText, textFault } from '../contract/primitives.ts';
import { repeatedName } from '../data/json.ts';
import { type Issue, mostIssues } from '../errors/domain-error.ts';
import { json } from './headers.ts';

/** Whether a schema only changes a value, for the schema after it to check. */
export const isTransform = (schema: z.core.$ZodType): boolean =>
  (schema as z.core.$ZodTypes)._zod.def.type === 'transform';

/**
 * A schema without what only wraps it: `z.optional`, `z.nullable`, defaults, and what is done with a value before and
 * afterwards.
 */
export function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodTypes {
  let inner = schema as z.core.$ZodTypes;
  for (;;) {
    const { def } = inner._zod;
    if ('innerType' in def) inner = def.innerType as z.core.$ZodTypes;
    else if (def.type === 'pipe') inner = (isTransform(def.in) ? def.out : def.in) as z.core.$ZodTypes;
    else return inner;
  }
}

/** The fields of the object that a schema has at a path of an input; undefined if it names none there. */
function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] | undefined {
  const { def } = unwrapSchema(schema)._zod;
  const [first, ...rest] = path;
  if (first === undefined) return def.type === 'object' ? Object.keys(def.shape) : undefined;
  const member = def.type === 'array' ? def.element : def.type === 'object' && def.shape[String(first)];
  return member ? fieldsAt(member, rest) : undefined;
}

/**
 * The paths of everything that a schema names, in the form of issues, with `[]` for any index: `associations[].isPrimary`.
 */
export function pathsOf(schema: z.core.$ZodType, place = '', paths = new Set<string>()): Set<string> {
  const { def } = unwrapSchema(schema)._zod;
  paths.add(place);
  if (def.type === 'object') {
    for (const [key, member] of Object.entries(def.shape)) {
      pathsOf(member, place === '' ? key : `${place}.${key}`, paths);
    }
  } else if (def.type === 'array') pathsOf(def.element, `${place}[]`, paths);
  else if (def.type === 'union') for (const option of def.options) pathsOf(option, place, paths);
  return paths;
}

/** A value that need not match a schema, without the members of objects that the schema does not name. */
export function namedMembers(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = unwrapSchema(schema)._zod;
  if (typeof value !== 'object' || value === null || def.type === 'unknown') return value;
  if (Array.isArray(value)) {
    return def.type === 'array' ? value.map((element) => namedMembers(def.element, element)) : [];
  }
  if (def.type === 'union') {
    return Object.assign({}, ...def.options.map((option) => namedMembers(option, value)));
  }
  const members = Object.entries(value);
  if (def.type === 'record') {
    return Object.fromEntries(members.map(([key, member]) => [key, namedMembers(def.valueType, member)]));
  }
  if (def.type !== 'object') return {};
  return Object.fromEntries(
    members.flatMap(([key, member]) => {
      const schemaOfKey = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
      return schemaOfKey === undefined ? [] : [[key, namedMembers(schemaOfKey, member)]];
    }),
  );
}

/** Words of an issue for each type that a schema expects. */
const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  file: 'a file',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  date: 'a date such as 2026-03-01',
  datetime: 'a date-time such as 2026-03-01T14:05:09Z',
};

/** Units of what is measured by its size; anything else is measured by its value. */
const units: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  file: ['byte', 'bytes'],
};

/** Values of an enum that a message lists; an issue has all of them as `accepted`. */
const mostListed = 10;

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/**
 * Message of an issue, to be read after its path: `npn: is required`. The only home of these sentences; a schema has
 * words of its own only for a rule that its type does not tell.
 */
function messageOf(issue: RawIssue): string {
  if (issue.code === 'unrecognized_keys') return 'is not a known field';
  if (issue.input === undefined && issue.code !== 'custom') return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${valuesText(issue.values)}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in the documented format'}`;
    case 'too_small':
      return `must ${sizeText(issue.origin, issue.minimum, issue.exact ? '' : issue.inclusive ? 'at least' : 'more than')}`;
    case 'too_big':
      return `must ${sizeText(issue.origin, issue.maximum, issue.exact ? '' : issue.inclusive ? 'at most' : 'less than')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return 'is not valid';
  }
}

function valuesText(values: readonly z.core.util.Primitive[]): string {
  if (values.length > mostListed) return `one of ${values.length} accepted values`;
  const words = values.map((value) => JSON.stringify(value));
  return words.length === 1 ? words.join() : `one of ${words.join(', ')}`;
}

/** `have at most 5 items`, `be at least 1`. */
function sizeText(origin: string, limit: number | bigint, relation: string): string {
  const size = [relation, String(limit)].filter((word) => word !== '').join(' ');
  const unit = units[origin]?.[Number(limit) === 1 ? 0 : 1];
  return unit === undefined ? `be ${size}` : `have ${size} ${unit}`;
}

/** Called for each text that cannot be stored. */
type OnFault = (path: readonly PropertyKey[], message: string) => void;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An input in which every text that its schema names is as it is stored: trimmed and normalized. What the schema does not name
 * stays as it is.
 */
export function writtenText(
  schema: z.core.$ZodType,
  input: unknown,
  onFault: OnFault,
  place: readonly PropertyKey[] = [],
): unknown {
  const { def: outer } = (schema as z.core.$ZodTypes)._zod;
  // What is converted to the schema's form first is visited in that form, which converting it again leaves as it is.
  if (outer.type === 'pipe' && isTransform(outer.in)) {
    return writtenText(outer.out, z.parse(outer.in, input), onFault, place);
  }
  const inner = unwrapSchema(schema);
  const { def } = inner._zod;
  if (def.type === 'union') {
    return def.options.reduce<unknown>((value, option) => writtenText(option, value, onFault, place), input);
  }
  if (def.type === 'string' && typeof input === 'string') {
    const text = storedText(input);
    const lines = isMultiline(inner);
    const fault = textFault(text, lines);
    if (fault !== undefined) onFault(place, fault);
    // A schema that refuses an empty text has its own words for it.
    else if (text === '' && !lines && z.safeParse(inner, text).success) onFault(place, 'must not be empty');
    return text;
  }
  if (def.type === 'array' && Array.isArray(input)) {
    return input.map((item, index) => writtenText(def.element, item, onFault, [...place, index]));
  }
  if (def.type === 'object' && isRecord(input)) {
    const knownFields = Object.entries(def.shape).filter(([key]) => Object.hasOwn(input, key));
    const members = knownFields.map(([key, member]) => [
      key,
      writtenText(member, input[key], onFault, [...place, key]),
    ]);
    return { ...input, ...Object.fromEntries(members) };
  }
  return input;
}

z.config({ localeError: messageOf });

/** Most characters of a caller's key in an issue. */
const longestKey = 100;

/** Answer to a key that a schema does not name. */
interface UnknownKeys {
  /** Message of the issue; by default that it is not a known field. */
  readonly message?: string;
  /** Whether the fields that there are go with it, as they do by default. */
  readonly areFieldsListed?: boolean;
}

/** Unknown keys of a query. */
export const unknownParameters: UnknownKeys = { message: 'is not a parameter' };

/** A caller's key as an issue names it: an empty one in quotes, a long one cut off. */
export const keyName = (key: string): string =>
  key === '' ? '""' : key.length > longestKey ? `${key.slice(0, longestKey)}…` : key;

/** `items[2].name`: the path as callers write it. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  );

/** A zod issue in the API's form: the field, what is wrong, and what is accepted: the values of an enum, or the fields. */
function* issuesOf(
  { path, message, ...issue }: z.core.$ZodIssue,
  schema: z.core.$ZodType,
  { message: unknown = message, areFieldsListed = true }: UnknownKeys,
): Generator<Issue, void> {
  if (issue.code === 'unrecognized_keys') {
    const acceptedValues = areFieldsListed ? fieldsAt(schema, path) : undefined;
    const fault = { message: unknown, ...(acceptedValues === undefined ? {} : { accepted: acceptedValues }) };
    for (const key of issue.keys) yield { path: pathText([...path, keyName(key)]), ...fault };
  } else if (issue.code === 'invalid_value') {
    const acceptedValues = issue.values.filter(
      (value) => typeof value === 'string' || typeof value === 'number',
    );
    yield { path: pathText(path), message, accepted: acceptedValues };
  } else yield { path: pathText(path), message };
}

/** Collects faults: the first ones in words, and how many there are, since a body can have hundreds of thousands. */
function createFaults(schema: z.core.$ZodType, unknownKeys: UnknownKeys = {}) {
  const firstIssues: Issue[] = [];
  const mistypedPaths = new Set<string>();
  let total = 0;
  return {
    add(issue: z.core.$ZodIssue): void {
      // Zod goes on to measure what has a length, such as a text where a list is expected.
      const place = pathText(issue.path);
      if (mistypedPaths.has(place)) return;
      if (issue.code === 'invalid_type') mistypedPaths.add(place);
      total += issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
      for (const namedIssue of issuesOf(issue, schema, unknownKeys)) {
        if (firstIssues.length >= mostIssues) break;
        firstIssues.push(namedIssue);
      }
    },
    addText(path: readonly PropertyKey[], message: string): void {
      total += 1;
      if (firstIssues.length < mostIssues) firstIssues.push({ path: pathText(path), message });
    },
    isEmpty: () => total === 0,
    refusal: () => invalidFields(firstIssues, total),
  };
}

/**
 * Parses one part of a request.
 * @throws ApiError `validation_error` with one issue per fault, of which the first are named.
 */
export function parseInput<Schema extends z.core.$ZodType>(
  schema: Schema,
  input: unknown,
  unknownKeys?: UnknownKeys,
): z.output<Schema> {
  const result = z.safeParse(schema, input);
  if (result.success) return result.data;
  const faults = createFaults(schema, unknownKeys);
  for (const issue of result.error.issues) faults.add(issue);
  throw faults.refusal();
}

/**
 * Parses an input that is stored; its text becomes what records may hold (OpenAPI, "Validation").
 * @throws ApiError `validation_error`, like `parseInput`, also for text that no record may hold.
 */
export function parseWritten<Schema extends z.core.$ZodType>(
  schema: Schema,
  input: unknown,
  unknownKeys?: UnknownKeys,
): z.output<Schema> {
  const faults = createFaults(schema, unknownKeys);
  const result = z.safeParse(schema, writtenText(schema, input, faults.addText));
  if (result.success && faults.isEmpty()) return result.data;
  for (const issue of result.error?.issues ?? []) faults.add(issue);
  throw faults.refusal();
}

/**
 * The query string with one value per key, normalized as stored text is.
 * @throws ApiError `validation_error` for a key given more than once: picking one of them would be a guess.
 */
export function singleValues(
  query: Readonly<Record<string, string[] | undefined>> | null,
): Record<string, string> {
  const entries = Object.entries(query ?? {}).map(([key, values = []]) => ({ key, values }));
  const repetition = entries.filter(({ values }) => values.length > 1);
  if (repetition.length > 0) {
    throw invalidFields(
      repetition.map(({ key }) => ({ path: keyName(key), message: 'is given more than once' })),
    );
  }
  return Object.fromEntries(entries.map(({ key, values }) => [key, values[0]?.normalize() ?? '']));
}

/** A request's body before it is parsed. */
interface RawBody {
  readonly text: string;
  readonly contentType: string | undefined;
}

/** Whether a `content-type` names this media type, whatever its parameters. */
export const isMediaType = (contentType: string | undefined, mediaType: string): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === mediaType;

/** The error for a body whose media type the route does not accept. */
export const otherMediaType = (...acceptedValues: readonly [string, ...string[]]): ApiError =>
  invalid({
    path: 'content-type',
    message: `must be ${acceptedValues.join(' or ')}`,
    accepted: acceptedValues,
  });

/**
 * Checks the character set that a `content-type` declares, if it declares one: JSON is UTF-8 (RFC 8259, section 8.1).
 * @throws ApiError `validation_error` for another one, whose text would be misread.
 */
export function checkCharset(contentType: string | undefined): void {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^;"\s]*)/i.exec(contentType ?? '') ?? [];
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw invalid({ path: 'content-type', message: 'must be in utf-8', accepted: ['utf-8'] });
  }
}

/**
 * Checks the `content-encoding` of a body, if one is declared.
 * @throws ApiError `validation_error` for a compressed body, which nothing here reads.
 */
export function checkContentEncoding(encoding = 'identity'): void {
  if (!/^identity$/i.test(encoding.trim())) {
    const message = 'must be left out: the body must not be compressed';
    throw invalid({ path: 'content-encoding', message, accepted: ['identity'] });
  }
}

/** The error for a body that cannot be read at all. */
export const malformedBody = (message: string, fault: string, cause: unknown): ApiError =>
  new ApiError('validation_error', { message, details: { issues: [{ path: '', message: fault }] }, cause });

/**
 * The value of a JSON text.
 * @throws SyntaxError for malformed JSON; ApiError `validation_error` for a name that an object has twice: to keep one of its
 *   values would be a guess.
 */
export function jsonValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const repetition = repeatedName(text);
  if (repetition !== undefined) throw invalidAt(keyName(pathText(repetition)), 'is given more than once');
  return value;
}

/** The fault of a text that is no JSON, without a part of it. For some faults the engine gives no position. */
export const jsonFault = ({ message }: SyntaxError): string =>
  `is not valid JSON${/ at position \d+ \(line \d+ column \d+\)$/.exec(message)?.[0] ?? ''}`;

/**
 * The JSON value of a body.
 * @throws ApiError `validation_error` for an empty body, another content type, malformed JSON, and a name that is given twice.
 */
export function parseJson({ text, contentType }: RawBody): unknown {
  if (!isMediaType(contentType, json)) throw otherMediaType(json);
  if (text.trim() === '')
    throw invalid({ path: '', message: 'The body is empty; a JSON object is required.' });
  try {
    return jsonValue(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const fault = jsonFault(error);
    throw malformedBody(`The body ${fault}.`, fault, error);
  }
}
