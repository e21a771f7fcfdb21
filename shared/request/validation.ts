import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { ApiError, invalid } from '../contract/errors.ts';
import type { Issue } from '../errors/issue.ts';

z.config(en());

/** A zod issue in the API's form: the field, what is wrong, and for an enum what is accepted. */
function toIssues(issue: z.core.$ZodIssue, at: readonly PropertyKey[]): Issue[] {
  const path = [...at, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: written([...path, key]), message: 'is not a known field' }));
    case 'invalid_value':
      return [
        {
          path: written(path),
          message: issue.message,
          accepted: issue.values.filter((value) => typeof value === 'string' || typeof value === 'number'),
        },
      ];
    default:
      return [{ path: written(path), message: issue.message }];
  }
}

/** `items[2].name`: the path as callers write it. */
const written = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  );

/**
 * Parses one part of a request.
 * @param at the path of the part, when its own paths don't include it.
 * @throws ApiError `validation_error` with one issue per fault.
 */
export function parseInput<Schema extends z.core.$ZodType>(
  schema: Schema,
  input: unknown,
  at: readonly PropertyKey[] = [],
): z.output<Schema> {
  const result = z.safeParse(schema, input);
  if (result.success) return result.data;
  throw invalid(...result.error.issues.flatMap((issue) => toIssues(issue, at)));
}

/**
 * The query string with one value per key.
 * @throws ApiError `validation_error` for a key given more than once: picking one of them would be a guess.
 */
export function singleValues(
  query: Readonly<Record<string, string[] | undefined>> | null,
): Record<string, string> {
  const entries = Object.entries(query ?? {}).map(([key, values = []]) => ({ key, values }));
  const repeated = entries.filter(({ values }) => values.length > 1);
  if (repeated.length > 0) {
    throw invalid(...repeated.map(({ key }) => ({ path: key, message: 'is given more than once' })));
  }
  return Object.fromEntries(entries.map(({ key, values }) => [key, values[0] ?? '']));
}

/** A request's body before it is parsed. */
export interface RawBody {
  readonly text: string;
  readonly contentType: string | undefined;
}

const json = 'application/json';

/** Whether a `content-type` names this media type, whatever its parameters. */
export const isMediaType = (contentType: string | undefined, mediaType: string): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === mediaType;

/** The error for a body whose media type the route does not accept. */
export const otherMediaType = (...accepted: readonly [string, ...string[]]): ApiError =>
  invalid({ path: 'content-type', message: `must be ${accepted.join(' or ')}`, accepted });

/**
 * The JSON value of a body.
 * @throws ApiError `validation_error` for an empty body, another content type and malformed JSON.
 */
export function parseJson({ text, contentType }: RawBody): unknown {
  if (!isMediaType(contentType, json)) throw otherMediaType(json);
  if (text.trim() === '')
    throw invalid({ path: '', message: 'The body is empty; a JSON object is required.' });
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ApiError('validation_error', {
      message: 'The body is not valid JSON.',
      details: { issues: [{ path: '', message: 'is not valid JSON' }] },
      cause: error,
    });
  }
}
