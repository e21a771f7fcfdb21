// What the book shows of a policy by all its transactions, apart from what each of them says: the import adds it up
// and stores it with the policy.
import * as z from 'zod/mini';
import { storedNumber } from '#platform/contract/primitives.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';

/** Days on which a policy is in force, from the first on; the day of its end is not one of them. */
const termInForce = z.object({ from: z.iso.date(), until: z.optional(z.iso.date()) });

export type TermInForce = z.output<typeof termInForce>;

/** More than any number of transactions adds up to. */
const largestSum = 1e15;

export const storedTerms = z.object({
  /** The premium of the transactions since the latest New or Renewal, that one included; in whole cents. */
  termPremiumInUSD: z.optional(storedNumber({ min: -largestSum, max: largestSum })),
  /** Terms in order, none next to another. */
  inForce: z.optional(z.array(termInForce)),
});

/** Whether a policy is in force on a day (OpenAPI, "Compliance of policies"). */
export const isInForceOn = (terms: readonly TermInForce[] = [], day: CalendarDate): boolean =>
  terms.some(({ from, until }) => from <= day && (until === undefined || day < until));

// Money that is added up without error.

/**
 * An amount in cents, rounded as it is written: half a cent away from zero. Amounts are bounded so that their cents are whole
 * numbers, which are added without error.
 */
export function centsOf(amount: number): bigint {
  const [coefficient = '', exponent = '0'] = String(Math.abs(amount)).split('e');
  const cents = Math.round(Number(`${coefficient}e${Number(exponent) + 2}`));
  return BigInt(amount < 0 ? -cents : cents);
}

/** A premium as it is shown: rounded to cents; null where none is known. */
export const premiumOf = (amount: number | undefined): number | null =>
  amount === undefined ? null : amountOf(centsOf(amount));

/** The amount of so many cents: the number next to it, which is written with these cents up to 70 trillion dollars. */
export function amountOf(cents: bigint): number {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return Number(`${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
