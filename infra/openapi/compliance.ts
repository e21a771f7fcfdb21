import { classWords, silentClassWords } from '../../shared/domain/decision/classes.ts';
import {
  reasonList,
  reasonOf,
  rulesNumber,
  type Whose,
  warningOf,
} from '../../shared/domain/decision/reasons.ts';
import { examples, policyRules, rules } from '../../shared/domain/decision/rules.ts';
import { agencyRuleDocs, agentRuleDocs } from '../../shared/domain/matching/docs.ts';
import {
  agencyRules,
  agentRules,
  autoMatchedFrom,
  fingerprintFields,
  type Rule,
  strongFrom,
} from '../../shared/domain/matching/rules.ts';
import { silentWords, statusWords } from '../../shared/domain/registry/words.ts';
import { reasonMeanings, warningMeanings } from '../../shared/domain/sale-checks/docs.ts';
import type { SaleCheck } from '../../shared/domain/sale-checks/resource.ts';

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

A status with a part that no row has, or without any part that says something, is *unrecognized*, unless another part says that it ended or lapsed. A \`terminationReason\` ends an appointment whose status is live if it has one of the words *ended* or *lapsed*, or \`cause\`.

### Words of license classes
The name of its class gives a license its kind: the first row of the table counts of which a word occurs in the name, whole or in the plural, ignoring case; hyphens are spaces. \`${silentClassWords}\` is ignored.

${classTable}

A name in no row, or no name, is *unrecognized*; an operator can then import what kind of license the class is, for one organization or for all.`;

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' with ');

const rows = <Evidence extends string>(
  of: string,
  rules: Readonly<Record<Evidence, Rule>>,
  docs: Readonly<Record<Evidence, string>>,
): string[] =>
  (Object.keys(docs) as Evidence[]).map(
    (evidence) =>
      `| ${of} | ${code(rules[evidence].fields)} | ${rules[evidence].confidence} | ${docs[evidence]} |`,
  );

/** The rules of matching as the OpenAPI document prints them. */
export const matchingDocumentation =
  (): string => `An import of policy transactions matches what a record itself does not say. A record’s own match statuses, and the association, agency, or agents that it names, are kept. \`user confirmed\` stays even when the transaction is amended.

| Finds | Field of the transaction | Confidence | Compared with |
|---|---|---|---|
${[...rows('agency', agencyRules, agencyRuleDocs), ...rows('agent', agentRules, agentRuleDocs)].join('\n')}

- **\`auto matched\`**: exactly one agency is identified by evidence of ${autoMatchedFrom} or more, and nothing disputes it. \`entityMatchConfidence\` is that of its best evidence.
- **\`manual review\`**: evidence fits, but none of ${autoMatchedFrom} or more; several agencies fit equally well; evidence of ${strongFrom} or more names different agencies; a stated NPN or FEIN is not the known one of the agency that the other evidence names, whether or not anybody else has it; the name is that of another agency, or does not fit that of the agency that the other evidence names (neither name has all the words of the other; misspelled words count, words of the trade such as “agency” or “insurance” do not); or the agency has several associations and it is not clear which one is meant.
- **\`unmatched\`**: no evidence fits an association of the organization.

**Branches.** The association is that of the \`producerCode\`, else that of the \`branchName\`, else the agency’s one association without a branch. A \`branchName\` that none of the agency’s branches has needs review.

**Agents** are decided in the same way: another NPN disputes the match, and so does a name that has no word of the agent’s last name. If a person must decide, \`matchedAgents\` has those who might be meant.

**Products** are those of the compliance configs: by \`productCode\`, else by \`productName\`, ignoring case. If several fit, the product needs clarification.

**Deduplication.** \`transactionFingerprint\` is the SHA-256, in hexadecimal, of a JSON array of these fields, in this order, with null for one that is absent: ${fingerprintFields.map((field) => `\`${field}\``).join(', ')}. \`uniqueTransactionId\` is not one of them. Among the transactions of a policy, one with a known \`uniqueTransactionId\` and fingerprint is a duplicate and changes nothing; one with a known \`uniqueTransactionId\` and another fingerprint replaces the earlier one, whose \`_id\` it keeps. Without a \`uniqueTransactionId\`, the fingerprint is the identity. An \`_id\` that the record carries makes no difference to this.`;

