import { appointmentsFound } from '../../shared/domain/decision/appointment-verdict.ts';
import { appointmentOn, appointmentsOf } from '../../shared/domain/decision/appointments.ts';
import { countingFor, type Insurers } from '../../shared/domain/decision/carrier.ts';
import type { LineRequirement } from '../../shared/domain/decision/compliance-config.ts';
import {
  type AppointmentRow,
  type Closing,
  type Fact,
  inOrder,
  noFacts,
  type Unread,
} from '../../shared/domain/decision/facts.ts';
import { recordImport, recordLists } from '../../shared/domain/decision/record.ts';

// When an appointment is in force, and whose counts, without licenses and configs.

/** An appointment of one company for one line, since 2020. */
const appointment = (fields: Partial<AppointmentRow> = {}): AppointmentRow => ({
  stateCode: 'TX',
  carrierName: 'Beacon Specialty Insurance Company',
  ein: null,
  companyCode: '22314',
  lineOfAuthorityCode: '16',
  lineOfAuthorityName: 'Casualty',
  status: 'Appointed',
  terminationReason: null,
  statusChangeDate: '2020-01-01',
  renewalDate: null,
  countyName: null,
  countyCode: null,
  effectiveDate: null,
  ...fields,
});

const ended = (fields: Partial<AppointmentRow> = {}): AppointmentRow =>
  appointment({ status: 'Terminated', statusChangeDate: '2026-02-01', ...fields });

interface Said {
  readonly kind: 'list' | 'import';
  readonly on: string;
  readonly rows: readonly (AppointmentRow & { readonly validFrom?: string; readonly isDeleted?: boolean })[];
}

const list = (on: string, ...rows: Said['rows']): Said => ({ kind: 'list', on, rows });
const imported = (on: string, ...rows: Said['rows']): Said => ({ kind: 'import', on, rows });

/** What is recorded, one command after the other. */
function recorded(commands: readonly Said[]) {
  let facts: { appointments: readonly Fact<AppointmentRow>[]; closings: readonly Closing[] } = noFacts;
  for (const { kind, on, rows } of commands) {
    const commandAt = on.length > 10 ? on : `${on}T15:00:00.000Z`;
    const by = kind === 'list' ? ('synchronization' as const) : ('import' as const);
    const command = { commandId: commandAt, commandAt, by };
    const known = { ...noFacts, ...facts };
    const added =
      kind === 'list'
        ? recordLists(known, { licenses: undefined, appointments: rows }, command)
        : recordImport(
            known,
            {
              licenses: [],
              appointments: rows.map(({ validFrom = null, isDeleted = false, ...row }) => ({
                row,
                validFrom,
                isDeleted,
              })),
            },
            command,
          );
    facts = {
      appointments: [
        ...facts.appointments,
        ...added.appointments.map((one) => ({ ...one, by, recordedAt: commandAt })),
      ],
      closings: [...facts.closings, ...added.closings.map((one) => ({ ...one, by, recordedAt: commandAt }))],
    };
  }
  return facts;
}

function coverageAfter(commands: readonly Said[], unread: readonly Unread[] = []) {
  const { appointments, closings } = recorded(commands);
  return appointmentsOf(inOrder(appointments), inOrder(closings), unread);
}

/** Of each appointment by its line, what it is on a day: in force, not known by a code, or not in force. */
function on(day: string, ...commands: readonly Said[]) {
  return Object.fromEntries(
    coverageAfter(commands).appointments.map((one) => {
      const { rows, code } = appointmentOn(one, day);
      const line = [one.companyCode, one.lineCode ?? one.lineName ?? 'all'].join(' ');
      return [line, code ?? (rows.length > 0 ? 'in force' : 'not in force')];
    }),
  );
}

const only = (day: string, ...commands: readonly Said[]) => {
  const days = Object.values(on(day, ...commands));
  expect(days).toHaveLength(1);
  return days[0];
};

