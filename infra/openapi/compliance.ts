import { appointment, beacon, type Case, license } from '../../shared/domain/decision/case-rows.ts';
import { cases } from '../../shared/domain/decision/cases.ts';
import { rules } from '../../shared/domain/decision/rules.ts';

/** The status that a case is about, and what it goes by where the case is about that. */
function answerOf({ question, answer }: Case): string {
  const { licenseStatus, appointmentStatus, basis, configBasis } = answer;
  const isAboutAppointments = question.configs.some(({ states }) =>
    states.some((state) => state.appointment !== 'not required'),
  );
  const status = isAboutAppointments && licenseStatus === 'Licensed' ? appointmentStatus : licenseStatus;
  return [status, basis, configBasis]
    .flatMap((value) => (value === undefined ? [] : `\`${value}\``))
    .join(', ');
}

const examples = new Map<string, string>(
  cases
    .filter(({ isShown }) => isShown)
    .map((one) => [one.rule, ` *Example: ${one.example}: ${answerOf(one)}.*`] as const),
);

const sections = Object.entries(rules).map(
  ([heading, section]) => `### ${heading}
${Object.entries(section)
  .map(([rule, sentence]) => `- ${sentence}${examples.get(rule) ?? ''}`)
  .join('\n')}`,
);

/** The rules of the decision whether somebody may sell, as the OpenAPI document prints them. */
export const complianceDocumentation = (): string =>
  `Every compliance status, and every event about one, follows from the same rules: whether a producer or an agency may sell a product in a state on a day. The day is that of \`asOf\`, at its end in America/New_York, by default today. What counts is what was known at \`knownAt\`, by default all that is known.

What is known comes from the registry and from imports. At each visit, when a subscription is synchronized and every night, the registry is asked for the *list* of all licenses of the NPN and for that of its appointments. An *import* is a file of an operator.

In the examples, unless they say otherwise, the license is of Texas, with the \`issueDate\` ${license().issueDate} and no end; the appointment is for all lines of authority, with the \`statusChangeDate\` ${appointment().statusChangeDate}; and the organization, ${beacon.name}, has the NAIC code ${beacon.naicCodes.join()} and the EIN ${beacon.eins.join()}.

${sections.join('\n\n')}`;
