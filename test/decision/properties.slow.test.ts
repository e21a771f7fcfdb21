import * as fc from 'fast-check';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { complianceOf, type StatusQuestion } from '../../shared/domain/compliance/status.ts';
import { nextConfigOf } from '../../shared/domain/decision/compliance-config.ts';
import { nextChangeOf } from '../../shared/domain/decision/coverage.ts';
import { decidePolicy, rememberingPolicies } from '../../shared/domain/decision/policy.ts';
import { prunable } from '../../shared/domain/decision/prune.ts';
import { decideSale } from '../../shared/domain/decision/sale.ts';
import { addDays, datesFrom } from '../../shared/platform/dates/dates.ts';
import { type Configs, daysOf, expectOn, expectSame, late, noon, rowsOf, said, shuffled } from './answers.ts';
import {
  appointment,
  appointmentImport,
  appointmentList,
  beacon,
  config,
  license,
  licenseList,
} from './case-rows.ts';
import type { AppointmentRow, CaseCommand, LicenseRow } from './commands.ts';
import {
  type AskedDay,
  answering,
  answerOf,
  appointmentRow,
  asked,
  commands,
  configs,
  coverageAt,
  dateOf,
  type Facts,
  holds,
  licenseRow,
  recordedBy,
  someDay,
  withCommand,
} from './histories.ts';

// What holds for whatever is recorded (OpenAPI, "How compliance is decided").

it('does not depend on the order of rows and facts', () =>
  holds(
    fc.property(
      commands.chain((history) =>
        fc.tuple(
          fc.constant(history),
          fc.tuple(
            ...history.map((command) => {
              const { licenses = [], appointments = [] } = rowsOf(command);
              return fc
                .tuple(shuffled<LicenseRow>(licenses), shuffled<AppointmentRow>(appointments))
                .map(
                  ([ofLicenses, ofAppointments]): CaseCommand =>
                    command.kind === 'not found'
                      ? command
                      : { ...command, licenses: ofLicenses, appointments: ofAppointments },
                );
            }),
          ),
        ),
      ),
      asked,
      configs,
      ([history, reordered], question, versions) => {
        const { licenses, appointments, closings, actions, unread, notFound } = recordedBy(reordered);
        expectSame(
          recordedBy(history),
          {
            licenses: licenses.toReversed(),
            appointments: appointments.toReversed(),
            closings: closings.toReversed(),
            actions: actions.toReversed(),
            unread: unread.toReversed(),
            notFound: notFound.toReversed(),
          },
          question,
          versions,
        );
      },
    ),
  ));

/** An import of many rows that retracts nothing and gives no day, and lists after it. */
const importAndLists = commands.map((history): [CaseCommand & { kind: 'import' }, ...CaseCommand[]] => {
  const stated = <Row extends object>(rows: readonly Row[] = []): readonly Row[] =>
    rows.filter((row) => !('isDeleted' in row));
  return [
    {
      kind: 'import',
      at: '2026-01-01T15:00:00.000Z',
      licenses: history.flatMap((command) => stated(rowsOf(command).licenses)),
      appointments: history.flatMap((command) => stated(rowsOf(command).appointments)),
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
          shuffled<Pick<CaseCommand & { kind: 'import' }, 'licenses' | 'appointments'>>([
            ...(command.licenses ?? []).map((row) => ({ licenses: [row] })),
            ...(command.appointments ?? []).map((row) => ({ appointments: [row] })),
          ]).map((pieces): CaseCommand[] => [
            ...pieces.map((piece) => ({ kind: 'import' as const, at: command.at, ...piece })),
            ...later,
          ]),
        ),
      ),
      asked,
      configs,
      ([whole, calls], question, versions) =>
        expectSame(recordedBy(whole), recordedBy(calls), question, versions),
    ),
  ));

/** An import as its program cuts it: what it says of one holder's licenses is one call, and of its appointments another. */
const inCalls = (command: CaseCommand): CaseCommand[] => {
  if (command.kind !== 'import') return [command];
  const { licenses, appointments, unread = [], ...others } = command;
  const unreadOf = (kind: 'license' | 'appointment') => unread.filter((row) => row.kind === kind);
  return [
    { ...others, licenses: licenses ?? [], unread: unreadOf('license') },
    { kind: 'import', at: command.at, appointments: appointments ?? [], unread: unreadOf('appointment') },
  ];
};

