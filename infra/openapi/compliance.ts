import { classWords, silentClassWords } from '#domain/decision/classes.ts';
import { dispositionWords } from '#domain/decision/orders.ts';
import {
  reasonList,
  reasonOf,
  rulesNumber,
  type Subject,
  statusNames,
  warningOf,
} from '#domain/decision/reasons.ts';
import { type RuleId, rules } from '#domain/decision/rules.ts';
import {
  type AgencyEvidence,
  type AgentEvidence,
  agencyRules,
  agentRules,
  autoMatchedFrom,
  fingerprintDates,
  fingerprintFields,
  fingerprintNumbers,
  type Rule as MatchingRule,
  strongFrom,
} from '#domain/matching/rules.ts';
import { silentWords, statusWords } from '#domain/registry/words.ts';
import type { SaleCheck } from '#domain/sale-checks/resource.ts';

// What evidence is compared with.

const agencyRuleDocs = {
  producerCode: 'the `producerCode` of one of the organization’s associations, apart from case',
  npn: 'the NPN of the agency',
  fein: 'the EIN of the agency, with or without the hyphen',
  license: 'a license that the organization’s registry records have for the agency’s NPN, apart from case',
  name: 'the legal name of the agency, apart from case, accents, punctuation, spaces, and legal endings; if either name has two, around a “d/b/a”, one of them',
} satisfies Record<AgencyEvidence, string>;

const agentRuleDocs = {
  npn: 'the NPN of one of the organization’s agents',
  license: 'a license that the organization’s registry records have for the agent’s NPN, apart from case',
  name: 'first and last name of an agent at one of the matched agency’s associations; for names with hyphens, and last names of several words, one part is enough; written as “Last, First” or “First Last”, with or without “Jr.” and the like',
} satisfies Record<AgentEvidence, string>;

/** Words as code, one after another. */
export const codeList = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

/** A table of Markdown. */
const tableOf = (headings: readonly string[], lines: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The anchor of a rule in the document. */
const anchorOf = (rule: string): string => `rule-${rule}`;

/** A rule with a link to it. */
const linkTo = (rule: string): string => `[${rule}](#${anchorOf(rule)})`;

// An answer from reports to the receipt, as the OpenAPI document has it; `test/decision/cases.test.ts` holds it against the
// decision.

/** Three reports of the registry about one license: its status, which its line shared, and its last day. */
export const exampleReports = [
  { askedAt: '2026-03-20T06:00:00.000Z', status: 'Active', expirationDate: '2026-03-31' },
  { askedAt: '2026-04-10T06:00:00.000Z', status: 'Inactive', expirationDate: '2026-03-31' },
  { askedAt: '2026-05-05T06:00:00.000Z', status: 'Active', expirationDate: '2028-03-31' },
] as const;

export const exampleLicense = {
  stateCode: 'TX',
  licenseNumber: '1456789',
  licenseClassName: 'Insurance Producer',
  issueDate: '2020-01-01',
} as const;

export const exampleLine = { code: '16', name: 'Casualty' } as const;

/** The days that they come to, through those of `until`. */
export const exampleDays: readonly {
  readonly from: string;
  readonly until: string;
  readonly state: 'in force' | 'ended';
  readonly because: string;
  readonly rule: RuleId;
}[] = [
  {
    from: '2020-01-01',
    until: '2026-03-31',
    state: 'in force',
    because: 'The first report has it live, from its first day through its last',
    rule: 'live-row',
  },
  {
    from: '2026-04-01',
    until: '2026-04-09',
    state: 'ended',
    because:
      'The second report is an end; it has no date, but ends no later than on the day after the last day',
    rule: 'end',
  },
  {
    from: '2026-04-10',
    until: '2026-05-04',
    state: 'ended',
    because: 'The end holds until the day of the third report',
    rule: 'end-holds',
  },
  {
    from: '2026-05-05',
    until: '2028-03-31',
    state: 'in force',
    because: 'The third report has it live again, through its new last day',
    rule: 'live-row',
  },
];

/** Some of what the receipt of a check says. */
export const exampleReceipt = {
  knownAt: '2026-06-01T15:00:00.000Z',
  rules: rulesNumber,
  checks: [
    {
      asked: {
        seller: { npn: '8123456' },
        product: { productCode: 'CGL' },
        stateCode: exampleLicense.stateCode,
        date: '2026-04-15',
      },
      answer: 'no',
      complianceStatus: 'NOT_COMPLIANT',
      reasons: [
        reasonOf({ party: 'seller', stateCode: exampleLicense.stateCode }, 'license', {
          code: 'license_expired',
          day: '2026-03-31',
        }),
      ],
      warnings: [],
      goodUntil: '2026-05-04',
      verifiedAt: '2026-05-05T06:00:00.000Z',
      basis: 'history',
    },
  ],
} as const;

/** The worked example of the chapter. */
const workedExample =
  (): string => `A producer has the license ${exampleLicense.licenseNumber} of Texas, of the class \`${exampleLicense.licenseClassName}\`, with the \`issueDate\` ${exampleLicense.issueDate} and the line ${exampleLine.name}. Three reports have it so:

${tableOf(
  ['Report of', '`status`', '`expirationDate`'],
  exampleReports.map(({ askedAt, status, expirationDate }) => [
    askedAt.slice(0, 10),
    `\`${status}\``,
    expirationDate,
  ]),
)}

