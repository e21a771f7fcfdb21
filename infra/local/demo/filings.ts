import type { FilingStatus } from '../../../shared/resources/filing.ts';

/** Surplus lines filings of the demo, one in each status. */

/** The checklist item with the open escalation. */
export const openEscalation = { sourceCategoryId: 'signatures', sourceTaskId: 'diligent-effort-affidavit' };

/** Number of checked items by status. */
const progress: Readonly<Record<FilingStatus, number>> = {
  'not started': 0,
  'in progress': 3,
  'ready to file': 6,
  filed: 6,
  completed: 6,
  'on hold': 2,
  canceled: 1,
};

/** The status of the filing with the open escalation. */
export const escalatedStatus: FilingStatus = 'in progress';

const risks = {
  'not started': ['TX', 'Blue Heron Marina Inc.', 18_250, 'bind'],
  'in progress': ['TX', 'Acme Roofing LLC', 42_600, 'bind'],
  'ready to file': ['CA', 'Desert Sun Solar Co.', 96_400, 'renewal'],
  filed: ['FL', 'Eastgate Cold Storage LLC', 131_900, 'endorsement'],
  completed: ['NY', 'Cedar Ridge Apartments LP', 74_080, 'bind'],
  'on hold': ['TX', 'Granite Peak Brewing Co.', 12_775, 'renewal'],
  canceled: ['LA', 'Harbor Freight Lines Inc.', 27_300, 'cancellation'],
} as const satisfies Record<FilingStatus, readonly [string, string, number, string]>;

const tasks = [
  {
    sourceCategoryId: 'risk',
    name: 'Risk information',
    tone: 'primary',
    items: [
      ['insured-details', 'Insured and location confirmed'],
      ['premium-allocation', 'Premium allocated by state'],
    ],
  },
  {
    sourceCategoryId: 'documents',
    name: 'Documents',
    tone: 'secondary',
    items: [
      ['declarations-page', 'Declarations page'],
      ['policy-form', 'Policy with all forms'],
    ],
  },
  {
    sourceCategoryId: openEscalation.sourceCategoryId,
    name: 'Signatures',
    tone: 'yellow',
    items: [
      [openEscalation.sourceTaskId, 'Diligent effort affidavit, signed'],
      ['broker-certification', 'Certification of the surplus-lines broker'],
    ],
  },
] as const;

const day = 86_400_000;

/** Tax and stamping fee together, close to actual state rates. */
const taxRate = 0.0489;

const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** The checklist of a filing on which the first `done` items are checked. */
function checklist(done: number, escalation: object | null): object[] {
  let place = 0;
  const visible = tasks.map(({ items, ...category }, categoryIndex) => ({
    ...category,
    order: categoryIndex + 1,
    items: items.map(([sourceTaskId, label], index) => {
      place += 1;
      return {
        sourceTaskId,
        label,
        order: index + 1,
        checked: place <= done,
        escalation: sourceTaskId === openEscalation.sourceTaskId ? escalation : null,
      };
    }),
  }));
  const review = {
    sourceCategoryId: 'review',
    name: 'Quality review',
    order: visible.length + 1,
    isInternal: true,
    items: [{ sourceTaskId: 'second-pair-of-eyes', label: 'Second pair of eyes', checked: done === place }],
  };
  return [...visible, review];
}

/** The filing in a status; a completed one is imported as filed and completed once it has its artifact. */
export function demoFiling(
  status: FilingStatus,
  ids: { readonly filingId: string; readonly downstreamEntityId: string },
): object {
  const [stateCode, namedInsured, grossPremium, policyTransactionType] = risks[status];
  const number = Object.keys(risks).indexOf(status);
  const openedAt = Date.UTC(2026, 2, 2, 15, 30);
  const escalation = {
    category: 'public',
    status: 'waiting customer input',
    openedAt: new Date(openedAt).toISOString(),
    messages: [
      {
        authorType: 'service',
        body: 'The affidavit lacks the signature of the producing agent. Please upload a signed copy.',
        sentAt: new Date(openedAt).toISOString(),
      },
    ],
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
    checklist: checklist(progress[status], status === escalatedStatus ? escalation : null),
  };
}
