import { ofReadable } from '../../platform/data/left-out.ts';
import { addDays, daysBetween } from '../../platform/dates/calendar.ts';
import { momentOf } from '../compliance/moment.ts';
import { writtenDate } from '../decision/dates.ts';
import { type BookSources, readBook } from './book.ts';
import type { MatchedPolicy } from './policies.ts';
import type { AppointmentDue } from './resource.ts';
import {
  type ConfigsOf,
  decidedOn,
  type PoliciesContext,
  type PolicyOfAgency,
  presentSellers,
  productOf,
} from './statuses.ts';

/** The agencies and agents whom an owner is to appoint for policies that it bound, page by page. */
export async function* appointmentsDue(
  sources: BookSources,
  owner: string,
  now: Date,
): AsyncGenerator<AppointmentDue[]> {
  const question = { owner, moment: momentOf({}, now), now, filters: {}, isWanted: mayBeDue };
  for await (const { entries, context } of readBook(sources, question)) {
    yield ofReadable(entries, (entry) => ('why' in entry ? [] : rowsOf(entry, context))).flat();
  }
}

/** Whether any version of a product that the policy may be of appoints when it binds: the records of others are not read. */
const mayBeDue = (policy: MatchedPolicy, configsOf: ConfigsOf): boolean =>
  configsOf(policy).some(({ versions }) =>
    versions.some(({ states }) =>
      states.some(
        ({ stateCode, appointment }) => stateCode === policy.riskStateCode && appointment === 'on binding',
      ),
    ),
  );

function rowsOf(of: PolicyOfAgency, context: PoliciesContext): AppointmentDue[] {
  const { policy, associationId: downstreamEntityAssociationId } = of;
  const { moment, today, configsOf } = context;
  const bound = policy.boundOn ?? policy.effectiveDate;
  const boundOn = bound === undefined ? undefined : writtenDate(bound);
  if (boundOn === undefined || boundOn > today) return [];
  const judged = presentSellers(of);
  const { agency, sellers } = decidedOn(moment.day, judged, of, context);
  const parties = [
    { party: 'agency' as const, agentId: null, ...agency },
    ...sellers.map((seller, index) => ({
      party: 'agent' as const,
      agentId: judged[index]?.agentId ?? null,
      ...seller,
    })),
  ];
  return parties.flatMap(({ party, agentId, dueAppointment }) => {
    if (dueAppointment === null) return [];
    const { linesOfAuthority, withinDays } = dueAppointment;
    const dueOn = withinDays === null ? null : addDays(boundOn, withinDays);
    return {
      policyId: policy._id,
      policyNumber: policy.policyNumber,
      party,
      agentId,
      downstreamEntityAssociationId,
      stateCode: policy.riskStateCode,
      productId: productOf(policy, configsOf).productId,
      linesOfAuthority: [...linesOfAuthority],
      boundOn,
      dueOn,
      daysLeft: dueOn === null ? null : daysBetween(today, dueOn),
    };
  });
}
