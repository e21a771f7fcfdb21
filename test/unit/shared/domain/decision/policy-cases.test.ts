import { isDeepStrictEqual } from 'node:util';
import { beacon, type CaseCommand } from '../../../../../shared/domain/decision/case-rows.ts';
import { coverageOf } from '../../../../../shared/domain/decision/coverage.ts';
import type { Party } from '../../../../../shared/domain/decision/decide.ts';
import { decidePolicy } from '../../../../../shared/domain/decision/policy.ts';
import { type PolicyCase, policyCases } from '../../../../../shared/domain/decision/policy-cases.ts';
import { policyRules } from '../../../../../shared/domain/decision/rules.ts';
import { decisionWith } from '../../../../support/broken-decision.ts';
import { recordedBy } from '../../../../support/decision-histories.ts';

const knownAt = '2026-03-10T23:00:00.000Z';

const partyOf = (party: Party, commands: readonly CaseCommand[], name?: string) => ({
  party,
  coverage: coverageOf(recordedBy(commands), knownAt),
  name,
});

/** What is said of a case, as far as the case expects something. */
function decided(
  { agency, agents, isAgentUnknown, products, answer }: PolicyCase,
  decide = decidePolicy,
): PolicyCase['answer'] {
  const { complianceStatus, licenseStatus, appointmentStatus } = decide({
    stateCode: 'TX',
    day: '2026-03-10',
    knownAt,
    carrier: beacon,
    products,
    agency: partyOf('agency', agency),
    sellers: agents.map((commands, index) => partyOf('agent', commands, `Agent ${index + 1}`)),
    isSellerUnknown: isAgentUnknown === true,
  });
  return {
    complianceStatus,
    licenseStatus: licenseStatus.statusName,
    appointmentStatus: appointmentStatus.statusName,
    ...(answer.message === undefined ? {} : { message: licenseStatus.statusMessages?.join(' ') ?? '' }),
  };
}

const expected = ({
  answer: { complianceStatus, licenseStatus, appointmentStatus, message },
}: PolicyCase) => ({
  complianceStatus,
  licenseStatus,
  appointmentStatus,
  ...(message === undefined ? {} : { message }),
});

const licenseOrder = 'const licenseOrder: readonly LicenseStatusName[] = [';
const appointmentOrder = 'const appointmentOrder: readonly AppointmentStatusName[] = [';

/** Lines by which each rule is switched off, and what becomes of them: in each, a case of the rule must fail. */
const breaks: readonly (readonly [PolicyCase['rule'], string, string])[] = [
  ['each-party', 'const verdict = strictestOf([ofAgency, ...ofSellers]);', 'const verdict = ofAgency;'],
  ['strictest-license', licenseOrder, `${licenseOrder} 'Expired License',`],
  ['strictest-license', licenseOrder, `${licenseOrder} 'Missing License', 'Missing Line of Authority',`],
  ['strictest-license', licenseOrder, `${licenseOrder} 'Missing License', 'Expired License', 'Licensed',`],
  ['strictest-appointment', appointmentOrder, `${appointmentOrder} 'Appointment on Binding', 'Appointed',`],
  ['strictest-appointment', appointmentOrder, `${appointmentOrder} 'Not Appointed', 'Appointed',`],
  ['strictest-appointment', appointmentOrder, `${appointmentOrder} 'Not Required',`],
  [
    'strictest-product',
    'return strictestOf([verdictOf(first), ...others.map(verdictOf)]);',
    'return verdictOf(products[0]);',
  ],
  ['unknown-seller', 'licenseStatus: isSellerUnknown', 'licenseStatus: false'],
];

test.each(Object.keys(policyRules))('%s has a case, and can be switched off', (rule) => {
  expect(policyCases.map((one) => one.rule)).toContain(rule);
  expect(breaks.map(([broken]) => broken)).toContain(rule);
});

test.each(breaks)('a case fails without %s, by "%s" as "%s"', (rule, line, change) => {
  const { decidePolicy: broken } = decisionWith([{ file: 'policy.ts', line, change }]);
  const failing = policyCases.filter((one) => !isDeepStrictEqual(decided(one, broken), expected(one)));
  expect(failing.map((one) => one.rule)).toContain(rule);
});

test.each(policyCases)('$rule: $example', (one) => {
  expect(decided(one)).toEqual(expected(one));
});
