import { addDays } from '../../../shared/dates/calendar.ts';
import type { FilingStatus } from '../../../shared/resources/filing.ts';

/** Surplus lines filings of the demo, one in each status. */

/** The checklist item with the open escalation. */
export const openEscalation = { sourceCategoryId: 'signatures', sourceTaskId: 'diligent-effort-affidavit' };

/** The status of the filing with the open escalation. */
export const escalatedStatus: FilingStatus = 'in progress';

/** State, insured, premium in USD, transaction, and number of checked items by status. */
const risks = {
  'not started': ['TX', 'Blue Heron Marina Inc.', 18_250, 'bind', 0],
  'in progress': ['TX', 'Acme Roofing LLC', 42_600, 'bind', 3],
  'ready to file': ['CA', 'Desert Sun Solar Co.', 96_400, 'renewal', 7],
  filed: ['FL', 'Eastgate Cold Storage LLC', 131_900, 'endorsement', 7],
  completed: ['NY', 'Cedar Ridge Apartments LP', 74_080, 'bind', 7],
  'on hold': ['TX', 'Granite Peak Brewing Co.', 12_775, 'renewal', 2],
  canceled: ['LA', 'Harbor Freight Lines Inc.', 27_300, 'cancellation', 1],
} as const satisfies Record<FilingStatus, readonly [string, string, number, string, number]>;

const { sourceCategoryId: signatures, sourceTaskId: affidavit } = openEscalation;

/** Categories of the checklist: id, name and tone, and their items: id and label. The last one is internal. */
const categories = [
  [
    ['risk', 'Risk information', 'primary'],
    ['insured-details', 'Insured and location confirmed'],
    ['premium-allocation', 'Premium allocated by state'],
  ],
  [
    ['documents', 'Documents', 'secondary'],
    ['declarations-page', 'Declarations page'],
    ['policy-form', 'Policy with all forms'],
  ],
  [
    [signatures, 'Signatures', 'yellow'],
    [affidavit, 'Diligent effort affidavit, signed'],
    ['broker-certification', 'Certification of the surplus-lines broker'],
  ],
  [
    ['review', 'Quality review', 'primary'],
    ['second-pair-of-eyes', 'Second pair of eyes'],
  ],
] as const;

/** The checklist of a filing on which the first `done` items are checked. */
function checklist(done: number, openedEscalation: object | null): object[] {
  let position = 0;
  return categories.map(([[sourceCategoryId, name, tone], ...items], categoryIndex) => ({
    sourceCategoryId,
    name,
    tone,
    order: categoryIndex + 1,
    isInternal: sourceCategoryId === 'review',
    items: items.map(([sourceTaskId, label], index) => {
      position += 1;
      const escalation = sourceTaskId === affidavit ? openedEscalation : null;
      return { sourceTaskId, label, order: index + 1, checked: position <= done, escalation };
    }),
  }));
}

/** The filing in a status; a completed one is imported as filed and completed once it has its artifact. */
export function demoFiling(
  status: FilingStatus,
  ids: { readonly filingId: string; readonly downstreamEntityId: string },
): object {
  const [stateCode, namedInsured, grossPremium, policyTransactionType, checked] = risks[status];
  const number = Object.keys(risks).indexOf(status);
  const openedAt = '2026-03-02T15:30:00.000Z';
  const question = 'The affidavit lacks the signature of the producing agent. Please upload a signed copy.';
  const escalation = {
    category: 'public',
    status: 'waiting customer input',
    openedAt,
    messages: [{ authorType: 'service', body: question, sentAt: openedAt }],
  };
  return {
    type: 'filing',
    _id: ids.filingId,
    downstreamEntityId: ids.downstreamEntityId,
    externalReference: `SLF-2026-${410 + number}`,
    policyNumber: `SL-2026-${200_400 + number * 13}`,
    stateCode,
    policyTransactionType,
    status: status === 'completed' ? 'filed' : status,
    effectiveDate: addDays('2026-02-01', number * 6),
    namedInsured,
    carrier: 'Beacon Specialty Insurance Company',
    carrierNaicCode: '19437',
    grossPremium,
    // Tax and stamping fee together, to the cent and close to actual state rates.
    totalTaxDue: status === 'not started' ? null : Math.round(grossPremium * 4.89) / 100,
    checklist: checklist(checked, status === escalatedStatus ? escalation : null),
  };
}