it('does not depend on whether an import states licenses and appointments in one call, whatever came before', () =>
  holds(
    fc.property(commands, fc.boolean(), asked, configs, (history, isReversed, question, versions) => {
      const calls = history
        .toSorted((one, other) => (one.at < other.at ? -1 : 1))
        .flatMap((command) => (isReversed ? inCalls(command).toReversed() : inCalls(command)));
      expectSame(recordedBy(history), recordedBy(calls), question, versions);
    }),
  ));

/** Numbers, codes, counties, and statuses as others write them. */
const respelled = (command: CaseCommand): CaseCommand => {
  if (command.kind === 'not found') return command;
  const { licenses, appointments } = command;
  const inCase = (text: string | null) => text && ` ${text.toUpperCase()} `;
  return {
    ...command,
    ...(licenses === undefined
      ? {}
      : {
          licenses: licenses.map((row) => ({
            ...row,
            licenseNumber: `0-0${row.licenseNumber}`,
            licenseClassCode: row.licenseClassCode?.toLowerCase() ?? null,
            status: row.status.toUpperCase(),
          })),
        }),
    ...(appointments === undefined
      ? {}
      : {
          appointments: appointments.map((row) => ({
            ...row,
            companyCode: row.companyCode && `00${row.companyCode}`,
            ein: row.ein?.replaceAll('-', '') ?? null,
            status: row.status.toUpperCase(),
            countyName: inCase(row.countyName)?.replace('-', ' ') ?? null,
          })),
        }),
  };
};

it('does not depend on how numbers, codes, counties, and statuses are spelled', () =>
  holds(
    fc.property(commands, asked, configs, (history, question, versions) =>
      expectSame(recordedBy(history), recordedBy(history.map(respelled)), question, versions),
    ),
  ));

function expectNothingOfRepetition(history: readonly CaseCommand[]): void {
  let facts = recordedBy([]);
  for (const command of history.toSorted((one, other) => (one.at < other.at ? -1 : 1))) {
    facts = withCommand(facts, command);
    const again = withCommand(facts, {
      ...command,
      at: new Date(Date.parse(command.at) + 10).toISOString(),
    });
    expect([again.licenses, again.appointments]).toEqual([facts.licenses, facts.appointments]);
  }
}

it('is written by no repeated import that states an appointment by the EIN and retracts it by the NAIC code', () =>
  expectNothingOfRepetition([
    appointmentList('2026-01-01', appointment({ ein: '75-1234567' })),
    appointmentImport('2026-01-02', appointment({ ein: '75-1234567', companyCode: null }), {
      ...appointment(),
      isDeleted: true,
    }),
  ]));

it('is today’s without `asOf`', () =>
  holds(
    fc.property(
      commands,
      asked,
      configs,
      someDay,
      (history, { party, stateCode, carrier }, versions, day) => {
        const now = new Date(`${day}T17:00:00.000Z`);
        const question = {
          party,
          stateCode,
          facts: recordedBy(history),
          configs: versions,
          carrier,
        } as unknown as StatusQuestion;
        const { basis, ...present } = complianceOf({ ...question, moment: momentOf({}, now) });
        const { basis: _basis, ...today } = complianceOf({
          ...question,
          moment: momentOf({ asOf: day }, now),
        });
        expect(basis).toBe('current');
        expect(present).toEqual(today);
      },
    ),
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
      const known = <One extends { readonly recordedAt: string }>(ones: readonly One[]) =>
        ones.filter(({ recordedAt }) => recordedAt <= question.knownAt);
      expectSame(
        facts,
        {
          licenses: known(facts.licenses),
          appointments: known(facts.appointments),
          closings: known(facts.closings),
          actions: known(facts.actions),
          unread: known(facts.unread),
          notFound: known(facts.notFound),
          sales: known(facts.sales ?? []),
        },
        question,
        versions,
      );
    }),
  ));

/** An end of what the history has, as an import states it with everything that tells which it is. */
const endOf = (history: readonly CaseCommand[], pick: number, date: string): CaseCommand | undefined => {
  const licenses = history.flatMap((command) => rowsOf(command).licenses ?? []);
  const appointments = history.flatMap((command) => rowsOf(command).appointments ?? []);
  const all = [...licenses, ...appointments];
  const row = all[pick % Math.max(all.length, 1)];
  if (row === undefined) return undefined;
  const at = noon(100);
  const { validFrom: _from, isDeleted: _deleted, ...stated } = row as LicenseRow & Record<string, unknown>;
  if ('licenseNumber' in row)
    return {
      kind: 'import',
      at,
      licenses: [{ ...(stated as unknown as LicenseRow), status: 'Revoked', statusDate: date }],
    };
  return {
    kind: 'import',
    at,
    appointments: [
      {
        ...(stated as unknown as AppointmentRow),
        status: 'Terminated',
        statusChangeDate: date,
        renewalDate: null,
      },
    ],
  };
};

