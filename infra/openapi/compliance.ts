import { classWords, silentClassWords } from '../../shared/domain/decision/classes.ts';
import { rulesNumber } from '../../shared/domain/decision/reasons.ts';
import { examples, policyRules, rules } from '../../shared/domain/decision/rules.ts';
import { noReasons, silentWords, statusWords } from '../../shared/domain/registry/words.ts';

const exampleOf = new Map(Object.entries(examples));

const lineOf = ([rule, sentence]: readonly [string, string]): string => {
  const example = exampleOf.get(rule);
  return example === undefined ? `- ${sentence}` : `- ${sentence} *Example: ${example}*`;
};

const sections = Object.entries({ ...rules, Policies: policyRules }).map(
  ([heading, section]) => `### ${heading}\n${Object.entries(section).map(lineOf).join('\n')}`,
);

const named = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

const statusMeanings: Readonly<Record<(typeof statusWords)[number]['kind'], string>> = {
  ended: 'Not in force: it ended.',
  lapsed: 'Not in force: it was not renewed.',
  inactive: 'Not in force, and why is not known.',
  pending: 'Not in force yet, or never granted; it says nothing of the time before.',
  live: 'In force, until its own end.',
};

const statusTable = `| Says | Words | Also of appointments | Meaning |
|---|---|---|---|
${statusWords
  .map(
    ({ kind, words, ofAppointments = [] }) =>
      `| *${kind}* | ${named(words)} | ${named(ofAppointments)} | ${statusMeanings[kind]} |`,
  )
  .join('\n')}`;

const classMeanings: Readonly<Record<(typeof classWords)[number]['kind'], string>> = {
  'surplus lines': 'Counts only where a config demands it.',
  adjuster: 'Does not allow to sell.',
  consultant: 'Does not allow to sell.',
  other: 'Counts only where a config demands it.',
  producer: 'Allows to sell.',
};

const classTable = `| Kind | A word of it | Meaning |
|---|---|---|
${classWords.map(({ kind, words }) => `| *${kind}* | ${named(words)} | ${classMeanings[kind]} |`).join('\n')}`;

/** The rules of the decision whether somebody may sell, as the OpenAPI document prints them. */
export const complianceDocumentation =
  (): string => `Every compliance status, every sale check, and every event about them follows from the same rules about whether a producer or an agency may sell a product in a state on a day. These rules and tables have the number ${rulesNumber}, which every receipt names. The day is \`asOf\`, at its end in America/New_York; it is today by default. What counts is what was known at \`knownAt\`, by default everything that is known now.

What is known comes from the registry and from imports. At each poll, which happens when a subscription is synchronized and every night, the registry is asked for the *list* of all licenses of the NPN and for the list of all its appointments. An *import* is an operator’s file. A *row* is what either of them states of one license, or of one status change of an appointment.

In the rules, a license or an appointment *covers* a day, or is *in force* on it, if it allows to sell on that day as far as it goes. What *ended on* a day still covers that day, and no later one. *The day* is the one that is asked about.

In the examples, unless they say otherwise, the license is from Texas, with the \`issueDate\` 2025-03-01 and no end; the appointment is for all lines of authority, with the \`statusChangeDate\` 2025-03-01; and the organization, Beacon Specialty, has the NAIC code 19437 and the EIN 75-1234567.

### When something is not known
The decision fails closed: \`COMPLIANT\` and \`yes\` say that everything that the compliance config asks for was found in force on that day. Whatever keeps a party from that is a *reason*. A reason *against* says that something that is asked for is not in force. A reason *not known* says that nothing known meets what is asked for, but something might: a license with an unrecognized class, a status in words that no table has, an appointment without a date, a row that could not be read. A party with a reason against is not compliant, whatever else is not known about it; so is a sale with such a party.

| Where | With a reason against | With nothing but reasons not known |
|---|---|---|
| Sale checks | \`answer: no\`, \`complianceStatus: NOT_COMPLIANT\` | \`answer: unknown\`, \`complianceStatus: null\` |
| Policies | \`complianceStatus: NOT_COMPLIANT\` | \`complianceStatus: null\`; the filter \`NOT_KNOWN\` finds them |
| Statuses of one party, previews, events, v1 | \`NOT_COMPLIANT\` | \`NOT_COMPLIANT\`, with \`License Not Known\` or \`Appointment Not Known\` and the message |

For a program, \`unknown\` is a no: do not bind until it is a \`yes\`. Unlike a \`no\`, it does not say that anything is wrong: it is a task for your own staff rather than the producer’s, and the \`remedy\` says what to find out (“May she sell?” has the list). Ask again afterward; an answer changes as soon as what was missing is recorded. A *warning* says what is worth knowing about an answer and never changes it.

${sections.join('\n\n')}

### Words of statuses
A status is split at \` - \`, \`/\`, \`,\`, \`;\`, and parentheses; case and other punctuation are ignored. Of its parts, the first row of the table that has one counts. The parts ${named(silentWords)} say nothing.

${statusTable}

A status with a part that no row has, or without any part that says something, is *unrecognized*, unless another part says that it ended or lapsed. A \`terminationReason\` other than ${named(noReasons)} ends an appointment whose status is live.

### Words of license classes
The name of its class gives a license its kind: the first row of the table counts of which a word occurs anywhere in the name, ignoring case, also inside another word (\`apprais\` in Appraiser). \`${silentClassWords}\` is ignored.

${classTable}

A name in no row, or no name, is *unrecognized*; an operator can then import what kind of license the class is, for one organization or for all.`;
