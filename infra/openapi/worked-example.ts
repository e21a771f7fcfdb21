import { reasonOf, rulesNumber } from '#domain/decision/reasons.ts';
import type { RuleId } from '#domain/decision/rules.ts';
import { linkTo, tableOf } from './markdown.ts';

// An answer from reports to the receipt, as the OpenAPI document has it; `test/decision/worked-example.test.ts` holds it against the
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
export const workedExample =
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
