import { coverageOf } from '#domain/decision/coverage.ts';
import { never } from '#domain/decision/dates.ts';
import { recordsOnDay } from '#domain/decision/held.ts';
import { appointed, license, line, today } from '../support/compliance-status.ts';
import { actionOf, actionReport, type CaseCommand, recordedBy } from './case-rows.ts';

const known = (...commands: readonly CaseCommand[]) => {
  const { licenses, appointments } = recordsOnDay(
    coverageOf(recordedBy(commands), `${today}T23:00:00.000Z`),
    today,
  );
  return {
    licenses: licenses.map(({ row, isInForce }) => ({
      number: row.licenseNumber,
      last: row.nextRenewalDate,
      status: row.status,
      lines: row.linesOfAuthority.map(({ code }) => code).sort(),
      isInForce,
    })),
    appointments: appointments.map(({ row, isInForce }) => ({
      line: row.lineOfAuthorityCode,
      status: row.status,
      isInForce,
    })),
  };
};

const [before, later] = ['2025-06-01T12:00:00.000Z', '2026-02-01T12:00:00.000Z'];

it('shows an appointment that an end without a line ended, once, by that end', () => {
  const end = appointed({ status: 'terminated', lineOfAuthorityCode: null, statusChangeDate: '2026-01-31' });
  expect(
    known(
      { kind: 'import', at: before, appointments: [appointed()] },
      { kind: 'import', at: later, appointments: [end] },
    ),
  ).toMatchObject({
    appointments: [{ line: null, status: 'terminated', isInForce: false }],
  });
});

it('shows a license of which several terms are known by the one in force', () => {
  const terms = [
    license({ issueDate: '2019-04-01', nextRenewalDate: '2023-03-31' }),
    license({ issueDate: '2023-04-01', nextRenewalDate: '2027-03-31' }),
    license({ issueDate: '2027-04-01', nextRenewalDate: '2031-03-31' }),
  ];
  expect(known({ kind: 'report', at: before, licenses: terms, appointments: [] })).toMatchObject({
    licenses: [{ last: '2027-03-31', isInForce: true }],
  });
});

it('shows a license of which each line has a row of its own with all lines that are not left out', () => {
  const rows = ['16', '17', '18'].map((code) => license({ linesOfAuthority: [line(code)] }));
  const first = { kind: 'import', at: before, licenses: rows } as const;
  const last = { kind: 'report', at: later, licenses: rows.slice(1), appointments: [] } as const;
  expect(known(first).licenses).toMatchObject([{ lines: ['16', '17', '18'] }]);
  expect(known(first, last).licenses).toMatchObject([{ lines: ['17', '18'] }]);
});

it('shows what lapsed, what is left out, and what begins later, by the row that is nearest', () => {
  const gone = license({ licenseNumber: '1', nextRenewalDate: '2026-06-14' });
  const leftOut = license({ licenseNumber: '2' });
  const next = license({ licenseNumber: '3', issueDate: '2026-07-01' });
  const pending = license({ licenseNumber: '4', status: 'pending' });
  expect(
    known(
      { kind: 'report', at: before, licenses: [gone, leftOut], appointments: [] },
      { kind: 'report', at: later, licenses: [gone, next, pending], appointments: [] },
    ).licenses,
  ).toMatchObject([
    { number: '1', status: 'active', isInForce: false },
    { number: '2', status: 'active', isInForce: false },
    { number: '3', status: 'active', isInForce: false },
    { number: '4', status: 'pending', isInForce: false },
  ]);
});