From these, the license and its line have these days:

${tableOf(
  ['From', 'Until', '', 'Because'],
  exampleDays.map(({ from, until, state, because, rule }) => [
    from,
    until,
    state,
    `${because} (${linkTo(rule)}).`,
  ]),
)}

In June, an examiner asks about a sale of 2026-04-15. The product requires a license of the agent with that line, and nothing else. The carrier makes a sale check for that day, with a receipt, whose payload says, among other things:

\`\`\`json
${JSON.stringify(exampleReceipt, null, 2)}
\`\`\`

Its \`sourcesHash\` is that of \`sources\`, which keep the three reports, the days, and the config. Whoever has them can follow the rules above, and comes to the same answer.`;

/** The rule with its anchor. */
const lineOf = ([id, rule]: [string, string]): string => `- <a id="${anchorOf(id)}"></a>**${id}**: ${rule}`;

const sections = Object.entries(rules).map(
  ([heading, section]) => `### ${heading}\n${Object.entries<string>(section).map(lineOf).join('\n')}`,
);

const statusMeanings: Readonly<Record<(typeof statusWords)[number]['kind'], string>> = {
  ended: 'It has ended.',
  lapsed: 'It has ended, because it was not renewed.',
  inactive: 'It has ended, and why is not said.',
  pending: 'It is applied for, or was refused.',
  live: 'It is in force.',
};

const statusTable = tableOf(
  ['Says', 'Words', 'Also of appointments', 'Meaning'],
  statusWords.map(({ kind, words, ofAppointments = [] }) => [
    `*${kind}*`,
    codeList(words),
    codeList(ofAppointments),
    statusMeanings[kind],
  ]),
);

const classMeanings: Readonly<Record<(typeof classWords)[number]['kind'], string>> = {
  'surplus lines': 'Counts only where a config asks for it.',
  adjuster: 'Does not allow to sell.',
  consultant: 'Does not allow to sell.',
  other: 'Counts only where a config asks for it.',
  producer: 'Allows to sell.',
};

const classTable = tableOf(
  ['Kind', 'A word of it', 'Meaning'],
  classWords.map(({ kind, words }) => [`*${kind}*`, codeList(words), classMeanings[kind]]),
);

const dispositionMeanings: Readonly<Record<(typeof dispositionWords)[number]['kind'], string>> = {
  over: 'It no longer forbids to sell.',
  'in force': 'It forbids to sell.',
  'not known': 'It may forbid to sell.',
  none: 'It does not forbid to sell.',
};

const dispositionTable = tableOf(
  ['Says', 'Words', 'Meaning'],
  dispositionWords.map(({ kind, words }) => [`*${kind}*`, codeList(words), dispositionMeanings[kind]]),
);

/** Statuses, strictest first, with the reasons that give them. */
const strictestTable = (subject: Subject): string =>
  tableOf(
    [`${subject === 'license' ? 'License' : 'Appointment'} status`, 'Reasons'],
    statusNames[subject].map((name) => [
      `\`${name}\``,
      codeList(reasonList.flatMap(({ code, statuses }) => (statuses.includes(name) ? code : []))),
    ]),
  );

