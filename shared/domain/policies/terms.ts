// What the book shows of a policy by all its transactions, apart from what each of them says: the import adds it up
// and stores it with the policy.
import * as z from 'zod/mini';
import { fields, object } from '#platform/contract/object.ts';
import { storedNumber } from '#platform/contract/primitives.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';

/** Days on which a policy is in force, from the first on; the day of its end is not one of them. */
const termInForce = object(() => ({ from: z.iso.date(), until: z.optional(z.iso.date()) }));

export type TermInForce = z.output<typeof termInForce>;

/** More than any number of transactions adds up to. */
const largestSum = 1e15;

export const storedTerms = fields(() => ({
  /** The premium of the transactions since the latest New or Renewal, that one included; in whole cents. */
  termPremiumInUSD: z.optional(storedNumber({ min: -largestSum, max: largestSum })),
  /** Terms in order, none next to another. */
  inForce: z.optional(z.array(termInForce)),
}));

/** Whether a policy is in force on a day (OpenAPI, "Compliance of policies"). */
export const isInForceOn = (terms: readonly TermInForce[] = [], day: CalendarDate): boolean =>
  terms.some(({ from, until }) => from <= day && (until === undefined || day < until));
