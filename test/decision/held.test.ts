import { coverageOf } from '#domain/decision/coverage.ts';
import { recordsOnDay } from '#domain/decision/held.ts';
import { appointed, license, line, today } from '../support/compliance-status.ts';
import { type CaseCommand, recordedBy } from './case-rows.ts';

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
  const shown = (...commands: readonly CaseCommand[]) =>
    recordsOnDay(coverageOf(recordedBy(commands), `${today}T23:00:00.000Z`), today).licenses.map(({ row }) =>
      row.linesOfAuthority.map(({ code }) => code).sort(),
    );
  const first = { kind: 'import', at: before, licenses: rows } as const;
  const last = { kind: 'report', at: later, licenses: rows.slice(1), appointments: [] } as const;
  expect(shown(first)).toEqual([['16', '17', '18']]);
  expect(shown(first, last)).toEqual([['17', '18']]);
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
