import type * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { allOf, atLeast, atMost, containing, startsWith } from '../../platform/data/expressions.ts';
import { ofReadable } from '../../platform/data/left-out.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { type AskedMoment, momentOf } from '../compliance/moment.ts';
import { complianceStatusOf, type PolicyAnswer } from '../decision/policy.ts';
import { agencySort, policyPartitions } from '../policies/keys.ts';
import { policyTransactionFields } from '../policies/policy-transaction.ts';
import { policyFields } from '../policies/resource.ts';
import { type StoredSale, storedSale } from '../policies/sale.ts';
import { type Entry, type JudgedSources, judgedPages } from './book.ts';
import { premiumOf } from './premium.ts';
import { type SaleRow, saleRow, type salesQuery } from './resource.ts';
import {
  answerForSale,
  type ConfigsOf,
  datedSale,
  isAnybodyJudged,
  type PoliciesContext,
  partyStatusOf,
  productOf,
  withAmbiguity,
} from './statuses.ts';

/** Filters of sales; they combine. */
export type SaleFilters = Pick<AskedMoment, 'knownAt'> & {
  readonly [Name in Exclude<keyof typeof salesQuery.shape, 'knownAt'>]?: z.output<
    (typeof salesQuery.shape)[Name]
  >;
};

const saleItem = storedItem(
  'policies/sale',
  object(() => {
    const { policyNumber } = policyTransactionFields.shape;
    const { effectiveDate, premiumAmountInUSD } = policyFields.shape;
    return {
      sk: objectId,
      policyId: objectId,
      policyNumber,
      policyTransactionType: saleRow.shape.policyTransactionType,
      effectiveDate,
      premiumAmountInUSD,
      sale: storedSale,
    };
  }),
);

/** A New or a Renewal as it was sold. */
export interface Sale extends StoredSale, Omit<z.output<typeof saleItem>, 'sk' | 'sale'> {
  readonly transactionId: string;
}

/** Sales read at once; see the policies' store. */
const salesAtOnce = 500;

/** The sales of a carrier that match, agency by agency: what DynamoDB leaves out is neither sent nor parsed. */
async function* salesOf(
  policies: Table<'by-sale'>,
  owner: string,
  { downstreamEntityAssociationId: associationId, stateCode, agentId, soldFrom, soldUntil }: SaleFilters,
): AsyncGenerator<Sale[]> {
  const filter = allOf(
    stateCode === undefined ? undefined : { 'sale.riskStateCode': stateCode },
    agentId === undefined ? undefined : { 'sale.sellers.agentIds': containing(agentId) },
    soldFrom === undefined ? undefined : { 'sale.soldOn': atLeast(soldFrom) },
    soldUntil === undefined ? undefined : { 'sale.soldOn': atMost(soldUntil) },
  );
  const pages = policies.query(saleItem, policyPartitions.sales(owner), {
    index: 'by-sale',
    limit: salesAtOnce,
    leavesOut: true,
    ...(associationId === undefined ? {} : { sort: startsWith(agencySort({ associationId })) }),
    ...(filter === undefined ? {} : { filter }),
  });
  for await (const page of pages) {
    yield page.map(({ sk: transactionId, sale, ...transaction }) => ({
      ...transaction,
      ...sale,
      transactionId,
    }));
  }
}

/** A sale of a page, with what is decided about it on its day by what is known at the moment. */
export type JudgedSale = Entry<Sale> & { readonly answer: PolicyAnswer };

/**
 * The sales of a carrier that match the filters, judged on their days, page by page (OpenAPI, "Sales").
 * @param isWanted whether a sale is asked about: of others, the records of nobody are read.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export async function* judgedSales(
  sources: JudgedSources<'by-sale'>,
  owner: string,
  filters: SaleFilters,
  now: Date,
  isWanted: (sale: Sale, configsOf: ConfigsOf) => boolean,
): AsyncGenerator<{ readonly sales: readonly JudgedSale[]; readonly context: PoliciesContext }> {
  const moment = momentOf({ knownAt: filters.knownAt }, now);
  const pages = salesOf(sources.tables.policies, owner, filters);
  const question = { owner, moment, now, stateCode: filters.stateCode, isWanted, soldOf: datedSale };
  for await (const { entries, context } of judgedPages(sources, question, pages)) {
    yield {
      sales: ofReadable(entries, (entry) => ({ ...entry, answer: answerForSale(entry, context) })),
      context,
    };
  }
}

/**
 * The rows of an owner's sales that match the filters, page by page.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export async function* rowsOfSales(
  sources: JudgedSources<'by-sale'>,
  owner: string,
  filters: SaleFilters,
  now: Date,
): AsyncGenerator<SaleRow[]> {
  const { productId, complianceStatus } = filters;
  const isWanted = (sale: Sale, configsOf: ConfigsOf): boolean =>
    productId === undefined || productOf(sale, configsOf).productId === productId;
  const isListed = (row: SaleRow): boolean =>
    complianceStatus === undefined ||
    row.complianceStatus === (complianceStatus === 'NOT_KNOWN' ? null : complianceStatus);
  for await (const { sales, context } of judgedSales(sources, owner, filters, now, isWanted)) {
    yield ofReadable(sales, (sale) => rowOf(sale, context)).filter(isListed);
  }
}

function rowOf(judged: JudgedSale, { configsOf }: PoliciesContext): SaleRow {
  const { policy: sale, sellers, answer } = judged;
  const isAnybody = isAnybodyJudged(judged);
  const { verdict, licenseStatus, appointmentStatus, reasons, warnings, dueAppointment } = answer;
  return {
    transactionId: sale.transactionId,
    policyId: sale.policyId,
    policyNumber: sale.policyNumber,
    policyTransactionType: sale.policyTransactionType,
    soldOn: sale.soldOn,
    effectiveDate: sale.effectiveDate ?? null,
    stateCode: sale.riskStateCode,
    ...productOf(sale, configsOf),
    carrierNaicCode: sale.carrierNaicCode ?? null,
    premiumAmountInUSD: premiumOf(sale),
    upstreamDownstreamAssociationId: 'why' in judged ? null : judged.associationId,
    downstreamEntityId: 'why' in judged ? null : judged.downstreamEntityId,
    agents: answer.sellers.map((ofSeller, index) => ({
      agentId: sellers[index]?.agentId ?? '',
      ...partyStatusOf(ofSeller),
    })),
    complianceStatus: complianceStatusOf[verdict],
    licenseStatus: isAnybody ? withAmbiguity(licenseStatus, configsOf(sale)) : null,
    appointmentStatus: isAnybody ? appointmentStatus : null,
    reasons: reasons.map(({ party, code, message, remedy }) => ({ party, code, message, remedy })),
    warnings: warnings.map(({ party, code, message }) => ({ party, code, message })),
    appointmentDueOn: dueAppointment?.dueOn ?? null,
    appointedOn: dueAppointment?.appointedOn ?? null,
    basis: isAnybody ? answer.basis : 'registry dates',
    configBasis: answer.configBasis,
  };
}
