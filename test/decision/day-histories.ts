import fc from 'fast-check';
import type { DatedRow, Identity, Statement } from '#domain/decision/statements.ts';
import { addDays } from '#platform/dates/dates.ts';
import { completeFile, file, line, ofAppointment, ofLicense, report, row } from './day-rows.ts';

// Random histories of statements about one holder, whose dates lie so close together that they meet.

const day = (from: string) => fc.integer({ min: 0, max: 10 }).map((index) => addDays(from, index * 20));
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });

const status = fc.constantFrom<DatedRow['status'][]>(
  ...(['live', 'live', 'live', 'lapsed', 'ended', 'inactive', 'pending', 'unrecognized'] as const),
);

/** Rows that begin no later than they end, or than they are as they say. */
const rowOf = (
  identity: fc.Arbitrary<Identity>,
  lines: fc.Arbitrary<readonly DatedRow[]>,
): fc.Arbitrary<DatedRow> =>
  fc
    .record({
      identity,
      status,
      first: fc.integer({ min: 0, max: 10 }),
      isUndated: fc.constantFrom(false, false, false, true),
      length: maybe(fc.integer({ min: 1, max: 12 })),
      since: maybe(fc.integer({ min: 0, max: 8 })),
      isDeleted: fc.constantFrom(...new Array<undefined>(19).fill(undefined), true as const),
      lines,
    })
    .map(({ first, isUndated, length, since, isDeleted, ...written }) => {
      const after = (count: number): string => addDays('2024-01-01', (first + count) * 20);
      return row({
        ...written,
        begins: isUndated ? null : after(0),
        ...(length === undefined ? {} : { last: addDays(after(length), -1) }),
        ...(since === undefined ? {} : { since: after(since) }),
        ...(isDeleted === undefined ? {} : { isDeleted }),
      });
    });

const lineRow = fc
  .record({
    code: fc.constantFrom('C', 'P'),
    status,
    begins: fc.option(day('2024-01-01')),
    since: maybe(day('2024-02-01')),
  })
  .map(({ code, since, ...written }) =>
    line(code, { ...written, ...(since === undefined ? {} : { since }) }),
  );

const noLines = fc.constant<readonly DatedRow[]>([]);

/** Statements of rows of a few, so that some are said again. */
const statementsOf = (row: fc.Arbitrary<DatedRow>, maxLength = 3): fc.Arbitrary<Statement[]> =>
  fc.array(row, { minLength: 1, maxLength: 6 }).chain((rows) =>
    fc.array(
      fc
        .record({
          say: fc.constantFrom(report, report, file, completeFile),
          knownOn: fc.integer({ min: 0, max: 25 }).map((index) => addDays('2024-01-10', index * 16)),
          rows: fc.shuffledSubarray(rows, { maxLength: Math.min(maxLength, rows.length) }),
        })
        .map(({ say, knownOn, rows: said }) => say(knownOn, ...said)),
      { minLength: 1, maxLength: 6 },
    ),
  );

/** Of one license, with lines. */
const oneLicense = statementsOf(
  rowOf(fc.constant(ofLicense('pro')), fc.oneof(noLines, fc.array(lineRow, { maxLength: 2 }))),
);

/** What the registry reported, one after another, of one license without lines, whose row always has its first day. */
const reports: fc.Arbitrary<Statement[]> = statementsOf(
  rowOf(fc.constant(ofLicense('pro')), noLines).map(({ status, begins, isDeleted: _isDeleted, ...rest }) => ({
    ...rest,
    begins: begins ?? '2024-01-01',
    status: status === 'pending' || status === 'unrecognized' ? 'ended' : status,
  })),
  1,
).map((statements) => statements.map((statement) => ({ ...statement, by: 'registry', isComplete: true })));

/** Statements about some of several things. */
const statementsOfSome = (identities: readonly Identity[]): fc.Arbitrary<Statement[]> =>
  fc
    .shuffledSubarray([...identities], { minLength: 2, maxLength: 4 })
    .chain((some) => statementsOf(rowOf(fc.constantFrom(...some), noLines)));

/** Of licenses of one number, some of whose classes cannot be told apart. */
const licenses = statementsOfSome([
  ofLicense('pro', 'producer'),
  ofLicense('pro'),
  ofLicense('gen', 'producer'),
  ofLicense('adj', 'adjuster'),
  ofLicense(null, 'producer'),
  ofLicense(null, 'agent'),
  ofLicense(null),
]);

/** Of appointments by companies, lines, and counties. */
const appointments = statementsOfSome([
  ofAppointment(),
  ofAppointment({ line: null }),
  ofAppointment({ line: 'P' }),
  ofAppointment({ line: null, lineName: 'casualty' }),
  ofAppointment({ county: 'dade' }),
  ofAppointment({ county: 'miamidade' }),
  ofAppointment({ code: '10847' }),
  ofAppointment({ code: null, company: 'acme' }),
]);

// The same histories in every run of the tests; `HISTORIES=100000 SEED=7` for others, and more of them.
export const runs = {
  numRuns: Number(process.env['HISTORIES'] ?? 300),
  seed: Number(process.env['SEED'] ?? 1),
};

export const histories = [
  ['a license in reports', reports],
  ['a license with lines', oneLicense],
  ['licenses of one number', licenses],
  ['appointments', appointments],
] as const;

/** Every day on which something of the statements begins or ends, with those before and after. */
export const daysOf = (statements: readonly Statement[]): string[] => {
  const written = statements.flatMap(({ knownOn, rows }) => [
    knownOn,
    addDays(knownOn, 30),
    ...[...rows, ...rows.flatMap(({ lines = [] }) => lines)].flatMap(({ begins, since, ends }) => [
      begins,
      since,
      ends < '9999' ? ends : null,
    ]),
  ]);
  const days = written.flatMap((one) => (one === null ? [] : [addDays(one, -1), one, addDays(one, 1)]));
  return [...new Set(days)].sort();
};
