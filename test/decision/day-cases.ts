import { never } from '../../shared/domain/decision/dates.ts';
import type { DatedRow, Identity, Statement } from '../../shared/domain/decision/statements.ts';
import { addDays } from '../../shared/platform/dates/dates.ts';

/** A row of a case; `last` is its last day. */
interface Written {
  readonly status?: DatedRow['status'];
  readonly begins?: string | null;
  readonly last?: string;
  readonly since?: string;
  readonly isDeleted?: boolean;
  readonly lines?: readonly DatedRow[];
  readonly identity?: Identity;
}

const part = (...names: readonly (string | null)[]): Identity[number] => ({ names, unnamed: 'unclear' });

/** A license by its number, class code, and class name. */
export const ofLicense = (code: string | null, name: string | null = null, number = '1'): Identity => [
  part(number),
  part(code, name),
];

/** An appointment by its company, line, and county. */
export const ofAppointment = ({
  code = '22314',
  ein = null,
  company = null,
  line = 'C',
  lineName = null,
  county = null,
}: {
  readonly code?: string | null;
  readonly ein?: string | null;
  readonly company?: string | null;
  readonly line?: string | null;
  readonly lineName?: string | null;
  readonly county?: string | null;
} = {}): Identity => [
  part(code, ein, company),
  { names: [line, lineName], unnamed: 'all lines' },
  { names: [county], unnamed: 'whole state' },
];

/** A row of the license, live from 2018-01-01 unless it says otherwise. */
export const row = ({
  begins = '2018-01-01',
  last,
  since,
  status = 'live',
  identity,
  ...more
}: Written = {}): DatedRow => ({
  identity: identity ?? ofLicense('pro'),
  status,
  begins,
  ends: last === undefined ? never : addDays(last, 1),
  since: since ?? null,
  ...more,
});

export const line = (code: string, written: Omit<Written, 'lines' | 'last'> = {}): DatedRow =>
  row({ begins: null, ...written, identity: [part(code, null)] });

const statement =
  (by: Statement['by'], isComplete: boolean) =>
  (knownOn: string, ...rows: readonly DatedRow[]): Statement => ({
    id: `${by} ${JSON.stringify(rows)}`,
    at: `${knownOn}T15:00:00.000Z`,
    recordedAt: `${knownOn}T15:00:01.000Z`,
    knownOn,
    by,
    isComplete,
    rows,
  });

/** What the registry reports; what a file says of some; a file with `complete: true`. */
export const report = statement('registry', true);
export const file = statement('import', false);
export const completeFile = statement('import', true);

export type State = 'yes' | 'no' | '?';

export interface DayCase {
  readonly says: string;
  readonly after: readonly Statement[];
  /** Of the license or appointment that `of` names, else of any; with `line`, of its line of that code. */
  readonly is: Readonly<Record<string, State>>;
  readonly of?: Identity;
  readonly line?: string;
}

const renewed = { last: '2028-03-31' };
const lapsing = { last: '2026-03-31' };
const revoked = { status: 'ended', since: '2026-05-01' } as const;
const undated = { begins: null } as const;

