import * as fc from 'fast-check';
import { decideSale } from '../../shared/domain/decision/sale.ts';
import { statusKindOf } from '../../shared/domain/registry/words.ts';
import { addDays, datesFrom } from '../../shared/platform/dates/dates.ts';
import { type Configs, daysOf, expectOn, expectSame, late, noon, rowsOf } from './answers.ts';
import { config, license, licenseList } from './case-rows.ts';
import type { AppointmentRow, CaseCommand, LicenseRow } from './commands.ts';
import {
  type AskedDay,
  answering,
  asked,
  commands,
  commandsOfOne,
  configs,
  coverageAt,
  dateOf,
  type Facts,
  holds,
  recordedBy,
  someDay,
  withCommand,
} from './histories.ts';

// What else is recorded, or is recorded otherwise, and what that never changes, or never makes a yes (OpenAPI, "How compliance is
// decided").

/** Expects that what is altered is a yes on no day on which the other is none. */
function expectNoMoreYes(
  { before, after }: { readonly before: Facts; readonly after: Facts },
  question: AskedDay,
  versions: Configs,
): void {
  const known = { ...question, knownAt: late };
  const [was, is] = [answering(before, known, versions), answering(after, known, versions)];
  // An end without cause follows one for cause, which then is not the last change any more.
  const isForCause = (day: string) => was(day).reasons.some(({ code }) => code === 'terminated_for_cause');
  for (const day of daysOf([before, after], known))
    if (is(day).verdict === 'yes' && !isForCause(day)) expectOn(day, was(day).verdict, 'yes');
}

/** The history with its rows as a change makes them. */
const withRows = (
  history: readonly CaseCommand[],
  change: {
    readonly license?: (row: LicenseRow) => LicenseRow;
    readonly appointment?: (row: AppointmentRow) => AppointmentRow;
  },
): CaseCommand[] =>
  history.map((command) =>
    command.kind === 'not found'
      ? command
      : ({
          ...command,
          ...(command.licenses && change.license ? { licenses: command.licenses.map(change.license) } : {}),
          ...(command.appointments && change.appointment
            ? { appointments: command.appointments.map(change.appointment) }
            : {}),
        } as CaseCommand),
  );

// ── Ends

/** A term or an appointment that the last command states as live, and an end of it, with a date or without. */
const endOfHeld = fc
  .record({
    history: commands,
    pick: fc.nat(20),
    date: fc.option(someDay, { freq: 3 }),
    status: fc.constantFrom('Revoked', 'Expired', 'Inactive'),
  })
  .map(({ history: generated, pick, date, status }) => {
    // What an import states of a company or a number is read in place of what was set aside of it.
    const history = generated.map((command) =>
      command.kind === 'import' ? { ...command, unread: [] } : command,
    );
    const last = history.toSorted((one, other) => (one.at < other.at ? -1 : 1)).at(-1);
    const { licenses = [], appointments = [] } = last ? rowsOf(last) : {};
    const stated = <Row extends object>(rows: readonly Row[]): Row[] =>
      rows.some((row) => 'isDeleted' in row) ? [] : rows.filter((row) => !('validFrom' in row));
    // Of several rows that state one term together, one says otherwise when its lines begin, and who is resident.
    const isAlone = ({ licenseNumber, issueDate }: LicenseRow): boolean =>
      licenses.filter(
        (row) => Number(row.licenseNumber) === Number(licenseNumber) && row.issueDate === issueDate,
      ).length === 1;
    const held = [
      ...stated(licenses)
        .filter((row) => statusKindOf(row.status, 'license') === 'live' && isAlone(row))
        .map((license) => ({ license })),
      ...stated(appointments)
        .filter((row) => statusKindOf(row.status, 'appointment', row.terminationReason) === 'live')
        .map((appointment) => ({ appointment })),
    ];
    return { history, row: held[pick % Math.max(held.length, 1)], date, status };
  });

it('is no yes by an end of what is held, on any day', () =>
  holds(
    fc.property(endOfHeld, asked, configs, ({ history, row, date, status }, question, versions) => {
      if (row === undefined) return;
      const before = recordedBy(history);
      const end: CaseCommand =
        'license' in row
          ? { kind: 'import', at: noon(100), licenses: [{ ...row.license, status, statusDate: date }] }
          : {
              kind: 'import',
              at: noon(100),
              appointments: [{ ...row.appointment, status: 'Terminated', statusChangeDate: date }],
            };
      expectNoMoreYes({ before, after: withCommand(before, end) }, question, versions);
    }),
  ));

// ── Requirements