type NotKnown = Extract<(typeof reasonList)[number], { readonly kind: 'not known' }>['code'];

/** What to do about what is not known. */
const tasks: Readonly<Record<NotKnown, string>> = {
  license_unknown: 'Have the license’s history imported, with its dates.',
  regulatory_action_in_force: 'Read the order (`…/regulatory-actions`), and ask the producer about it.',
  class_unrecognized: 'Ask us to import what kind of license the class is.',
  status_unrecognized: 'Look the license up at the state, and tell us what the status means.',
  row_not_understood: 'Nothing: we are notified. It is gone with the next list that can be read.',
  appointment_unknown: 'Have the appointment imported with its date, or appoint.',
  company_unknown: 'Send `carrierNaicCode`, or appoint with every company that writes the product.',
  npn_missing: 'Record the agency’s NPN, or that it needs none.',
  npn_not_found: 'Ask the producer for the present NPN: two may have been merged.',
  not_verified: 'Synchronize the subscription.',
  seller_unknown: 'Import the agent, or correct the id.',
  seller_not_named: 'Correct the transaction, so that it names who sold.',
  agency_unknown: 'Add the agency, or correct the code.',
  product_unknown: 'Import a compliance config of the product, or correct the code.',
  ambiguous: 'Send an id instead.',
};

/** A code in a table, of which one may be of both kinds. */
const meaningOf = ({ kind, code }: (typeof reasonList)[number]): string =>
  kind === 'not known' && code === 'regulatory_action_in_force'
    ? 'A cease and desist order is in force in the state.'
    : reasonMeanings[code];

type Part = Partial<Pick<SaleCheck, 'answer' | 'complianceStatus' | 'reasons' | 'warnings' | 'goodUntil'>>;

const sample = (part: Part): string => `\`\`\`json\n${JSON.stringify(part, null, 2)}\n\`\`\``;

const sampleOf = (
  whose: Whose,
  kind: 'against' | 'not known',
  subject: 'license' | 'appointment',
  said: Parameters<typeof reasonOf>[3],
): SaleCheck['reasons'] => {
  const { party, code, message, remedy } = reasonOf(whose, kind, subject, said);
  return [{ party, code, message, remedy }];
};

const ofSeller = { party: 'seller', stateCode: 'TX' } as const;

const against = sample({
  answer: 'no',
  complianceStatus: 'NOT_COMPLIANT',
  reasons: sampleOf(ofSeller, 'against', 'license', { code: 'license_class_wrong', what: 'Adjuster' }),
  goodUntil: null,
});

const notKnown = sample({
  answer: 'unknown',
  complianceStatus: null,
  reasons: sampleOf({ party: 'agency', stateCode: 'TX' }, 'not known', 'appointment', {
    code: 'appointment_unknown',
  }),
  goodUntil: null,
});

const warned = sample({
  answer: 'yes',
  complianceStatus: 'COMPLIANT',
  reasons: [],
  warnings: [warningOf(ofSeller, 'license', { code: 'home_state_license_unknown' })],
  goodUntil: '2027-03-31',
});

/** What the codes of sale checks say, with a sample of each kind. */
export const saleCheckDocumentation = (): string => `### Against
Something that the product requires is not in force, or the carrier itself says no. It stays a \`no\` until that changes:

${against}

| Code | Meaning |
|---|---|
${reasonList
  .flatMap((one) => (one.kind === 'against' ? [`| \`${one.code}\` | ${meaningOf(one)} |`] : []))
  .join('\n')}

### Not known
Nothing is against the sale, and something that could be is not known. Treat it as a \`no\`, and find it out:

${notKnown}

| Code | Meaning | What to do |
|---|---|---|
${reasonList
  .flatMap((one) =>
    one.kind === 'not known'
      ? [`| \`${one.code}\` | ${reasonMeanings[one.code]} | ${tasks[one.code]} |`]
      : [],
  )
  .join('\n')}

### Warnings
They never change the answer:

${warned}

| Code | Meaning |
|---|---|
${Object.entries(warningMeanings)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join('\n')}`;