/** The rules of days at work, by rule. */
export const dayCases: Readonly<Record<string, readonly DayCase[]>> = {
  'live-row': [
    {
      says: 'A license runs from its first through its last day',
      after: [report('2026-02-01', row(lapsing))],
      is: { '2017-12-31': 'no', '2018-01-01': 'yes', '2026-03-31': 'yes', '2026-04-01': 'no' },
    },
    {
      says: 'Without a first day: from the day on which it was known; before it, not known',
      after: [report('2026-02-01', row({ ...undated, ...lapsing }))],
      is: { '2012-01-01': '?', '2026-01-31': '?', '2026-02-01': 'yes', '2026-04-01': 'no' },
    },
    {
      says: 'Without a first day, of a license whose first day is known: from that one',
      after: [report('2026-02-01', row(lapsing)), report('2026-04-20', row({ ...undated, ...renewed }))],
      is: { '2017-12-31': 'no', '2018-01-01': 'yes', '2026-04-05': 'yes', '2028-04-01': 'no' },
    },
    {
      says: 'Without a first day, of a license that is known to begin later: from then',
      after: [report('2026-02-01', row({ begins: '2026-03-01' })), file('2026-02-10', row(undated))],
      is: { '2026-02-10': 'no', '2026-02-28': 'no', '2026-03-01': 'yes' },
    },
    {
      says: 'A pending row says nothing',
      after: [file('2026-02-01', row({ status: 'pending' }))],
      is: { '2019-01-01': 'no', '2026-02-01': 'no' },
    },
  ],
  end: [
    {
      says: 'Revoked since a day',
      after: [report('2026-02-01', row(renewed)), report('2026-05-10', row({ ...renewed, ...revoked }))],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no', '2028-01-01': 'no' },
    },
    {
      says: 'Without a date, from the day on which it was known',
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, status: 'inactive' })),
      ],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no' },
    },
    {
      says: 'Said again, from the day on which it was first said',
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, status: 'inactive' })),
        report('2026-06-10', row({ ...renewed, status: 'inactive' })),
      ],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no', '2026-06-10': 'no' },
    },
    {
      says: 'At the latest after its last day',
      after: [
        report('2026-02-01', row(lapsing)),
        report('2026-04-10', row({ ...lapsing, status: 'inactive' })),
      ],
      is: { '2026-03-31': 'yes', '2026-04-01': 'no', '2026-04-09': 'no' },
    },
    {
      says: 'Not what begins on that day or later',
      after: [
        report('2026-02-01', row({ begins: '2026-01-01' })),
        report(
          '2026-03-01',
          row({ status: 'ended', begins: '2010-01-01', since: '2020-01-01' }),
          row({ begins: '2026-01-01' }),
        ),
      ],
      is: { '2015-01-01': 'yes', '2021-01-01': 'no', '2026-01-01': 'yes', '2026-03-01': 'yes' },
    },
    {
      says: 'First seen with its day: in force before it',
      after: [file('2026-05-10', row(revoked))],
      is: { '2017-12-31': 'no', '2021-01-01': 'yes', '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    {
      says: 'First seen without a day: not known before it',
      after: [file('2026-05-10', row({ status: 'ended' }))],
      is: { '2017-12-31': 'no', '2021-01-01': '?', '2026-05-09': '?', '2026-05-10': 'no' },
    },
    {
      says: 'A lapse, first seen: in force through its last day',
      after: [file('2026-05-10', row({ ...lapsing, status: 'lapsed' }))],
      is: { '2021-01-01': 'yes', '2026-03-31': 'yes', '2026-04-01': 'no' },
    },
    {
      says: 'A lapse without a last day: nobody knows when',
      after: [file('2026-05-10', row({ status: 'lapsed' }))],
      is: { '2021-01-01': '?', '2026-05-10': 'no' },
    },
    {
      says: 'Without a beginning, first seen: not known before it',
      after: [file('2026-05-10', row({ ...revoked, ...undated }))],
      is: { '2021-01-01': '?', '2026-05-01': 'no' },
    },
    {
      says: 'Without a beginning, of a license that is known: no day before it changes',
      after: [report('2026-02-01', row(renewed)), report('2026-05-10', row({ ...revoked, ...undated }))],
      is: { '2017-12-31': 'no', '2021-01-01': 'yes', '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    {
      says: 'With a status that nobody recognizes: not known through its last day',
      after: [
        report('2026-02-01', row(lapsing)),
        report('2026-03-10', row({ ...lapsing, status: 'unrecognized' })),
      ],
      is: { '2026-03-09': 'yes', '2026-03-10': '?', '2026-03-31': '?', '2026-04-01': 'no' },
    },
  ],
  'end-on-beginning': [
    {
      says: 'The day of an end is that of the beginning, which was stated live before',
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, status: 'ended', since: '2018-01-01' })),
      ],
      is: { '2017-12-31': 'no', '2018-01-01': '?', '2026-05-09': '?', '2026-05-10': 'no' },
    },
    {
      says: 'Never stated live before: it never was',
      after: [report('2026-05-10', row({ ...renewed, status: 'ended', since: '2018-01-01' }))],
      is: { '2018-01-01': 'no', '2026-05-10': 'no' },
    },
  ],
  'end-holds': [
    {
      says: 'A file that still has it live, after it was revoked',
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, ...revoked })),
        file('2026-05-12', row(renewed)),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': '?', '2026-05-12': '?', '2028-04-01': 'no' },
    },
    {
      says: 'and it holds on: the next report has it live from its own day',
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, ...revoked })),
        file('2026-05-12', row(renewed)),
        report('2026-07-01', row(renewed)),
      ],
      is: { '2026-05-01': '?', '2026-06-30': '?', '2026-07-01': 'yes' },
    },
    {
      says: 'A late renewal: ended 03-31, inactive in the report of 04-10, active in that of 05-05',
      after: [
        report('2026-03-20', row(lapsing)),
        report('2026-04-10', row({ ...lapsing, status: 'inactive' })),
        report('2026-05-05', row(renewed)),
      ],
      is: {
        '2026-03-31': 'yes',
        '2026-04-05': 'no',
        '2026-04-15': 'no',
        '2026-05-04': 'no',
        '2026-05-05': 'yes',
      },
    },
    {
      says: 'A file says since when it is live again',
      after: [report('2026-05-10', row(revoked)), file('2026-07-01', row({ since: '2026-06-15' }))],
      is: { '2026-06-14': 'no', '2026-06-15': 'yes' },
    },
    {
      says: 'A file has a new beginning after the end',
      after: [report('2026-05-10', row(revoked)), file('2026-07-01', row({ begins: '2026-06-15' }))],
      is: { '2026-04-30': 'yes', '2026-06-14': 'no', '2026-06-15': 'yes' },
    },
    {
      says: 'An end ahead is not touched by a report of before',
      after: [file('2026-04-01', row(revoked)), report('2026-04-10', row())],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
  ],
  'left-out': [
    {
      says: 'A report does not have it anymore',
      after: [report('2026-02-01', row(renewed)), report('2026-05-10')],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no', '2027-01-01': 'no' },
    },
    {
      says: 'A report within 30 days has it again: it was never gone',
      after: [report('2026-02-01', row(renewed)), report('2026-05-10'), report('2026-06-09', row(renewed))],
      is: { '2026-05-10': 'yes', '2026-06-09': 'yes' },
    },
    {
      says: 'A later report has it again: not known between',
      after: [report('2026-02-01', row(renewed)), report('2026-05-10'), report('2026-06-10', row(renewed))],
      is: { '2026-05-09': 'yes', '2026-05-10': '?', '2026-06-09': '?', '2026-06-10': 'yes' },
    },
    {
      says: 'A file has it again: not known',
      after: [report('2026-02-01', row(renewed)), report('2026-05-10'), file('2026-05-20', row(renewed))],
      is: { '2026-05-09': 'yes', '2026-05-10': '?', '2026-05-20': '?', '2028-04-01': 'no' },
    },
    {
      says: 'A file has one that began since',
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10'),
        file('2026-05-20', row({ begins: '2026-05-15' })),
      ],
      is: { '2026-05-14': 'no', '2026-05-15': 'yes' },
    },
    {
      says: 'A file that does not have it says nothing',
      after: [report('2026-02-01', row(renewed)), file('2026-05-10')],
      is: { '2026-05-10': 'yes' },
    },
    {
      says: 'A complete file does as a report does',
      after: [file('2026-02-01', row(renewed)), completeFile('2026-05-10')],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no' },
    },
    {
      says: 'A report names it by a former row alone',
      after: [
        report('2026-02-01', row({ begins: '2020-01-01' })),
        report('2026-05-10', row({ status: 'ended', begins: '2010-01-01', since: '2015-01-01' })),
      ],
      is: { '2012-01-01': 'yes', '2016-01-01': 'no', '2021-01-01': 'yes', '2026-05-10': 'no' },
    },
    {
      says: 'A pending row alone',
      after: [report('2026-02-01', row()), report('2026-05-10', row({ status: 'pending' }))],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no' },
    },
  ],
  'registry-lag': [
    {
      says: 'What a file says, the report of the next night does not have',
      after: [file('2026-05-10', row()), report('2026-05-11')],
      is: { '2026-05-10': 'yes', '2026-05-11': '?' },
    },
    {
      says: 'nor do those of 31 days',
      after: [file('2026-05-10', row()), report('2026-05-11'), report('2026-06-10')],
      is: { '2026-05-11': '?', '2026-06-09': '?', '2026-06-10': 'no' },
    },
    {
      says: 'The file comes again every night, and the registry never has it',
      after: [
        file('2026-05-10', row()),
        report('2026-05-11'),
        file('2026-06-20', row()),
        report('2026-06-21'),
      ],
      is: { '2026-05-11': '?', '2026-06-20': '?', '2026-06-21': '?' },
    },
    {
      says: 'A file ends it, the report of the next night still has it',
      after: [report('2026-02-01', row()), file('2026-05-10', row(revoked)), report('2026-05-11', row())],
      is: { '2026-04-30': 'yes', '2026-05-01': '?', '2026-05-11': '?' },
    },
    {
      says: 'and one after 30 days',
      after: [report('2026-02-01', row()), file('2026-05-10', row(revoked)), report('2026-06-10', row())],
      is: { '2026-05-01': 'no', '2026-06-09': 'no', '2026-06-10': 'yes' },
    },
    {
      says: 'also where a report between had it',
      after: [
        file('2026-05-01', row()),
        report('2026-05-05', row()),
        report('2026-05-10'),
        report('2026-06-01'),
      ],
      is: { '2026-05-09': 'yes', '2026-05-10': '?', '2026-05-31': '?', '2026-06-01': 'no' },
    },
    {
      says: 'A file ends it every night: 30 days from the last one',
      after: [
        report('2026-02-01', row()),
        file('2026-05-10', row(revoked)),
        file('2026-06-08', row(revoked)),
        report('2026-06-12', row()),
        report('2026-07-09', row()),
      ],
      is: { '2026-05-01': '?', '2026-06-12': '?', '2026-07-08': '?', '2026-07-09': 'yes' },
    },
  ],
  replaced: [
    {
      says: 'A shorter last day',
      after: [report('2026-02-01', row(renewed)), report('2026-02-10', row(lapsing))],
      is: { '2026-03-31': 'yes', '2026-04-01': 'no', '2027-01-01': 'no' },
    },
    {
      says: 'A report takes a future beginning away, a file does not',
      after: [
        file('2026-02-01', row(lapsing), row({ begins: '2026-06-01' })),
        file('2026-02-10', row(lapsing)),
      ],
      is: { '2026-04-01': 'no', '2026-06-01': 'yes' },
    },
    {
      says: 'of the same in a report',
      after: [
        report('2026-02-01', row(lapsing), row({ begins: '2026-06-01' })),
        report('2026-02-10', row(lapsing)),
      ],
      is: { '2026-04-01': 'no', '2026-06-01': 'no' },
    },
    {
      says: 'An early renewal, with a beginning of its own',
      after: [
        report('2026-02-01', row(lapsing)),
        report('2026-03-10', row({ begins: '2026-03-05', ...renewed })),
      ],
      is: { '2018-01-01': 'yes', '2026-03-04': 'yes', '2026-03-31': 'yes', '2026-04-01': 'yes' },
    },
    {
      says: 'A corrected beginning, of the same last day',
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-03-10', row({ begins: '2026-01-15', ...renewed })),
      ],
      is: { '2018-01-01': '?', '2026-01-14': '?', '2026-01-15': 'yes', '2026-02-01': 'yes' },
    },
    {
      says: 'An earlier beginning',
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-03-10', row({ begins: '2015-01-01', ...renewed })),
      ],
      is: { '2014-12-31': 'no', '2015-01-01': 'yes', '2026-03-10': 'yes' },
    },
  ],
  'several-rows': [
    {
      says: 'Status changes that all have a day: each until the next one',
      after: [
        file(
          '2026-05-10',
          row({ since: '2018-01-01' }),
          row({ status: 'ended', since: '2022-01-01' }),
          row({ since: '2023-01-01' }),
        ),
      ],
      is: {
        '2021-12-31': 'yes',
        '2022-01-01': 'no',
        '2022-12-31': 'no',
        '2023-01-01': 'yes',
        '2026-05-10': 'yes',
      },
    },
    {
      says: 'A termination, and later live again, with a beginning of before',
      after: [
        file(
          '2026-05-10',
          row({ status: 'ended', since: '2020-01-01', begins: '2015-01-01' }),
          row({ since: '2024-01-01', begins: '2015-01-01' }),
        ),
      ],
      is: { '2016-01-01': 'yes', '2020-01-01': 'no', '2023-12-31': 'no', '2024-01-01': 'yes' },
    },
    {
      says: 'Live until the next change alone, whatever its last day',
      after: [
        file('2026-05-10', row({ since: '2018-01-01' }), row({ since: '2020-01-01', last: '2025-12-31' })),
      ],
      is: { '2019-01-01': 'yes', '2025-12-31': 'yes', '2026-01-01': 'no' },
    },
    {
      says: 'Live and ended without days: not known from the end on',
      after: [file('2026-05-10', row(), row({ status: 'ended' }))],
      is: { '2018-01-01': 'yes', '2026-05-09': 'yes', '2026-05-10': '?' },
    },
    {
      says: 'Live and ended since the same day',
      after: [
        file('2026-05-10', row({ since: '2020-01-01' }), row({ status: 'ended', since: '2020-01-01' })),
      ],
      is: { '2019-12-31': 'yes', '2020-01-01': '?', '2026-05-10': '?' },
    },
    {
      says: 'A former and a present one, without days of status',
      after: [
        file(
          '2026-05-10',
          row({ status: 'lapsed', begins: '2015-01-01', last: '2019-12-31' }),
          row({ begins: '2020-01-01', ...renewed }),
        ),
      ],
      is: {
        '2014-12-31': 'no',
        '2015-01-01': 'yes',
        '2019-12-31': 'yes',
        '2020-01-01': 'yes',
        '2026-05-10': 'yes',
      },
    },
  ],
  'unclear-end': [
    {
      says: 'A termination without a line ends each',
      of: ofAppointment({ line: 'P' }),
      after: [
        file(
          '2026-02-01',
          row({ identity: ofAppointment() }),
          row({ identity: ofAppointment({ line: 'P' }) }),
        ),
        file('2026-05-10', row({ ...revoked, identity: ofAppointment({ line: null }) })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    {
      says: 'but not what it states live itself',
      of: ofAppointment({ line: 'P' }),
      after: [
        file(
          '2026-02-01',
          row({ identity: ofAppointment() }),
          row({ identity: ofAppointment({ line: 'P' }) }),
        ),
        file(
          '2026-05-10',
          row({ identity: ofAppointment({ line: 'P' }) }),
          row({ ...revoked, identity: ofAppointment({ line: null }) }),
        ),
      ],
      is: { '2026-05-01': 'yes' },
    },
    {
      says: 'A county that none has may be any',
      of: ofAppointment({ county: 'miamidade' }),
      after: [
        file('2026-02-01', row({ identity: ofAppointment({ county: 'miamidade' }) })),
        file('2026-05-10', row({ ...revoked, identity: ofAppointment({ county: 'dade' }) })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    {
      says: 'A county that another appointment has ends that one',
      of: ofAppointment({ county: 'broward' }),
      after: [
        file(
          '2026-02-01',
          row({ identity: ofAppointment({ county: 'broward' }) }),
          row({ identity: ofAppointment({ county: 'dade' }) }),
        ),
        file('2026-05-10', row({ ...revoked, identity: ofAppointment({ county: 'dade' }) })),
      ],
      is: { '2026-05-01': 'yes' },
    },
    {
      says: 'A county that only another company has may be any of its company',
      of: ofAppointment({ county: 'miamidade' }),
      after: [
        file(
          '2026-02-01',
          row({ identity: ofAppointment({ county: 'miamidade' }) }),
          row({ identity: ofAppointment({ code: '10847', county: 'dade' }) }),
        ),
        file('2026-05-10', row({ ...revoked, identity: ofAppointment({ county: 'dade' }) })),
      ],
      is: { '2026-05-01': 'no' },
    },
    {
      says: 'The end of one line, of an appointment of all lines',
      of: ofAppointment({ line: null }),
      after: [
        file('2026-02-01', row({ identity: ofAppointment({ line: null }) })),
        file('2026-05-10', row({ ...revoked, identity: ofAppointment() })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': '?' },
    },
    {
      says: 'A class by its name, of a license that is held by code',
      of: ofLicense('pro'),
      after: [
        file('2026-02-01', row()),
        file('2026-05-10', row({ ...revoked, identity: ofLicense(null, 'producer') })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    {
      says: 'A live row that may be a revoked license',
      of: ofLicense(null, 'producer'),
      after: [
        report('2026-02-01', row()),
        report('2026-05-10', row(revoked)),
        completeFile('2026-05-11', row({ begins: '2026-05-05', identity: ofLicense(null, 'producer') })),
      ],
      is: { '2026-05-04': 'no', '2026-05-05': '?', '2026-05-11': '?' },
    },
    {
      says: 'Two licenses of one number, by the names of their classes: each ends alone',
      of: ofLicense(null, 'general lines'),
      after: [
        file(
          '2026-02-01',
          row({ begins: '2010-07-01', identity: ofLicense(null, 'general lines') }),
          row({
            begins: '2010-07-01',
            status: 'ended',
            since: '2021-05-01',
            identity: ofLicense(null, 'life'),
          }),
        ),
      ],
      is: { '2012-01-01': 'yes', '2022-01-01': 'yes', '2026-02-01': 'yes' },
    },
  ],
  'one-thing': [
    {
      says: 'An equal name is the same, whoever has the code',
      of: ofLicense('pro', 'producer'),
      after: [
        report('2026-02-01', row({ identity: ofLicense('pro', 'producer'), ...lapsing })),
        file('2026-03-01', row({ identity: ofLicense(null, 'producer'), ...renewed })),
      ],
      is: { '2026-04-01': 'yes' },
    },
    {
      says: 'Codes decide, where both have one',
      of: ofLicense('adj', 'producer'),
      after: [
        report('2026-02-01', row({ identity: ofLicense('pro', 'producer') })),
        file('2026-05-10', row({ ...revoked, identity: ofLicense('adj', 'producer') })),
      ],
      is: { '2026-01-31': 'yes', '2026-02-01': 'no', '2026-05-01': 'no' },
    },
    {
      says: 'A deleted row never was',
      after: [file('2026-02-01', row()), file('2026-03-01', row({ isDeleted: true })), file('2026-03-02')],
      is: { '2019-01-01': 'no', '2026-02-15': 'no' },
    },
    {
      says: 'A deleted row that is stated again',
      after: [
        file('2026-02-01', row()),
        file('2026-03-01', row({ isDeleted: true })),
        file('2026-03-02', row()),
      ],
      is: { '2019-01-01': 'yes' },
    },
  ],
  lines: [
    {
      says: 'A line without a day begins with its license',
      line: 'C',
      after: [report('2026-02-01', row({ lines: [line('C')] }))],
      is: { '2017-12-31': 'no', '2018-01-01': 'yes' },
    },
    {
      says: 'A line that a later report adds: from that day',
      line: 'P',
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        report('2026-05-10', row({ lines: [line('C'), line('P')] })),
      ],
      is: { '2018-01-01': '?', '2026-05-09': '?', '2026-05-10': 'yes' },
    },
    {
      says: 'A line that a later report leaves out',
      line: 'P',
      after: [
        report('2026-02-01', row({ lines: [line('C'), line('P')] })),
        report('2026-05-10', row({ lines: [line('C')] })),
      ],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no' },
    },
    {
      says: 'A file without lines says nothing of them; a report does',
      line: 'C',
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        file('2026-03-01', row()),
        report('2026-05-10', row()),
      ],
      is: { '2026-03-01': 'yes', '2026-05-09': 'yes', '2026-05-10': 'no' },
    },
    {
      says: 'Two rows with ends of their own do not lend each other lines',
      line: 'P',
      after: [
        report(
          '2026-02-01',
          row({ begins: '2010-01-01', last: '2019-12-31', lines: [line('P')] }),
          row({ begins: '2020-01-01', lines: [line('C')] }),
        ),
      ],
      is: { '2012-01-01': 'yes', '2020-01-01': 'no', '2026-02-01': 'no' },
    },
    {
      says: 'A former row beside a live one carries none',
      line: 'P',
      after: [
        file(
          '2026-02-01',
          row({ status: 'ended', begins: '2010-01-01', since: '2015-01-01', lines: [line('P')] }),
          row({ begins: '2016-01-01', lines: [line('C')] }),
        ),
      ],
      is: { '2012-01-01': 'no', '2026-02-01': 'no' },
    },
    {
      says: 'The lines of a former row end with it',
      line: 'P',
      after: [
        file(
          '2026-02-01',
          row({ status: 'ended', begins: '2010-01-01', since: '2015-01-01', lines: [line('P')] }),
        ),
        file('2026-03-01', row({ begins: '2016-01-01', lines: [line('C')] })),
      ],
      is: { '2012-01-01': 'yes', '2015-01-01': 'no', '2020-01-01': 'no', '2026-03-01': 'no' },
    },
    {
      says: 'A line without a day does not begin before its license',
      line: 'C',
      after: [
        report('2026-02-01', row({ begins: '2026-03-01', lines: [line('C')] })),
        report('2026-02-10', row({ begins: '2026-03-01', lines: [line('C')] })),
      ],
      is: { '2026-02-10': 'no', '2026-02-28': 'no', '2026-03-01': 'yes' },
    },
    {
      says: 'A license that ever carried lines is in force with one of them alone',
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        report('2026-05-10', row({ lines: [line('C', { status: 'ended', since: '2026-05-01' })] })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
  ],
};
