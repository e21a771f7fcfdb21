import { reasonList, warningList } from '#domain/decision/reasons.ts';
import { rules } from '#domain/decision/rules.ts';
import { complianceStatusOf, decideSale, goodUntilOf, type SaleQuestion } from '#domain/decision/sale.ts';
import { addDays } from '#platform/dates/dates.ts';
import {
  complianceDocumentation,
  exampleDays,
  exampleLicense,
  exampleLine,
  exampleReceipt,
  exampleReports,
} from '../../../../infra/openapi/compliance.ts';
import { appointment, beacon, config, license, line, recordedBy } from '../../../decision/case-rows.ts';
import { coverageAt } from '../../../decision/histories.ts';

// The chapter of the OpenAPI document: its length and words, and its worked example.

const all = Object.values(rules).flatMap((section) => Object.entries<string>(section));

const sentenceOf = (rule: string): string => rule.replace(/ \*Example: .*\*$/, '');
const chapter = complianceDocumentation();

/** The chapter without examples, tables, headings, and names of rules. */
const sentences = chapter
  .replace(/\n### Worked example\n.*/s, '')
  .split('\n')
  .filter((line) => !/^[|#]|^In the examples/.test(line))
  .map((line) => line.replace(/^- <a id=".*?"><\/a>\*\*.*?\*\*: /, '').replace(/ \*Example: .*\*$/, ''))
  .join('\n');

describe('The rules', () => {
  it('are at most 70, each by a name of its own', () => {
    expect(all.length).toBeLessThanOrEqual(70);
    expect(new Set(all.map(([id]) => id)).size).toBe(all.length);
  });

  it('are one or two sentences each', () => {
    const ends = /[.:;](?:”)?(?= [A-Z]|$)/g;
    expect(all.filter(([, rule]) => (sentenceOf(rule).match(ends) ?? []).length > 2)).toEqual([]);
  });

  it('are told in at most 2,500 words, what stands around them included', () => {
    const words = sentences.split(/\s+/).filter((word) => /\w/.test(word));
    expect(words.length).toBeLessThanOrEqual(2_500);
  });

  it('are told in the words of whoever answers a phone', () => {
    const told = chapter.replaceAll(/```.*?```|`[^`]*`/gs, '');
    expect(
      told.match(/\b(?:terms?|versions?|cover(?:s|ed|ing|age)?|states|stated|statements?)\b/gi),
    ).toBeNull();
  });

  it('say the codes of the reasons and warnings that name them', () => {
    const rulesById = new Map(all);
    const missing = [
      ...reasonList.map(({ rule, code }) => [rule, code]),
      ...warningList.map(({ rule, code }) => [rule, code]),
    ].filter(([rule = '', code]) => !sentenceOf(rulesById.get(rule) ?? '').includes(`\`${code}\``));
    expect(missing).toEqual([]);
  });

  it('have examples of the license, the appointment, and the organization of the cases', () => {
    expect(chapter).toContain(
      `the license is from Texas, with the \`issueDate\` ${license().issueDate} and no end; the appointment is for all lines of authority, with the \`statusChangeDate\` ${appointment().statusChangeDate}; and the organization, ${beacon.name}, has the NAIC code ${beacon.naicCodes.join()} and the EIN ${beacon.eins.join()}.`,
    );
  });
});

const { knownAt, checks } = exampleReceipt;

const records = recordedBy(
  exampleReports.map(({ askedAt: at, status, expirationDate }) => ({
    kind: 'report',
    at,
    licenses: [
      license({
        ...exampleLicense,
        licenseClassCode: null,
        status,
        expirationDate,
        linesOfAuthority: [line(exampleLine.code, { name: exampleLine.name, status })],
      }),
    ],
    appointments: [],
  })),
);
const coverage = coverageAt(records, knownAt);

/** A sale on a day. */
const saleOn = (day: string): SaleQuestion => ({
  day,
  today: '2026-06-01',
  knownAt,
  stateCode: exampleLicense.stateCode,
  carrier: beacon,
  configs: [config({ linesOfAuthority: [exampleLine.code], licenseOf: 'agent' })],
  productId: 'the product',
  agency: undefined,
  sellers: [{ party: 'agent', coverage, verifiedAt: coverage.verifiedAt(exampleLicense.stateCode) }],
});

test('The days of the worked example are those that its reports come to', () => {
  const edges = exampleDays.flatMap(({ from, until, state }) => [
    [from, state],
    [until, state],
  ]);
  const [first, last] = [exampleDays[0]?.from ?? '', exampleDays.at(-1)?.until ?? ''];
  const days = [[addDays(first, -1), 'ended'], ...edges, [addDays(last, 1), 'ended']];
  expect(days.map(([day = '']) => [day, decideSale(saleOn(day)).verdict])).toEqual(
    days.map(([day, is]) => [day, is === 'in force' ? 'yes' : 'no']),
  );
});

test('The answer of the worked example is what is decided', () => {
  const [{ asked, ...check }] = checks;
  const answer = decideSale(saleOn(asked.date));
  const { verdict, reasons, warnings, verifiedAt, basis } = answer;
  expect(check).toEqual({
    answer: verdict,
    complianceStatus: complianceStatusOf[verdict],
    reasons,
    warnings,
    goodUntil: goodUntilOf(saleOn(asked.date), answer),
    verifiedAt,
    basis,
  });
});