it('shows what nobody recognizes by the row that was said last', () => {
  const said = (status: string) => ({ licenses: [license({ status })], appointments: [] });
  expect(
    known(
      { kind: 'report', at: before, ...said('nullified') },
      { kind: 'report', at: later, ...said('frobnicated') },
    ).licenses,
  ).toMatchObject([{ status: 'frobnicated', isInForce: false }]);
});

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`;

type Licenses = ReturnType<typeof license>[];

const file = (day: number, ...licenses: Licenses) =>
  ({ kind: 'import', at: at(day), licenses }) satisfies CaseCommand;
const late = (day: number, ...licenses: Licenses) => ({ ...file(day, ...licenses), recordedAt: at(7) });
const wholeFile = (day: number, ...licenses: Licenses) => ({ ...file(day, ...licenses), isComplete: true });
const report = (day: number, ...licenses: Licenses) =>
  ({ kind: 'report', at: at(day), licenses, appointments: [] }) satisfies CaseCommand;

const own = license({ licenseNumber: '1' });
const other = license({ licenseNumber: '2' });
const renewed = license({ licenseNumber: '1', nextRenewalDate: '2030-03-31' });
const never1 = { ...own, isDeleted: true };
const suspension = actionOf('Suspension');
const ofAYear = { ...suspension, lengthOfOrderInDays: 365 };
const neverBegun = { ...license({ licenseNumber: '1', issueDate: '2001-01-01' }), isDeleted: true };

it.each<[string, readonly CaseCommand[], string | null, string | null]>([
  ['said again', [report(1, own), report(2, own), report(3, own)], at(1), null],
  ['said again by an import', [report(1, own), file(2, own)], at(2), null],
  ['said again by a whole file', [file(1, own), wholeFile(2, own)], at(1), null],
  ['said again beside another one', [report(1, own), report(2, own, other)], at(1), null],
  ['renewed', [report(1, own), report(2, renewed)], at(2), null],
  ['left out twice', [report(1, own, other), report(2, other), report(3, other)], at(2), null],
  ['back again', [report(1, own, other), report(2, other), report(3, own, other)], at(3), null],
  [
    'left out by the registry, and in a whole file again',
    [wholeFile(1, own), report(2, other), wholeFile(3, own), report(4, other)],
    at(4),
    null,
  ],
  [
    'in a whole file again after the registry left it out',
    [wholeFile(1, own), report(2, other), wholeFile(3, own)],
    at(3),
    null,
  ],
  ['told late', [report(5, own), late(2, renewed)], at(7), null],
  ['corrected by a row that never was', [file(1, own), file(4, neverBegun)], at(4), null],
  ['taken back', [file(1, own), file(4, never1)], null, at(4)],
  ['taken back, and said since', [file(1, own), file(4, never1), file(5, own)], at(5), null],
])('knows when something was last recorded of a license that is %s', (_, commands, recordedAt, goneAt) => {
  const { licenses = [], takenBack } = coverageOf(recordedBy(commands), never).get('TX') ?? {};
  const held = licenses.filter(({ said }) => said.some(({ row }) => row.source.licenseNumber === '1'));
  expect(held.map((holding) => holding.recordedAt)).toEqual(recordedAt === null ? [] : [recordedAt]);
  expect(takenBack?.map((one) => [one.kind, one.recordedAt])).toEqual(
    goneAt === null ? [] : [['license', goneAt]],
  );
});

it.each<[string, readonly CaseCommand[], string]>([
  ['said again', [actionReport(at(1), suspension), actionReport(at(2), suspension)], at(1)],
  ['said otherwise', [actionReport(at(1), suspension), actionReport(at(2), ofAYear)], at(2)],
])('knows when something was last recorded of an action that is %s', (_, commands, recordedAt) => {
  const { actions } = coverageOf(recordedBy(commands), never).get('TX') ?? {};
  expect(actions?.map((one) => one.recordedAt)).toEqual([recordedAt]);
});

it('names each kind that was taken back', () => {
  const gone = { ...appointed(), isDeleted: true };
  const { appointments, actions, takenBack } =
    coverageOf(
      recordedBy([
        { kind: 'import', at: at(1), appointments: [appointed()], actions: [suspension] },
        { kind: 'import', at: at(2), appointments: [gone], actions: [{ ...suspension, isDeleted: true }] },
      ]),
      never,
    ).get('TX') ?? {};
  expect([appointments, actions]).toEqual([[], []]);
  expect(takenBack).toMatchObject([
    { kind: 'appointment', row: { companyCode: gone.companyCode } },
    { kind: 'regulatory action', row: suspension },
  ]);
});
