import { reasonList, ruleOfWarning, warningCodes } from '#domain/decision/reasons.ts';
import { rules } from '#domain/decision/rules.ts';
import { complianceDocumentation } from '../../infra/openapi/compliance.ts';
import { appointment, beacon, license } from './case-rows.ts';

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
      ...warningCodes.map((code) => [ruleOfWarning(code), code]),
    ].filter(([rule = '', code]) => !sentenceOf(rulesById.get(rule) ?? '').includes(`\`${code}\``));
    expect(missing).toEqual([]);
  });

  it('have examples of the license, the appointment, and the organization of the cases', () => {
    expect(chapter).toContain(
      `the license is from Texas, with the \`issueDate\` ${license().issueDate} and no end; the appointment is for all lines of authority, with the \`statusChangeDate\` ${appointment().statusChangeDate}; and the organization, ${beacon.name}, has the NAIC code ${beacon.naicCodes.join()} and the EIN ${beacon.eins.join()}.`,
    );
  });
});
