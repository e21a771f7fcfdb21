import type { policyRules } from '../../shared/domain/decision/rules.ts';
import {
  answered,
  appointment,
  appointmentImport,
  type CaseAnswer,
  type CaseQuestion,
  config,
  licenseImport,
  lines,
} from './case-rows.ts';
import type { CaseCommand } from './commands.ts';

/** A rule about policies at work, as data: what is known of the parties to a policy of Texas, which is judged on 2026-03-10. */
export interface PolicyCase {
  readonly rule: keyof typeof policyRules;
  /** The parties, in words. */
  readonly example: string;
  readonly agency: readonly CaseCommand[];
  readonly agents: readonly (readonly CaseCommand[])[];
  /** Whether an agent is named: one who was not found, or nobody; all of `agents` by default. */
  readonly named?: 'unknown' | 'nobody';
  readonly policiesNameAgents?: false;
  /** Configs of the products of which the policy may be. */
  readonly products: readonly CaseQuestion['configs'][];
  readonly answer: CaseAnswer;
}

const licensed = [licenseImport('2026-01-10', {})];
const withLine = [licenseImport('2026-01-10', { linesOfAuthority: lines(['16']) })];
const expired = [licenseImport('2026-01-10', { nextRenewalDate: '2026-02-28' })];
const appointed = [...licensed, appointmentImport('2026-01-11', appointment())];

const anyLine: CaseQuestion['configs'] = [config()];
const line16: CaseQuestion['configs'] = [config({ linesOfAuthority: ['16'] })];
const requiring: CaseQuestion['configs'] = [config({ appointment: 'required' })];
const binding: CaseQuestion['configs'] = [config({ appointment: 'on binding' })];
const ofAgency: CaseQuestion['configs'] = [config({ appointment: 'required', appointmentOf: 'agency' })];

const ofAgent: CaseQuestion['configs'] = [config({ licenseOf: 'agent' })];

const isLicensed = answered('Licensed', 'Not Required');
const noLicense = answered('Missing License', 'Not Required', 'license_missing');
const noLine = answered('Missing Line of Authority', 'Not Required', 'line_missing');

/** The rules about policies at work; the OpenAPI document prints some of them (`examples`). */
export const policyCases: readonly PolicyCase[] = [
  {
    rule: 'each-party',
    example: 'The agency and one of two agents are licensed, the other agent is not',
    agency: licensed,
    agents: [licensed, []],
    products: [anyLine],
    answer: { ...noLicense, message: 'Agent 2: No active license in TX.' },
  },
  {
    rule: 'each-party',
    example: 'The agent is licensed, the agency is not',
    agency: [],
    agents: [licensed],
    products: [anyLine],
    answer: noLicense,
  },
  {
    rule: 'each-party',
    example: 'All are licensed',
    agency: licensed,
    agents: [licensed],
    products: [anyLine],
    answer: isLicensed,
  },
  {
    rule: 'strictest-license',
    example: 'The license of one agent has expired, the other one has none',
    agency: licensed,
    agents: [expired, []],
    products: [anyLine],
    answer: answered('Missing License', 'Not Required', 'license_expired', 'license_missing'),
  },
  {
    rule: 'strictest-license',
    example: 'The license of one agent has expired, that of the other lacks the line of authority',
    agency: withLine,
    agents: [licensed, expired],
    products: [line16],
    answer: answered('Expired License', 'Not Required', 'line_missing', 'license_expired'),
  },
  {
    rule: 'strictest-license',
    example: 'The license of the agent lacks the line of authority',
    agency: withLine,
    agents: [licensed],
    products: [line16],
    answer: noLine,
  },
  {
    rule: 'strictest-appointment',
    example: 'The agency is appointed, the agent is not',
    agency: appointed,
    agents: [licensed],
    products: [requiring],
    answer: answered('Licensed', 'Not Appointed', 'appointment_missing'),
  },
  {
    rule: 'strictest-appointment',
    example: 'The same where the appointment is `on binding`',
    agency: appointed,
    agents: [licensed],
    products: [binding],
    answer: answered('Licensed', 'Appointment on Binding'),
  },
  {
    rule: 'strictest-appointment',
    example: 'The same where only the agency needs an appointment',
    agency: appointed,
    agents: [licensed],
    products: [ofAgency],
    answer: answered('Licensed', 'Appointed'),
  },
  {
    rule: 'strictest-product',
    example:
      'Two products have the name that the policy states, and one requires a line of authority that is missing',
    agency: licensed,
    agents: [licensed],
    products: [anyLine, line16],
    answer: noLine,
  },
  {
    rule: 'product-unknown',
    example: 'The agency and the agent are licensed, and no product has the name that the policy states',
    agency: licensed,
    agents: [licensed],
    products: [],
    answer: answered('License Not Known', 'Appointment Not Known', 'product_unknown?'),
  },
  {
    rule: 'unknown-seller',
    example: 'The agency is licensed, and the agent was not found',
    agency: licensed,
    agents: [],
    named: 'unknown',
    products: [anyLine],
    answer: {
      ...answered('License Not Known', 'Not Required', 'seller_unknown?'),
      message: 'The agent was not identified.',
    },
  },
  {
    rule: 'unknown-seller',
    example: 'The license of the agency has expired, and the agent was not found',
    agency: expired,
    agents: [],
    named: 'unknown',
    products: [anyLine],
    answer: answered('Expired License', 'Not Required', 'seller_unknown?', 'license_expired'),
  },
  {
    rule: 'seller-not-named',
    example: 'The agency is licensed, and no agent is named',
    agency: licensed,
    agents: [],
    named: 'nobody',
    products: [anyLine],
    answer: {
      ...answered('License Not Known', 'Not Required', 'seller_not_named?'),
      message:
        'No agent is named: name the agent in the transaction, or have it set that your policies name none.',
    },
  },
  {
    rule: 'seller-not-named',
    example: 'The same where the organization’s policies do not name agents',
    agency: licensed,
    agents: [],
    named: 'nobody',
    policiesNameAgents: false,
    products: [anyLine],
    answer: isLicensed,
  },
  {
    rule: 'seller-not-named',
    example: 'The same where only the agent needs a license',
    agency: licensed,
    agents: [],
    named: 'nobody',
    policiesNameAgents: false,
    products: [ofAgent],
    answer: answered('License Not Known', 'Not Required', 'seller_not_named?'),
  },
  {
    rule: 'seller-not-named',
    example: 'Only the agent needs a license, and all agents of the policy have left the agency',
    agency: licensed,
    agents: [],
    products: [ofAgent],
    answer: answered('License Not Known', 'Not Required', 'seller_not_named?'),
  },
];
