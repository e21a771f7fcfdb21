import { statusesOfParties } from '#domain/baselines/baseline.ts';
import type { ConfigVersion } from '#domain/decision/compliance-config.ts';
import { type Answer, decideParty, type Party } from '#domain/decision/decide.ts';
import { type RuleId, rules } from '#domain/decision/rules.ts';
import { decidePolicy, decideSale, goodUntilOf } from '#domain/decision/sale.ts';
import {
  answered,
  appointment,
  appointmentImport,
  beacon,
  type Case,
  type CaseAnswer,
  type CaseCommand,
  type CaseParty,
  type CaseQuestion,
  type CaseSale,
  config,
  license,
  licenseImport,
  licenseReport,
  lines,
  recordedBy,
} from './case-rows.ts';
import { appointmentCases } from './cases/appointments.ts';
import { licenseCases } from './cases/licenses.ts';
import { requirementCases } from './cases/requirements.ts';
import { dayCases, reportCases, rowCases } from './cases/rows.ts';
import { coverageAt, reasonsOf, texts } from './histories.ts';

/** A rule about policies at work, as data: what is known of the parties to a policy of Texas, which is judged on 2026-03-10. */
interface PolicyCase {
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
          'No agent of the agency is named: name one in the transaction, or have it set that your policies name none.',
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
const policyCases: readonly PolicyCase[] = Object.entries(byRule).flatMap(([rule, examples]) =>
  Object.entries(examples).map(([example, one]) => ({ rule: rule as RuleId, example, ...one })),
);

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
    it('is decided so', () => {
      const { reasons, warnings, message, goodUntil, licenses, ...expected } = one.answer;
      const answer = decided(one);
      expect({
        ...answer,
        licenseStatus: answer.licenseStatus.statusName,
        appointmentStatus: answer.appointmentStatus.statusName,
        reasons: reasonsOf(answer),
      }).toMatchObject({ ...expected, reasons: texts(reasons) });
      if (warnings !== undefined)
        expect(texts(answer.warnings.map(({ code }) => code))).toEqual(texts(warnings));
      if (message !== undefined) expect(answer.licenseStatus.statusMessages?.join(' ')).toBe(message);
      if (goodUntil !== undefined) expect(answer.goodUntil?.()).toEqual(goodUntil);
      if (licenses !== undefined) expect(answer.covering.licenses).toEqual(licenses);
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
