import { recordImport, recordReport, statementsOf, withAddition } from '#domain/decision/record.ts';
import {
  type HolderRecords,
  type LicenseRow,
  noRecords,
  type RecordedStatement,
} from '#domain/decision/records.ts';
import {
  appointmentReport,
  type CaseCommand,
  complete,
  license,
  licenseImport,
  licenseReport,
  notFound,
  partlyUnread,
  recordedBy,
  withCommand,
} from './case-rows.ts';

// What a report or a command of an import stores, and the statements that all of it comes to.

const [one, other] = [license(), license({ licenseNumber: '2' })];
const georgia = license({ stateCode: 'GA' });

/** A statement in short: its day, who, whether it is partial, or partly unread, and the numbers of its licenses. */
const inShort = ({ at, by, isComplete, isPartlyUnread, rows }: RecordedStatement<LicenseRow>): string =>
  [
    at.slice(0, 10),
    by,
    ...(isComplete ? [] : [isPartlyUnread ? 'partly unread' : 'partial']),
    `[${rows.map(({ licenseNumber }) => licenseNumber).join()}]`,
  ].join(' ');

const statedIn = (stateCode: string, { statements, reports }: HolderRecords): string[] =>
  statementsOf(statements as readonly RecordedStatement<LicenseRow>[], reports, 'license', stateCode).map(
    inShort,
  );

/** How many statements of licenses are stored, and all that count, in their order. */
function stored(...commands: readonly CaseCommand[]) {
  const records = commands.reduce<HolderRecords>(withCommand, noRecords);
  return { stored: records.statements.length, said: statedIn('TX', records) };
}

describe('a report', () => {
  const first = licenseReport('2026-01-10', one, other);

  it.each<[string, readonly CaseCommand[], number, readonly string[]]>([
    ['stores what it has of each state', [first], 1, ['2026-01-10 registry [1001,2]']],
    [
      'that repeats the one before it, in any order, stores its moment alone, and counts like it',
      [first, licenseReport('2026-02-10', other, one, other)],
      1,
      ['2026-01-10 registry [1001,2]', '2026-02-10 registry [1001,2]'],
    ],
    [
      'says of a state that it does not name that nothing is there',
      [first, licenseReport('2026-02-10', georgia), licenseReport('2026-03-10', georgia)],
      3,
      ['2026-01-10 registry [1001,2]', '2026-02-10 registry []', '2026-03-10 registry []'],
    ],
    [
      'that comes late leaves what later ones stated',
      [first, licenseReport('2026-02-10', one, other), licenseReport('2026-01-20', one)],
      3,
      ['2026-01-10 registry [1001,2]', '2026-01-20 registry [1001]', '2026-02-10 registry [1001,2]'],
    ],
    [
      'says nothing of a kind that it leaves out, or where it does not find the NPN',
      [first, appointmentReport('2026-02-10'), notFound('2026-03-10')],
      1,
      ['2026-01-10 registry [1001,2]'],
    ],
    [
      'with a row that could not be read is partly unread, and stores no rows again where it repeats those of the one before it',
      [first, partlyUnread(licenseReport('2026-02-10', one, other), 'license')],
      1,
      ['2026-01-10 registry [1001,2]', '2026-02-10 registry partly unread [1001,2]'],
    ],
    [
      'with a row whose state could not be read is so in every state',
      [first, partlyUnread(licenseReport('2026-02-10', one, other), 'license', null)],
      1,
      ['2026-01-10 registry [1001,2]', '2026-02-10 registry partly unread [1001,2]'],
    ],
    [
      'of which a row of another kind could not be read is complete',
      [partlyUnread(licenseReport('2026-02-10', one), 'appointment')],
      1,
      ['2026-02-10 registry [1001]'],
    ],
    [
      'goes by what the registry stated before it, whatever an import stated between',
      [first, licenseImport('2026-01-20', { licenseNumber: '3' }), licenseReport('2026-02-10', one, other)],
      2,
      ['2026-01-10 registry [1001,2]', '2026-01-20 import partial [3]', '2026-02-10 registry [1001,2]'],
    ],
  ])('%s', (_what, commands, count, said) => {
    expect(stored(...commands)).toEqual({ stored: count, said });
  });

  it('that is recorded already adds nothing', () => {
    const records = recordedBy([first]);
    const at = records.reports[0]?.at ?? '';
    const id = records.reports[0]?.id ?? '';
    expect(recordReport(records, { id, at, recordedAt: at, isFound: true, rows: { license: [] } })).toEqual({
      statements: [],
    });
  });
});

describe('an import', () => {
  const called = (id: string, command: CaseCommand): CaseCommand => ({ ...command, id }) as CaseCommand;
  const first = licenseImport('2026-01-10', {});
  const second = { licenseNumber: '2' };

  it.each<[string, readonly CaseCommand[], number, readonly string[]]>([
    [
      'in several calls is one statement',
      [called('a', first), called('a', licenseImport('2026-01-10', second))],
      1,
      ['2026-01-10 import partial [1001,2]'],
    ],
    [
      'is complete with its last call',
      [called('a', first), called('a', complete(licenseImport('2026-01-10', second)))],
      1,
      ['2026-01-10 import [1001,2]'],
    ],
    [
      'that repeats the one before it stores its moment alone, and counts like it',
      [first, licenseImport('2026-02-10', {}), licenseImport('2026-03-10', {})],
      1,
      ['10', '10', '10'].map((day, month) => `2026-0${month + 1}-${day} import partial [1001]`),
    ],
    [
      'that repeats it and is complete is a statement of its own',
      [first, complete(licenseImport('2026-02-10', {}))],
      2,
      ['2026-01-10 import partial [1001]', '2026-02-10 import [1001]'],
    ],
    [
      'of which a call repeats the one before it, and another one does not, is a statement of its own',
      [first, called('b', licenseImport('2026-02-10', {})), called('b', licenseImport('2026-02-10', second))],
      2,
      ['2026-01-10 import partial [1001]', '2026-02-10 import partial [1001,2]'],
    ],
    [
      'of an earlier day that comes late is a statement of its own',
      [licenseImport('2026-02-10', {}), first],
      2,
      ['2026-01-10 import partial [1001]', '2026-02-10 import partial [1001]'],
    ],
  ])('%s', (_what, commands, count, said) => {
    expect(stored(...commands)).toEqual({ stored: count, said });
  });

  it('that comes twice adds nothing the second time', () => {
    const records = recordedBy([licenseImport('2026-01-10', {}), licenseImport('2026-02-10', {})]);
    const moment = records.statements[0]?.repetitions?.[0];
    expect(moment).toMatchObject({ at: '2026-02-10T15:00:00.000Z' });
    const again = recordImport(
      records,
      { kind: 'license', rows: [one] },
      moment ?? { id: '', at: '', recordedAt: '' },
    );
    expect(withAddition(records, again)).toEqual(records);
  });
});
