import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import type { Party } from '../../shared/domain/decision/decide.ts';
import { decidePolicy } from '../../shared/domain/decision/policy.ts';
import { policyRules } from '../../shared/domain/decision/rules.ts';
import { beacon, type CaseCommand } from './case-rows.ts';
import { recordedBy } from './histories.ts';
import { type PolicyCase, policyCases } from './policy-cases.ts';

const knownAt = '2026-03-10T23:00:00.000Z';

const partyOf = (party: Party, commands: readonly CaseCommand[], name?: string) => ({
  party,
  coverage: coverageOf(recordedBy(commands), knownAt),
  name,
});

/** What is said of a case, as far as the case expects something. */
function decided({ agency, agents, isAgentUnknown, products, answer }: PolicyCase): PolicyCase['answer'] {
  const { complianceStatus, licenseStatus, appointmentStatus } = decidePolicy({
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

test('every rule about policies has a case', () => {
  expect(new Set(policyCases.map(({ rule }) => rule))).toEqual(new Set(Object.keys(policyRules)));
});

test.each(policyCases)('$rule: $example', (one) => {
  expect(decided(one)).toEqual(expected(one));
});
