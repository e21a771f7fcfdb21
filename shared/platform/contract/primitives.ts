import * as z from 'zod/mini';
import { isInCalendar } from '../dates/calendar.ts';
import { fields, later } from './object.ts';

/** 24 hexadecimal characters (OpenAPI, "Responses"); either case is accepted, lower case is stored and returned. */
export const objectId = later(() =>
  z.string().check(z.regex(/^[0-9a-fA-F]{24}$/, 'must be 24 hexadecimal characters'), z.toLowerCase()),
);

/** A text that is not empty, of at most so many characters. */
export const textUpTo = (longest: number) =>
  later(() => z.string().check(z.minLength(1), z.maxLength(longest)));

/** Every `stateCode`: states, the District of Columbia, and territories. */
export const stateCodes = [
  ...[
    'AL',
    'AK',
    'AZ',
    'AR',
    'CA',
    'CO',
    'CT',
    'DE',
    'FL',
    'GA',
    'HI',
    'ID',
    'IL',
    'IN',
    'IA',
    'KS',
    'KY',
    'LA',
    'ME',
  ],
  ...[
    'MD',
    'MA',
    'MI',
    'MN',
    'MS',
    'MO',
    'MT',
    'NE',
    'NV',
    'NH',
    'NJ',
    'NM',
    'NY',
    'NC',
    'ND',
    'OH',
    'OK',
    'OR',
    'PA',
  ],
  ...['RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY', 'GU', 'PR', 'VI', 'DC'],
] as const;

export const stateCode = z.enum(stateCodes);

/** An instant, ISO 8601 in UTC, as the service writes it. */
export const timestamp = z.iso.datetime();

/** When a record was written, as every resource that is stored shows it. */
export const recordTimes = fields(() => ({ createdAt: timestamp, updatedAt: timestamp }));

const dateTime = later(() =>
  z.iso
    .datetime({ offset: true, abort: true })
    .check(z.refine(isInCalendar, 'must be in the years 1000 to 9999, in UTC')),
);

/** An instant that is asked for, ISO 8601 in any zone (OpenAPI, "Responses"). */
export const instant = later(() =>
  z.pipe(
    dateTime,
    z.transform((text) => new Date(text)),
  ),
);

/** A date or an instant, ISO 8601, as records carry it (OpenAPI, "Responses"). */
export const isoDate = later(() =>
  z.union([z.iso.date({ abort: true }), dateTime], {
    error: ({ input }) =>
      input === undefined
        ? undefined
        : 'must be a date such as 2026-03-01, or a date-time such as 2026-03-01T14:05:09Z',
  }),
);

/** A number of things. */
export const count = later(() => z.int().check(z.gte(0)));

/** Nearer to 0 no number is stored but 0 itself: DynamoDB has none between 0 and 1e-130. */
const nearestToZero = 1e-9;

/** A stored number that need not be whole: within bounds that DynamoDB and JavaScript keep exactly. */
export const storedNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  later(() =>
    z.number().check(
      z.gte(min),
      z.lte(max),
      z.refine(
        (value) => value === 0 || Math.abs(value) >= nearestToZero,
        `must be 0, or at least ${nearestToZero} away from it`,
      ),
    ),
  );

/** The largest amount, of either sign. The published descriptions leave it out, which says nothing to a reader. */
export const largestAmount = 1e12;

const ofAnySize = { min: -largestAmount, max: largestAmount };

/** A stored number of any kind. */
export const amount = storedNumber(ofAnySize);

/** How certain something is; its description says between what. */
export const confidence = storedNumber({ min: 0, max: 1 });

/** An amount of money in US dollars (OpenAPI, "Responses"). */
export const usd = storedNumber(ofAnySize);

/** Which whole numbers a query parameter may be. */
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
export const pageQuery = fields(() => ({
  page: z._default(wholeNumber(pageNumbers), 1),
  limit: z._default(wholeNumber(pageSizes), 50),
}));
