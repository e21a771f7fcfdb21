import type * as z from 'zod/mini';

/** What an issue says of a value, for each type that a schema expects. */
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
 * What is wrong with a value, to be read after its path: `npn: is required`. The only home of these sentences; a schema has
 * words of its own only for a rule that its type does not tell.
 */
export function messageOf(issue: RawIssue): string {
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
function sizeText(origin: string, bound: number | bigint, relation: string): string {
  const size = [relation, String(bound)].filter((word) => word !== '').join(' ');
  const unit = units[origin]?.[Number(bound) === 1 ? 0 : 1];
  return unit === undefined ? `be ${size}` : `have ${size} ${unit}`;
}