/** The rules of the decision whether somebody may sell, as the OpenAPI document prints them. */
export const complianceDocumentation =
  (): string => `Compliance statuses, sale checks, and events all follow from the same rules: may a producer or an agency, the *holder* of licenses and appointments, sell a product in a state on a day? Each rule has a name, which reasons and warnings give as their \`rule\`. The rules and tables have the number ${rulesNumber}, which every receipt names.

A *report* is what the registry said of all licenses, appointments, and regulatory actions of a holder when it was asked; a *file* is an import. A *row* is what either says of one of them, and a *line* is a line of authority. What is *in force* on a day allows to sell on it, as far as it goes; what has *ended* does not. *The day* is \`asOf\`, by default today, in New York.

${tableOf(
  ['', 'First day', 'Last day', 'Date of its status'],
  [
    ['License', '`issueDate`', 'the earlier of `nextRenewalDate` and `expirationDate`', '`statusDate`'],
    ['Line', '`issueDate`', 'that of its license', '`statusDate`'],
    ['Appointment', '`effectiveDate`, else of a live one `statusChangeDate`', 'none', '`statusChangeDate`'],
  ],
)}

In the examples, unless they say otherwise, the license is from Texas, with the \`issueDate\` 2025-03-01 and no end; the appointment is for all lines of authority, with the \`statusChangeDate\` 2025-03-01; and the organization, Beacon Specialty, has the NAIC code 19437 and the EIN 75-1234567.

### When something is not known
The decision fails closed: \`COMPLIANT\` and \`yes\` say that everything that is asked for was found in force. What keeps a party from that is a *reason*: *against*, if something is not in force, or *not known*, if it might be.

${tableOf(
  ['Where', 'With a reason against', 'With nothing but reasons not known'],
  [
    [
      'Sale checks',
      '`answer: no`, `complianceStatus: NOT_COMPLIANT`',
      '`answer: unknown`, `complianceStatus: null`',
    ],
    [
      'Policies and sales',
      '`complianceStatus: NOT_COMPLIANT`',
      '`complianceStatus: null`; the filter `NOT_KNOWN` finds them',
    ],
    [
      'Statuses of one party, previews, events, v1',
      '`NOT_COMPLIANT`',
      '`NOT_COMPLIANT`, with `License Not Known` or `Appointment Not Known` and the message',
    ],
  ],
)}

For a program, \`unknown\` is a no. For your staff, it is a task: the \`remedy\` says what to find out. A *warning* never changes an answer.

${sections.join('\n\n')}

### Table of statuses
Strictest first:

${strictestTable('license')}

${strictestTable('appointment')}

### Table of words
A status is split at \` - \`, \`/\`, \`,\`, \`;\`, and parentheses; case and other punctuation are ignored. Of its parts, the first row that has one counts. The parts ${codeList(silentWords)} say nothing.

${statusTable}

A status with a part in no row, or without any part that says something, is *unrecognized*, unless another part has *ended* or *lapsed*.

### Table of class words
The first row counts of which a word occurs in the name of the class, whole or in the plural, ignoring case; hyphens are spaces. \`${silentClassWords}\` is ignored.

${classTable}

A name in no row, or no name, is *unrecognized*.

### Table of dispositions
A \`disposition\` is split at \`;\`, \`,\`, \`/\`, and \` - \`; of each part, the first row that has a word of it counts, but \`stay lifted\` is *in force*. A fine, penalty, or denial that is suspended or revoked is *none*, and so are a probation, hearing, or reprimand that is over and an order that is only asked for or was denied. What names an order beside words that may undo it is *not known*, unless it is as clear as \`Suspension of License Lifted\`.

${dispositionTable}

### Worked example
${workedExample()}`;

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' with ');

const rows = <Evidence extends string>(
  subject: string,
  rules: Readonly<Record<Evidence, MatchingRule>>,
  docs: Readonly<Record<Evidence, string>>,
): string[] =>
  (Object.keys(docs) as Evidence[]).map(
    (evidence) =>
      `| ${subject} | ${code(rules[evidence].fields)} | ${rules[evidence].confidence} | ${docs[evidence]} |`,
  );

