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
  'ready to file': ['CA', 'Desert Sun Solar Co.', 96_400, 'renewal', 6],
  filed: ['FL', 'Eastgate Cold Storage LLC', 131_900, 'endorsement', 6],
  completed: ['NY', 'Cedar Ridge Apartments LP', 74_080, 'bind', 6],
  'on hold': ['TX', 'Granite Peak Brewing Co.', 12_775, 'renewal', 2],
  canceled: ['LA', 'Harbor Freight Lines Inc.', 27_300, 'cancellation', 1],
} as const satisfies Record<FilingStatus, readonly [string, string, number, string, number]>;

const { sourceCategoryId: signatures, sourceTaskId: affidavit } = openEscalation;

/** Categories of the checklist: id, name and tone, and their items: id and label. */
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
] as const;

const day = 86_400_000;

/** Tax and stamping fee together, close to actual state rates. */
const taxRate = 0.0489;

const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** The checklist of a filing on which the first `done` items are checked. */
function checklist(done: number, openedEscalation: object | null): object[] {
  let position = 0;
  const visible = categories.map(([[sourceCategoryId, name, tone], ...items], categoryIndex) => ({
    sourceCategoryId,
    name,
    tone,
    order: categoryIndex + 1,
    items: items.map(([sourceTaskId, label], index) => {
      position += 1;
      const escalation = sourceTaskId === affidavit ? openedEscalation : null;
      return { sourceTaskId, label, order: index + 1, checked: position <= done, escalation };
    }),
  }));
  const checked = done === position;
  const review = {
    sourceCategoryId: 'review',
    name: 'Quality review',
    order: visible.length + 1,
    isInternal: true,
    items: [{ sourceTaskId: 'second-pair-of-eyes', label: 'Second pair of eyes', checked }],
  };
  return [...visible, review];
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
    externalReference: `SLF-2026-${String(410 + number)}`,
    policyNumber: `SL-2026-${String(200_400 + number * 13)}`,
    stateCode,
    policyTransactionType,
    status: status === 'completed' ? 'filed' : status,
    effectiveDate: new Date(Date.UTC(2026, 1, 1) + number * 6 * day).toISOString().slice(0, 10),
    namedInsured,
    carrier: 'Beacon Specialty Insurance Company',
    carrierNaicCode: '19437',
    grossPremium,
    totalTaxDue: status === 'not started' ? null : cents(grossPremium * taxRate),
    checklist: checklist(checked, status === escalatedStatus ? escalation : null),
  };
}
