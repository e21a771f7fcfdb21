import * as z from 'zod/mini';
import { isInCalendar } from '../dates/dates.ts';
import { lazily } from './lazily.ts';

/** 24 hexadecimal characters (OpenAPI, "Responses"); either case is accepted, lower case is stored and returned. */
export const objectId = z
  .string()
  .check(z.regex(/^[0-9a-fA-F]{24}$/, 'must be 24 hexadecimal characters'), z.toLowerCase());

/** A text that is not empty, of at most so many characters. */
export const textUpTo = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));

/** Every `stateCode`: states, the District of Columbia, and territories. */
export const stateCodes = [
  ...['AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA', 'KS'],
  ...['KY', 'LA', 'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ', 'NM', 'NY'],
  ...['NC', 'ND', 'OH', 'OK', 'OR', 'PA', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV'],
  ...['WI', 'WY', 'GU', 'PR', 'VI', 'DC'],
] as const;

export const stateCode = z.enum(stateCodes, {
  error: ({ input }) => (input === undefined ? 'is required' : 'is not a state code such as TX'),
});

/** An instant, ISO 8601 in UTC, as the service writes it. */
export const timestamp = z.iso.datetime();

/** Time at which a record was written, as every stored resource shows it. */
export const recordTimes = z.object({ createdAt: timestamp, updatedAt: timestamp });

const dateTime = z.iso
  .datetime({ offset: true, abort: true })
  .check(z.refine(isInCalendar, 'must be in the years 1000 to 9999, in UTC'));

/** An instant that is asked for, ISO 8601 in any zone (OpenAPI, "Responses"). */
export const instant = z.pipe(
  dateTime,
  z.transform((text) => new Date(text)),
);

/** A date or an instant, ISO 8601, as records carry it (OpenAPI, "Responses"). */
export const isoDate = z.union([z.iso.date({ abort: true }), dateTime], {
  error: ({ input }) =>
    input === undefined
      ? undefined
      : 'must be a date such as 2026-03-01, or a date-time such as 2026-03-01T14:05:09Z',
});

/** A number of things. */
export const count = z.int().check(z.gte(0));

/** Nearer to 0 no number is stored but 0 itself: DynamoDB has none between 0 and 1e-130. */
const nearestToZero = 1e-9;

/** A stored number that need not be whole, of either sign: DynamoDB and JavaScript keep it exactly. One check takes the least time. */
export const storedNumber = (largest: number) =>
  z
    .number()
    .check(
      z.refine(
        (value) => value === 0 || (Math.abs(value) >= nearestToZero && Math.abs(value) <= largest),
        `must be 0, or between ${nearestToZero} and ${largest}, of either sign`,
      ),
    );

/** The largest amount. */
export const largestAmount = 1e12;

/** A stored number of any kind. */
export const amount = storedNumber(largestAmount);

/** Certainty; its description gives the range. */
export const confidence = storedNumber(1).check(z.gte(0));

/** An amount of money in US dollars (OpenAPI, "Responses"). */
export const usd = storedNumber(largestAmount);

/** Range of whole numbers of a query parameter. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/**
 * A whole number in a query string. Digits only: `1e2`, `0x10`, ` 1` and the empty string are refused rather than
 * read as something the caller may not have meant.
 */
export const wholeNumber = ({ min, max }: Range) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')),
    z.pipe(z.transform(Number), z.int().check(z.gte(min), z.lte(max))),
  );

export const pageNumbers: Range = { min: 1, max: 999_999_999 };
export const pageSizes: Range = { min: 1, max: 100 };

/** `page` and `limit` of every paged list (OpenAPI, "Lists"). */
export const pageQuery = z.object({
  page: z._default(wholeNumber(pageNumbers), 1),
  limit: z._default(wholeNumber(pageSizes), 50),
});

/**
 * A regular expression with properties of Unicode, made when it is first asked for: V8 builds the sets of their characters
 * where it reads a literal, which took a twentieth of a function's start.
 */
export const unicodePattern = (source: string, flags = 'u'): (() => RegExp) =>
  lazily(() => new RegExp(source, flags));

// What text a record may hold (OpenAPI, "Validation"). The rules hold for every string of a schema whose input is stored, so
// that a new field has them without saying so.

const multilineTexts = z.registry<{ readonly isMultiline: true }>();

/** A text that may have several lines, or be empty if its schema says so: a message or a note, not a name or a code. */
export function multiline<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  multilineTexts.add(schema, { isMultiline: true });
  return schema;
}

/** Whether a schema is `multiline`. */
export const isMultiline = (schema: z.core.$ZodType): boolean => multilineTexts.get(schema) !== undefined;

/** Halves of surrogate pairs and code points that Unicode keeps out of text; queues refuse some, others become U+FFFD. */
const noCharacters = unicodePattern('[\\p{Cs}\\p{Noncharacter_Code_Point}]');
const controls = unicodePattern('\\p{Cc}');
const controlsOfLines = unicodePattern('[^\\P{Cc}\\t\\n\\r]');
const joiners = '[\\u200C\\u200D\\uFE0E\\uFE0F]';

/**
 * Invisible characters, which make two names or codes differ that look the same, and characters that reorder text. Those that join
 * letters of other scripts, and emoji, are not meant; after ASCII, of which codes are made, they join nothing but a keycap.
 */
const invisible = unicodePattern(
  `[[\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]--${joiners}]|(?<=^|[\\0-\\x7F])${joiners}(?!\\u20E3)`,
  'v',
);

/** The text as it is stored. */
export const storedText = (text: string): string => text.trim().normalize();

/** Codes are parts of keys, and some characters become several when they are compared. */
const longestCode = 200;

/** A code as it is compared: without case, full-width digits and other variants of a character as that character. */
export const comparableCode = (code: string): string =>
  code.trim().normalize('NFKC').toUpperCase().normalize('NFKC').slice(0, longestCode);

/** Why a text cannot be stored; undefined when it can. */
export function textFault(text: string, mayHaveLines: boolean): string | undefined {
  if (noCharacters().test(text)) return 'has invalid characters';
  if ((mayHaveLines ? controlsOfLines : controls)().test(text)) return 'has control characters';
  if (!mayHaveLines && invisible().test(text)) return 'has invisible characters';
  return undefined;
}

/** Most things that a message names: an organization's own data decides how many there are. */
const mostNamed = 10;

/** Things as a message names them: the first ten, and how many more there are. */
export function firstNamed(things: readonly string[], word: 'and' | 'or' = 'and'): string {
  const more = things.length - mostNamed;
  const [separator, last] = word === 'and' ? [', ', ', and '] : [' or ', ' or '];
  return `${things.slice(0, mostNamed).join(separator)}${more > 0 ? `${last}${more} more` : ''}`;
}
