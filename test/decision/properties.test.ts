import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { complianceOf, type StatusQuestion } from '../../shared/domain/compliance/status.ts';
import type { ConfigVersion } from '../../shared/domain/decision/configs.ts';
import { boundariesOf, coverageOf } from '../../shared/domain/decision/coverage.ts';
import { includes, never } from '../../shared/domain/decision/dates.ts';
import type { Answer } from '../../shared/domain/decision/decide.ts';
import {
  type AppointmentRow,
  type LicenseRow,
  lineKey,
  termKey,
} from '../../shared/domain/decision/facts.ts';
import { prunable } from '../../shared/domain/decision/prune.ts';
import { addDays, datesFrom } from '../../shared/platform/dates/calendar.ts';
import {
  appointment,
  appointmentImport,
  appointmentList,
  beacon,
  type CaseCommand,
  license,
  licenseList,
  on,
} from './case-rows.ts';
import {
  type AskedDay,
  answering,
  answerOf,
  appointmentRow,
  asked,
  commands,
  configs,
  type Facts,
  histories,
  licenseRow,
  recordedBy,
  someDay,
  withCommand,
} from './histories.ts';

// What holds for whatever is recorded (OpenAPI, "listAgentLicenseComplianceStatuses").

/** An answer, whatever the order of the rows that cover. */
function unordered({ covering: { licenses, appointments }, ...answer }: Answer<LicenseRow, AppointmentRow>) {
  const texts = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
  return { ...answer, licenses: texts(licenses), appointments: texts(appointments) };
}

/** The asked day, and each day on which what is recorded may come to something else: those on which an answer may be new. */
function daysOf(recorded: readonly Facts[], { day, stateCode, knownAt }: AskedDay): string[] {
  const days = recorded.flatMap((facts) => {
    const coverage = coverageOf(facts, knownAt).get(stateCode);
    return coverage === undefined ? [] : [...boundariesOf(coverage)];
  });
  return [...new Set(['2000-01-01', day, ...days])].filter((one) => one !== '').sort();
}

type Configs = readonly [ConfigVersion, ...ConfigVersion[]];

/** What is answered of days, by the day. */
function answersOn(days: readonly string[], facts: Facts, question: AskedDay, versions: Configs) {
  const answerOn = answering(facts, question, versions);
  return Object.fromEntries(days.map((day) => [day, unordered(answerOn(day))]));
}

/** Expects the same answers for every day from one on. */
function expectSame(one: Facts, other: Facts, question: AskedDay, versions: Configs, from = ''): void {
  const days = daysOf([one, other], question).filter((day) => day >= from);
  expect(answersOn(days, one, question, versions)).toEqual(answersOn(days, other, question, versions));
}

/** Runs a property for as many histories as are asked for. */
const holds = <Values>(property: fc.IProperty<Values>) => fc.assert(property, { numRuns: histories });

const shuffled = <One>(ones: readonly One[]) =>
  fc.shuffledSubarray([...ones], { minLength: ones.length, maxLength: ones.length });

const late = '2099-01-01T00:00:00.000Z';

const dateOf = (day: number): string => addDays('2026-01-01', day);

/** After all commands of a history. */
const noon = (day: number): string => `${dateOf(day)}T17:00:00.000Z`;

const list = (
  day: number,
  rows: Pick<CaseCommand & { kind: 'list' }, 'licenses' | 'appointments'>,
): CaseCommand => ({
  kind: 'list',
  at: noon(day),
  ...rows,
});

it('does not depend on the order of rows and facts', () =>
  holds(
    fc.property(
      commands.chain((history) =>
        fc.tuple(
          fc.constant(history),
          fc.tuple(
            ...history.map((command) =>
              fc
                .tuple(shuffled(command.licenses ?? []), shuffled(command.appointments ?? []))
                .map(([licenses, appointments]) => ({ ...command, licenses, appointments }) as CaseCommand),
            ),
          ),
        ),
      ),
      asked,
      configs,
      ([history, reordered], question, versions) => {
        const { licenses, appointments, closings } = recordedBy(reordered);
        expectSame(
          recordedBy(history),
          {
            licenses: licenses.toReversed(),
            appointments: appointments.toReversed(),
            closings: closings.toReversed(),
          },
          question,
          versions,
        );
      },
    ),
  ));

