import { examples } from '../../shared/domain/decision/examples.ts';
import { policyRules, rules } from '../../shared/domain/decision/rules.ts';

const exampleOf = new Map(Object.entries(examples));

const lineOf = ([rule, sentence]: readonly [string, string]): string => {
  const example = exampleOf.get(rule);
  return example === undefined ? `- ${sentence}` : `- ${sentence} *Example: ${example}*`;
};

const sections = Object.entries({ ...rules, Policies: policyRules }).map(
  ([heading, section]) => `### ${heading}\n${Object.entries(section).map(lineOf).join('\n')}`,
);

/** The rules of the decision whether somebody may sell, as the OpenAPI document prints them. */
export const complianceDocumentation = (): string =>
  `Every compliance status, and every event about one, follows from the same rules about whether a producer or an agency may sell a product in a state on a day. The day is \`asOf\`, at its end in America/New_York; it is today by default. What counts is what was known at \`knownAt\`, by default everything that is known now.

What is known comes from the registry and from imports. At each poll, which happens when a subscription is synchronized and every night, the registry is asked for the *list* of all licenses of the NPN and for the list of all its appointments. An *import* is an operator’s file.

In the examples, unless they say otherwise, the license is from Texas, with the \`issueDate\` 2025-03-01 and no end; the appointment is for all lines of authority, with the \`statusChangeDate\` 2025-03-01; and the organization, Beacon Specialty, has the NAIC code 19437 and the EIN 75-1234567.

${sections.join('\n\n')}`;
