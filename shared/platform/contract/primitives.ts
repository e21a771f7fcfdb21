import * as z from 'zod/mini';
import { described, describedShape } from './described.ts';
import { lazily } from './lazily.ts';

// Documentation is registered with a schema: as a `z.meta` check it would run for every value.

/** 24 hexadecimal characters (OpenAPI, "Responses"); either case is accepted, lower case is stored and returned. */
export const objectId = described(
  z.string().check(z.regex(/^[0-9a-fA-F]{24}$/, 'must be 24 hexadecimal characters'), z.toLowerCase()),
  DOCUMENTED && {
    id: 'ObjectId',
    description: 'Id of 24 hexadecimal characters; accepted in either case, returned in lower case.',
    examples: ['65f0c1d2e3a4b5c6d7e8f901'],
  },
);

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

export const stateCode = described(
  z.enum(stateCodes),
  DOCUMENTED && {
    id: 'StateCode',
    description: 'Two-letter code of a US state or territory.',
    examples: ['TX'],
    isClosed: true,
  },
);

/** An instant, ISO 8601 in UTC, as the service writes it. */
export const timestamp = described(
  z.iso.datetime(),
  DOCUMENTED && {
    id: 'Timestamp',
    // Of its format, which says it; fields that refer to it would repeat it.
    pattern: undefined,
    description: 'ISO 8601 date-time in UTC, with milliseconds.',
    examples: ['2026-03-01T14:05:09.123Z'],
  },
);

/** When a record was written, as every resource that is stored shows it. */
export const recordTimes = lazily(() =>
  describedShape(
    { createdAt: timestamp, updatedAt: timestamp },
    DOCUMENTED && {
      createdAt: 'When the record was created. An import can give another time.',
      updatedAt: 'When the record last changed. An import can give another time.',
    },
  ),
);

/** A date or an instant, ISO 8601, as records carry it (OpenAPI, "Responses"). */
export const isoDate = described(
  z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: ({ input }) =>
      input === undefined
        ? undefined
        : 'must be a date such as 2026-03-01, or a date-time such as 2026-03-01T14:05:09Z',
  }),
  DOCUMENTED && {
    id: 'IsoDate',
    description: 'ISO 8601 date or date-time, as the source of the record gave it.',
    examples: ['2026-03-01'],
  },
);

/** Nearer to 0 no number is stored but 0 itself: DynamoDB has none between 0 and 1e-130. */
const nearestToZero = 1e-9;

/** A stored number that need not be whole: within bounds that DynamoDB and JavaScript keep exactly. */
export const storedNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.number().check(
    z.gte(min),
    z.lte(max),
    z.refine(
      (value) => value === 0 || Math.abs(value) >= nearestToZero,
      `must be 0, or at least ${nearestToZero} away from it`,
    ),
  );

/** The largest amount, of either sign. The published descriptions leave it out, which says nothing to a reader. */
export const largestAmount = 1e12;

const ofAnySize = { min: -largestAmount, max: largestAmount };

/** A stored number of any kind. */
export const amount = storedNumber(ofAnySize);

/** How certain something is; its description says between what. */
export const confidence = described(
  storedNumber({ min: 0, max: 1 }),
  DOCUMENTED && { minimum: undefined, maximum: undefined },
);

/** An amount of money in US dollars (OpenAPI, "Responses"). */
export const usd = described(
  storedNumber(ofAnySize),
  DOCUMENTED && { description: 'Amount in US dollars.', examples: [12500.5] },
);

/**
 * A whole number in a query string. Digits only: `1e2`, `0x10`, ` 1` and the empty string are refused rather than
 * read as something the caller may not have meant.
 */
export const wholeNumber = (range: { readonly min: number; readonly max: number }, description: string) =>
  described(
    z.pipe(
      z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')),
      z.pipe(z.transform(Number), z.int().check(z.gte(range.min), z.lte(range.max))),
    ),
    DOCUMENTED && {
      type: 'integer',
      pattern: undefined,
      minimum: range.min,
      maximum: range.max,
      description,
    },
  );

/** `page` and `limit` of every paged list (OpenAPI, "Lists"). */
export const pageQuery = lazily(() => ({
  page: z._default(
    wholeNumber({ min: 1, max: 999_999_999 }, 'Number of the page to return, starting at 1.'),
    1,
  ),
  limit: z._default(
    wholeNumber({ min: 1, max: 100 }, 'Records on a page, at most 100; a larger number returns 400.'),
    50,
  ),
}));
