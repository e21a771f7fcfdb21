import * as z from 'zod/mini';
import { objectId } from '#platform/contract/primitives.ts';
import { mapPages } from '#platform/data/concurrently.ts';
import { allOf, atLeast, atMost, containing, startsWith } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { addDays, type CalendarDate, daysBetween } from '#platform/dates/dates.ts';
import { momentOf } from '../compliance/moment.ts';
import type { PolicyAnswer } from '../decision/sale.ts';
import { policyFields, policyTransactionFields } from '../policies/resource.ts';
import { agencySort, policyPartitions, premiumOf, type StoredSale, storedSale } from '../policies/stored.ts';
import { type JudgedSources, judgedPages } from './book.ts';
import type { Parties, Sold } from './parties.ts';
import { type AppointmentDue, type DueStatus, type SaleRow, saleRow, type salesQuery } from './resource.ts';
import {
  answerForSale,
  associationWarnings,
  type ConfigsOf,
  datedSale,
  type PoliciesContext,
  policiesAtOnce,
  productOf,
  statusOfSale,
} from './statuses.ts';

type SaleFilters = z.output<typeof salesQuery>;

const saleItem = storedItem('policies/sale', {
  sk: objectId,
  policyId: objectId,
  policyNumber: policyTransactionFields.shape.policyNumber,
  policyTransactionType: saleRow.shape.policyTransactionType,
  ...z.pick(policyFields, { insuredEntityName: true, effectiveDate: true, premiumAmountInUSD: true }).shape,
  sale: storedSale,
});

/** A New or a Renewal as it was sold. */
interface Sale extends StoredSale, Omit<z.output<typeof saleItem>, 'sk' | 'sale'> {
  readonly transactionId: string;
}

/** The sales of a carrier that match, agency by agency: what DynamoDB leaves out is neither sent nor parsed. */
async function* salesOf(
  policies: Table<'by-sale'>,
  owner: string,
  { downstreamEntityAssociationId: associationId, ...filters }: SaleFilters,
): AsyncGenerator<Sale[]> {
  const { policyTransactionType, stateCode, agentId, soldFrom, soldUntil } = filters;
  const filter = allOf(
    policyTransactionType === undefined ? undefined : { policyTransactionType },
    stateCode === undefined ? undefined : { 'sale.riskStateCode': stateCode },
    agentId === undefined ? undefined : { 'sale.sellers.agentIds': containing(agentId) },
    soldFrom === undefined ? undefined : { 'sale.soldOn': atLeast(soldFrom) },
    soldUntil === undefined ? undefined : { 'sale.soldOn': atMost(soldUntil) },
  );
  const pages = policies.query(saleItem, policyPartitions.sales(owner), {
    index: 'by-sale',
    limit: policiesAtOnce,
    ...(associationId === undefined ? {} : { sort: startsWith(agencySort({ associationId })) }),
    ...(filter === undefined ? {} : { filter }),
  });
  yield* mapPages(pages, (page) =>
    page.map(({ sk: transactionId, sale, ...transaction }) => ({ ...transaction, ...sale, transactionId })),
  );
}

/** A sale of a page, with what is decided about it on its day by what is known at the moment. */
type JudgedSale = Parties<Sale> & { readonly answer: PolicyAnswer };

/**
 * The sales of a carrier that match the filters, judged on their days, page by page (OpenAPI, "Sales").
 * @param isWanted whether a sale is asked about: of others, the records of nobody are read.
 * @throws ApiError `validation_error` as `momentOf`.
 */
async function* judgedSales(
  sources: JudgedSources<'by-sale'>,
  owner: string,
  filters: SaleFilters,
  now: Date,
  isWanted: (sale: Sale, configsOf: ConfigsOf) => boolean,
): AsyncGenerator<{ readonly sales: readonly JudgedSale[]; readonly context: PoliciesContext }> {
  const moment = momentOf({ knownAt: filters.knownAt }, now);
  const pages = salesOf(sources.tables.policies, owner, filters);
  const question = { owner, moment, now, isWanted, soldOf: datedSale };
  yield* mapPages(judgedPages(sources, question, pages), ({ entries, context }) => ({
    sales: entries.map((entry) => ({ ...entry, answer: answerForSale(entry, context) })),
    context,
  }));
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
    yield sales.map((sale) => rowOf(sale, context)).filter(isListed);
  }
}

