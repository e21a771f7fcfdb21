import { statusesOf } from '../../shared/domain/baselines/statuses.ts';
import { decideParty } from '../../shared/domain/decision/decide.ts';
import { rules } from '../../shared/domain/decision/rules.ts';
import { decideSale } from '../../shared/domain/decision/sale.ts';
import {
  beacon,
  type Case,
  type CaseAnswer,
  type CaseParty,
  type CaseSale,
  license,
  licenseList,
} from './case-rows.ts';
import { cases } from './cases.ts';
import { coverageAt, reasonsOf, recordedBy, texts } from './histories.ts';
import { decidePartyNaively, decideSaleNaively, type NaiveParty } from './naive.ts';

/** The product's id, in sales. */
const productId = 'the product';

const catalogOf = ({ catalog }: Case['question']) => ({
  codeInCatalog: (name: string): string | undefined => catalog?.[name],
});

/** What the decision says of a case. */
function decided({ commands, question, sale }: Case) {
  const { party, npn, classKinds = [], ...asked } = question;
  const factsOf = (one: Pick<CaseParty, 'commands' | 'npn'>) => ({
    coverage: coverageAt(recordedBy(one.commands), asked.knownAt, classKinds),
    npn: one.npn,
  });
  if (sale === undefined)
    return decideParty({
      ...asked,
      ...catalogOf(question),
      party,
      ...factsOf({ commands, ...(npn ? { npn } : {}) }),
    });
  const { agency, sellers = [], today = asked.day, verifiedWithinDays } = saleOf(sale, asked.day);
  const partyOf = (one: CaseParty, as: 'agency' | 'agent') => ({
    party: as,
    ...factsOf(one),
    ...(one.ownWord ? { ownWord: one.ownWord } : {}),
    ...(one.verifiedAt === undefined ? {} : { verifiedAt: one.verifiedAt }),
  });
  return decideSale({
    ...asked,
    ...catalogOf(question),
    agency: agency && partyOf(agency, 'agency'),
    sellers: sellers.map((one) => partyOf(one, 'agent')),
    productId,
    today,
    ...(verifiedWithinDays === undefined ? {} : { verifiedWithinDays }),
  });
}

/** A sale of today, unless it is one of years ago. */
const saleOf = (sale: CaseSale, day: string): CaseSale => ({
  today: day < '2026-01-01' ? '2026-03-10' : day,
  ...sale,
});

function decidedNaively({ commands, question, sale }: Case) {
  const { party, npn, ...asked } = question;
  if (sale === undefined)
    return decidePartyNaively({ ...asked, ...catalogOf(question), party: { party, commands, npn } });
  const { agency, sellers = [], today = asked.day, verifiedWithinDays } = saleOf(sale, asked.day);
  const partyOf = (one: CaseParty, as: 'agency' | 'agent') => ({ party: as, ...one }) as NaiveParty;
  return decideSaleNaively({
    ...asked,
    ...catalogOf(question),
    agency: agency && partyOf(agency, 'agency'),
    sellers: sellers.map((one) => partyOf(one, 'agent')),
    productId,
    today,
    verifiedWithinDays,
  });
}

const expectedOf = ({ answer }: Case) => {
  const { verdict, licenseStatus, appointmentStatus, reasons } = answer;
  return { verdict, licenseStatus, appointmentStatus, reasons: texts(reasons) };
};

const withWarnings = ({ answer }: Case, warnings: readonly string[]): Pick<CaseAnswer, never> =>
  answer.warnings === undefined ? {} : { warnings: texts(warnings) };

test('every rule has a case', () => {
  const ruleIds = Object.values(rules).flatMap((section) => Object.keys(section));
  expect(new Set(cases.map(({ rule }) => rule))).toEqual(new Set(ruleIds));
});

test('lists over all states, and events, are about the states that a config lists, whatever `otherStates` asks', () => {
  const moment = { day: '2026-03-10', knownAt: '2026-03-10T15:00:00.000Z' };
  const required = { linesOfAuthority: [], appointment: 'not required' as const };
  const version = {
    productId,
    productName: 'Liability',
    states: [{ stateCode: 'TX' as const, ...required }],
    otherStates: required,
    validFrom: '2020-01-01',
    recordedAt: '2020-01-01T15:00:00.000Z',
    isSilent: false,
    hash: '',
  };
  const held = licenseList('2026-01-10', license(), license({ stateCode: 'GA', licenseNumber: '2' }));
  const coverage = coverageAt(recordedBy([held]), moment.knownAt);
  const [product] = statusesOf('agent', [{ productId, versions: [version] }], coverage, beacon, moment);
  expect(product?.states).toMatchObject([{ stateCode: 'TX', complianceStatus: 'COMPLIANT' }]);
});

describe.each(cases)('$rule: $example', (one) => {
  const { answer: expected } = one;
  const wanted = {
    ...expectedOf(one),
    ...(expected.warnings === undefined ? {} : { warnings: texts(expected.warnings) }),
    ...(expected.configBasis === undefined ? {} : { configBasis: expected.configBasis }),
  };

  it('is decided so', () => {
    const answer = decided(one);
    expect({
      verdict: answer.verdict,
      licenseStatus: answer.licenseStatus.statusName,
      appointmentStatus: answer.appointmentStatus.statusName,
      reasons: reasonsOf(answer),
      ...withWarnings(
        one,
        answer.warnings.map(({ code }) => code),
      ),
      ...(expected.configBasis === undefined ? {} : { configBasis: answer.configBasis }),
    }).toEqual(wanted);
    if (expected.message !== undefined)
      expect(answer.licenseStatus.statusMessages?.join(' ')).toBe(expected.message);
    if (expected.goodUntil !== undefined) expect(answer).toMatchObject({ goodUntil: expected.goodUntil });
    if (expected.basis !== undefined) expect(answer.basis).toBe(expected.basis);
    if (expected.licenses !== undefined) expect(answer.covering.licenses).toEqual(expected.licenses);
  });

  it('is decided so by the naive implementation', () => {
    const { verdict, licenseStatus, appointmentStatus, reasons, warnings, configBasis } = decidedNaively(one);
    expect({
      verdict,
      licenseStatus,
      appointmentStatus,
      reasons,
      ...withWarnings(one, warnings),
      ...(expected.configBasis === undefined ? {} : { configBasis }),
    }).toEqual(wanted);
  });
});
