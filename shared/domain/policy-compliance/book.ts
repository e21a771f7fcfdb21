// All policies, or sales, of a carrier with their compliance: read page by page, filtered, and added up.
import type * as z from 'zod/mini';
import { joinPages, mapAhead, mapPages } from '#platform/data/concurrently.ts';
import type { Table } from '#platform/data/table.ts';
import type { CarrierCatalog } from '../carriers/catalog.ts';
import { type Moment, momentOf } from '../compliance/moment.ts';
import { amountOf, centsOf, isInForceOn, premiumOf, type StoredSale } from '../policies/stored.ts';
import { createPartiesOf, type Parties, type PartySources, type Sold } from './parties.ts';
import type { BookRow, BookSummary, bookQuery, SaleRow, SalesSummary } from './resource.ts';
import {
  atSaleOf,
  type ConfigsOf,
  contextsOfPages,
  createPoliciesByAgency,
  type DatedSold,
  datedPolicy,
  judgedPolicy,
  type MatchedPolicy,
  ofPolicyOf,
  type PoliciesContext,
  productOf,
} from './statuses.ts';

/** A question about a carrier's policies, or its sales. */
interface JudgedQuestion<One extends Sold> {
  readonly owner: string;
  readonly moment: Moment;
  readonly now: Date;
  /** Whether one is asked about: of others, the records of nobody are read. */
  readonly isWanted: (sold: One, configsOf: ConfigsOf) => boolean;
  /** The policy or sale, and whatever is judged with it. */
  readonly soldOf: (sold: One) => readonly DatedSold[];
}

interface JudgedPage<One extends Sold> {
  readonly entries: readonly Parties<One>[];
  /** Parties that are judged for a sale beside an entry. */
  readonly partiesOf: <Other extends Sold>(sold: Other) => Parties<Other>;
  readonly context: PoliciesContext;
}

/** Sources by which pages of policies are decided. */
interface PageSources extends PartySources {
  readonly carriers: Pick<CarrierCatalog, 'codeOfName'>;
}

/** Sources with a carrier's policies. */
export type JudgedSources<Index extends string> = PageSources & {
  readonly tables: { readonly policies: Table<Index> };
};

/** Pages whose holders are read together: the last batch of each reading is hardly filled. */
const pagesTogether = 4;

/**
 * Pages of policies or sales with the parties that are judged for them, each holder read once. Each page's parties are read while
 * the caller works on the pages before.
 */
export async function* judgedPages<One extends Sold>(
  sources: PageSources,
  question: JudgedQuestion<One>,
  pages: AsyncIterable<One[]>,
): AsyncGenerator<JudgedPage<One>> {
  yield* mapAhead(joinPages(pages, pagesTogether), await readerOfPages(sources, question));
}

/** Reads the parties that are judged for pages of policies or sales: each holder once in a state, however many pages there are. */
export async function readerOfPages<One extends Sold>(
  sources: PageSources,
  { owner, moment, now, isWanted, soldOf }: JudgedQuestion<One>,
): Promise<(page: readonly One[]) => Promise<JudgedPage<One>>> {
  const contextOfPage = await contextsOfPages(sources, owner, moment, now);
  const partiesOfSold = createPartiesOf(sources, owner, moment);
  return async (page) => {
    const context = await contextOfPage(page.flatMap(soldOf));
    const wantedRows = page.filter((row) => isWanted(row, context.configsOf));
    const partiesOf = await partiesOfSold(wantedRows.flatMap(soldOf).map(({ sold }) => sold));
    return { entries: wantedRows.map((row) => partiesOf(row)), partiesOf, context };
  };
}

