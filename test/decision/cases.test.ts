import { statusesOfParties } from '#domain/baselines/baseline.ts';
import { type ConfigVersion, productsNamedBy } from '#domain/decision/compliance-config.ts';
import { type Answer, decideParty, type Party } from '#domain/decision/decide.ts';
import { rules } from '#domain/decision/rules.ts';
import { decidePolicy, decideSale, goodUntilOf } from '#domain/decision/sale.ts';
import {
  beacon,
  type Case,
  type CaseAnswer,
  type CaseCommand,
  type CaseParty,
  type CaseSale,
  license,
  licenseReport,
  recordedBy,
} from './case-rows.ts';
import { appointmentCases } from './cases/appointments.ts';
import { dayCases } from './cases/days.ts';
import { licenseCases } from './cases/licenses.ts';
import { reportCases } from './cases/reports.ts';
import { requirementCases } from './cases/requirements.ts';
import { rowCases } from './cases/rows.ts';
import { coverageAt, reasonsOf, texts } from './histories.ts';
import { type PolicyCase, policyCases } from './policy-cases.ts';

/** The rules of the decision (`rules.ts`) at work. */
const cases: readonly Case[] = [
  ...reportCases,
  ...dayCases,
  ...rowCases,
  ...licenseCases,
  ...appointmentCases,
  ...requirementCases,
];

const all = Object.values(rules).flatMap((section) => Object.entries<string>(section));

describe('cases', () => {
  /** The product's id, in sales. */
  const productId = 'the product';

  const catalogOf = ({ catalog }: Case['question']) => ({
    codeInCatalog: (name: string): string | undefined => catalog?.[name],
  });

  /** What the decision says of a case. */
  function decided({
    commands,
    question,
    sale,
  }: Case): Answer & { readonly goodUntil?: () => string | null } {
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
    const ofSale = {
      ...asked,
      ...catalogOf(question),
      agency: agency && partyOf(agency, 'agency'),
      sellers: sellers.map((one) => partyOf(one, 'agent')),
      productId,
      today,
      ...(verifiedWithinDays === undefined ? {} : { verifiedWithinDays }),
    };
    const answer = decideSale(ofSale);
    return { ...answer, goodUntil: () => goodUntilOf(ofSale, answer) };
  }

  /** A sale of today, unless it is one of years ago. */
  const saleOf = (sale: CaseSale, day: string): CaseSale => ({
    today: day < '2026-01-01' ? '2026-03-10' : day,
    ...sale,
  });

  const expectedOf = ({ answer }: Case) => {
    const { verdict, licenseStatus, appointmentStatus, reasons } = answer;
    return { verdict, licenseStatus, appointmentStatus, reasons: texts(reasons) };
  };

  const withWarnings = ({ answer }: Case, warnings: readonly string[]): Pick<CaseAnswer, never> =>
    answer.warnings === undefined ? {} : { warnings: texts(warnings) };

  test('every rule has a case', () => {
    const ids = all.map(([id]) => id);
    expect(new Set([...cases, ...policyCases].map(({ rule }) => rule))).toEqual(new Set(ids));
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
    const held = licenseReport('2026-01-10', license(), license({ stateCode: 'GA', licenseNumber: '2' }));
    const coverage = coverageAt(recordedBy([held]), moment.knownAt);
    const configs = [{ productId, versions: [version] as const }];
    const statuses = statusesOfParties({ configs, coverage, carrier: beacon, moment });
    const ofAgent = statuses.filter(({ party }) => party === 'agent');
    expect(ofAgent.map(({ state }) => state)).toMatchObject([
      { stateCode: 'TX', complianceStatus: 'COMPLIANT' },
    ]);
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
      if (expected.goodUntil !== undefined) expect(answer.goodUntil?.()).toEqual(expected.goodUntil);
      if (expected.basis !== undefined) expect(answer.basis).toBe(expected.basis);
      if (expected.licenses !== undefined) expect(answer.covering.licenses).toEqual(expected.licenses);
    });
  });
});

describe('policy cases', () => {
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
});

describe('examples', () => {
  // What the OpenAPI document prints of the cases.

  /**
   * The status that a case is about; what is not known, warnings, and the message and what it goes by, where the case is about these.
   */
  function toldOf(configs: readonly ConfigVersion[], answer: CaseAnswer): string {
    const { verdict, licenseStatus, appointmentStatus, reasons, warnings = [] } = answer;
    const { message, basis, configBasis } = answer;
    const isAboutAppointments = configs.some(({ states }) =>
      states.some((state) => state.appointment !== 'not required'),
    );
    const status = isAboutAppointments && licenseStatus === 'Licensed' ? appointmentStatus : licenseStatus;
    const parts = [
      `\`${status}\``,
      ...(verdict === 'unknown' || (verdict === 'no' && status === 'Licensed')
        ? reasons.map((reason) => `\`${reason.replace('?', '')}\``)
        : []),
      ...warnings.map((code) => `with the warning \`${code}\``),
      ...(basis === undefined ? [] : [`\`basis: ${basis}\``]),
      ...(configBasis === undefined ? [] : [`\`configBasis: ${configBasis}\``]),
    ];
    return message === undefined ? `${parts.join(', ')}.` : `${parts.join(', ')}, “${message}”`;
  }

  const told = [
    ...cases.map((one) => ({ ...one, configs: one.question.configs })),
    ...policyCases.map((one) => ({ ...one, configs: one.products.flat() })),
  ].map(({ rule, example, configs, answer }) => `${rule} – ${example}: ${toldOf(configs, answer)}`);

  test('are cases of their rules, and say what is answered', () => {
    const examples = all.map(([id, rule]) => `${id} – ${rule.replace(/.* \*Example: (.*)\*$/, '$1')}`);
    expect(examples.filter((example) => !told.includes(example))).toEqual([]);
  });
});

describe('products', () => {
  const liability = { productName: 'Liability', productCode: 'GL' };
  const cyber = { productName: 'Cyber' };
  const cyberPlus = { productName: 'Cyber', productCode: 'CY' };
  const cyberAgain = { productName: 'Cyber again', productCode: 'cy' };
  const named = productsNamedBy([liability, cyber, cyberPlus, cyberAgain]);

  it.each([
    ['by its code', { productCode: ' gl ' }, [liability]],
    ['by its code, whatever its name', { productCode: 'GL', productName: 'Cyber' }, [liability]],
    ['by its name', { productName: 'LIABILITY' }, [liability]],
    ['by its name, beside a code of no product', { productCode: 'X', productName: 'Liability' }, [liability]],
    ['by a name of several', { productName: 'Cyber' }, [cyber, cyberPlus]],
    ['by a code of several', { productCode: 'CY' }, [cyberPlus, cyberAgain]],
    [
      'by a code of several of which one has its name',
      { productCode: 'CY', productName: 'cyber' },
      [cyberPlus],
    ],
    ['by nothing', { productCode: ' ', productName: '' }, []],
    ['by what no product has', { productName: 'Boats' }, []],
  ])('a policy is of the products that are named %s', (_how, policy, expected) => {
    expect(named(policy)).toEqual(expected);
  });
});