describe('a status change', () => {
  it.each(['Pending', 'Rejected', 'Denied'])('that is %s says nothing of the time before', (status) => {
    const row = appointment({ status, statusChangeDate: '2026-06-01' });
    expect(only('2021-05-05', list('2026-06-02', row))).toBe('not in force');
    expect(only('2026-07-01', list('2026-06-02', row))).toBe('not in force');
  });

  it('that is approved or in force is live', () => {
    for (const status of ['Approved', 'In Force', 'Active'])
      expect(only('2021-05-05', list('2026-06-02', appointment({ status })))).toBe('in force');
  });

  it('that is not recognized is not known from its date on, and nothing before', () => {
    const history = [
      list('2026-01-10', appointment()),
      list('2026-06-02', appointment(), appointment({ status: 'Nullified', statusChangeDate: '2026-06-01' })),
    ];
    expect(only('2026-05-31', ...history)).toBe('in force');
    expect(only('2026-06-01', ...history)).toBe('status_unrecognized');
    const alone = list('2026-06-02', appointment({ status: 'Nullified', statusChangeDate: null }));
    expect(only('2026-06-01', alone)).toBe('not in force');
    expect(only('2026-06-02', alone)).toBe('status_unrecognized');
  });

  it('that is pending ends what was live', () => {
    const history = [
      list('2026-01-10', appointment()),
      list('2026-06-02', appointment({ status: 'Pending', statusChangeDate: '2026-06-01' })),
    ];
    expect(only('2026-05-31', ...history)).toBe('in force');
    expect(only('2026-06-01', ...history)).toBe('not in force');
  });
});

