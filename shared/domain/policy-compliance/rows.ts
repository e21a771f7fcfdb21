import type * as z from 'zod/mini';
import { ofReadable } from '../../platform/data/left-out.ts';
import { type AskedMoment, momentOf } from '../compliance/moment.ts';
import type { StoredSale } from '../policies/sale.ts';
import {
  type BookSources,
  type Entry,
  type JudgedPage,
  type JudgedQuestion,
  type Parties,
  readBook,
} from './book.ts';
import type { MatchedPolicy } from './policies.ts';
import { premiumOf } from './premium.ts';
import type { BookRow, bookQuery } from './resource.ts';
import { atSaleOf, datedPolicy, judgedPolicy, type PoliciesContext, productOf } from './statuses.ts';

/** Filters of the book; they combine. */
export type BookFilters = AskedMoment & {
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