it('never becomes a yes by an end of a license or an appointment on the days from it on', () =>
  holds(
    fc.property(commands, fc.nat(50), someDay, asked, configs, (history, pick, date, question, versions) => {
      const end = endOf(history, pick, date);
      if (end === undefined) return;
      const facts = recordedBy(history);
      const asOf = { ...question, knownAt: late };
      const ended = withCommand(facts, end);
      const before = answering(facts, asOf, versions);
      const after = answering(ended, asOf, versions);
      for (const day of daysOf([ended], asOf).filter((one) => one >= date))
        if (after(day).verdict === 'yes') expectOn(day, before(day).verdict, 'yes');
    }),
  ));

it('stays a yes where less is required', () =>
  holds(
    fc.property(commands, asked, configs, fc.nat(2), (history, question, versions, which) => {
      const answer = answerOf(recordedBy(history), question, versions);
      if (answer.verdict !== 'yes') return;
      const less = versions.map((version) => ({
        ...version,
        states: version.states.map((state) => ({
          ...state,
          ...(which === 0
            ? {
                linesOfAuthority: state.linesOfAuthority.slice(1),
                agency: { ...state.agency, linesOfAuthority: [] },
              }
            : { appointment: 'not required' as const }),
        })),
      })) as unknown as Configs;
      expect(answerOf(recordedBy(history), question, less).verdict).toBe('yes');
    }),
  ));

it('is the same on each day before the next change that records have without kinds of classes', () =>
  holds(
    fc.property(commands, asked, configs, (history, question, versions) => {
      const facts = recordedBy(history);
      const { day, knownAt } = question;
      const answerOn = answering(facts, question, versions);
      const next = nextChangeOf(coverageAt(facts, knownAt), day) ?? addDays(day, 100);
      const config = nextConfigOf(versions, day, knownAt);
      const last = addDays(config === null || next < config ? next : config, -1);
      const first = said(answerOn(day));
      for (const one of datesFrom(day, last < addDays(day, 100) ? last : addDays(day, 100)))
        expectOn(one, said(answerOn(one)), first);
    }),
  ));

it('is the same on each day before `nextChange`', () =>
  holds(
    fc.property(commands, asked, configs, (history, question, versions) => {
      const answerOn = answering(recordedBy(history), question, versions);
      // From the asked day on, from one change to the next.
      for (let [day, changes] = [question.day, 0]; changes < 6; changes += 1) {
        const first = said(answerOn(day));
        const next = answerOn(day).nextChange ?? addDays(day, 60);
        for (const one of datesFrom(day, next)) expectOn(one, said(answerOn(one)), first);
        day = next;
      }
    }),
  ));

it('is good until the last day of the same verdict', () =>
  holds(
    fc.property(commands, asked, configs, (history, question, versions) => {
      const { party, classKinds = [], ...rest } = question;
      const coverage = coverageAt(recordedBy(history), question.knownAt, classKinds);
      const one = { party, coverage };
      const saleOn = (day: string) =>
        decideSale({
          ...rest,
          day,
          configs: versions,
          agency: party === 'agency' ? one : undefined,
          sellers: party === 'agent' ? [one] : [],
          productId: 'the product',
          today: question.day,
        });
      const { verdict, goodUntil } = saleOn(question.day);
      const last = goodUntil ?? addDays(question.day, 500);
      for (const day of datesFrom(question.day, addDays(last, 1)))
        expectOn(day, saleOn(day).verdict, verdict);
      if (goodUntil !== null) expect(saleOn(addDays(goodUntil, 1)).verdict).not.toBe(verdict);
    }),
  ));

/** Expects of each day what is decided anew, whatever is remembered of other days and of others with the same records. */
function expectFromMemory(facts: Facts, question: AskedDay, versions: Configs, saleSeenOn?: string): void {
  const { party, classKinds = [], ...rest } = question;
  const one = { party, coverage: coverageAt(facts, question.knownAt, classKinds) };
  const decide = rememberingPolicies();
  for (const day of daysOf([facts], question)) {
    for (const judged of [one, { ...one, ownWord: { isArchived: true } }]) {
      const policy = {
        ...rest,
        day,
        today: question.day,
        saleSeenOn: saleSeenOn !== undefined && saleSeenOn < day ? day : saleSeenOn,
        products: [{ productId: 'the product', configs: versions }],
        agency: party === 'agency' ? judged : undefined,
        sellers: party === 'agent' ? [judged] : [],
        named: 'one' as const,
        policiesNameAgents: true,
      };
      expectOn(day, decide(policy), decidePolicy(policy));
    }
  }
}