function rowOf(judgedSale: JudgedSale, context: PoliciesContext): SaleRow {
  const { policy: sale, agency, answer } = judgedSale;
  const { reasons, warnings, dueAppointment } = answer;
  return {
    transactionId: sale.transactionId,
    policyId: sale.policyId,
    policyNumber: sale.policyNumber,
    insuredName: sale.insuredEntityName ?? null,
    policyTransactionType: sale.policyTransactionType,
    effectiveDate: sale.effectiveDate ?? null,
    stateCode: sale.riskStateCode,
    ...productOf(sale, context.configsOf),
    carrierNaicCode: sale.carrierNaicCode ?? null,
    premiumAmountInUSD: premiumOf(sale.premiumAmountInUSD),
    upstreamDownstreamAssociationId: agency?.associationId ?? null,
    downstreamEntityId: agency?.downstreamEntityId ?? null,
    ...statusOfSale(judgedSale, answer, context),
    reasons: [...reasons],
    warnings: [...warnings, ...associationWarnings(judgedSale)],
    appointmentDueOn: dueAppointment?.dueOn ?? null,
    appointedOn: dueAppointment?.appointedOn ?? null,
  };
}

/** Days for which an appointment is listed that was made late. */
export const daysOfLate = 400;

/**
 * The agencies and agents that an owner must appoint for sales that it bound, or has appointed late, page by page: a row for each
 * sale and party.
 * @param filters which rows; all where it is empty.
 */
export async function* appointmentsDue(
  sources: JudgedSources<'by-sale'>,
  owner: string,
  filters: { readonly dueStatus?: DueStatus | undefined },
  now: Date,
): AsyncGenerator<AppointmentDue[]> {
  for await (const { sales, context } of judgedSales(sources, owner, {}, now, mayBeDue)) {
    const rows = sales.flatMap((sale) => rowsOf(sale, context));
    yield rows.filter(({ dueStatus }) => dueStatus === (filters.dueStatus ?? dueStatus));
  }
}

/** Whether any version of a product that a sale may be of appoints when it binds: the records of others are not read. */
export const mayBeDue = (sale: Sold, configsOf: ConfigsOf): boolean =>
  configsOf(sale).some(({ versions }) =>
    versions.some(({ states, otherStates }) => {
      const rule = states.find(({ stateCode }) => stateCode === sale.riskStateCode) ?? otherStates;
      return rule?.appointment === 'on binding';
    }),
  );

function rowsOf(judgedSale: JudgedSale, { today, configsOf }: PoliciesContext): AppointmentDue[] {
  const { policy: sale, agency, sellers, answer } = judgedSale;
  if (agency === undefined || sale.soldOn > today) return [];
  const { carrierNaicCode, carrierName } = sale;
  const row = {
    downstreamEntityAssociationId: agency.associationId,
    company:
      carrierNaicCode === undefined && carrierName === undefined
        ? null
        : { carrierNaicCode: carrierNaicCode ?? null, name: carrierName ?? null },
    stateCode: sale.riskStateCode,
    productId: productOf(sale, configsOf).productId,
    policyId: sale.policyId,
    policyNumber: sale.policyNumber,
    soldOn: sale.soldOn,
  };
  const parties = [
    { party: 'agency' as const, agentId: null, ...answer.agency },
    ...answer.sellers.map((seller, index) => ({
      party: 'agent' as const,
      agentId: sellers[index]?.agentId ?? null,
      ...seller,
    })),
  ];
  return parties.flatMap(({ party, agentId, dueAppointment }) => {
    const dueStatus = dueAppointment && dueStatusOf(dueAppointment, today);
    if (dueAppointment === null || dueStatus === null) return [];
    const { linesOfAuthority, dueOn, appointedOn } = dueAppointment;
    const daysLeft = dueOn === null || appointedOn !== null ? null : daysBetween(today, dueOn);
    return {
      dueStatus,
      party,
      agentId,
      ...row,
      linesOfAuthority: [...linesOfAuthority],
      dueOn,
      daysLeft,
      appointedOn,
    };
  });
}

/** Null for an appointment that was made in time, or late so long ago that it is not listed anymore. */
function dueStatusOf(
  { dueOn, appointedOn }: Pick<AppointmentDue, 'dueOn' | 'appointedOn'>,
  today: CalendarDate,
): DueStatus | null {
  if (appointedOn === null) return dueOn === null || today <= dueOn ? 'due' : 'overdue';
  const isLate = dueOn !== null && appointedOn > dueOn;
  return isLate && appointedOn >= addDays(today, -daysOfLate) ? 'late' : null;
}
