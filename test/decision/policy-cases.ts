import type { RuleId } from '#domain/decision/rules.ts';
import {
  answered,
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
  readonly rule: RuleId;
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

/** A policy of a product of one of some configs, by its agency and its agents. */
const by = (
  products: PolicyCase['products'],
  agency: readonly CaseCommand[],
  ...agents: readonly (readonly CaseCommand[])[]
): Pick<PolicyCase, 'products' | 'agency' | 'agents'> => ({ products, agency, agents });

const sellerNotNamed = answered('License Not Known', 'Not Required', 'seller_not_named?');
const neverNamed = { named: 'nobody', policiesNameAgents: false } as const;

/** What is answered about policies, by rule and example. */
const byRule: Readonly<
  Partial<Record<RuleId, Readonly<Record<string, Omit<PolicyCase, 'rule' | 'example'>>>>>
> = {
  'policy-parties': {
    'The agency and one of two agents are licensed, the other agent is not': {
      ...by([anyLine], licensed, licensed, []),
      answer: { ...noLicense, message: 'Agent 2: No active license in TX.' },
    },
    'The agent is licensed, the agency is not': { ...by([anyLine], [], licensed), answer: noLicense },
    'All are licensed': { ...by([anyLine], licensed, licensed), answer: isLicensed },
  },
  strictest: {
    'The license of one agent has expired, the other one has none': {
      ...by([anyLine], licensed, expired, []),
      answer: answered('Missing License', 'Not Required', 'license_expired', 'license_missing'),
    },
    'The license of one agent has expired, that of the other lacks the line of authority': {
      ...by([line16], withLine, licensed, expired),
      answer: answered('Expired License', 'Not Required', 'line_missing', 'license_expired'),
    },
    'The agency is appointed, the agent is not': {
      ...by([requiring], appointed, licensed),
      answer: answered('Licensed', 'Not Appointed', 'appointment_missing'),
    },
    'The same where the appointment is `on binding`': {
      ...by([binding], appointed, licensed),
      answer: answered('Licensed', 'Appointment on Binding'),
    },
    'The same where only the agency needs an appointment': {
      ...by([ofAgency], appointed, licensed),
      answer: answered('Licensed', 'Appointed'),
    },
  },
  'strictest-product': {
    'Two products have the name that the policy has, and one requires a line of authority that is missing': {
      ...by([anyLine, line16], licensed, licensed),
      answer: noLine,
    },
  },
  'not-identified': {
    'The agency and the agent are licensed, and no product has the name that the policy has': {
      ...by([], licensed, licensed),
      answer: answered('License Not Known', 'Appointment Not Known', 'product_unknown?'),
    },
    'The agency is licensed, and the agent was not found': {
      ...by([anyLine], licensed),
      named: 'unknown',
      answer: {
        ...answered('License Not Known', 'Not Required', 'seller_unknown?'),
        message: 'The agent was not identified.',
      },
    },
    'The license of the agency has expired, and the agent was not found': {
      ...by([anyLine], expired),
      named: 'unknown',
      answer: answered('Expired License', 'Not Required', 'seller_unknown?', 'license_expired'),
    },
  },
  'seller-not-named': {
    'The agency is licensed, and no agent is named': {
      ...by([anyLine], licensed),
      named: 'nobody',
      answer: {
        ...sellerNotNamed,
        message:
          'No agent is named: name the agent in the transaction, or have it set that your policies name none.',
      },
    },
    'The same where the organization’s policies do not name agents': {
      ...by([anyLine], licensed),
      ...neverNamed,
      answer: isLicensed,
    },
    'The same where only the agent needs a license': {
      ...by([ofAgent], licensed),
      ...neverNamed,
      answer: sellerNotNamed,
    },
    'Only the agent needs a license, and all agents of the policy have left the agency': {
      ...by([ofAgent], licensed),
      answer: sellerNotNamed,
    },
  },
};

/** The rules about policies at work; the OpenAPI document prints some of them. */
export const policyCases: readonly PolicyCase[] = Object.entries(byRule).flatMap(([rule, examples]) =>
  Object.entries(examples).map(([example, one]) => ({ rule: rule as RuleId, example, ...one })),
);