it('stays a yes of a sale where a line, a further license, or the appointment is not required any more', () =>
  holds(
    fc.property(
      commands,
      commands,
      asked,
      configs,
      fc.constantFrom('line', 'line of the agency', 'further license', 'appointment'),
      (ofAgency, ofAgent, { party: _party, classKinds = [], ...question }, versions, what) => {
        const of = (history: readonly CaseCommand[]) => ({
          coverage: coverageAt(recordedBy(history), question.knownAt, classKinds),
        });
        const verdictBy = (some: Configs) =>
          decideSale({
            ...question,
            configs: some,
            agency: { party: 'agency', ...of(ofAgency) },
            sellers: [{ party: 'agent', ...of(ofAgent) }],
            productId: 'the product',
            today: question.day,
          }).verdict;
        if (verdictBy(versions) !== 'yes') return;
        const less = versions.map((version) => ({
          ...version,
          states: version.states.map((state) => {
            if (what === 'line') {
              const linesOfAuthority = state.linesOfAuthority.slice(1);
              return { ...state, linesOfAuthority };
            }
            if (what === 'line of the agency' && state.agency?.linesOfAuthority !== undefined) {
              const linesOfAuthority = state.agency.linesOfAuthority.slice(1);
              return { ...state, agency: { ...state.agency, linesOfAuthority } };
            }
            if (what === 'further license')
              return { ...state, furtherLicenses: state.furtherLicenses?.slice(1) };
            return { ...state, appointment: 'not required' };
          }),
        })) as unknown as Configs;
        expect(verdictBy(less)).toBe('yes');
      },
    ),
  ));

// ── How it is written, and how often

it('goes by the dates as they are written, whatever time and zone follows', () =>
  holds(
    fc.property(
      commands,
      fc.constantFrom('T00:00:00.000Z', 'T23:59:59-05:00', 'T00:00:00+14:00', ' 00:00:00'),
      asked,
      configs,
      (history, time, question, versions) => {
        const timed = <Row extends object>(row: Row): Row =>
          JSON.parse(
            JSON.stringify(row).replaceAll(/"(\d{4}-\d\d-\d\d)"/g, (_all, date) => `"${date}${time}"`),
          );
        expectSame(
          recordedBy(history),
          recordedBy(withRows(history, { license: timed, appointment: timed })),
          question,
          versions,
        );
      },
    ),
  ));

it('is not changed by a command that says once more what the last one said', () =>
  holds(
    fc.property(commands, asked, configs, (history, question, versions) => {
      let [facts, again] = [recordedBy([]), recordedBy([])];
      for (const command of history.toSorted((one, other) => (one.at < other.at ? -1 : 1))) {
        facts = withCommand(facts, command);
        again = withCommand(withCommand(again, command), {
          ...command,
          at: new Date(Date.parse(command.at) + 100).toISOString(),
        });
      }
      expectSame(facts, again, { ...question, knownAt: late }, versions);
    }),
  ));

/** Rows, each of a term or a status change of its own. */
const once = <Row>(rows: readonly Row[], keyOf: (row: Row) => unknown): Row[] => [
  ...new Map(rows.map((row) => [JSON.stringify(keyOf(row)), row])).values(),
];

it('does not depend on how an import is cut into several, where none of them states the same otherwise', () =>
  holds(
    fc.property(
      commands.chain((history) => {
        const rows = history.map(rowsOf);
        const licenses = once(
          rows.flatMap((one) => one.licenses ?? []),
          ({ stateCode, licenseNumber, issueDate }) => [stateCode, Number(licenseNumber), issueDate],
        );
        const appointments = once(
          rows.flatMap((one) => one.appointments ?? []),
          ({ stateCode, statusChangeDate }) => [stateCode, statusChangeDate],
        );
        const kept = <Row extends object>(row: Row): boolean => !('isDeleted' in row || 'validFrom' in row);
        const pieces = [
          ...licenses.filter(kept).map((row) => ({ licenses: [row] })),
          ...appointments.filter(kept).map((row) => ({ appointments: [row] })),
        ];
        return fc.tuple(
          fc.constant(pieces),
          fc.shuffledSubarray(pieces, { minLength: pieces.length }),
          fc.constant(history),
        );
      }),
      asked,
      configs,
      ([pieces, cut, history], question, versions) => {
        const at = (index: number) =>
          new Date(Date.parse('2026-01-01T15:00:00.000Z') + index * 1000).toISOString();
        const later = history.filter((command) => command.kind === 'list' && command.at > '2026-01-02');
        const whole: CaseCommand = {
          kind: 'import',
          at: at(0),
          licenses: pieces.flatMap((one) => ('licenses' in one ? one.licenses : [])),
          appointments: pieces.flatMap((one) => ('appointments' in one ? one.appointments : [])),
        };
        const calls = cut.map((piece, index): CaseCommand => ({ kind: 'import', at: at(index), ...piece }));
        expectSame(
          recordedBy([whole, ...later]),
          recordedBy([...calls, ...later]),
          { ...question, knownAt: late },
          versions,
        );
      },
    ),
  ));

