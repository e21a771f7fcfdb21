import type * as z from 'zod/mini';
import { ofReadable } from '../../platform/data/stored.ts';
import { type AskedMoment, momentOf } from '../compliance/moment.ts';
import type { StoredSale } from '../policies/keys.ts';
import {
  type BookSources,
  type Entry,
  type JudgedPage,
  type JudgedQuestion,
  type Parties,
  readBook,
} from './book.ts';
import type { BookRow, bookQuery } from './resource.ts';
import {
  atSaleOf,
  datedPolicy,
  judgedPolicy,
  type MatchedPolicy,
  type PoliciesContext,
  productOf,
} from './statuses.ts';

/**
 * An amount in cents, rounded as it is written: half a cent away from zero. Amounts are bounded so that their cents are whole
 * numbers, which are added without error.
 */
export function centsOf(amount: number): bigint {
  const [written = '', exponent = '0'] = String(Math.abs(amount)).split('e');
  const cents = Math.round(Number(`${written}e${Number(exponent) + 2}`));
  return BigInt(amount < 0 ? -cents : cents);
}

/** A premium as it is shown: rounded to cents; null where none is known. */
export const premiumOf = ({ premiumAmountInUSD: amount }: { premiumAmountInUSD?: number | undefined }) =>
  amount === undefined ? null : amountOf(centsOf(amount));

/** The amount of so many cents: the number next to it, which is written with these cents up to 70 trillion dollars. */
export function amountOf(cents: bigint): number {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return Number(`${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** Filters of the book; they combine. */
type BookFilters = AskedMoment & {
  readonly [Name in Exclude<keyof typeof bookQuery.shape, keyof AskedMoment>]?: z.output<
    (typeof bookQuery.shape)[Name]
  >;
};

/**
 * The rows of an owner's book that match the filters, page by page.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export async function* rowsOfBook(
  sources: BookSources,
  owner: string,
  filters: BookFilters,
  now: Date,
): AsyncGenerator<BookRow[]> {
  const moment = momentOf(filters, now);
  const { productId, complianceStatus, atEffectiveDate, atSale } = filters;
  const fits = (asked: typeof complianceStatus, verdict: BookRow['complianceStatus'] | undefined): boolean =>
    asked === undefined || verdict === (asked === 'NOT_KNOWN' ? null : asked);
  const isListed = (row: BookRow): boolean =>
    fits(complianceStatus, row.complianceStatus) &&
    fits(atEffectiveDate, row.atEffectiveDate?.complianceStatus) &&
    fits(atSale, row.atSale?.complianceStatus);
  const isWanted: JudgedQuestion<MatchedPolicy>['isWanted'] = (policy, configsOf) =>
    productId === undefined || productOf(policy, configsOf).productId === productId;
  const question = { owner, moment, now, stateCode: filters.stateCode, isWanted, soldOf: datedPolicy };
  for await (const page of readBook(sources, question, filters)) yield rowsOf(page).filter(isListed);
}

/** The rows of a page of policies. */
export const rowsOf = ({ entries, partiesOf, context }: JudgedPage<MatchedPolicy>): BookRow[] =>
  ofReadable(entries, (entry) => {
    const { sale } = entry.policy;
    return rowOf(entry, sale && partiesOf(sale), context);
  });

const nobodyJudged = {
  upstreamDownstreamAssociationId: null,
  downstreamEntityId: null,
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
  entry: Entry<MatchedPolicy>,
  sale: Parties<StoredSale> | undefined,
  context: PoliciesContext,
): BookRow {
  const { _id: policyId, policyNumber, riskStateCode: stateCode, ...policy } = entry.policy;
  const shown = {
    premiumAmountInUSD: premiumOf(policy),
    effectiveDate: policy.effectiveDate ?? null,
    soldOn: sale?.policy.soldOn ?? null,
  };
  if ('why' in entry) {
    const product = productOf(entry.policy, context.configsOf);
    const statusMessages = [entry.why];
    const atSale = sale === undefined ? null : atSaleOf(sale, context);
    return {
      policyId,
      policyNumber,
      stateCode,
      ...product,
      ...shown,
      ...nobodyJudged,
      statusMessages,
      atSale,
    };
  }
  const { associationId: upstreamDownstreamAssociationId, downstreamEntityId } = entry;
  const { warnings, ...status } = judgedPolicy(entry, sale, context);
  return {
    ...status,
    ...shown,
    upstreamDownstreamAssociationId,
    downstreamEntityId,
    warnings: warnings.map(({ party, code, message }) => ({ party, code, message })),
  };
}
