import { amountOf, centsOf } from './premium.ts';
import type { BookRow, BookSummary } from './resource.ts';

/** Policies, and their premium in cents. */
interface Sum {
  policies: number;
  cents: bigint;
}

type Totals = Omit<BookSummary, 'groups'>;

/** Adds rows up, by verdict, state, and product. */
export async function summaryOf(pages: AsyncIterable<readonly BookRow[]>): Promise<BookSummary> {
  const total: Sum = { policies: 0, cents: 0n };
  const groups = new Map<string, Sum & Omit<BookSummary['groups'][number], keyof Totals>>();
  for await (const rows of pages) {
    for (const { atEffectiveDate: then, premiumAmountInUSD, ...row } of rows) {
      const { complianceStatus, stateCode, productId } = row;
      const atEffectiveDate = then?.complianceStatus ?? null;
      const names = { complianceStatus, atEffectiveDate, stateCode, productId };
      const key = JSON.stringify(names);
      const group = groups.get(key) ?? { ...names, policies: 0, cents: 0n };
      groups.set(key, group);
      for (const sum of [total, group]) {
        sum.policies += 1;
        sum.cents += centsOf(premiumAmountInUSD ?? 0);
      }
    }
  }
  const shown = <Of extends Sum>({ cents, ...rest }: Of) => ({
    ...rest,
    premiumAmountInUSD: amountOf(cents),
  });
  return { ...shown(total), groups: Array.from(groups.values(), shown) };
}