/** The rules of matching as the OpenAPI document prints them. */
export const matchingDocumentation =
  (): string => `An import of policy transactions matches what a record itself does not say. A record’s own match statuses, and the association, agency, or agents that it names, are kept. \`user confirmed\` stays when the transaction is amended, unless it names an NPN that it did not name before, or another product.

| Finds | Field of the transaction | Confidence | Compared with |
|---|---|---|---|
${[...rows('agency', agencyRules, agencyRuleDocs), ...rows('agent', agentRules, agentRuleDocs)].join('\n')}

- **\`auto matched\`**: exactly one agency is identified by evidence of ${autoMatchedFrom} or more, and nothing disputes it. \`entityMatchConfidence\` is that of its best evidence.
- **\`manual review\`**: evidence fits, but none of ${autoMatchedFrom} or more; several agencies fit equally well; evidence of ${strongFrom} or more names different agencies; a stated NPN or FEIN is not the known one of the agency that the other evidence names, whether or not anybody else has it; the name is that of another agency, or does not fit that of the agency that the other evidence names (neither name has all the words of the other; misspelled words count, words of the trade such as “agency” or “insurance” do not); or the agency has several associations and it is not clear which one is meant.
- **\`unmatched\`**: no evidence fits an association of the organization.

**Branches.** The association is that of the \`producerCode\`, else that of the \`branchName\`, else the agency’s one association without a branch. A \`branchName\` that none of the agency’s branches has needs review.

**Agents** are decided in the same way: another NPN disputes the match, and so does a name that has no word of the agent’s last name. If a person must decide, \`matchedAgents\` has those who might be meant.

**Products** are those of the compliance configs: by \`productCode\`, else by \`productName\`, ignoring case. If several fit, the product needs clarification.

**Deduplication.** \`transactionFingerprint\` is the SHA-256, in hexadecimal, of a JSON array of these fields, in this order, with null for one that is absent: ${codeList(fingerprintFields)}. They are compared first: ${codeList(fingerprintDates)} by their calendar date as written; ${codeList(fingerprintNumbers)} by letters and digits alone, in lower case, without leading zeros; \`policyNumber\` as it is; other texts in upper case, without spaces around them, with one space for several. \`uniqueTransactionId\` is not one of them. Among the transactions of a policy, one with a known \`uniqueTransactionId\` and fingerprint is a duplicate and changes nothing; one with a known \`uniqueTransactionId\` and another fingerprint replaces the earlier one, whose \`_id\` it keeps. Without a \`uniqueTransactionId\`, the fingerprint is the identity. An \`_id\` that the record carries makes no difference to this.`;

type Part = Partial<Pick<SaleCheck, 'answer' | 'complianceStatus' | 'reasons' | 'warnings' | 'goodUntil'>>;

const sample = (part: Part): string => `\`\`\`json\n${JSON.stringify(part, null, 2)}\n\`\`\``;

const ofSeller = { party: 'seller', stateCode: 'TX' } as const;

const against = sample({
  answer: 'no',
  complianceStatus: 'NOT_COMPLIANT',
  reasons: [reasonOf(ofSeller, 'license', { code: 'license_class_wrong', what: 'Adjuster' })],
  goodUntil: null,
});

const unknownSample = sample({
  answer: 'unknown',
  complianceStatus: null,
  reasons: [reasonOf({ party: 'agency', stateCode: 'TX' }, 'appointment', { code: 'appointment_unknown' })],
  goodUntil: null,
});

const warningSample = sample({
  answer: 'yes',
  complianceStatus: 'COMPLIANT',
  reasons: [],
  warnings: [warningOf(ofSeller, { code: 'home_state_license_unknown' })],
  goodUntil: '2027-03-31',
});

/** A sample of each kind of answer; the schema SaleReason lists the codes. */
export const saleCheckDocumentation =
  (): string => `Something that the product requires is not in force, or the carrier itself says no:

${against}

Nothing is against the sale, and something that could be is not known. Treat it as a \`no\`, and do what its \`remedy\` says:

${unknownSample}

A warning never changes the answer:

${warningSample}`;
