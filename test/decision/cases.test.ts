import { rules } from '../../shared/domain/decision/rules.ts';
import type { Case, CaseAnswer } from './case-rows.ts';
import { cases } from './cases.ts';
import { answerOf, recordedBy } from './histories.ts';
import { decideNaively } from './naive.ts';

/** What the decision says of a case, as far as the case expects something. */
function decided({ commands, question, answer: expected }: Case): CaseAnswer {
  const { configs, ...asked } = question;
  const answer = answerOf(recordedBy(commands), asked, configs);
  const { complianceStatus, licenseStatus, appointmentStatus, reasons, basis, configBasis } = answer;
  return {
    complianceStatus,
    licenseStatus: licenseStatus.statusName,
    appointmentStatus: appointmentStatus.statusName,
    reasons: reasons.map(({ code }) => code),
    ...(expected.message === undefined ? {} : { message: licenseStatus.statusMessages?.join(' ') ?? '' }),
    ...(expected.basis === undefined ? {} : { basis }),
    ...(expected.configBasis === undefined ? {} : { configBasis }),
    ...(expected.licenses === undefined ? {} : { licenses: answer.covering.licenses }),
  };
}

test('every rule has a case', () => {
  const ruleIds = Object.values(rules).flatMap((section) => Object.keys(section));
  expect(new Set(cases.map(({ rule }) => rule))).toEqual(new Set(ruleIds));
});

describe.each(cases)('$rule: $example', (one) => {
  it('is decided so', () => {
    expect(decided(one)).toEqual(one.answer);
  });

  it('is decided so by the naive implementation', () => {
    const { commands, question, answer } = one;
    const { complianceStatus, licenseStatus, appointmentStatus } = answer;
    expect(decideNaively({ commands, ...question })).toMatchObject({
      complianceStatus,
      licenseStatus,
      appointmentStatus,
      ...(answer.configBasis === undefined ? {} : { configBasis: answer.configBasis }),
    });
  });
});
