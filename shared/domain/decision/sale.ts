import type { LineRequirement } from '../compliance/resource.ts';
import type { Coverage } from './coverage.ts';
import { type Answer, decide, named, type Party, type Question, type Reason } from './decide.ts';
import type { AppointmentRow, LicenseRow } from './facts.ts';

/** May this producer, for this agency, sell this product here on this day, as known at this moment? */
export interface SaleQuestion extends Omit<Question<LicenseRow, AppointmentRow>, 'party' | 'coverage'> {
  readonly seller: Coverage;
  /** Undefined where there is no agency that could be judged. */
  readonly agency: Coverage | undefined;
}

/** What keeps a party from selling, for people, and what would mend it. */
export interface SaleReason {
  readonly party: Party;
  readonly code: Reason['code'];
  readonly message: string;
  readonly remedy: string;
}

export interface SaleAnswer
  extends Pick<Answer<unknown, unknown>, 'complianceStatus' | 'basis' | 'configBasis'> {
  /** What keeps the seller from selling, then what keeps the agency; empty exactly where both are compliant. */
  readonly reasons: readonly SaleReason[];
}

/** The answer for a sale: the producer and the agency are judged, as for a policy (OpenAPI, "May she sell?"). */
export function decideSale({ seller, agency, ...question }: SaleQuestion): SaleAnswer {
  const ofSeller = judged('agent', seller, question);
  const answers = agency === undefined ? [ofSeller] : [ofSeller, judged('agency', agency, question)];
  const isCompliant = answers.every(({ complianceStatus }) => complianceStatus === 'COMPLIANT');
  return {
    complianceStatus: isCompliant ? 'COMPLIANT' : 'NOT_COMPLIANT',
    reasons: answers.flatMap(({ reasons }) => reasons),
    basis: answers.every(({ basis }) => basis === 'history') ? 'history' : 'registry dates',
    configBasis: ofSeller.configBasis,
  };
}

function judged(party: Party, coverage: Coverage, question: Omit<SaleQuestion, 'seller' | 'agency'>) {
  const { stateCode } = question;
  const answer = decide({ ...question, party, coverage });
  // Each status has the one message of its one reason.
  const messageOf = ({ code }: Reason): string =>
    (code === 'appointment_missing' || code === 'appointment_ended'
      ? answer.appointmentStatus
      : answer.licenseStatus
    ).statusMessages?.join(' ') ?? '';
  return {
    ...answer,
    reasons: answer.reasons.map((reason) => ({
      party,
      code: reason.code,
      message: messageOf(reason),
      remedy: remedyOf(reason, stateCode),
    })),
  };
}

/** The lines of a reason: ` for line 16`, ` for lines 16 or 17, 20`, nothing where there are none. */
const forLines = (lines: readonly LineRequirement[]): string =>
  lines.length === 0 ? '' : ` for ${lines.length === 1 ? 'line' : 'lines'} ${named(lines)}`;

/** What would mend a reason, as an order to whoever is responsible. */
function remedyOf(reason: Reason, stateCode: string): string {
  switch (reason.code) {
    case 'license_missing':
      return `Obtain a license in ${stateCode}.`;
    case 'license_expired':
      return `Renew the license in ${stateCode}.`;
    case 'license_not_begun':
      return `Wait until ${reason.firstDay}, when the license in ${stateCode} begins.`;
    case 'line_missing':
      return `Extend the license in ${stateCode}${forLines(reason.lines)}.`;
    case 'appointment_missing':
      return `Appoint in ${stateCode}${forLines(reason.lines)}.`;
    case 'appointment_ended':
      return `Appoint again in ${stateCode}${forLines(reason.lines)}.`;
  }
}