it('is the same in each word where what was decided of other policies is remembered', () =>
  holds(
    fc.property(commands, asked, configs, fc.option(someDay), (history, question, versions, saleSeenOn) => {
      const dated = versions.map(({ states, ...version }) => ({
        ...version,
        states: states.map((state) => ({ ...state, appointWithinDays: 15 })),
      })) as unknown as Configs;
      expectFromMemory(recordedBy(history), question, dated, saleSeenOn ?? undefined);
    }),
  ));

it('is the same in each word on the days of the home state, from memory too', () => {
  const history = [
    licenseList('2026-01-01', license({ residencyStatus: 'non-resident' })),
    licenseList(
      '2026-01-02',
      license({ stateCode: 'CA', issueDate: '2025-06-01', nextRenewalDate: '2026-06-30' }),
    ),
  ];
  const question = {
    party: 'agent',
    stateCode: 'TX',
    day: '2026-02-01',
    knownAt: late,
    carrier: beacon,
  } as const;
  expectFromMemory(recordedBy(history), question, [config()]);
});

it('names the rows on which a yes rests', () =>
  holds(
    fc.property(commands, asked, configs, (history, question, versions) => {
      const { verdict, covering, licenseStatus, appointmentStatus } = answerOf(
        recordedBy(history),
        question,
        versions,
      );
      if (verdict !== 'yes') return;
      if (licenseStatus.statusName === 'Licensed') expect(covering.licenses).not.toHaveLength(0);
      if (appointmentStatus.statusName === 'Appointed') expect(covering.appointments).not.toHaveLength(0);
      // Without any one of them it is none, unless another row does its work.
      for (const row of [...covering.licenses, ...covering.appointments]) {
        const text = JSON.stringify(row);
        const left = <Row extends object>(rows: readonly Row[] = []): Row[] =>
          rows.filter((one) => {
            const { validFrom: _from, isDeleted: _deleted, ...stated } = one as Record<string, unknown>;
            return JSON.stringify(stated) !== text;
          });
        const without = history.map(
          (command): CaseCommand =>
            command.kind === 'not found'
              ? command
              : ({
                  ...command,
                  licenses: left(command.licenses),
                  appointments: left(command.appointments),
                } as CaseCommand),
        );
        const answer = answerOf(recordedBy(without), question, versions);
        if (answer.verdict !== 'yes') continue;
        const rowsOfAnswer = [...answer.covering.licenses, ...answer.covering.appointments];
        expect(rowsOfAnswer.map((one) => JSON.stringify(one))).not.toContain(text);
        if (answer.licenseStatus.statusName === 'Licensed')
          expect(answer.covering.licenses).not.toHaveLength(0);
        if (answer.appointmentStatus.statusName === 'Appointed')
          expect(answer.covering.appointments).not.toHaveLength(0);
      }
    }),
  ));

const rows = fc.record({
  licenses: fc.array(licenseRow, { maxLength: 4 }),
  appointments: fc.array(appointmentRow, { maxLength: 4 }),
});

it('stays the same for twenty years after what is older was pruned', () =>
  holds(
    fc.property(
      commands,
      rows,
      fc.integer({ min: 20, max: 130 }),
      asked,
      configs,
      (history, { licenses, appointments }, day, question, versions) => {
        const cutoff = noon(day);
        const facts = recordedBy([...history, { kind: 'list', at: noon(95), licenses, appointments }]);
        const gone = prunable(facts, `2046${cutoff.slice(4)}`);
        const without = <One>(ones: readonly One[], pruned: readonly One[]) =>
          ones.filter((one) => !pruned.includes(one));
        const kept: Facts = {
          ...facts,
          licenses: without(facts.licenses, gone.licenses),
          appointments: without(facts.appointments, gone.appointments),
          closings: without(facts.closings, gone.closings),
          actions: without(facts.actions, gone.actions ?? []),
          unread: without(facts.unread, gone.unread ?? []),
          notFound: without(facts.notFound, gone.notFound ?? []),
        };
        const { knownAt } = question;
        for (const known of [knownAt < cutoff ? cutoff : knownAt, late])
          expectSame(kept, facts, { ...question, knownAt: known }, versions, dateOf(day));
      },
    ),
  ));