/** Commands of different days, the rows of whose imports state each term and appointment once. */
const onceStated = commands.map((history) => {
  const once = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] =>
    rows.filter((row, index) => rows.findIndex((other) => keyOf(other) === keyOf(row)) === index);
  return once(history, ({ at }) => at.slice(0, 10)).map((command): CaseCommand => {
    const at = `${command.at.slice(0, 10)}T17:00:00.000Z`;
    if (command.kind === 'list') return { ...command, at };
    const { licenses = [], appointments = [] } = command;
    return {
      ...command,
      at,
      licenses: once(licenses, (row) => `${row.stateCode} ${termKey(row)}`),
      appointments: once(appointments, (row) => `${row.stateCode} ${lineKey(row)} ${row.countyName}`),
    };
  });
});

/** A command for each row of an import, in any order, on the same day in New York. */
const cut = (command: CaseCommand): fc.Arbitrary<CaseCommand[]> => {
  if (command.kind === 'list') return fc.constant([command]);
  const { licenses = [], appointments = [] } = command;
  return shuffled<Pick<CaseCommand & { kind: 'import' }, 'licenses' | 'appointments'>>([
    ...licenses.map((row) => ({ licenses: [row] })),
    ...appointments.map((row) => ({ appointments: [row] })),
  ]).map((pieces) =>
    pieces.map((piece, index) => ({
      kind: 'import',
      at: `${command.at.slice(0, 10)}T${14 + index}:00:00.000Z`,
      ...piece,
    })),
  );
};

it('does not depend on how an import is cut that states each term and appointment once', () =>
  holds(
    fc.property(
      onceStated.chain((history) =>
        fc.tuple(
          fc.constant(history),
          fc.tuple(...history.map(cut)).map((commandsOfEach) => commandsOfEach.flat()),
        ),
      ),
      asked,
      configs,
      ([whole, pieces], question, versions) =>
        expectSame(recordedBy(whole), recordedBy(pieces), question, versions),
    ),
  ));

/** An import of many rows that retracts nothing, and lists after it. */
const importAndLists = commands.map((history): [CaseCommand, ...CaseCommand[]] => {
  const stated = <Row extends object>(rows: readonly Row[] = []): readonly Row[] =>
    rows.filter((row) => !('isDeleted' in row));
  return [
    {
      kind: 'import',
      at: '2026-01-01T15:00:00.000Z',
      licenses: history.flatMap(({ licenses }) => stated(licenses)),
      appointments: history.flatMap(({ appointments }) => stated(appointments)),
    },
    ...history.filter(({ kind, at }) => kind === 'list' && at > '2026-01-02'),
  ];
});

it('does not depend on how many calls an import takes', () =>
  holds(
    fc.property(
      importAndLists.chain(([command, ...later]) =>
        fc.tuple(
          fc.constant([command, ...later]),
          cut(command).map((calls) => [...calls.map((call) => ({ ...call, at: command.at })), ...later]),
        ),
      ),
      asked,
      configs,
      ([whole, calls], question, versions) =>
        expectSame(recordedBy(whole), recordedBy(calls), question, versions),
    ),
  ));

function expectNothingOfRepetition(history: readonly CaseCommand[]): void {
  let facts = recordedBy([]);
  for (const command of history.toSorted((one, other) => (one.at < other.at ? -1 : 1))) {
    facts = withCommand(facts, command);
    const again = new Date(Date.parse(command.at) + 10).toISOString();
    expect(withCommand(facts, { ...command, at: again })).toEqual(facts);
  }
}

it('is written by nothing that is repeated', () => holds(fc.property(commands, expectNothingOfRepetition)));

it('is written by no repeated import that states an appointment by the EIN and retracts it by the NAIC code', () =>
  expectNothingOfRepetition([
    appointmentList('2026-01-01', appointment({ ein: '75-1234567' })),
    appointmentImport('2026-01-02', appointment({ ein: '75-1234567', companyCode: null }), {
      ...appointment(),
      isDeleted: true,
    }),
  ]));

it('is written by no repeated import that retracts an appointment by the EIN and states it by the NAIC code as it is listed', () => {
  const byEin = appointment({ ein: '75-1234567', companyCode: null });
  const byCode = appointment({ ein: '75-1234567' });
  expectNothingOfRepetition([
    appointmentList('2026-01-01', byEin),
    appointmentList('2026-01-02', byEin, byCode),
    appointmentImport('2026-01-03', byCode, { ...byEin, isDeleted: true }),
  ]);
});