/**
 * The rows of an owner's book that match the filters, page by page.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export async function* rowsOfBook(
  sources: JudgedSources<'by-agency'>,
  owner: string,
  filters: z.output<typeof bookQuery>,
  now: Date,
): AsyncGenerator<BookRow[]> {
  const moment = momentOf(filters, now);
  const { productId, complianceStatus, atEffectiveDate, atSale, inForceOn } = filters;
  const fits = (filter: typeof complianceStatus, verdict: BookRow['complianceStatus'] | undefined): boolean =>
    filter === undefined || verdict === (filter === 'NOT_KNOWN' ? null : filter);
  const isListed = (row: BookRow): boolean =>
    fits(complianceStatus, row.complianceStatus) &&
    fits(atEffectiveDate, row.atEffectiveDate?.complianceStatus) &&
    fits(atSale, row.atSale?.complianceStatus);
  const isWanted: JudgedQuestion<MatchedPolicy>['isWanted'] = (policy, configsOf) =>
    (inForceOn === undefined || isInForceOn(policy.inForce, inForceOn)) &&
    (productId === undefined || productOf(policy, configsOf).productId === productId);
  const question = { owner, moment, now, isWanted, soldOf: datedPolicy };
  const pages = createPoliciesByAgency(sources.tables.policies).all(owner, filters);
  yield* mapPages(judgedPages(sources, question, pages), ({ entries, partiesOf, context }) =>
    entries
      .map((entry) => rowOf(entry, entry.policy.sale && partiesOf(entry.policy.sale), context))
      .filter(isListed),
  );
}

const nobodyJudged = {
  complianceStatus: null,
  licenseStatus: null,
  appointmentStatus: null,
  basis: null,
  configBasis: null,
  warnings: [],
  agents: [],
  atEffectiveDate: null,
};

function rowOf(
  entry: Parties<MatchedPolicy>,
  sale: Parties<StoredSale> | undefined,
  context: PoliciesContext,
): BookRow {
  const { agency, policy, why } = entry;
  return {
    ...ofPolicyOf(policy, context),
    currentStatus: policy.currentStatus,
    premiumAmountInUSD: premiumOf(policy.termPremiumInUSD),
    effectiveDate: policy.effectiveDate ?? null,
    expiryDate: policy.expiryDate ?? null,
    soldOn: sale?.policy.soldOn ?? null,
    upstreamDownstreamAssociationId: agency?.associationId ?? null,
    downstreamEntityId: agency?.downstreamEntityId ?? null,
    ...(agency === undefined
      ? { ...nobodyJudged, statusMessages: [why ?? []].flat(), atSale: atSaleOf(sale, context) }
      : judgedPolicy(entry, sale, context)),
  };
}

/** Adds rows up, by what names their groups. @param what they are called. */
async function sumsOf<
  Row extends { readonly premiumAmountInUSD: number | null },
  Names extends object,
  What extends string,
>(pages: AsyncIterable<readonly Row[]>, countName: What, namesOf: (row: Row) => Names) {
  const total = { names: {}, count: 0, cents: 0n };
  const groups = new Map<string, { readonly names: Names; count: number; cents: bigint }>();
  for await (const rows of pages) {
    for (const row of rows) {
      const names = namesOf(row);
      const key = JSON.stringify(names);
      const group = groups.get(key) ?? { names, count: 0, cents: 0n };
      groups.set(key, group);
      for (const sum of [total, group]) {
        sum.count += 1;
        sum.cents += centsOf(row.premiumAmountInUSD ?? 0);
      }
    }
  }
  const totalOf = <Of extends object>({ names, count, cents }: typeof total & { readonly names: Of }) =>
    ({ ...names, [countName]: count, premiumAmountInUSD: amountOf(cents) }) as Of &
      Record<What | 'premiumAmountInUSD', number>;
  return { ...totalOf(total), groups: Array.from(groups.values(), totalOf<Names>) };
}

/** Adds policies up, by verdicts, state, and product. */
export const summaryOf = (pages: AsyncIterable<readonly BookRow[]>): Promise<BookSummary> =>
  sumsOf(pages, 'policies', ({ complianceStatus, atEffectiveDate, atSale, stateCode, productId }) => ({
    complianceStatus,
    atEffectiveDate: atEffectiveDate?.complianceStatus ?? null,
    atSale: atSale?.complianceStatus ?? null,
    stateCode,
    productId,
  }));

/** Adds sales up, by verdict, state, product, and year of sale. */
export const summaryOfSales = (pages: AsyncIterable<readonly SaleRow[]>): Promise<SalesSummary> =>
  sumsOf(pages, 'sales', ({ complianceStatus, stateCode, productId, soldOn }) => ({
    complianceStatus,
    stateCode,
    productId,
    year: Number(soldOn.slice(0, 4)),
  }));
