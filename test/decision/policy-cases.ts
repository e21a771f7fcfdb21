import type { policyRules } from '../../shared/domain/decision/rules.ts';
import {
  answers,
  appointment,
  appointmentImport,
  type CaseAnswer,
  type CaseCommand,
  type CaseQuestion,
  config,
  licenseImport,
  lines,
} from './case-rows.ts';

/** A rule about policies at work, as data: what is known of the parties to a policy of Texas, which is judged on 2026-03-10. */
export interface PolicyCase {
  readonly rule: keyof typeof policyRules;
  /** The parties, in words. */
  readonly example: string;
  readonly agency: readonly CaseCommand[];
  readonly agents: readonly (readonly CaseCommand[])[];
  /** Whether an agent is named who was not found. */
  readonly isAgentUnknown?: true;
  /** Configs of the products of which the policy may be. */
  readonly products: readonly [CaseQuestion['configs'], ...CaseQuestion['configs'][]];
  /** Reasons are given for each party alone. */
  readonly answer: Omit<CaseAnswer, 'reasons'>;
}

const { isAppointed, isExpired, isLicensed, noLicense, noLine, notAppointed, onBinding } = answers;

const licensed = [licenseImport('2026-01-10', {})];
const withLine = [licenseImport('2026-01-10', { linesOfAuthority: lines(['16']) })];
const expired = [licenseImport('2026-01-10', { nextRenewalDate: '2026-02-28' })];
const appointed = [...licensed, appointmentImport('2026-01-11', appointment())];

const anyLine: CaseQuestion['configs'] = [config()];
const line16: CaseQuestion['configs'] = [config({ linesOfAuthority: ['16'] })];
const requiring: CaseQuestion['configs'] = [config({ appointment: 'required' })];
const binding: CaseQuestion['configs'] = [config({ appointment: 'on binding' })];
const ofAgency: CaseQuestion['configs'] = [config({ appointment: 'required', appointmentOf: 'agency' })];

/** The rules about policies at work; the OpenAPI document prints some of them (`examples.ts`). */
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
    answer: noLicense,
  },
  {
    rule: 'strictest-license',
    example: 'The license of one agent has expired, that of the other lacks the line of authority',
    agency: withLine,
    agents: [licensed, expired],
    products: [line16],
    answer: isExpired,
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
    answer: notAppointed,
  },
  {
    rule: 'strictest-appointment',
    example: 'The same where the appointment is `on binding`',
    agency: appointed,
    agents: [licensed],
    products: [binding],
    answer: onBinding,
  },
  {
    rule: 'strictest-appointment',
    example: 'The same where only the agency needs an appointment',
    agency: appointed,
    agents: [licensed],
    products: [ofAgency],
    answer: isAppointed,
  },
  {
    rule: 'strictest-product',
    example:
      'Two products have the name that the policy states, and one requires a line of authority that is missing',
    agency: licensed,
    agents: [],
    products: [anyLine, line16],
    answer: noLine,
  },
  {
    rule: 'unknown-seller',
    example: 'The agency is licensed, and the agent was not found',
    agency: licensed,
    agents: [],
    isAgentUnknown: true,
    products: [anyLine],
    answer: { ...isLicensed, message: 'The agent was not identified.' },
  },
];