describe('an appointment', () => {
  it('is not known before an end that is the earliest known change, up to its renewal date', () => {
    expect(only('2019-05-05', list('2026-03-10', ended()))).toBe('appointment_unknown');
    expect(only('2026-02-01', list('2026-03-10', ended()))).toBe('not in force');
    const renewed = list('2026-03-10', ended({ renewalDate: '2025-12-31' }));
    expect(only('2025-12-31', renewed)).toBe('appointment_unknown');
    expect(only('2026-01-01', renewed)).toBe('not in force');
  });

  it('without a date is known from the day it became known on, or from the day that an import gives', () => {
    const undated = appointment({ statusChangeDate: null });
    expect(only('2019-01-01', list('2026-03-10', undated))).toBe('appointment_unknown');
    expect(only('2026-03-10', list('2026-03-10', undated))).toBe('in force');
    const given = imported('2026-03-10', { ...undated, validFrom: '2022-01-01' });
    expect(only('2022-01-01', given)).toBe('in force');
    expect(only('2021-12-31', given)).toBe('appointment_unknown');
  });

  it('without a date outlives a dated end only by a list', () => {
    const undated = appointment({ statusChangeDate: null });
    expect(only('2026-03-20', imported('2026-03-10', ended()), imported('2026-03-11', undated))).toBe(
      'not in force',
    );
    expect(only('2026-03-20', list('2026-03-10', ended()), list('2026-03-11', undated))).toBe('in force');
  });

  it('without a date does not outlive a dated end of its own command, or of the day it became known', () => {
    const undated = appointment({ statusChangeDate: null });
    expect(only('2026-03-20', list('2026-03-10', undated, ended()))).toBe('not in force');
    const end = ended({ statusChangeDate: '2026-03-10' });
    expect(only('2026-03-20', imported('2026-03-10', undated, end))).toBe('not in force');
  });

  it('is in force until the later of several renewal dates, and ended by the earlier of those of ends', () => {
    const dates = ['2026-06-30', '2026-09-30'];
    for (const order of [dates, dates.toReversed()]) {
      const renewals = list('2026-01-10', ...order.map((renewalDate) => appointment({ renewalDate })));
      expect(only('2026-09-30', renewals)).toBe('in force');
      expect(only('2026-10-01', renewals)).toBe('not in force');
    }
    const ends = ['2026-02-20', '2026-01-20'].map((renewalDate) =>
      ended({ statusChangeDate: null, renewalDate }),
    );
    const history = [list('2026-01-10', appointment()), imported('2026-03-10', ...ends)];
    expect(only('2026-01-19', ...history)).toBe('in force');
    expect(only('2026-01-20', ...history)).toBe('not in force');
  });

  it('gives no days before a change that another of its day replaced', () => {
    const live = appointment({ statusChangeDate: '2024-01-01', effectiveDate: '2020-01-01' });
    const pending = appointment({ statusChangeDate: '2024-01-01', status: 'Pending' });
    expect(only('2022-01-01', imported('2026-01-10', live))).toBe('in force');
    expect(only('2022-01-01', imported('2026-01-10', live), imported('2026-02-10', pending))).toBe(
      'not in force',
    );
  });

  it('covers all lines where its code says so', () => {
    expect(on('2026-03-20', list('2026-03-10', appointment({ lineOfAuthorityCode: 'ALL' })))).toEqual({
      '22314 all': 'in force',
    });
  });

  it('counts from an earlier effective date, but for days from an end between', () => {
    const history = list(
      '2026-03-10',
      ended({ statusChangeDate: '2020-06-01' }),
      appointment({ statusChangeDate: '2024-01-01', effectiveDate: '2015-01-01' }),
    );
    expect(only('2022-01-01', history)).toBe('not in force');
    expect(only('2018-01-01', history)).toBe('in force');
    expect(only('2014-12-31', history)).toBe('appointment_unknown');
    const spells = list(
      '2026-03-10',
      appointment({ statusChangeDate: '2015-01-01' }),
      ended({ statusChangeDate: '2020-01-01' }),
      appointment({ statusChangeDate: '2024-01-01', effectiveDate: '2024-01-01' }),
    );
    expect(only('2018-01-01', spells)).toBe('in force');
    const back = appointment({ statusChangeDate: '2026-05-01', effectiveDate: '2020-01-01' });
    const left = [list('2026-01-10', appointment()), list('2026-02-10'), list('2026-05-10', back)];
    expect(only('2026-02-09', ...left)).toBe('in force');
    expect(only('2026-02-10', ...left)).toBe('not in force');
    expect(only('2022-01-01', spells)).toBe('not in force');
  });

  it('that ends without a date ended when that became known, if it was known as live on a day before', () => {
    const end = ended({ statusChangeDate: null });
    const history = [list('2026-01-10', appointment()), list('2026-03-10', end)];
    expect(only('2026-03-09', ...history)).toBe('in force');
    expect(only('2026-03-10', ...history)).toBe('not in force');
    expect(only('2022-01-01', list('2026-03-10', end))).toBe('not in force');
    for (const commands of [
      [imported('2026-03-10', appointment(), end)],
      [imported('2026-03-10T15:00:00.000Z', appointment()), imported('2026-03-10T16:00:00.000Z', end)],
      [imported('2026-03-10T15:00:00.000Z', end), imported('2026-03-10T16:00:00.000Z', appointment())],
    ])
      expect(only('2022-01-01', ...commands)).toBe('not in force');
  });

  it('is taken back by a list that names it without its end', () => {
    expect(
      only('2026-03-20', list('2026-03-10', appointment(), ended()), list('2026-03-11', appointment())),
    ).toBe('in force');
  });

  it('that a list leaves out ended, and only what is stated again is back', () => {
    const history = [list('2026-01-10', appointment()), list('2026-03-10')];
    expect(only('2026-03-09', ...history)).toBe('in force');
    expect(only('2026-03-10', ...history)).toBe('not in force');
    expect(only('2026-03-20', ...history, list('2026-04-09', appointment()))).toBe('in force');
    expect(only('2026-03-20', ...history, list('2026-04-10', appointment()))).toBe('not in force');
    expect(only('2026-04-10', ...history, list('2026-04-10', appointment()))).toBe('in force');
    expect(
      only('2026-03-20', ...history, imported('2026-03-15', ended({ statusChangeDate: '2019-01-01' }))),
    ).toBe('not in force');
  });
});

