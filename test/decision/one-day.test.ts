import type { DatedRow, Identity, IdentityPart, Statement } from '../../shared/domain/decision/statements.ts';
import { type DayAnswer, oneDay } from './one-day.ts';

const part = (unnamed: IdentityPart['unnamed'], ...names: (string | null)[]): IdentityPart => ({
  names,
  unnamed,
});
const license = (number: string | null, code: string | null = 'p', name: string | null = null): Identity => [
  part('unclear', number),
  part('unclear', code, name),
];
const appointment = (line: string | null, county: string | null = null): Identity => [
  part('unclear', '10001', null, null),
  part('all lines', line, null),
  part('whole state', county, null),
];
const lineOf = (code: string): Identity => [part('unclear', code, null)];
const usual = license('1');
const row = (
  status: DatedRow['status'],
  begins: string | null = null,
  more: Partial<DatedRow> = {},
): DatedRow => ({
  identity: usual,
  status,
  begins,
  ends: '9999-12-31',
  since: null,
  ...more,
});
const said = (
  by: 'registry' | 'import' | 'complete import',
  knownOn: string,
  ...rows: DatedRow[]
): Statement => ({
  id: `${by} ${knownOn}`,
  at: `${knownOn}T16:00:00.000Z`,
  recordedAt: `${knownOn}T16:00:00.000Z`,
  knownOn,
  by: by === 'registry' ? 'registry' : 'import',
  isComplete: by !== 'import',
  rows,
});
const live = row('live', '2020-01-01');
const ended = row('ended', '2020-01-01', { since: '2023-01-01' });

interface Case {
  readonly of?: Identity;
  readonly line?: Identity;
  readonly statements: readonly Statement[];
  readonly days: Readonly<Record<string, DayAnswer>>;
}
const [yes, unknown, no] = ['in force', 'not known', 'not in force'] as const;