it('is today’s without `asOf`', () =>
  holds(
    fc.property(commands, asked, configs, someDay, (history, { party, stateCode }, versions, day) => {
      const now = new Date(`${day}T17:00:00.000Z`);
      const facts = recordedBy(history);
      const question = {
        party,
        stateCode,
        facts,
        configs: versions,
        carrier: beacon,
      } as unknown as StatusQuestion;
      const { basis, ...present } = complianceOf({ ...question, moment: momentOf({}, now) });
      const { basis: _basis, ...today } = complianceOf({ ...question, moment: momentOf({ asOf: day }, now) });
      expect(basis).toBe('current');
      expect(present).toEqual(today);
    }),
  ));

describe('by a clock', () => {
  beforeAll(() => {
    jest.useFakeTimers();
  });
  afterAll(() => {
    jest.useRealTimers();
  });

  it('is decided alike at any time', () =>
    holds(
      fc.property(commands, asked, configs, someDay, someDay, (history, question, versions, one, other) => {
        const facts = recordedBy(history);
        const at = (time: string) => {
          jest.setSystemTime(new Date(`${time}T17:00:00.000Z`));
          return answerOf(facts, question, versions);
        };
        expect(at(one)).toEqual(at(other));
      }),
    ));
});

/** Commands some of whose rows, and whose closing items, are written hours or days after they began. */
const writtenLate = fc
  .tuple(commands, fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { minLength: 7, maxLength: 7 }))
  .map(([history, delays]) =>
    history.map((command, index) => {
      const after = (hours: number) => new Date(Date.parse(command.at) + hours * 3_600_000).toISOString();
      const [toRows = 0, toClosing = 0] = delays[index] ?? [];
      return { ...command, recordedAt: after(toRows), closedAt: after(toRows + toClosing) };
    }),
  );

it('knows nothing of what is recorded after the moment', () =>
  holds(
    fc.property(writtenLate, asked, configs, (history, question, versions) => {
      const facts = recordedBy(history);
      const isKnown = ({ recordedAt }: { readonly recordedAt: string }) => recordedAt <= question.knownAt;
      const known = {
        licenses: facts.licenses.filter(isKnown),
        appointments: facts.appointments.filter(isKnown),
        closings: facts.closings.filter(isKnown),
      };
      expectSame(facts, known, question, versions);
      const earlier = history.filter(({ at }) => at <= question.knownAt);
      expectSame(facts, recordedBy(earlier), question, versions);
    }),
  ));

const rows = fc.record({
  licenses: fc.array(licenseRow, { maxLength: 4 }),
  appointments: fc.array(appointmentRow, { maxLength: 4 }),
});

it('forgives an omission that is made good within 30 days', () =>
  holds(
    fc.property(
      commands,
      rows,
      fc.func(fc.boolean()),
      fc.integer({ min: 1, max: 40 }),
      fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(30)),
      asked,
      configs,
      (history, { licenses, appointments }, isLeftOut, first, absence, question, versions) => {
        // Where an imported version begins between the lists, the one that leaves out says of what it names that it still holds.
        const imported = history.flatMap((one) => (one.kind === 'import' ? (one.licenses ?? []) : []));
        fc.pre(
          imported.every(
            ({ validFrom = '' }) => validFrom <= noon(95) || validFrom > noon(95 + first + absence),
          ),
        );
        const full = { licenses, appointments };
        const partial = {
          licenses: licenses.filter((row) => !isLeftOut(`${row.stateCode} ${termKey(row)}`)),
          appointments: appointments.filter(
            (row) => !isLeftOut(`${row.stateCode} ${lineKey(row)} ${row.countyName}`),
          ),
        };
        const begun = recordedBy([...history, list(95, full)]);
        const back = list(95 + first + absence, full);
        expectSame(
          withCommand(begun, back),
          withCommand(withCommand(begun, list(95 + first, partial)), back),
          { ...question, knownAt: late },
          versions,
        );
      },
    ),
  ));

