import { appointment, beacon, type Case, license } from '../../shared/domain/decision/case-rows.ts';
import { cases } from '../../shared/domain/decision/cases.ts';
import type { ConfigVersion } from '../../shared/domain/decision/configs.ts';
import { type PolicyCase, policyCases } from '../../shared/domain/decision/policy-cases.ts';
import { policyRules, rules } from '../../shared/domain/decision/rules.ts';

/** The status that a case is about, and the message and what it goes by where the case is about these. */
function answerOf(configs: readonly ConfigVersion[], answer: PolicyCase['answer']): string {
  const { licenseStatus, appointmentStatus, message, basis, configBasis } = answer;
  const isAboutAppointments = configs.some(({ states }) =>
    states.some((state) => state.appointment !== 'not required'),
  );
  const status = isAboutAppointments && licenseStatus === 'Licensed' ? appointmentStatus : licenseStatus;
  const parts = [
    `\`${status}\``,
    ...(basis === undefined ? [] : [`\`basis: ${basis}\``]),
    ...(configBasis === undefined ? [] : [`\`configBasis: ${configBasis}\``]),
  ];
  return message === undefined ? `${parts.join(', ')}.` : `${parts.join(', ')}, “${message}”`;
}

const exampleOf = ({ rule, example, answer }: Case | PolicyCase, configs: readonly ConfigVersion[]) =>
  [rule, ` *Example: ${example}: ${answerOf(configs, answer)}*`] as const;

const examples = new Map<string, string>([
  ...cases.filter(({ isShown }) => isShown).map((one) => exampleOf(one, one.question.configs)),
  ...policyCases.filter(({ isShown }) => isShown).map((one) => exampleOf(one, one.products.flat())),
]);

const sections = Object.entries({ ...rules, Policies: policyRules }).map(
  ([heading, section]) => `### ${heading}
${Object.entries(section)
  .map(([rule, sentence]) => `- ${sentence}${examples.get(rule) ?? ''}`)
  .join('\n')}`,
);

/** The rules of the decision whether somebody may sell, as the OpenAPI document prints them. */
export const complianceDocumentation = (): string =>
  `Every compliance status, and every event about one, follows from the same rules about whether a producer or an agency may sell a product in a state on a day. The day is \`asOf\`, at its end in America/New_York; it is today by default. What counts is what was known at \`knownAt\`, by default everything that is known now.

What is known comes from the registry and from imports. At each poll, which happens when a subscription is synchronized and every night, the registry is asked for the *list* of all licenses of the NPN and for the list of all its appointments. An *import* is an operator’s file.

In the examples, unless they say otherwise, the license is from Texas, with the \`issueDate\` ${license().issueDate} and no end; the appointment is for all lines of authority, with the \`statusChangeDate\` ${appointment().statusChangeDate}; and the organization, ${beacon.name}, has the NAIC code ${beacon.naicCodes.join()} and the EIN ${beacon.eins.join()}.

${sections.join('\n\n')}`;