describe('an end of an import', () => {
  const live = list('2026-01-10', appointment());

  it.each<[string, Partial<AppointmentRow>, Partial<AppointmentRow>]>([
    ['without a line', {}, { lineOfAuthorityCode: null, lineOfAuthorityName: null }],
    ['of all lines', {}, { lineOfAuthorityCode: null, lineOfAuthorityName: 'All Lines' }],
    [
      'with the code of a line of which only the name is held',
      { lineOfAuthorityCode: null },
      { lineOfAuthorityName: 'CASUALTY' },
    ],
    [
      'with the code alone, of a line of which only the name is held',
      { lineOfAuthorityCode: null },
      { lineOfAuthorityName: null },
    ],
    ['with the name alone', {}, { lineOfAuthorityCode: null, lineOfAuthorityName: 'CASUALTY' }],
    ['with leading zeros in the code', {}, { companyCode: '0022314' }],
    ['without a code, by the name', {}, { companyCode: null, carrierName: 'BEACON SPECIALTY INS CO' }],
    [
      'without a code, by the EIN',
      { ein: '75-1234567' },
      { companyCode: null, carrierName: null, ein: '751234567' },
    ],
    ['with another spelling of the county', { countyName: 'Miami-Dade' }, { countyName: 'MIAMI DADE' }],
    ['of a county that no held row has', { countyName: 'Miami-Dade' }, { countyName: 'DADE' }],
    ['without a county', { countyName: 'Miami-Dade' }, {}],
  ])('%s ends what it may mean', (_, held, end) => {
    const { appointments } = coverageAfter([
      list('2026-01-10', appointment(held)),
      imported('2026-02-02', ended({ ...held, countyName: null, ein: null, ...end })),
    ]);
    const isInForceOn = (day: string) => appointments.some((one) => appointmentOn(one, day).rows.length > 0);
    expect([isInForceOn('2026-01-31'), isInForceOn('2026-02-01')]).toEqual([true, false]);
  });

  it('ends no other line, county, or company', () => {
    for (const other of [
      { lineOfAuthorityCode: '20', lineOfAuthorityName: 'Property' },
      { companyCode: '10847' },
      { companyCode: null, carrierName: 'Other Mutual' },
    ]) {
      const end = imported('2026-02-02', ended(other));
      expect(on('2026-02-02', live, end)['22314 16']).toBe('in force');
      expect(coverageAfter([live, end]).unmatchedEnds).toHaveLength(1);
    }
    const counties = list(
      '2026-01-10',
      appointment({ countyName: 'Dade' }),
      appointment({ countyName: 'Travis' }),
    );
    const covered = coverageAfter([
      counties,
      imported('2026-02-02', ended({ countyName: 'Dade' })),
    ]).appointments;
    expect(covered.map((one) => appointmentOn(one, '2026-02-02').rows.length).sort()).toEqual([0, 1]);
  });

  it('ends all that it may mean: of several companies of one name, and of a county', () => {
    const companies = list('2026-01-10', appointment(), appointment({ companyCode: '10847' }));
    const byName = imported('2026-02-02', ended({ companyCode: null }));
    expect(on('2026-01-31', companies, byName)).toMatchObject({
      '22314 16': 'in force',
      '10847 16': 'in force',
    });
    expect(on('2026-02-01', companies, byName)).toMatchObject({
      '22314 16': 'not in force',
      '10847 16': 'not in force',
    });
    const counties = list(
      '2026-01-10',
      appointment({ countyName: 'Dade' }),
      appointment({ countyName: 'Travis', lineOfAuthorityCode: '20' }),
    );
    const ofDade = ended({ countyName: 'Dade', lineOfAuthorityCode: null, lineOfAuthorityName: null });
    expect(on('2026-02-02', counties, imported('2026-02-02', ofDade))).toMatchObject({
      '22314 16': 'not in force',
      '22314 20': 'in force',
    });
  });

  it('with the code and the name of a line ends no other of which only the name is held', () => {
    const held = list('2026-01-10', appointment({ lineOfAuthorityCode: null }));
    const end = ended({ lineOfAuthorityCode: '20', lineOfAuthorityName: 'Property' });
    expect(on('2026-02-02', held, imported('2026-02-02', end))['22314 casualty']).toBe('in force');
  });

  it('is void for what a later list names without it, until it is imported again', () => {
    const end = imported('2026-02-02', ended({ lineOfAuthorityCode: null, lineOfAuthorityName: null }));
    expect(on('2026-02-10', live, end)['22314 16']).toBe('not in force');
    const again = [live, end, list('2026-02-03', appointment())];
    expect(on('2026-02-10', ...again)['22314 16']).toBe('in force');
    expect(on('2026-02-10', ...again, { ...end, on: '2026-02-04' })['22314 16']).toBe('not in force');
  });

  it('of a list ends its own appointment alone', () => {
    const both = list(
      '2026-02-02',
      appointment(),
      ended({ lineOfAuthorityCode: null, lineOfAuthorityName: null }),
    );
    expect(on('2026-02-10', both)['22314 16']).toBe('in force');
    // An import that says the same means more by it.
    const end = imported('2026-02-03', ended({ lineOfAuthorityCode: null, lineOfAuthorityName: null }));
    expect(on('2026-02-10', both, end)['22314 16']).toBe('not in force');
  });

  it('does not depend on how the import is cut', () => {
    const end = ended({ lineOfAuthorityCode: null, lineOfAuthorityName: null });
    for (const commands of [
      [imported('2026-02-02', appointment(), end)],
      [imported('2026-02-02', appointment()), imported('2026-02-03', end)],
      [imported('2026-02-02', end), imported('2026-02-03', appointment())],
    ])
      expect(on('2026-02-10', ...commands)['22314 16']).toBe('not in force');
  });
});