it('has no gap between terms of which a list names the later one days before or after its start', () =>
  holds(
    fc.property(
      fc.record({
        end: fc.integer({ min: 30, max: 60 }),
        overlap: fc.integer({ min: 0, max: 20 }),
        listed: fc.integer({ min: -20, max: 30 }),
        isNewTerm: fc.boolean(),
        withBoth: fc.boolean(),
        lapsed: fc.constantFrom('active', 'inactive', 'Expired'),
        issueDate: fc.constantFrom(null, dateOf(-300)),
      }),
      ({ end, overlap, listed, isNewTerm, withBoth, lapsed, issueDate }) => {
        const term = license({ issueDate, nextRenewalDate: dateOf(end), expirationDate: dateOf(end) });
        const renewal = {
          ...(isNewTerm ? { ...term, issueDate: dateOf(end + 1 - overlap) } : term),
          nextRenewalDate: dateOf(end + 365),
          expirationDate: dateOf(end + 365),
        };
        const on15 = (day: number, ...licenses: LicenseRow[]) => licenseList(dateOf(day), ...licenses);
        // A term that is live again after it was not had a gap.
        const status = isNewTerm ? lapsed : 'active';
        const after = listed > 1 ? [on15(end + 1, { ...term, status })] : [];
        const both = withBoth && isNewTerm ? [on15(end + listed, term, renewal)] : [];
        const facts = recordedBy([
          on15(2, term),
          ...after,
          ...both,
          on15(end + listed + 1, renewal),
          on15(end + listed + 9, renewal),
        ]);
        const { configs: versions, ...question } = on(dateOf(end));
        const days = Array.from({ length: end + 364 }, (_, index) => dateOf(index + 2));
        const answerOn = answering(facts, question, versions);
        expect(days.filter((day) => answerOn(day).licenseStatus.statusName !== 'Licensed')).toEqual([]);
      },
    ),
  ));

/** The days that a term covers among some, and those on which its lines count. */
function coveredDays(facts: Facts, row: LicenseRow, days: readonly string[]): Set<string> {
  const terms = coverageOf(facts, late).get(row.stateCode)?.terms ?? [];
  const spans = terms
    .filter(({ license: key, begins }) => termKey(row) === `${key}#${begins}`)
    .flatMap((term) => term.spans);
  return new Set(
    days.flatMap((day) =>
      spans
        .filter((span) => includes(span, day))
        .flatMap(({ lines }) => [
          day,
          ...Array.from(lines, ([code, ofLine]) =>
            ofLine.some((one) => includes(one, day)) ? [`${day} ${code}`] : [],
          ).flat(),
        ]),
    ),
  );
}

it('covers no more by an earlier own end, or a line fewer', () =>
  holds(
    fc.property(
      commands,
      licenseRow,
      fc.constantFrom('list' as const, 'import' as const),
      fc.option(someDay),
      fc.integer({ min: 0, max: 2 }),
      fc.boolean(),
      (history, row, kind, end, fewer, isKnown) => {
        const live = { ...row, status: 'active' };
        const less = {
          ...live,
          linesOfAuthority: live.linesOfAuthority.slice(fewer),
          ...(end !== null && end < (row.nextRenewalDate ?? never) ? { nextRenewalDate: end } : {}),
        };
        const facts = recordedBy([...history, list(92, { licenses: isKnown ? [live] : [] })]);
        const stating = (licenses: LicenseRow[]) =>
          withCommand(facts, { kind, at: noon(95), licenses, appointments: [] });
        const [more, fewest] = [stating([live]), stating([less])];
        const question = {
          day: dateOf(95),
          knownAt: late,
          stateCode: row.stateCode,
          party: 'agent',
        } as const;
        const days = daysOf([more, fewest], question);
        const covered = coveredDays(more, row, days);
        expect([...coveredDays(fewest, row, days)].filter((day) => !covered.has(day))).toEqual([]);
      },
    ),
  ));

it('leaves today alone where an import states an earlier version of a term', () =>
  holds(
    fc.property(
      commands,
      licenseRow,
      someDay,
      someDay,
      licenseRow,
      asked,
      configs,
      (history, row, present, former, other, question, versions) => {
        fc.pre(former < present && present <= dateOf(95));
        const stated = { kind: 'import', at: noon(95), licenses: [{ ...row, validFrom: present }] } as const;
        const { stateCode, licenseNumber, licenseClassCode, issueDate } = row;
        const identity = { stateCode, licenseNumber, licenseClassCode, issueDate };
        const facts = withCommand(recordedBy(history), stated);
        const changed = withCommand(facts, {
          kind: 'import',
          at: noon(97),
          licenses: [{ ...other, ...identity, validFrom: former }],
        });
        const asOf = { ...question, stateCode, knownAt: late };
        const days = daysOf([facts, changed], asOf).filter((day) => day >= dateOf(97));
        const statusesOf = (one: Facts) => {
          const answerOn = answering(one, asOf, versions);
          return days.map((day) => {
            const { licenseStatus, covering } = answerOn(day);
            return [day, licenseStatus.statusName, covering.licenses];
          });
        };
        expect(statusesOf(changed)).toEqual(statusesOf(facts));
      },
    ),
  ));

