import { coverageOf, nextChangeOf } from '../../shared/domain/decision/coverage.ts';
import {
  type ActionRow,
  type HolderFacts,
  type LicenseRow,
  type LineRow,
  noFacts,
  type Recording,
  type Unread,
} from '../../shared/domain/decision/facts.ts';
import { recordImport, recordLists } from '../../shared/domain/decision/record.ts';
import { lineOf } from '../support/sample-records.ts';
import { recordedBy, withCommand } from './histories.ts';

// When licenses are in force, by what was recorded of them, without configs.

const license = (fields: Partial<LicenseRow> = {}): LicenseRow => ({
  stateCode: 'TX',
  licenseNumber: '0012345',
  licenseClassCode: 'PRO',
  licenseClassName: 'Insurance Producer',
  status: 'Active',
  statusReason: null,
  statusDate: null,
  residencyStatus: 'resident',
  issueDate: '2018-01-01',
  nextRenewalDate: null,
  expirationDate: '2027-12-31',
  linesOfAuthority: [],
  ...fields,
});

const line = (code: string, fields: Partial<LineRow> = {}): LineRow => lineOf({ code, ...fields });

const adjuster = { licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' };
const classless = { licenseClassCode: null, licenseClassName: null };
const former = { issueDate: '2010-01-01', expirationDate: '2014-12-31', status: 'Inactive' };

type Step = (facts: HolderFacts) => HolderFacts;

const commandOf = (on: string, by: Recording['by']) => ({
  commandId: on,
  commandAt: on.length > 10 ? on : `${on}T15:00:00.000Z`,
  by,
});

const recordingOf = (on: string, by: Recording['by']): Recording => {
  const command = commandOf(on, by);
  return { ...command, recordedAt: command.commandAt };
};

const list =
  (on: string, ...licenses: readonly LicenseRow[]): Step =>
  (facts) => {
    const added = recordLists(facts, { licenses, appointments: undefined }, commandOf(on, 'synchronization'));
    const recording = recordingOf(on, 'synchronization');
    return {
      ...facts,
      licenses: [...facts.licenses, ...added.licenses.map((one) => ({ ...one, ...recording }))],
      closings: [...facts.closings, ...added.closings.map((one) => ({ ...one, ...recording }))],
    };
  };

const imported =
  (on: string, ...rows: readonly (LicenseRow & { readonly validFrom?: string })[]): Step =>
  (facts) => {
    const licenses = rows.map(({ validFrom = null, ...row }) => ({ row, validFrom, isDeleted: false }));
    const added = recordImport(facts, { licenses, appointments: [] }, commandOf(on, 'import'));
    const recording = recordingOf(on, 'import');
    return {
      ...facts,
      licenses: [...facts.licenses, ...added.licenses.map((one) => ({ ...one, ...recording }))],
    };
  };

const coverageBy = (steps: readonly Step[]) =>
  coverageOf(
    steps.reduce((facts, step) => step(facts), noFacts as HolderFacts),
    '9999',
  );

/** The days of each license in Texas: in force, with lines in braces, and not known. */
function daysBy(...steps: readonly Step[]): Record<string, string> {
  const days: Record<string, string> = {};
  for (const { license: number, spans, unknown } of coverageBy(steps).get('TX')?.terms ?? []) {
    const own = [
      ...spans.map(({ from, until, lines, hasLines }) => {
        const ofLines = Array.from(
          lines,
          ([code, all]) =>
            `${code} ${all.map((one) => `${one.from}..${one.until}${one.undatedBefore === null ? '' : ` undated before ${one.undatedBefore}`}`).join('+')}`,
        );
        return `${from}..${until}${hasLines ? ` {${ofLines.join(', ')}}` : ''}`;
      }),
      ...unknown.map(({ from, until, code, lines }) => [`${code} ${from}..${until}`, ...lines].join(' ')),
    ];
    days[number] = [days[number] || [], own].flat().join('; ');
  }
  return days;
}

const never = '9999-12-31';

describe('A license is ended by a row that spells it differently', () => {
  test.each<[string, Partial<LicenseRow>, Partial<LicenseRow>]>([
    ['without leading zeros', { licenseNumber: '0012345' }, { licenseNumber: '12345' }],
    ['in another case', { licenseNumber: '0D12345' }, { licenseNumber: '0d12345' }],
    ['without punctuation', { licenseNumber: 'W-123 456' }, { licenseNumber: 'W123456' }],
    ['with a class', classless, {}],
    ['without a class', {}, classless],
    ['with the name of its class alone', {}, { licenseClassCode: null }],
    ['with another name of the same kind', {}, { licenseClassCode: null, licenseClassName: 'Agent' }],
    ['with another case of its class', {}, { licenseClassCode: 'pro' }],
    ['issued on another day', {}, { issueDate: '2018-01-02' }],
  ])('%s', (_how, held, end) => {
    const steps = [
      imported('2024-01-01', license(held)),
      imported('2024-06-01', license({ ...end, status: 'Revoked' })),
    ];
    const coverage = coverageBy(steps).get('TX');
    const untils = coverage?.terms.flatMap(({ spans }) => spans.map(({ until }) => until));
    expect(untils).toEqual(['2024-05-31']);
    expect(coverage?.unmatchedEnds).toEqual([]);
  });
});

test.each<[string, readonly Step[], Record<string, string>]>([
  [
    'A former term that a list names beside a live one ends nothing',
    [list('2024-01-01', license(former), license())],
    { '12345#PRO': 'license_unknown 2010-01-01..2014-12-31; 2018-01-01..2027-12-31' },
  ],
  [
    'So does one that an import names after it',
    [imported('2024-01-01', license()), imported('2024-01-02', license(former))],
    { '12345#PRO': '2018-01-01..2027-12-31; license_unknown 2010-01-01..2014-12-31' },
  ],
  [
    'An end without a class ends the licenses of all classes',
    [
      imported('2024-01-01', license(), license(adjuster)),
      imported('2024-01-02', license({ ...classless, status: 'Revoked' })),
    ],
    { '12345#PRO': '2018-01-01..2024-01-01', '12345#ADJ': '2018-01-01..2024-01-01' },
  ],
  [
    'A license of another class that becomes known later does not undo that',
    [
      imported('2024-01-01', license()),
      imported('2024-01-02', license({ ...classless, status: 'Revoked' })),
      imported('2024-02-01', license(adjuster)),
    ],
    {
      '12345#PRO': '2018-01-01..2024-01-01',
      '12345#ADJ': '2018-01-01..2024-01-01; 2024-02-01..2027-12-31',
    },
  ],
  [
    'Without codes, names of different kinds are of different licenses',
    [
      imported('2024-01-01', license({ ...adjuster, licenseClassCode: null })),
      imported('2024-01-02', license({ licenseClassCode: null, status: 'Inactive' })),
    ],
    {
      '12345##adjuster': '2018-01-01..2027-12-31',
      '12345##producer': 'license_unknown 2018-01-01..2024-01-01',
    },
  ],
  [
    'Of rows of one code, those that call its class otherwise end no license of another kind',
    [
      imported(
        '2024-01-01',
        license({ licenseClassName: null }),
        license({ status: 'Expired' }),
        license({ ...adjuster, licenseClassCode: null, status: 'Suspended', issueDate: '2018-01-02' }),
      ),
    ],
    { '12345##adjuster': 'license_unknown 2018-01-02..2023-12-31' },
  ],
  [
    'A list that names a term under another spelling does not leave it out',
    [imported('2024-01-01', license(classless)), list('2024-02-01', license({ licenseNumber: '12345' }))],
    { '12345#PRO': '2018-01-01..2027-12-31' },
  ],
  [
    'An end of another issueDate never was if a list leaves it out and states the license live',
    [
      list('2024-01-01', license()),
      imported('2024-06-01', license({ issueDate: '2018-01-02', status: 'Revoked', expirationDate: null })),
      list('2024-06-04', license()),
    ],
    { '12345#PRO': '2018-01-01..2027-12-31' },
  ],
  [
    'A list that states a license live again after an end without its class ends the gap',
    [
      list('2024-01-01', license()),
      imported('2024-06-01', license({ ...classless, status: 'Revoked' })),
      list('2024-06-04', license()),
    ],
    { '12345#PRO': '2018-01-01..2024-05-31; 2024-06-04..2027-12-31' },
  ],
  [
    'An import states it live again too, and ends it again',
    [
      imported('2024-01-01', license()),
      imported('2024-06-01', license({ ...classless, status: 'Revoked' })),
      imported('2024-08-01', license()),
      imported('2024-09-01', license({ ...classless, status: 'Revoked' })),
    ],
    { '12345#PRO': '2018-01-01..2024-05-31; 2024-08-01..2024-08-31' },
  ],
  [
    'A term ended the day before its status date, or at its own end if that is earlier',
    [
      list('2024-01-01', license({ expirationDate: '2024-03-31' })),
      list(
        '2024-04-16',
        license({ expirationDate: '2024-03-31', status: 'Expired', statusDate: '2024-04-15' }),
      ),
    ],
    { '12345#PRO': '2018-01-01..2024-03-31' },
  ],
  [
    'An end is no return of what a list left out',
    [
      list('2024-01-01', license()),
      list('2024-03-01'),
      imported('2024-03-20', license({ status: 'Revoked', statusDate: '2024-03-15' })),
    ],
    { '12345#PRO': '2018-01-01..2024-02-29' },
  ],
  [
    'An end of a term that a corrected `issueDate` replaced is of none, and ends what replaced it',
    [
      list('2024-01-01', license()),
      list('2024-02-01', license({ issueDate: '2018-01-15' })),
      imported('2024-03-01', license({ status: 'Revoked', statusDate: '2024-02-20' })),
    ],
    { '12345#PRO': '2018-01-15..2024-02-19' },
  ],
  [
    'An end that speaks after its status date ends the days before it too',
    [
      imported('2024-01-01', license(), { ...license(), validFrom: '2024-06-01' }),
      imported('2024-07-01', license({ status: 'Revoked', statusDate: '2024-02-01' })),
    ],
    { '12345#PRO': '2018-01-01..2024-01-31' },
  ],
  [
    'and those after its own end',
    [
      imported('2024-01-01', license(), { ...license(), validFrom: '2024-06-01' }),
      imported('2024-07-01', license({ status: 'Inactive', expirationDate: '2024-02-01' })),
    ],
    { '12345#PRO': '2018-01-01..2024-02-01' },
  ],
  [
    'which are not known if its status is not recognized',
    [
      imported('2024-01-01', license(), { ...license(), validFrom: '2024-06-01' }),
      imported('2024-07-01', license({ status: 'Rvkd', statusDate: '2024-02-01' })),
    ],
    {
      '12345#PRO': [
        '2018-01-01..2024-01-31',
        'status_unrecognized 2024-02-01..2024-05-31',
        'status_unrecognized 2024-06-01..2027-12-31',
      ].join('; '),
    },
  ],
  [
    'An end that an import announces leaves the days before alone',
    [
      imported('2024-01-01', license()),
      imported('2024-02-01', { ...license({ status: 'Inactive' }), validFrom: '2024-06-01' }),
    ],
    { '12345#PRO': '2018-01-01..2024-05-31' },
  ],
  [
    'A line that ends before its period ends in those before it too',
    [
      imported('2024-01-01', license({ linesOfAuthority: [line('P', { issueDate: '2018-01-01' })] }), {
        ...license({ linesOfAuthority: [line('P', { issueDate: '2018-01-01' })] }),
        validFrom: '2024-06-01',
      }),
      imported(
        '2024-07-01',
        license({ linesOfAuthority: [line('P', { status: 'Inactive', statusDate: '2024-02-01' })] }),
      ),
    ],
    {
      '12345#PRO':
        '2018-01-01..2024-05-31 {P 2018-01-01..2024-01-31}; 2024-06-01..2027-12-31 {P 2018-01-01..2024-01-31}',
    },
  ],
  [
    'First seen not live, a status date says until when it was in force',
    [list('2024-06-01', license({ status: 'Revoked', statusDate: '2021-05-01' }))],
    { '12345#PRO': '2018-01-01..2021-04-30' },
  ],
  [
    'Without one, that is not known',
    [list('2024-06-01', license({ status: 'Inactive', expirationDate: '2023-12-31' }))],
    { '12345#PRO': 'license_unknown 2018-01-01..2023-12-31' },
  ],
  [
    'unless it has lapsed',
    [list('2024-06-01', license({ status: 'Expired', expirationDate: '2023-12-31' }))],
    { '12345#PRO': '2018-01-01..2023-12-31' },
  ],
  [
    'First seen pending, it covers no day',
    [list('2024-06-01', license({ status: 'Pending' }))],
    { '12345#PRO': '' },
  ],
  [
    'Pending ends as others do',
    [list('2024-01-01', license()), list('2024-04-16', license({ status: 'Pending' }))],
    { '12345#PRO': '2018-01-01..2024-04-15' },
  ],
  [
    'An unrecognized status is not known from when it became known',
    [list('2024-01-01', license()), list('2024-04-16', license({ status: 'Rvkd' }))],
    { '12345#PRO': '2018-01-01..2024-04-15; status_unrecognized 2024-04-16..2027-12-31' },
  ],
  [
    'A reinstatement counts from its status date, with the lines that were there before',
    [
      list('2024-01-01', license({ linesOfAuthority: [line('P')] })),
      list('2024-05-01', license({ status: 'Suspended' })),
      list('2024-06-04', license({ statusDate: '2024-06-01', linesOfAuthority: [line('P')] })),
    ],
    {
      '12345#PRO': [
        '2018-01-01..2024-04-30 {P 2018-01-01..9999-12-31 undated before 2024-01-01}',
        '2024-06-01..2027-12-31 {P 2018-01-01..9999-12-31 undated before 2024-01-01}',
      ].join('; '),
    },
  ],
  [
    'A line counts from the earliest day that was given, and an import without lines says nothing of them',
    [
      list('2024-01-01', license({ linesOfAuthority: [line('P', { issueDate: '2018-05-05' })] })),
      list('2026-01-01', license({ linesOfAuthority: [line('P', { issueDate: '2026-01-01' })] })),
      imported('2026-02-01', license({ licenseNumber: '12345', status: 'ACTIVE' })),
    ],
    { '12345#PRO': `2018-01-01..2027-12-31 {P 2018-05-05..${never}}` },
  ],
  [
    'A line that is added counts from when that became known, one left out until then',
    [
      list('2024-01-01', license({ linesOfAuthority: [line('P')] })),
      list('2025-01-01', license({ linesOfAuthority: [line('C')] })),
    ],
    {
      '12345#PRO': `2018-01-01..2027-12-31 {P 2018-01-01..2024-12-31 undated before 2024-01-01, C 2025-01-01..${never}}`,
    },
  ],
  [
    'A line whose status is not recognized is not known',
    [list('2024-01-01', license({ linesOfAuthority: [line('P', { status: 'Qualified' })] }))],
    { '12345#PRO': '2018-01-01..2027-12-31 {P }; status_unrecognized 2024-01-01..2027-12-31 P' },
  ],
  [
    'A line without a code has the codes that licenses of the state give its name',
    [
      list(
        '2024-01-01',
        license({ linesOfAuthority: [line('', { name: 'CASUALTY', issueDate: '2020-01-01' })] }),
        license({
          ...adjuster,
          linesOfAuthority: [line('16', { name: 'Casualty', issueDate: '2018-01-01' })],
        }),
      ),
    ],
    {
      '12345#PRO': `2018-01-01..2027-12-31 {16 2020-01-01..${never}}`,
      '12345#ADJ': `2018-01-01..2027-12-31 {16 2018-01-01..${never}}`,
    },
  ],
])('%s', (_what, steps, days) => {
  expect(daysBy(...steps)).toMatchObject(days);
});

test.each<[string, readonly Step[], string]>([
  [
    'A corrected issue date may be the day on which the other became known',
    [list('2024-01-10', license()), list('2024-01-20', license({ issueDate: '2024-01-10' }))],
    '2024-01-10..2027-12-31',
  ],
  [
    'A term that a list leaves out ends before the first of those that it names begins',
    [
      list('2024-01-10', license()),
      list(
        '2024-01-20',
        license({ issueDate: '2024-03-01', expirationDate: '2029-12-31' }),
        license({ issueDate: '2024-02-01', expirationDate: '2024-02-10' }),
      ),
    ],
    '2018-01-01..2024-01-31; 2024-03-01..2029-12-31; 2024-02-01..2024-02-10',
  ],
  [
    'A term is back within 30 days also beside a row of it that is not live',
    [
      list('2024-01-10', license()),
      list('2024-01-20'),
      list('2024-02-01', license(), license({ status: 'Inactive' })),
    ],
    '2018-01-01..2027-12-31',
  ],
  [
    'One that was left out after its own end, and is back with another, has a gap from the day of the list',
    [
      list('2024-01-10', license({ expirationDate: '2024-01-15' })),
      list('2024-01-20'),
      list('2024-03-10', license()),
    ],
    '2018-01-01..2024-01-19; 2024-03-10..2027-12-31',
  ],
  [
    'One that is back later was in force until the term began that was named in its place',
    [
      list('2024-01-10', license()),
      list('2024-01-20', license({ issueDate: '2024-03-01', expirationDate: '2024-03-10' })),
      list('2024-04-10', license(), license({ issueDate: '2024-03-01', expirationDate: '2024-03-10' })),
    ],
    '2018-01-01..2024-02-29; 2024-04-10..2027-12-31; 2024-03-01..2024-03-10',
  ],
  [
    'An issue date that was corrected, and is back later, leaves a gap',
    [
      list('2024-01-10', license()),
      list('2024-01-20', license({ issueDate: '2018-02-01' })),
      list('2024-04-10', license()),
    ],
    '2018-01-01..2024-01-19; 2024-04-10..2027-12-31',
  ],
  [
    'What an import says of earlier days is not in force from the day on which that first became known',
    [
      imported('2024-01-01', license()),
      imported('2024-02-01', license({ status: 'Revoked' })),
      imported('2024-03-01', { ...license({ status: 'Inactive' }), validFrom: '2020-01-01' }),
    ],
    '2018-01-01..2019-12-31; 2020-01-01..2024-01-31',
  ],
  [
    'What has lapsed was in force, from the day that an import gives',
    [
      imported('2024-03-01', {
        ...license({ status: 'Expired', expirationDate: '2024-02-01' }),
        validFrom: '2023-01-01',
      }),
    ],
    '2023-01-01..2024-02-01',
  ],
  [
    'A term that rows of several spellings state ends where a list leaves out all of them',
    [imported('2024-01-01', license()), imported('2024-01-02', license(classless)), list('2024-03-01')],
    '2018-01-01..2024-02-29',
  ],
  [
    'A status that is not recognized takes nothing back of an end before it',
    [
      list('2024-01-01', license()),
      list('2024-02-01', license({ status: 'Revoked' })),
      list('2024-03-05', license({ status: 'Frobbed', statusDate: '2024-03-01' })),
    ],
    '2018-01-01..2024-01-31; status_unrecognized 2024-03-01..2027-12-31',
  ],
  [
    'What an import says of a term in two calls counts together',
    [imported('2024-01-01', license({ expirationDate: '2024-12-31' })), imported('2024-01-01', license())],
    '2018-01-01..2027-12-31',
  ],
  [
    'Of several ends in one list the first date counts',
    [
      list('2024-01-01', license()),
      list(
        '2024-04-01',
        license({ status: 'Revoked', statusDate: '2024-03-01', licenseClassName: 'Agent' }),
        license({ status: 'Revoked', statusDate: '2024-02-01' }),
      ),
    ],
    '2018-01-01..2024-01-31',
  ],
  [
    'Of several rows in one list that are live again the last date counts',
    [
      list('2024-01-01', license()),
      list('2024-01-20', license({ status: 'Revoked' })),
      list(
        '2024-04-01',
        license({ statusDate: '2024-02-01', licenseClassName: 'Agent' }),
        license({ statusDate: '2024-03-01' }),
      ),
    ],
    '2018-01-01..2024-01-19; 2024-03-01..2027-12-31',
  ],
  [
    'A line with a code counts for that alone, whatever else its name stands for',
    [
      list(
        '2024-01-01',
        license({
          linesOfAuthority: [
            line('16', { name: 'Casualty', issueDate: '2020-01-01' }),
            line('20', { name: 'Casualty', issueDate: '2021-01-01' }),
          ],
        }),
      ),
    ],
    `2018-01-01..2027-12-31 {16 2020-01-01..${never}, 20 2021-01-01..${never}}`,
  ],
  [
    'The date of the end of a line counts that was stated last',
    [
      list(
        '2024-01-01',
        license({ linesOfAuthority: [line('16'), line('20', { issueDate: '2020-01-01' })] }),
      ),
      ...[null, '2024-01-15'].map((statusDate, index) =>
        list(
          `2024-0${index + 2}-01`,
          license({
            linesOfAuthority: [
              line('16'),
              line('20', { issueDate: '2020-01-01', status: 'Inactive', statusDate }),
            ],
          }),
        ),
      ),
    ],
    `2018-01-01..2027-12-31 {16 2018-01-01..${never} undated before 2024-01-01, 20 2020-01-01..2024-01-14}`,
  ],
  [
    'Lines of which only names are known are lines of their own',
    [
      list(
        '2024-01-01',
        license({
          linesOfAuthority: [
            line('', { name: 'Alpha', issueDate: '2020-01-01' }),
            line('', { name: 'Beta', issueDate: '2021-01-01' }),
          ],
        }),
      ),
    ],
    `2018-01-01..2027-12-31 {name alpha 2020-01-01..${never}, name beta 2021-01-01..${never}}`,
  ],
])('%s', (_what, steps, days) => {
  expect(daysBy(...steps)).toEqual({ '12345#PRO': days });
});

test('A list that was not recorded as a whole leaves nothing out', () => {
  const other = license({ licenseNumber: '777' });
  const facts = recordedBy([
    { kind: 'list', at: '2024-01-01T15:00:00.000Z', licenses: [license(), other] },
    { kind: 'list', at: '2024-02-01T15:00:00.000Z', licenses: [license()], closedAt: null },
  ]);
  const terms = coverageOf(facts, '9999').get('TX')?.terms ?? [];
  expect(terms.flatMap(({ spans }) => spans.map(({ until }) => until))).toEqual(['2027-12-31', '2027-12-31']);
});

test('A term tells from when it is known, its class, and who lives in the state, by what was said last', () => {
  const termsBy = (...steps: readonly Step[]) => coverageBy(steps).get('TX')?.terms ?? [];
  const later = (validFrom: string) =>
    imported('2024-02-01', { ...license({ statusReason: 'Reinstated' }), validFrom });
  const recordedFrom = (...steps: readonly Step[]) => termsBy(...steps).map((term) => term.recordedFrom);
  const first = imported('2024-01-01', license());
  expect(recordedFrom(first, imported('2024-02-01', license({ statusReason: 'Reinstated' })))).toEqual([
    '2024-01-01',
  ]);
  expect(recordedFrom(first, later('2023-06-01'))).toEqual(['2023-06-01']);
  expect(recordedFrom(first, later('2024-06-01'))).toEqual(['2024-01-01']);
  // One whose issue date was corrected never was.
  expect(
    termsBy(list('2024-01-10', license()), list('2024-01-20', license({ issueDate: null }))),
  ).toHaveLength(1);
  const classOf = (name: string, issueDate: string) =>
    license({ licenseClassCode: 'X', licenseClassName: name, issueDate });
  const named = [classOf('Producer', '2018-01-01'), classOf('Adjuster', '2024-01-01')];
  expect(termsBy(imported('2024-01-01', ...named)).map(({ kind }) => kind)).toEqual(['producer', 'adjuster']);
  const coded = [license({ licenseClassCode: null }), license({ issueDate: '2024-01-01' })];
  expect(termsBy(imported('2024-01-01', ...coded)).map(({ classCode }) => classCode)).toEqual(['PRO', 'PRO']);
  const moved = license({ residencyStatus: 'non-resident' });
  expect(
    termsBy(list('2024-01-01', license()), list('2024-02-01', moved)).map((term) => term.isResident),
  ).toEqual([false]);
});

test('What is recorded at a moment is known then', () => {
  const facts = recordedBy([{ kind: 'import', at: '2024-01-01T15:00:00.000Z', licenses: [license()] }]);
  expect(coverageOf(facts, '2024-01-01T15:00:00.000Z').get('TX')?.terms).toHaveLength(1);
  expect(coverageOf(facts, '2024-01-01T14:59:59.999Z').get('TX')).toBeUndefined();
});

test('An end that ends nothing is kept, and told', () => {
  const end = license({ licenseNumber: '777', status: 'Revoked' });
  const unmatched = coverageBy([imported('2024-01-01', license()), imported('2024-02-01', end)]).get(
    'TX',
  )?.unmatchedEnds;
  expect(unmatched).toEqual([{ kind: 'license', commandId: '2024-02-01', row: end }]);
});

/** A former term, revoked, which never was live: an end of the license. */
const end = (fields: Partial<LicenseRow> = {}): LicenseRow =>
  license({ issueDate: '2010-01-01', status: 'Revoked', ...fields });

/** An end that may mean each license of its number, of the term that all of them have. */
const endOfAll = (fields: Partial<LicenseRow> = {}): LicenseRow =>
  license({ ...classless, status: 'Revoked', ...fields });

describe('An end', () => {
  const held = imported('2024-01-01', license());
  const both = imported('2024-01-01', license(), license(adjuster));
  const [pro, adj, whole] = ['12345#PRO', '12345#ADJ', '2018-01-01..2027-12-31'];
  const earlier = { issueDate: '2014-01-01' };
  const reinstated = license({ statusReason: 'Reinstated' });

  test.each<[string, readonly Step[], Record<string, string>]>([
    [
      'that may mean several licenses ends each from its date, also on its first day',
      [both, imported('2024-06-01', endOfAll({ statusDate: '2018-01-01' }))],
      { [pro]: '', [adj]: '' },
    ],
    [
      'that may mean several ends each from its date on',
      [both, imported('2024-06-01', endOfAll({ statusDate: '2024-03-01' }))],
      { [pro]: '2018-01-01..2024-02-29', [adj]: '2018-01-01..2024-02-29' },
    ],
    [
      'that may mean several ends the term that it names alone',
      [
        imported('2024-01-01', license(earlier), license(), license(adjuster)),
        imported('2024-06-01', endOfAll()),
      ],
      { [pro]: '2014-01-01..2027-12-31; 2018-01-01..2024-05-31', [adj]: '2018-01-01..2024-05-31' },
    ],
    [
      'that may mean several does not end the one that its command states live',
      [both, imported('2024-06-01', reinstated, endOfAll())],
      { [pro]: whole, [adj]: '2018-01-01..2024-05-31' },
    ],
    [
      'that may mean several, known before them, ends those that began before its date',
      [
        imported('2024-02-01', endOfAll({ statusDate: '2018-01-01' })),
        imported('2024-03-01', license(), license(adjuster)),
      ],
      { [pro]: whole, [adj]: whole },
    ],
    [
      'that may mean several ends all that began before, where the term that it names was not live',
      [
        imported('2024-01-01', license(earlier), license({ status: 'Inactive' }), license(adjuster)),
        imported('2024-03-01', license(earlier)),
        imported('2024-06-01', endOfAll()),
      ],
      {
        [pro]: '2014-01-01..2023-12-31; 2024-03-01..2024-05-31; license_unknown 2018-01-01..2023-12-31',
        [adj]: '2018-01-01..2024-05-31',
      },
    ],
    [
      'that may mean several, of a term that was live before and after it, ends that until then',
      [
        both,
        imported('2024-02-01', endOfAll({ statusDate: '2018-01-01' })),
        imported('2024-03-01', reinstated),
      ],
      { [pro]: '2024-03-01..2027-12-31', [adj]: '' },
    ],
    [
      'is what was never live before: once it was, its end is its own',
      [
        imported('2024-01-01', license(earlier)),
        imported('2024-02-01', license({ status: 'Revoked' })),
        imported('2024-03-01', license(earlier)),
        imported('2024-04-01', license()),
        imported('2024-06-01', license({ status: 'Revoked' })),
      ],
      {
        [pro]:
          '2014-01-01..2024-01-31; 2024-03-01..2027-12-31; 2018-01-01..2024-01-31; 2024-04-01..2024-05-31',
      },
    ],
    [
      'stated again with a date counts from that',
      [held, imported('2024-02-01', end()), imported('2024-03-01', end({ statusDate: '2024-01-15' }))],
      { [pro]: '2018-01-01..2024-01-14' },
    ],
    [
      'stated again after the license was live again ends it again',
      [
        held,
        imported('2024-01-20', license({ status: 'Inactive' })),
        imported('2024-02-01', end()),
        imported('2024-02-15', license()),
        imported('2024-03-01', end()),
      ],
      { [pro]: '2018-01-01..2024-01-19; 2024-02-15..2024-02-29' },
    ],
    [
      'ends on the day before it became known, if its own end has not passed',
      [held, imported('2024-06-01', end({ expirationDate: '2024-06-01' }))],
      { [pro]: '2018-01-01..2024-05-31' },
    ],
    [
      'ends on its own end that has passed',
      [held, imported('2024-06-01', end({ expirationDate: '2024-05-20' }))],
      { [pro]: '2018-01-01..2024-05-20' },
    ],
    [
      'ends what began before its date',
      [held, imported('2024-02-01', end({ statusDate: '2018-01-02' }))],
      { [pro]: '2018-01-01..2018-01-01' },
    ],
    [
      'ends nothing that began on its date',
      [held, imported('2024-02-01', end({ statusDate: '2018-01-01' }))],
      { [pro]: whole },
    ],
    [
      'whose status is not recognized makes the days from it on not known',
      [held, imported('2024-06-01', end({ status: 'Frobbed', expirationDate: '2026-12-31' }))],
      {
        [pro]:
          '2018-01-01..2024-05-31; status_unrecognized 2024-06-01..2027-12-31; status_unrecognized 2024-06-01..2026-12-31',
      },
    ],
    [
      'is not undone by an import of a status that ends later',
      [
        held,
        imported('2024-02-01', end()),
        imported('2024-03-01', license({ status: 'Inactive', statusDate: '2024-04-01' })),
      ],
      { [pro]: '2018-01-01..2024-01-31' },
    ],
    [
      'is not undone by what an import says from a day before it',
      [
        held,
        imported('2024-02-01', end()),
        imported('2024-03-01', { ...license({ expirationDate: '2028-12-31' }), validFrom: '2024-01-15' }),
      ],
      { [pro]: '2018-01-01..2024-01-14; 2024-01-15..2024-01-31' },
    ],
    [
      'is undone by what an import says from its day on, when that became known',
      [
        held,
        imported('2024-02-01', end()),
        imported('2024-03-01', { ...license({ expirationDate: '2028-12-31' }), validFrom: '2024-02-01' }),
      ],
      { [pro]: '2018-01-01..2024-01-31; 2024-03-01..2028-12-31' },
    ],
    [
      'is not undone by an import of its own day',
      [held, imported('2024-02-01T15:00:00.000Z', end()), imported('2024-02-01T21:00:00.000Z', reinstated)],
      { [pro]: '2018-01-01..2024-01-31' },
    ],
    [
      'is undone by the same import of the day after',
      [
        held,
        imported('2024-02-01T15:00:00.000Z', end()),
        imported('2024-02-01T21:00:00.000Z', reinstated),
        imported('2024-02-02', reinstated),
      ],
      { [pro]: '2018-01-01..2024-01-31; 2024-02-02..2027-12-31' },
    ],
    [
      'is undone by a list of its own day',
      [held, imported('2024-02-01T15:00:00.000Z', end()), list('2024-02-01T21:00:00.000Z', license())],
      { [pro]: whole },
    ],
  ])('%s', (_what, steps, days) => {
    // The end's own term is another matter.
    const ofHeld = Object.entries(daysBy(...steps)).map(([number, all]) => {
      const held = all.split('; ').filter((one) => !one.includes('2010-01-01'));
      return [number, held.join('; ')];
    });
    expect(Object.fromEntries(ofHeld)).toEqual(days);
  });

  test('of a list that states the license live ends nothing, also where a row of the list was set aside', () => {
    const unread = {
      kind: 'license',
      stateCode: 'TX',
      licenseNumber: '9',
      isLive: true,
      ...classless,
    } as const;
    const facts = recordedBy([
      { kind: 'list', at: '2024-01-01T15:00:00.000Z', licenses: [license(), end()], unread: [unread] },
    ]);
    const [term] = coverageOf(facts, '9999').get('TX')?.terms ?? [];
    expect(term?.spans.map(({ until }) => until)).toEqual(['2027-12-31']);
  });

  test.each<[string, readonly Step[], readonly string[]]>([
    [
      'after a list',
      [list('2024-01-01', license()), imported('2024-02-01', end({ licenseNumber: '777' }))],
      ['2024-02-01'],
    ],
    ['not where it ended something', [imported('2024-01-01', license()), imported('2024-02-01', end())], []],
    [
      'beside another one',
      [imported('2024-01-01', end()), imported('2024-02-01', end({ issueDate: '2012-01-01' }))],
      ['2024-01-01', '2024-02-01'],
    ],
    [
      'again, once a list left it out',
      [imported('2024-01-01', end()), list('2024-02-01'), imported('2024-03-01', end())],
      ['2024-03-01'],
    ],
    [
      'no more, once its own term was live',
      [
        imported('2024-01-01', license({ status: 'Revoked' })),
        imported('2024-03-01', license(), license({ status: 'Revoked', statusReason: 'Fraud' })),
      ],
      [],
    ],
  ])('is told %s', (_when, steps, told) => {
    const ends = coverageBy(steps).get('TX')?.unmatchedEnds ?? [];
    expect(ends.map((one) => ('commandId' in one ? one.commandId : '')).sort()).toEqual(told);
  });
});

describe('The home state', () => {
  const days = (...steps: readonly Step[]) => {
    const { licensed, begun } = coverageBy(steps).home;
    return { licensed: licensed.map(({ from, until }) => `${from}..${until}`), begun: begun('2024-07-01') };
  };
  const elsewhere = license({ stateCode: 'GA', residencyStatus: 'non-resident' });

  test.each<[string, readonly Step[], readonly string[], string | undefined]>([
    [
      'is where a resident producer license is',
      [list('2024-01-01', license(), elsewhere)],
      ['2018-01-01..2027-12-31'],
      'registry',
    ],
    [
      'is not where an adjuster is licensed',
      [list('2024-01-01', license(adjuster), elsewhere)],
      [],
      undefined,
    ],
    [
      'ends with the license, as an import says',
      [imported('2024-01-01', license(), elsewhere), imported('2024-03-01', license({ status: 'Revoked' }))],
      ['2018-01-01..2024-02-29'],
      'import',
    ],
    [
      'is the registry’s also where an import stated it first',
      [imported('2024-01-01', license()), list('2024-02-01', license())],
      ['2018-01-01..2027-12-31'],
      'registry',
    ],
    [
      'is not the registry’s where its list leaves out what an import stated',
      [imported('2024-01-01', license()), list('2024-02-01')],
      ['2018-01-01..2024-01-31'],
      'import',
    ],
    [
      'is none any more where its license is said to be of one who does not live there',
      [list('2024-01-01', license()), list('2024-02-01', license({ residencyStatus: 'non-resident' }))],
      [],
      undefined,
    ],
    [
      'needs a line, where the license carries some',
      [list('2024-01-01', license({ linesOfAuthority: [line('P', { status: 'Inactive' })] }))],
      [],
      'registry',
    ],
  ])('%s', (_what, steps, licensed, begun) => {
    expect(days(...steps)).toEqual({ licensed, begun });
  });

  test('is none under an order', () => {
    const steps = [
      list('2024-01-01', license()),
      ordered('2024-03-01', { disposition: 'Suspended', lengthOfOrderInDays: 31 }),
    ];
    expect(days(...steps).licensed).toEqual(['2018-01-01..2024-02-29', '2024-04-01..2027-12-31']);
    const perhaps = ordered('2024-03-01', { disposition: 'Cease and Desist', lengthOfOrderInDays: 31 });
    expect(days(list('2024-01-01', license()), perhaps).licensed).toEqual(['2018-01-01..2027-12-31']);
  });

  test('has begun on the first day of a license', () => {
    const begunOn = (day: string) => coverageBy([list('2018-01-01', license())]).home.begun(day);
    expect([begunOn('2017-12-31'), begunOn('2018-01-01')]).toEqual([undefined, 'registry']);
  });
});

const ordered =
  (on: string, fields: Partial<ActionRow>): Step =>
  (facts) => {
    const action = {
      disposition: null,
      dateOfAction: null,
      effectiveDate: null,
      enterDate: null,
      lengthOfOrderInDays: null,
    };
    const stated = {
      what: 'stated',
      action: { ...action, ...fields },
      stateCode: 'TX',
      actionId: '1',
    } as const;
    return { ...facts, actions: [...facts.actions, { ...stated, ...recordingOf(on, 'synchronization') }] };
  };

describe('An order', () => {
  const ordersBy = (...steps: readonly Step[]) =>
    coverageBy(steps)
      .get('TX')
      ?.orders.map(({ from, until, isCeaseAndDesist }) => `${isCeaseAndDesist ? '? ' : ''}${from}..${until}`);

  test.each<[string, Partial<ActionRow>, readonly string[]]>([
    [
      'for its length',
      { disposition: 'License, Suspended', effectiveDate: '2024-02-01', lengthOfOrderInDays: 10 },
      ['2024-02-01..2024-02-10'],
    ],
    [
      'for a year without one',
      { disposition: 'REVOCATION', dateOfAction: '2024-02-01', enterDate: '2024-02-09' },
      ['2024-02-01..2025-01-30'],
    ],
    [
      'for a year with a length of 0',
      { disposition: 'Voluntary surrender', enterDate: '2024-02-09', lengthOfOrderInDays: 0 },
      ['2024-02-09..2025-02-07'],
    ],
    [
      'from when it became known, without a date',
      { disposition: 'Prohibited', lengthOfOrderInDays: 1 },
      ['2024-03-01..2024-03-01'],
    ],
    [
      'perhaps, to cease and desist',
      { disposition: 'Cease & Desist', lengthOfOrderInDays: 1 },
      ['? 2024-03-01..2024-03-01'],
    ],
    ['not of a fine', { disposition: 'Fine suspended' }, []],
    ['not once stayed', { disposition: 'Revocation - stayed' }, []],
    ['not of another action', { disposition: 'Monetary penalty' }, []],
    ['or not is not known without a disposition', {}, ['? 2024-03-01..2025-02-28']],
  ])('is in force %s', (_how, action, days) => {
    expect(ordersBy(ordered('2024-03-01', action))).toEqual(days);
  });

  test('without a length ends with a list of 30 days later that still states a license live, though nothing else changed', () => {
    const revoked = ordered('2024-03-01', { disposition: 'Revoked', effectiveDate: '2024-02-01' });
    const steps = [
      list('2024-01-01', license()),
      revoked,
      list('2024-03-01', license()),
      list('2024-03-02', license()),
      list('2024-04-01', license()),
    ];
    expect(ordersBy(...steps.slice(0, 3))).toEqual(['2024-02-01..2025-01-30']);
    expect(ordersBy(...steps)).toEqual(['2024-02-01..2024-03-01']);
  });

  test.each<[string, readonly Step[], string]>([
    ['that has ended', [list('2024-04-01', license({ status: 'Inactive' }))], '2025-01-30'],
    [
      'until it is live again',
      [list('2024-04-01', license({ status: 'Inactive' })), list('2024-05-01', license())],
      '2024-04-30',
    ],
    [
      'that an import says is to be live later',
      [
        list('2024-03-02', license({ status: 'Inactive' })),
        imported('2024-03-03', { ...license({ statusReason: 'Reinstated' }), validFrom: '2024-12-01' }),
        list('2024-04-01', license({ status: 'Inactive' })),
      ],
      '2025-01-30',
    ],
    [
      'that an import says is to end later',
      [
        imported('2024-03-03', { ...license({ status: 'Revoked' }), validFrom: '2024-12-01' }),
        list('2024-04-01', license()),
      ],
      '2024-03-31',
    ],
    ['beside one that has ended', [list('2024-04-01', license(former), license())], '2024-03-31'],
  ])('without a length goes by a license %s', (_what, steps, until) => {
    const revoked = ordered('2024-03-01', { disposition: 'Revoked', effectiveDate: '2024-02-01' });
    expect(ordersBy(list('2024-01-01', license()), revoked, ...steps)).toEqual([`2024-02-01..${until}`]);
  });

  test.each<[string, Partial<ActionRow>, string]>([
    ['of another kind', { disposition: 'Cease and Desist' }, '2025-01-13'],
    ['from another day', { effectiveDate: '2024-01-10' }, '2025-01-13'],
    ['with a length', { lengthOfOrderInDays: 90 }, '2025-01-13'],
    ['as it is', {}, '2024-03-04'],
  ])(
    'without a length that was stated %s before goes by the lists since it was stated so',
    (_how, before, until) => {
      const now = { disposition: 'Revoked', effectiveDate: '2024-01-15' };
      const steps = [
        list('2024-01-01', license()),
        ordered('2024-02-05', { ...now, ...before }),
        list('2024-03-05', license({ statusReason: 'Renewed' })),
        ordered('2024-03-10', now),
      ];
      expect(ordersBy(...steps)).toEqual([`2024-01-15..${until}`]);
    },
  );

  test('changes with the day after its end', () => {
    const coverage = coverageBy([
      ordered('2024-03-01', { disposition: 'Prohibited', lengthOfOrderInDays: 3 }),
    ]);
    expect(nextChangeOf(coverage, '2024-03-01', ['TX'])).toBe('2024-03-04');
  });
});

describe('A row that was set aside', () => {
  const setAside =
    (on: string, fields: Partial<Unread & { kind: 'license' }> = {}): Step =>
    (facts) => {
      const unread = {
        stateCode: 'TX',
        kind: 'license',
        licenseNumber: '12345',
        isLive: false,
        ...classless,
      } as const;
      return {
        ...facts,
        unread: [...facts.unread, { ...unread, ...fields, ...recordingOf(on, 'synchronization') }],
      };
    };
  const doubted = (...steps: readonly Step[]) =>
    coverageBy(steps)
      .get('TX')
      ?.terms.filter(({ isNotUnderstood }) => isNotUnderstood)
      .map(({ license: number }) => number);
  const held = list('2024-01-01', license(), license(adjuster), license({ licenseNumber: '777' }));

  test.each<[string, readonly Step[], readonly string[]]>([
    ['may end each license of its number', [held, setAside('2024-02-01')], ['12345#PRO', '12345#ADJ']],
    ['and class', [held, setAside('2024-02-01', { licenseClassCode: 'adj' })], ['12345#ADJ']],
    ['or kind of class', [held, setAside('2024-02-01', { licenseClassName: 'Agent' })], ['12345#PRO']],
    [
      'all without a number',
      [held, setAside('2024-02-01', { licenseNumber: null })],
      ['12345#PRO', '12345#ADJ', '777#PRO'],
    ],
    ['none if it is live', [held, setAside('2024-02-01', { isLive: true })], []],
    [
      'until an import states its number',
      [held, setAside('2024-02-01'), imported('2024-02-02', license({ status: 'active' }))],
      [],
    ],
    [
      'until an import states it again that it was set aside with',
      [imported('2024-02-01', license()), setAside('2024-02-01'), imported('2024-02-02', license())],
      [],
    ],
    [
      'until the next list, though nothing changed',
      [
        held,
        setAside('2024-02-01'),
        list('2024-02-02', license(), license(adjuster), license({ licenseNumber: '777' })),
      ],
      [],
    ],
  ])('%s', (_what, steps, licenses) => {
    expect(doubted(...steps)).toEqual(licenses);
  });
});

test('An NPN that the registry found and does not find is not found, until it is again, though nothing changed', () => {
  const notFound: Step = (facts) => ({ ...facts, notFound: [recordingOf('2024-02-01', 'synchronization')] });
  const isNotFound = (...steps: readonly Step[]) => coverageBy(steps).isNotFound;
  expect(isNotFound(notFound)).toBe(false);
  expect(isNotFound(list('2024-01-01', license()), notFound)).toBe(true);
  expect(isNotFound(list('2024-01-01', license()), notFound, list('2024-03-01', license()))).toBe(false);
});

test('A license may change on the day of a status of its number, whatever kinds of classes are known then', () => {
  const frobnicator = { licenseClassCode: null, licenseClassName: 'Frobnicator' };
  const coverage = coverageBy([
    imported('2024-01-01', license(frobnicator)),
    imported(
      '2024-01-02',
      license({
        licenseClassCode: null,
        issueDate: '2024-02-01',
        status: 'Denied',
        statusDate: '2025-06-01',
      }),
    ),
  ]);
  expect(nextChangeOf(coverage, '2025-01-01')).toBe('2025-06-01');
});

describe('a list that says what is recorded is recorded as a whole', () => {
  const order = (fields: Partial<ActionRow> = {}): ActionRow => ({
    disposition: 'Revoked',
    dateOfAction: null,
    effectiveDate: '2026-02-01',
    enterDate: null,
    lengthOfOrderInDays: null,
    ...fields,
  });
  const held = license({ expirationDate: null });
  const ordered = (...orders: readonly ActionRow[]) =>
    recordedBy([
      { kind: 'list', at: '2026-01-10T15:00:00.000Z', licenses: [held] },
      {
        kind: 'import',
        at: '2026-02-10T15:00:00.000Z',
        actions: orders.map((action, index) => ({ stateCode: 'TX', actionId: `${index}`, action })),
      },
    ]);
  const listedOn = (facts: HolderFacts, day: string) =>
    withCommand(facts, { kind: 'list', at: `${day}T15:00:00.000Z`, licenses: [held] });
  const isClosedOn = (facts: HolderFacts, day: string) =>
    listedOn(facts, day).closings.length > facts.closings.length;

  it.each([
    ['not within 30 days of the order', [order()], '2026-03-02', false],
    ['from then on, since it ends the order', [order()], '2026-03-03', true],
    [
      'also where another order has a length',
      [order({ lengthOfOrderInDays: 90 }), order()],
      '2026-03-03',
      true,
    ],
    ['on the last of 365 days', [order()], '2027-01-31', true],
    ['not later, when the order has ended', [order()], '2027-02-01', false],
    ['not where the order has a length', [order({ lengthOfOrderInDays: 90 })], '2026-03-10', false],
  ])('%s', (_when, orders, day, expected) => {
    expect(isClosedOn(ordered(...orders), day)).toBe(expected);
  });

  it('once', () => {
    expect(isClosedOn(listedOn(ordered(order()), '2026-03-03'), '2026-03-04')).toBe(false);
  });
});
