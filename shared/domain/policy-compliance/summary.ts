import type { BookRow, BookSummary, SaleRow, SalesSummary } from './resource.ts';
import { amountOf, centsOf } from './rows.ts';

/** Rows, and their premium in cents. */
interface Sum {
  count: number;
  cents: bigint;
}

/** Adds rows up, by what names their groups. */
async function sumsOf<Row extends { readonly premiumAmountInUSD: number | null }, Names extends object>(
  pages: AsyncIterable<readonly Row[]>,
  namesOf: (row: Row) => Names,
): Promise<{ readonly total: Sum; readonly groups: readonly (Names & Sum)[] }> {
  const total: Sum = { count: 0, cents: 0n };
  const groups = new Map<string, Names & Sum>();
  for await (const rows of pages) {
    for (const row of rows) {
      const names = namesOf(row);
      const key = JSON.stringify(names);
      const group = groups.get(key) ?? { ...names, count: 0, cents: 0n };
      groups.set(key, group);
      for (const sum of [total, group]) {
        sum.count += 1;
        sum.cents += centsOf(row.premiumAmountInUSD ?? 0);
      }
    }
  }
  return { total, groups: [...groups.values()] };
}

/** Adds policies up, by verdicts, state, and product. */
export async function summaryOf(pages: AsyncIterable<readonly BookRow[]>): Promise<BookSummary> {
  const { total, groups } = await sumsOf(pages, (row: BookRow) => ({
    complianceStatus: row.complianceStatus,
    atEffectiveDate: row.atEffectiveDate?.complianceStatus ?? null,
    atSale: row.atSale?.complianceStatus ?? null,
    stateCode: row.stateCode,
    productId: row.productId,
  }));
  const shown = <Of extends Sum>({ count: policies, cents, ...names }: Of) => ({
    ...names,
    policies,
    premiumAmountInUSD: amountOf(cents),
  });
  return { ...shown(total), groups: groups.map(shown) };
}

/** Adds sales up, by verdict, state, product, and year of sale. */
export async function summaryOfSales(pages: AsyncIterable<readonly SaleRow[]>): Promise<SalesSummary> {
  const { total, groups } = await sumsOf(pages, (row: SaleRow) => ({
    complianceStatus: row.complianceStatus,
    stateCode: row.stateCode,
    productId: row.productId,
    year: Number(row.soldOn.slice(0, 4)),
  }));
  const shown = <Of extends Sum>({ count: sales, cents, ...names }: Of) => ({
    ...names,
    sales,
    premiumAmountInUSD: amountOf(cents),
  });
  return { ...shown(total), groups: groups.map(shown) };
}