it('knows the last change, and whether it is an end for cause', () => {
  const causeOn = (reason: string) =>
    coverageAfter([
      list('2026-03-10', appointment(), ended({ terminationReason: reason })),
    ]).appointments[0]?.changes.map(({ from, isForCause }) => [from, isForCause]);
  expect(causeOn('Cause')).toEqual([
    ['2020-01-01', false],
    ['2026-02-01', true],
  ]);
  const both = list('2026-03-10', appointment(), ended(), ended({ terminationReason: 'Cause' }));
  expect(coverageAfter([both]).appointments[0]?.changes.at(-1)?.isForCause).toBe(true);
  const undated = ended({ statusChangeDate: null, terminationReason: 'Cause' });
  const [alone] = coverageAfter([list('2026-03-10', undated)]).appointments;
  expect(alone?.changes.map(({ from, isForCause }) => [from, isForCause])).toEqual([['', true]]);
  expect(causeOn('NOT FOR CAUSE')).toEqual([
    ['2020-01-01', false],
    ['2026-02-01', false],
  ]);
});

describe('a row that is set aside', () => {
  const unread = (fields: Partial<Extract<Unread, { kind: 'appointment' }>>): Unread => ({
    kind: 'appointment',
    stateCode: 'TX',
    commandId: 'unread',
    commandAt: '2026-02-01T15:00:00.000Z',
    recordedAt: '2026-02-01T15:00:00.000Z',
    by: 'import',
    companyCode: '022314',
    ein: null,
    carrierName: null,
    ...fields,
  });
  const codes = (commands: readonly Said[], row: Unread) =>
    coverageAfter(commands, [row]).appointments.map((one) => appointmentOn(one, '2026-03-01').code);

  it('makes all of its company unknown, and what it may say besides', () => {
    expect(codes([list('2026-01-10', appointment())], unread({}))).toEqual([
      'row_not_understood',
      'row_not_understood',
    ]);
    expect(codes([], unread({}))).toEqual(['row_not_understood']);
    expect(codes([list('2026-01-10', appointment())], unread({ companyCode: '10847' }))).toEqual([
      undefined,
      'row_not_understood',
    ]);
    expect(codes([], unread({ companyCode: null }))).toEqual([]);
    expect(coverageAfter([], [unread({ companyCode: null })]).isCompanyUnread).toBe(true);
  });

  it('is recorded again by an import that says what is recorded, which makes it good', () => {
    const { appointments, closings } = recorded([imported('2026-01-10', appointment())]);
    const facts = { ...noFacts, appointments, closings, unread: [unread({})] };
    const lines = { licenses: [], appointments: [{ row: appointment(), validFrom: null, isDeleted: false }] };
    const command = { commandId: 'again', commandAt: '2026-02-02T15:00:00.000Z', by: 'import' } as const;
    expect(recordImport(facts, lines, command).appointments).toHaveLength(1);
    expect(recordImport({ ...facts, unread: [] }, lines, command).appointments).toEqual([]);
  });

  it('lasts until the next list, or the next import of its company', () => {
    expect(codes([list('2026-02-10', appointment())], unread({}))).toEqual([undefined]);
    expect(codes([imported('2026-02-10', appointment())], unread({}))).toEqual([undefined]);
    expect(codes([imported('2026-02-10', appointment())], unread({ companyCode: '10847' }))).toHaveLength(2);
  });
});

it.each([
  ['EIN', { ein: '751234567', companyCode: null }],
  ['name', { ein: null, companyCode: null }],
  ['code with a zero before it', { companyCode: '022314' }],
])('an appointment that an import deletes by the %s of its company never was', (_, called) => {
  const held = imported('2026-01-10', appointment({ ein: '75-1234567' }));
  expect(on('2026-02-01', held)).toEqual({ '22314 16': 'in force' });
  const deletion = { ...appointment(called), isDeleted: true };
  expect(on('2026-02-01', held, imported('2026-01-20', deletion))).toEqual({});
  const undated = { ...appointment({ ein: '75-1234567', statusChangeDate: null }), validFrom: '2026-01-05' };
  const deleted = imported('2026-01-20', { ...undated, ...called, isDeleted: true });
  expect(on('2026-02-01', imported('2026-01-10', undated))).toEqual({ '22314 16': 'in force' });
  expect(on('2026-02-01', imported('2026-01-10', undated), deleted)).toEqual({});
});

