// Money that is added up without error. Apart from the book, so that an import does not load that.
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
