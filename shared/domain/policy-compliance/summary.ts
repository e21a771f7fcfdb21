import { amountOf, centsOf } from './premium.ts';
import type { BookRow, BookSummary } from './resource.ts';

/** Policies, and their premium in cents. */
interface Sum {
  policies: number;
  cents: bigint;
}

/** Adds rows up, by verdict, state, and product. */
export async function summaryOf(pages: AsyncIterable<readonly BookRow[]>): Promise<BookSummary> {
  const total: Sum = { policies: 0, cents: 0n };
  const groups = new Map<
    string,
    Sum &
      Pick<BookRow, 'complianceStatus' | 'stateCode' | 'productId'> & {
        readonly atEffectiveDate: BookRow['complianceStatus'];
      }
  >();
  for await (const rows of pages) {
    for (const {
      complianceStatus,
      atEffectiveDate: then,
      stateCode,
      productId,
      premiumAmountInUSD,
    } of rows) {
      const names = {
        complianceStatus,
        atEffectiveDate: then?.complianceStatus ?? null,
        stateCode,
        productId,
      };
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
