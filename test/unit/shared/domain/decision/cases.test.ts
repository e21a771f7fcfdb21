import { isDeepStrictEqual } from 'node:util';
import type { Case, CaseAnswer } from '../../../../../shared/domain/decision/case-rows.ts';
import { cases } from '../../../../../shared/domain/decision/cases.ts';
import { rules } from '../../../../../shared/domain/decision/rules.ts';
import { decisionWith } from '../../../../support/broken-decision.ts';
import { answerOf, type Decision, recordedBy } from '../../../../support/decision-histories.ts';
import { decideNaively } from '../../../../support/naive-decision.ts';
import { breaks } from './breaks.ts';

const ruleIds = Object.values(rules).flatMap((section) => Object.keys(section));

/** What the decision says of a case, as far as the case expects something. */
function decided({ commands, question, answer: expected }: Case, decision?: Decision): CaseAnswer {
  const { configs, ...asked } = question;
  const answer = answerOf(recordedBy(commands, decision), asked, configs, decision);
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

const holds = (one: Case, decision: Decision): boolean =>
  isDeepStrictEqual(decided(one, decision), one.answer);

test.each(ruleIds)('%s has a case, and can be switched off', (rule) => {
  expect(cases.map((one) => one.rule)).toContain(rule);
  expect(breaks.map((one) => one.rule)).toContain(rule);
});

test.each(breaks)('a case fails without $rule, by $lines.0.change', ({ rule, lines }) => {
  const broken = decisionWith(lines);
  expect(cases.filter((one) => one.rule === rule && !holds(one, broken))).not.toEqual([]);
});

test('none fails by being read otherwise', () => {
  const unbroken = decisionWith([]);
  expect(cases.filter((one) => !holds(one, unbroken))).toEqual([]);
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