describe('whose appointment counts', () => {
  const group = { name: 'Beacon', naicCodes: ['022314', '10847'], eins: [] };
  const held = coverageAfter([
    list(
      '2026-01-10',
      appointment(),
      appointment({ companyCode: '10847', carrierName: 'Beacon Casualty Company' }),
      appointment({ companyCode: '99999', carrierName: 'Other Mutual' }),
    ),
  ]).appointments;
  const counting = (insurers: Partial<Insurers>) => {
    const { writing, appointments } = countingFor(held, { carrier: group, ...insurers });
    return [writing, ...appointments.map(({ companyCode }) => companyCode)];
  };

  it('is any where none is named, or the group appoints', () => {
    expect(counting({})).toEqual(['not named', '22314', '10847']);
    expect(counting({ appointmentBy: 'group', company: { naicCode: '22314' } })).toEqual([
      'any',
      '22314',
      '10847',
    ]);
    expect(counting({ carrier: { ...group, naicCodes: ['22314'] } })).toEqual(['any', '22314']);
  });

  it('is that of the company that writes, by its code, or its name', () => {
    expect(counting({ company: { naicCode: '0010847' } })).toEqual(['named', '10847']);
    expect(counting({ company: { name: 'Beacon Casualty Co.' } })).toEqual(['named', '10847']);
    expect(counting({ company: { name: 'Beacon Fire' }, codeInCatalog: () => '22314' })).toEqual([
      'named',
      '22314',
    ]);
    expect(counting({ company: { name: 'Other Mutual' } })).toEqual(['another']);
    expect(counting({ company: { naicCode: '99999' } })).toEqual(['another']);
    expect(counting({ company: { name: 'Beacon Fire' } })).toEqual(['not known', '22314', '10847']);
    // A bordereau that names the one company otherwise.
    expect(
      counting({ carrier: { ...group, naicCodes: ['22314'] }, company: { name: 'ABC Ins Co' } }),
    ).toEqual(['any', '22314']);
  });

  it('is not made up of what several companies hold, where it cannot be told which one writes', () => {
    const state = coverageAfter([
      list('2026-01-10', appointment(), appointment({ companyCode: '10847', lineOfAuthorityCode: '20' })),
    ]);
    const found = (lines: readonly LineRequirement[], company?: Insurers['company']) => {
      const { against, notKnown } = appointmentsFound({
        day: '2026-02-01',
        state: { ...state, codesOfLine: () => new Map(), unread: [], sales: [] },
        insurers: { carrier: group, company },
        lines,
        onBinding: undefined,
        saleSeenOn: undefined,
      });
      return [...against, ...notKnown].map(({ code }) => code);
    };
    const untold = { name: 'Beacon Fire' };
    expect(found(['16', '20'], untold)).toEqual(['appointment_missing']);
    expect(found(['16'], untold)).toEqual(['company_unknown']);
    expect(found([{ anyOf: ['16', '20'] }], untold)).toEqual([]);
    expect(found(['30'], untold)).toEqual(['appointment_missing']);
    expect(found(['16', '20'])).toEqual([]);
  });

  it('is by the codes of a state, else of a product, else of the carrier', () => {
    expect(counting({ productCodes: ['99999'] })).toEqual(['any', '99999']);
    expect(counting({ productCodes: ['99999'], stateCodes: ['10847'] })).toEqual(['any', '10847']);
  });

  it('is by EIN and name where that is what is known of a carrier', () => {
    const byName = { name: 'Other Mutual Insurance Co', naicCodes: [], eins: [] };
    expect(counting({ carrier: byName })).toEqual(['any', '99999']);
    // The row that is in force says whose it is.
    const renamed = coverageAfter([
      list('2026-01-10', appointment()),
      list('2026-02-10', appointment({ carrierName: 'Other Mutual' })),
    ]).appointments;
    const [counted] = countingFor(renamed, { carrier: { ...byName, name: 'Beacon Specialty' } }).appointments;
    expect(counted?.spans).toEqual([]);
  });
});
