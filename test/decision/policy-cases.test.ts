import type { Party } from '../../shared/domain/decision/decide.ts';
import { decidePolicy } from '../../shared/domain/decision/policy.ts';
import { policyRules } from '../../shared/domain/decision/rules.ts';
import { beacon } from './case-rows.ts';
import type { CaseCommand } from './commands.ts';
import { coverageAt, reasonsOf, recordedBy, texts } from './histories.ts';
import { type PolicyCase, policyCases } from './policy-cases.ts';

const knownAt = '2026-03-10T23:00:00.000Z';
const day = '2026-03-10';

const partyOf = (party: Party, commands: readonly CaseCommand[], name?: string) => ({
  party,
  coverage: coverageAt(recordedBy(commands), knownAt),
  name,
});

const decided = ({ agency, agents, named, policiesNameAgents, products }: PolicyCase) =>
  decidePolicy({
    stateCode: 'TX',
    day,
    today: day,
    knownAt,
    carrier: beacon,
    products: products.map((configs, index) => ({ productId: String(index), configs })),
    agency: partyOf('agency', agency),
    sellers: agents.map((commands, index) => partyOf('agent', commands, `Agent ${index + 1}`)),
    named: named ?? 'one',
    policiesNameAgents: policiesNameAgents ?? true,
  });

const complianceStatuses = { yes: 'COMPLIANT', no: 'NOT_COMPLIANT', unknown: null };

test('every rule about policies has a case', () => {
  expect(new Set(policyCases.map(({ rule }) => rule))).toEqual(new Set(Object.keys(policyRules)));
});

test.each(policyCases)('$rule: $example', (one) => {
  const { verdict, licenseStatus, appointmentStatus, reasons, message } = one.answer;
  const answer = decided(one);
  expect({
    complianceStatus: answer.complianceStatus,
    licenseStatus: answer.licenseStatus.statusName,
    appointmentStatus: answer.appointmentStatus.statusName,
    reasons: reasonsOf(answer),
  }).toEqual({
    complianceStatus: complianceStatuses[verdict],
    licenseStatus,
    appointmentStatus,
    reasons: texts(reasons),
  });
  if (message !== undefined) expect(answer.licenseStatus.statusMessages?.join(' ')).toBe(message);
});