const cases: Readonly<Record<string, Case>> = {
  '1: a live row marks the days from its beginning through its last day': {
    statements: [said('import', '2022-01-01', row('live', '2020-01-01', { ends: '2024-01-01' }))],
    days: { '2019-12-31': no, '2020-01-01': yes, '2023-12-31': yes, '2024-01-01': no },
  },
  '1: without a beginning from `knownOn`, and earlier days are not known': {
    statements: [said('import', '2022-01-01', row('live'))],
    days: { '2021-12-31': unknown, '2022-01-01': yes },
  },
  '2: an end with a `since` has the days before it in force': {
    statements: [said('import', '2024-01-01', ended)],
    days: { '2019-12-31': no, '2022-12-31': yes, '2023-01-01': no },
  },
  '2: an end said again is so from the day on which it was first said': {
    statements: ['2022-01-01', '2023-02-01', '2023-03-01'].map((day, index) =>
      said('import', day, index === 0 ? live : row('inactive', '2020-01-01')),
    ),
    days: { '2023-01-31': yes, '2023-02-01': no },
  },
  '2: a lapse without a last day is not known before it, of an end without a beginning all days before it': {
    statements: [said('import', '2023-01-01', row('lapsed'))],
    days: { '2000-01-01': unknown, '2022-12-31': unknown, '2023-01-01': no },
  },
  '2: an end spares another beginning on its day or later': {
    statements: [
      said('import', '2022-01-01', live),
      said('import', '2023-06-01', row('live', '2023-01-01')),
      said('import', '2023-07-01', ended),
    ],
    days: { '2022-12-31': yes, '2023-01-01': yes },
  },
  '2: what nobody recognizes leaves days not known through its last day': {
    statements: [
      said('import', '2022-01-01', live),
      said(
        'import',
        '2023-02-01',
        row('unrecognized', '2020-01-01', { since: '2023-01-01', ends: '2024-01-01' }),
      ),
    ],
    days: { '2022-12-31': yes, '2023-01-01': unknown, '2023-12-31': unknown, '2024-01-01': no },
  },
  '3: an end whose `since` is the beginning ends it from `knownOn`': {
    statements: [
      said('import', '2022-01-01', live),
      said('import', '2023-01-01', row('ended', '2020-01-01', { since: '2020-01-01' })),
    ],
    days: { '2020-01-01': unknown, '2022-12-31': unknown, '2023-01-01': no },
  },
  '4: a live row of a partial statement that does not say since when leaves it not known': {
    statements: [said('import', '2023-02-01', ended), said('import', '2023-06-01', live)],
    days: { '2022-12-31': yes, '2023-01-01': unknown, '2024-01-01': unknown },
  },
  '4: of a complete one it is live again from `knownOn`': {
    statements: [said('import', '2023-02-01', ended), said('registry', '2023-06-01', live)],
    days: { '2022-12-31': yes, '2023-01-01': no, '2023-05-31': no, '2023-06-01': yes },
  },
  '4: an end ahead is not touched': {
    statements: [
      said('import', '2022-02-01', row('ended', '2020-01-01', { since: '2023-01-01' })),
      said('import', '2022-06-01', live),
    ],
    days: { '2022-12-31': yes, '2023-01-01': no },
  },
  '5: within 30 days it was never gone': {
    statements: [
      said('registry', '2022-01-01', live),
      said('registry', '2022-02-01'),
      said('registry', '2022-03-03', live),
    ],
    days: { '2022-01-31': yes, '2022-02-01': yes, '2022-03-03': yes },
  },
  '5: later the days between are not known': {
    statements: [
      said('registry', '2022-01-01', live),
      said('registry', '2022-02-01'),
      said('registry', '2022-03-04', live),
    ],
    days: { '2022-01-31': yes, '2022-02-01': unknown, '2022-03-03': unknown, '2022-03-04': yes },
  },
  '5: a partial one leaves them not known, unless it is so since then': {
    statements: [
      said('registry', '2022-02-01'),
      said('import', '2022-03-04', row('live', '2020-01-01', { since: '2022-03-01' })),
    ],
    days: { '2022-01-31': yes, '2022-02-28': no, '2022-03-01': yes },
  },
  '6: what the registry takes from an import of the 30 days before is not known': {
    statements: [
      said('import', '2022-01-01', live),
      said('registry', '2022-01-31'),
      said('registry', '2022-02-01'),
    ],
    days: { '2022-01-30': yes, '2022-01-31': unknown, '2022-02-01': no },
  },
  '6: what it gives back is not known, and holds on': {
    statements: [
      said('import', '2023-01-10', ended),
      said('registry', '2023-01-20', live),
      said('registry', '2023-03-01', live),
    ],
    days: {
      '2022-12-31': yes,
      '2023-01-19': no,
      '2023-01-20': unknown,
      '2023-02-28': unknown,
      '2023-03-01': yes,
    },
  },
  '7: days before a moved beginning are not known until the earlier one became known': {
    statements: [said('import', '2022-01-01', live), said('import', '2023-01-01', row('live', '2022-06-01'))],
    days: { '2021-12-31': unknown, '2022-01-01': yes, '2022-06-01': yes },
  },
  '8: of rows with a `since` each counts until the next one': {
    statements: [said('registry', '2024-01-01', ended, row('live', '2020-01-01', { since: '2023-06-01' }))],
    days: { '2022-12-31': yes, '2023-01-01': no, '2023-05-31': no, '2023-06-01': yes },
  },
  '8: else days that an end would take are not known': {
    statements: [said('registry', '2024-01-01', live, ended)],
    days: { '2022-12-31': yes, '2023-01-01': unknown },
  },
  '9: an end without a class ends each that it may mean': {
    of: usual,
    statements: [
      said('import', '2022-01-01', live),
      said('import', '2023-02-01', { ...ended, identity: license('1', null) }),
    ],
    days: { '2022-12-31': yes, '2023-01-01': no },
  },
  '9: an end of one line leaves an appointment of all lines not known': {
    of: appointment(null),
    statements: [
      said('import', '2022-01-01', { ...live, identity: appointment(null) }),
      said('import', '2023-02-01', { ...ended, identity: appointment('life') }),
    ],
    days: { '2022-12-31': yes, '2023-01-01': unknown },
  },
  '9: an end of a county that none has ends that of the whole state': {
    of: appointment('life'),
    statements: [
      said('import', '2022-01-01', { ...live, identity: appointment('life') }),
      said('import', '2023-02-01', { ...ended, identity: appointment('life', 'dade') }),
    ],
    days: { '2022-12-31': yes, '2023-01-01': no },
  },
  '9: what may be another is not known while an end of that holds': {
    of: license('1', null, 'broker'),
    statements: [
      said('import', '2022-01-01', live, { ...live, identity: license('1', null, 'broker') }),
      said('import', '2023-02-01', ended),
    ],
    days: { '2022-12-31': yes, '2023-01-01': unknown },
  },
  '10: an equal name is the same where one has no code': {
    of: license('1', 'p', 'producer'),
    statements: [
      said('import', '2022-01-01', { ...live, identity: license('1', 'p', 'producer') }),
      said('import', '2023-02-01', { ...ended, identity: license('1', null, 'producer') }),
    ],
    days: { '2022-12-31': yes, '2023-01-01': no },
  },
  '11: a line begins with its row, or on the day on which it is named later': {
    line: lineOf('b'),
    statements: [
      said('import', '2022-01-01', { ...live, lines: [row('live', null, { identity: lineOf('a') })] }),
      said('import', '2023-01-01', {
        ...live,
        lines: ['a', 'b'].map((code) => row('live', null, { identity: lineOf(code) })),
      }),
    ],
    days: { '2021-12-31': unknown, '2022-12-31': no, '2023-01-01': yes },
  },
  '11: a license that ever carried lines is in force only where one of them is': {
    statements: [
      said('registry', '2022-01-01', { ...live, lines: [row('live', null, { identity: lineOf('a') })] }),
      said('registry', '2023-01-01', live),
    ],
    days: { '2022-12-31': yes, '2023-01-01': no },
  },
  'A row that an import marks as deleted never was in what was recorded before': {
    statements: [
      said('import', '2022-01-01', live),
      said('import', '2022-02-01', { ...live, isDeleted: true }),
    ],
    days: { '2022-01-15': no, '2022-03-01': no },
  },
};

test.each(Object.entries(cases))('%s', (_rule, { of = usual, line, statements, days }) => {
  const answers = Object.keys(days).map((day) => [day, oneDay(statements.toReversed(), of, day, line)]);
  expect(Object.fromEntries(answers)).toEqual(days);
});
