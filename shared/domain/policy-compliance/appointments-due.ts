import { ofReadable } from '../../platform/data/left-out.ts';
import { addDays, type CalendarDate, daysBetween } from '../../platform/dates/calendar.ts';
import type { DueAppointment } from '../decision/decide.ts';
import type { JudgedSources } from './book.ts';
import type { AppointmentDue, DueStatus } from './resource.ts';
import { type JudgedSale, judgedSales } from './sales.ts';
import { type ConfigsOf, type PoliciesContext, productOf, type Sold } from './statuses.ts';

/** Days for which an appointment is listed that was made late. */
export const daysOfLate = 400;

/**
 * The agencies and agents whom an owner is to appoint for sales that it bound, or has appointed late, page by page: a row for each
 * sale and party.
 * @param asked which rows; all where undefined.
 */
export async function* appointmentsDue(
  sources: JudgedSources<'by-sale'>,
  owner: string,
  asked: DueStatus | undefined,
  now: Date,
): AsyncGenerator<AppointmentDue[]> {
  for await (const { sales, context } of judgedSales(sources, owner, {}, now, mayBeDue)) {
    const rows = ofReadable(sales, (sale) => rowsOf(sale, context)).flat();
    yield rows.filter(({ dueStatus }) => asked === undefined || dueStatus === asked);
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

function rowsOf(judged: JudgedSale, { today, configsOf }: PoliciesContext): AppointmentDue[] {
  const { policy: sale, sellers, answer } = judged;
  if ('why' in judged || sale.soldOn > today) return [];
  const { carrierNaicCode, carrierName } = sale;
  const row = {
    downstreamEntityAssociationId: judged.associationId,
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
function dueStatusOf({ dueOn, appointedOn }: DueAppointment, today: CalendarDate): DueStatus | null {
  if (appointedOn === null) return dueOn === null || today <= dueOn ? 'due' : 'overdue';
  const isLate = dueOn !== null && appointedOn > dueOn;
  return isLate && appointedOn >= addDays(today, -daysOfLate) ? 'late' : null;
}