// ── Absence and renewal

it('is not changed by an empty list, where what the list before had is back within 30 days', () =>
  holds(
    fc.property(
      commands,
      fc.integer({ min: 0, max: 30 }),
      asked,
      configs,
      (history, days, question, versions) => {
        const lists = history.filter(({ kind }) => kind === 'list');
        const last = lists.toSorted((one, other) => (one.at < other.at ? -1 : 1)).at(-1);
        if (last?.kind !== 'list') return;
        const { appointments = [] } = last;
        // An unrecognized row is no return: it does not say that the license is in force.
        const licenses = (last.licenses ?? []).filter(
          ({ status }) => statusKindOf(status, 'license') !== 'unrecognized',
        );
        const [again, gone, back] = [noon(100), noon(110), noon(110 + days)].map((at) => ({
          kind: 'list' as const,
          at,
          licenses,
          appointments,
        })) as unknown as [CaseCommand, CaseCommand, CaseCommand];
        const present = recordedBy([...lists, again]);
        const absent = { ...gone, licenses: [], appointments: [] } as CaseCommand;
        const returned = days === 0 ? { ...back, at: `${back.at.slice(0, 10)}T18:00:00.000Z` } : back;
        expectSame(
          recordedBy([returned], present),
          recordedBy([absent, returned], present),
          { ...question, knownAt: late },
          versions,
        );
      },
    ),
  ));

const day = fc.integer({ min: 0, max: 60 });

it('has no gap where a list names a renewal before it begins', () =>
  holds(
    fc.property(day, day, fc.integer({ min: 1, max: 60 }), (listed, more, until) => {
      // Listed on a day, the first term ends some days later, and the second one begins on the day after that or before.
      const end = listed + more;
      const first = license({ issueDate: dateOf(-100), nextRenewalDate: dateOf(end) });
      const second = license({
        issueDate: dateOf(Math.min(end + 1, listed + 1 + (until % (more + 1)))),
        nextRenewalDate: dateOf(end + until),
      });
      const facts = recordedBy([licenseList(dateOf(-90), first), licenseList(dateOf(listed), second)]);
      const answerOn = answering(
        facts,
        { stateCode: 'TX', party: 'agent', knownAt: late, carrier: { name: '', naicCodes: [], eins: [] } },
        [config()],
      );
      for (const one of datesFrom(dateOf(-100), dateOf(end + until + 1)))
        expectOn(one, answerOn(one).verdict, 'yes');
    }),
  ));

// ── Less of a license

it('is no yes by an earlier end of the terms of a license', () =>
  holds(
    fc.property(
      commandsOfOne,
      fc.integer({ min: 1, max: 60 }),
      asked,
      configs,
      (history, days, question, versions) => {
        const oneTerm = withRows(history, { license: (row) => ({ ...row, issueDate: dateOf(-300) }) });
        const shorter = withRows(oneTerm, {
          license: (row) => ({
            ...row,
            nextRenewalDate: row.nextRenewalDate && addDays(row.nextRenewalDate, -days),
            expirationDate: row.expirationDate && addDays(row.expirationDate, -days),
          }),
        });
        expectNoMoreYes({ before: recordedBy(oneTerm), after: recordedBy(shorter) }, question, versions);
      },
    ),
  ));

it('is no yes by a line of authority fewer', () =>
  holds(
    fc.property(
      commands,
      fc.constantFrom('16', '20'),
      asked,
      configs,
      (history, code, question, versions) => {
        // Of lines that are live: what ends a line makes no yes.
        const before = withRows(history, {
          license: (row) => ({
            ...row,
            linesOfAuthority: row.linesOfAuthority.map((one) => ({ ...one, status: 'active' })),
          }),
        });
        const fewer = withRows(before, {
          license: (row) => {
            const left = row.linesOfAuthority.filter((one) => one.code !== code);
            return left.length === 0 ? row : { ...row, linesOfAuthority: left };
          },
        });
        const ofLicenses = versions.map((version) => ({
          ...version,
          states: version.states.map((state) => ({ ...state, appointment: 'not required' })),
        })) as unknown as Configs;
        expectNoMoreYes({ before: recordedBy(before), after: recordedBy(fewer) }, question, ofLicenses);
      },
    ),
  ));