/** What a text that is written as JSON says with its dates spelled as midnight in UTC. */
const atMidnight = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(/"(\d{4}-\d\d-\d\d)"/g, '"$1T00:00:00.000Z"'));

it('reads midnight in UTC as the date that is written', () =>
  holds(
    fc.property(commands, asked, configs, (history, question, versions) => {
      const spelled = recordedBy(history.map(atMidnight));
      const facts = recordedBy(history);
      const days = daysOf([facts, spelled], question);
      expect(answersOn(days, spelled, question, versions)).toEqual(
        Object.fromEntries(
          Object.entries(answersOn(days, facts, question, versions)).map(
            ([day, { licenses, appointments, ...answer }]) => [
              day,
              {
                ...answer,
                licenses: licenses.map((row) => JSON.stringify(atMidnight(JSON.parse(row)))),
                appointments: appointments.map((row) => JSON.stringify(atMidnight(JSON.parse(row)))),
              },
            ],
          ),
        ),
      );
    }),
  ));

it('is the same on each day before `nextChange`', () =>
  holds(
    fc.property(commands, asked, configs, (history, question, versions) => {
      const answerOn = answering(recordedBy(history), question, versions);
      const onDay = (day: string) => {
        const { basis: _basis, ...answer } = unordered(answerOn(day));
        return answer;
      };
      // From the asked day on, from one change to the next.
      for (let [day, changes] = [question.day, 0]; changes < 8; changes += 1) {
        const first = onDay(day);
        const next = first.nextChange ?? addDays(day, 60);
        expect(datesFrom(day, next).filter((one) => !isDeepStrictEqual(onDay(one), first))).toEqual([]);
        day = next;
      }
    }),
  ));

/** Live versions of a term and of a status change again and again, among other commands. */
const renewed = fc
  .tuple(
    commands,
    licenseRow,
    appointmentRow,
    fc.uniqueArray(
      fc.record({
        day: fc.integer({ min: 0, max: 100 }),
        isList: fc.boolean(),
        version: licenseRow,
        change: appointmentRow,
        former: fc.option(fc.record({ version: licenseRow, validFrom: someDay }), { freq: 2 }),
      }),
      { maxLength: 8, selector: ({ day }) => day },
    ),
  )
  .map(([history, term, appointment, renewals]) => {
    const renewal = ({ linesOfAuthority, nextRenewalDate }: LicenseRow): LicenseRow => ({
      ...term,
      status: 'active',
      linesOfAuthority,
      nextRenewalDate,
    });
    const commandOf = ({ day, isList, version, change, former }: (typeof renewals)[number]): CaseCommand => {
      const appointments = [{ ...appointment, renewalDate: change.renewalDate }];
      const licenses = [renewal(version)];
      if (isList || former === null)
        return { kind: isList ? 'list' : 'import', at: noon(day), licenses, appointments };
      const { validFrom } = former;
      return {
        kind: 'import',
        at: noon(day),
        licenses: [...licenses, { ...renewal(former.version), validFrom }],
        appointments,
      };
    };
    return [...history, ...renewals.map(commandOf)];
  });

it('stays the same for twenty years after what is older was pruned', () =>
  holds(
    fc.property(
      renewed,
      fc.integer({ min: 20, max: 130 }),
      asked,
      configs,
      (history, day, question, versions) => {
        const cutoff = noon(day);
        const [before, after] = [
          history.filter(({ at }) => at < noon(day + 10)),
          history.filter(({ at }) => at >= noon(day + 10)),
        ];
        const facts = recordedBy(before);
        const gone = prunable(facts, `2046${cutoff.slice(4)}`);
        const without = <One>(ones: readonly One[], pruned: readonly One[]) =>
          ones.filter((one) => !pruned.includes(one));
        const kept: Facts = {
          licenses: without(facts.licenses, gone.licenses),
          appointments: without(facts.appointments, gone.appointments),
          closings: without(facts.closings, gone.closings),
        };
        const expectSameWith = (one: Facts, other: Facts) => {
          const { knownAt } = question;
          for (const known of [knownAt < cutoff ? cutoff : knownAt, late])
            expectSame(one, other, { ...question, knownAt: known }, versions, dateOf(day));
        };
        expectSameWith(kept, facts);
        const later = (start: Facts) => recordedBy(after, start);
        expectSameWith(later(kept), later(facts));
      },
    ),
  ));
