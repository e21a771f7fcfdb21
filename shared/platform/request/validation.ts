import * as z from 'zod/mini';
import { ApiError, invalid, invalidAt, invalidFields } from '../contract/errors.ts';
import { repeatedName } from '../data/repeated-name.ts';
import { type Issue, mostIssues } from '../errors/issue.ts';
import { fieldsAt } from './input-schema.ts';
import { json } from './media-types.ts';
import { messageOf } from './messages.ts';
import { writtenText } from './written-text.ts';

z.config({ localeError: messageOf });

/** Most characters of a caller's key in an issue. */
const longestKey = 100;

/** How a key that a schema does not name is answered. */
interface UnknownKeys {
  /** What is wrong with it; by default that it is not a known field. */
  readonly message?: string;
  /** Whether the fields that there are go with it, as they do by default. */
  readonly areFieldsListed?: boolean;
}

/** Of a query. */
export const unknownParameters: UnknownKeys = { message: 'is not a parameter' };

/** A caller's key as an issue names it: an empty one in quotes, a long one cut off. */
export const keyName = (key: string): string =>
  key === '' ? '""' : key.length > longestKey ? `${key.slice(0, longestKey)}…` : key;

/** `items[2].name`: the path as callers write it. */
const written = (path: readonly PropertyKey[]): string =>
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
    const accepted = areFieldsListed ? fieldsAt(schema, path) : undefined;
    const found = { message: unknown, ...(accepted === undefined ? {} : { accepted }) };
    for (const key of issue.keys) yield { path: written([...path, keyName(key)]), ...found };
  } else if (issue.code === 'invalid_value') {
    const accepted = issue.values.filter((value) => typeof value === 'string' || typeof value === 'number');
    yield { path: written(path), message, accepted };
  } else yield { path: written(path), message };
}

/** Collects faults: the first ones in words, and how many there are, since a body can have hundreds of thousands. */
function createFaults(schema: z.core.$ZodType, unknownKeys: UnknownKeys = {}) {
  const named: Issue[] = [];
  const mistyped = new Set<string>();
  let total = 0;
  return {
    add(issue: z.core.$ZodIssue): void {
      // Zod goes on to measure what has a length, such as a text where a list is expected.
      const at = written(issue.path);
      if (mistyped.has(at)) return;
      if (issue.code === 'invalid_type') mistyped.add(at);
      total += issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
      for (const one of issuesOf(issue, schema, unknownKeys)) {
        if (named.length >= mostIssues) break;
        named.push(one);
      }
    },
    addText(path: readonly PropertyKey[], message: string): void {
      total += 1;
      if (named.length < mostIssues) named.push({ path: written(path), message });
    },
    isEmpty: () => total === 0,
    refusal: () => invalidFields(named, total),
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
  const repeated = entries.filter(({ values }) => values.length > 1);
  if (repeated.length > 0) {
    throw invalidFields(
      repeated.map(({ key }) => ({ path: keyName(key), message: 'is given more than once' })),
    );
  }
  return Object.fromEntries(entries.map(({ key, values }) => [key, values[0]?.normalize() ?? '']));
}

/** A request's body before it is parsed. */
export interface RawBody {
  readonly text: string;
  readonly contentType: string | undefined;
}

/** Whether a `content-type` names this media type, whatever its parameters. */
export const isMediaType = (contentType: string | undefined, mediaType: string): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === mediaType;

/** The error for a body whose media type the route does not accept. */
export const otherMediaType = (...accepted: readonly [string, ...string[]]): ApiError =>
  invalid({ path: 'content-type', message: `must be ${accepted.join(' or ')}`, accepted });

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
export const malformed = (message: string, fault: string, cause: unknown): ApiError =>
  new ApiError('validation_error', { message, details: { issues: [{ path: '', message: fault }] }, cause });

/**
 * The value of a JSON text.
 * @throws SyntaxError for malformed JSON; ApiError `validation_error` for a name that an object has twice: to keep one of its
 *   values would be a guess.
 */
export function jsonValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const repeated = repeatedName(text);
  if (repeated !== undefined) throw invalidAt(keyName(written(repeated)), 'is given more than once');
  return value;
}

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
    throw malformed('The body is not valid JSON.', 'is not valid JSON', error);
  }
}
