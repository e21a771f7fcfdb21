import {
  appointment,
  completeFile,
  type DayCase,
  file,
  lapsing,
  license,
  line,
  ofAppointment,
  ofLicense,
  renewed,
  report,
  revoked,
  row,
  undated,
} from './day-rows.ts';

/** Rows that are said again. */
const [same, short] = [row(), row(lapsing)];

/** The rules of days of one license at work, by rule. */
export const dayCases: Readonly<Record<string, Readonly<Record<string, DayCase>>>> = {
  'live-row': {
    'A license runs from its first through its last day': {
      after: [report('2026-02-01', row(lapsing))],
      is: '2017-12-31 no, 2018-01-01 yes, 2026-03-31 yes, 2026-04-01 no',
    },
    'Without a first day: from the day on which it was known; before it, not known': {
      after: [report('2026-02-01', row({ ...undated, ...lapsing }))],
      is: '2012-01-01 ?, 2026-01-31 ?, 2026-02-01 yes, 2026-04-01 no',
    },
    'Without a first day, of a license whose first day is known: from that one': {
      after: [report('2026-02-01', row(lapsing)), report('2026-04-20', row({ ...undated, ...renewed }))],
      is: '2017-12-31 no, 2018-01-01 yes, 2026-04-05 yes, 2028-04-01 no',
    },
    'Without a first day, of a license that is known to begin later: from then': {
      after: [report('2026-02-01', row({ begins: '2026-03-01' })), file('2026-02-10', row(undated))],
      is: '2026-02-10 no, 2026-02-28 no, 2026-03-01 yes',
    },
    'Without a first day: from that of the present license, though a former one was stated since': {
      after: [
        file('2026-02-01', row({ begins: '2020-01-01' })),
        file('2026-03-01', row({ status: 'ended', begins: '2010-01-01', since: '2015-01-01' })),
        file('2026-03-10', row(undated)),
      ],
      is: '2014-12-31 yes, 2019-12-31 no, 2020-01-01 yes, 2026-03-10 yes',
    },
    'A pending row says nothing': {
      after: [file('2026-02-01', row({ status: 'pending' }))],
      is: '2019-01-01 no, 2026-02-01 no',
    },
  },
  end: {
    'Revoked since a day': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10', row({ ...renewed, ...revoked }))],
      is: '2026-04-30 yes, 2026-05-01 no, 2028-01-01 no',
    },
    'Without a date, from the day on which it was first known, though it is said again': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, status: 'inactive' })),
        report('2026-06-10', row({ ...renewed, status: 'inactive' })),
      ],
      is: '2026-05-09 yes, 2026-05-10 no, 2026-06-10 no',
    },
    'Not what begins on that day or later': {
      after: [
        report('2026-02-01', row({ begins: '2026-01-01' })),
        report(
          '2026-03-01',
          row({ status: 'ended', begins: '2010-01-01', since: '2020-01-01' }),
          row({ begins: '2026-01-01' }),
        ),
      ],
      is: '2015-01-01 yes, 2021-01-01 no, 2026-01-01 yes, 2026-03-01 yes',
    },
    'First seen with its day: in force before it': {
      after: [file('2026-05-10', row(revoked))],
      is: '2017-12-31 no, 2021-01-01 yes, 2026-04-30 yes, 2026-05-01 no',
    },
    'First seen without a day: not known before it': {
      after: [file('2026-05-10', row({ status: 'ended' }))],
      is: '2017-12-31 no, 2021-01-01 ?, 2026-05-09 ?, 2026-05-10 no',
    },
    'A lapse, first seen on the day after its last one: in force through that': {
      after: [file('2026-04-01', row({ ...lapsing, status: 'lapsed' }))],
      is: '2021-01-01 yes, 2026-03-31 yes, 2026-04-01 no',
    },
    'A lapse without a last day: nobody knows when': {
      after: [file('2026-05-10', row({ status: 'lapsed' }))],
      is: '2021-01-01 ?, 2026-05-10 no',
    },
    'Without a beginning, first seen: not known before it': {
      after: [file('2026-05-10', row({ ...revoked, ...undated }))],
      is: '2021-01-01 ?, 2026-05-01 no',
    },
    'Without a beginning, of a license that is known: no day before it changes': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10', row({ ...revoked, ...undated }))],
      is: '2017-12-31 no, 2021-01-01 yes, 2026-04-30 yes, 2026-05-01 no',
    },
    'With a status that nobody recognizes: not known through its last day': {
      after: [
        report('2026-02-01', row(lapsing)),
        report('2026-03-10', row({ ...lapsing, status: 'unrecognized' })),
      ],
      is: '2026-03-09 yes, 2026-03-10 ?, 2026-03-31 ?, 2026-04-01 no',
    },
    'An end whose status nobody recognizes, first seen, with a line: not known through its last day': {
      after: [report('2026-02-01', row({ ...lapsing, status: 'unrecognized', lines: [line('C')] }))],
      is: '2026-01-31 ?, 2026-02-10 ?, 2026-03-31 ?, 2026-04-01 no',
    },
  },
  'end-on-beginning': {
    'The day of an end is that of the beginning, which was stated live before': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, status: 'ended', since: '2018-01-01' })),
      ],
      is: '2017-12-31 no, 2018-01-01 ?, 2026-05-09 ?, 2026-05-10 no',
    },
    'Never stated live before: it never was': {
      after: [report('2026-05-10', row({ ...renewed, status: 'ended', since: '2018-01-01' }))],
      is: '2018-01-01 no, 2026-05-10 no',
    },
    'It ends a renewal that began since then, too': {
      after: [
        file('2026-02-01', row(lapsing)),
        file('2026-03-10', row({ begins: '2026-03-05', ...renewed })),
        file('2026-05-10', row({ status: 'ended', since: '2018-01-01' })),
      ],
      is: '2026-03-04 ?, 2026-03-05 ?, 2026-05-09 ?, 2026-05-10 no',
    },
    'Without a beginning of its own, first seen after that: no day before the beginning changes': {
      after: [
        report('2026-02-01', row(renewed)),
        file('2026-05-10', row({ ...undated, status: 'ended', since: '2018-01-01' })),
      ],
      is: '2017-12-31 no, 2018-01-01 ?, 2026-05-10 no',
    },
  },
  'end-holds': {
    'A file still has it live after it was revoked: not known until the next report has it live': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, ...revoked })),
        file('2026-05-12', row(renewed)),
        report('2026-07-01', row(renewed)),
      ],
      is: '2026-04-30 yes, 2026-05-01 ?, 2026-05-12 ?, 2026-06-30 ?, 2026-07-01 yes',
    },
    'A late renewal: ended 03-31, inactive in the report of 04-10, active in that of 05-05': {
      after: [
        report('2026-03-20', row(lapsing)),
        report('2026-04-10', row({ ...lapsing, status: 'inactive' })),
        report('2026-05-05', row(renewed)),
      ],
      is: '2026-03-31 yes, 2026-04-01 no, 2026-04-15 no, 2026-05-04 no, 2026-05-05 yes',
    },
    'A file says since when it is live again': {
      after: [report('2026-05-10', row(revoked)), file('2026-07-01', row({ since: '2026-06-15' }))],
      is: '2026-06-14 no, 2026-06-15 yes',
    },
    'A file has a new beginning after the end': {
      after: [report('2026-05-10', row(revoked)), file('2026-07-01', row({ begins: '2026-06-15' }))],
      is: '2026-04-30 yes, 2026-06-14 no, 2026-06-15 yes',
    },
    'An end ahead is touched neither by a later beginning nor by a report of the one before': {
      after: [
        file('2026-04-01', row(revoked)),
        report('2026-04-10', row({ begins: '2026-06-01' })),
        report('2026-04-20', row()),
      ],
      is: '2026-04-30 yes, 2026-05-01 no, 2026-06-01 no',
    },
    'A report of the day of an end ahead has it live': {
      after: [report('2026-04-01', row(revoked)), report('2026-05-01', row())],
      is: '2026-04-30 yes, 2026-05-01 yes',
    },
    'A beginning after an end ahead is in force': {
      after: [file('2026-04-01', row(revoked)), report('2026-04-10', row({ begins: '2026-06-01' }))],
      is: '2026-04-30 yes, 2026-05-01 no, 2026-05-31 no, 2026-06-01 yes',
    },
    'Nor is an end of before, of days whose beginning after it a later report replaces': {
      after: [
        report('2026-05-10', row({ begins: '2026-06-01' })),
        report('2026-05-12', row(revoked)),
        report('2026-06-02', row()),
      ],
      is: '2026-04-30 yes, 2026-05-01 no, 2026-06-01 no, 2026-06-02 yes',
    },
    'A shorter last day leaves the end alone after it': {
      after: [
        report('2026-05-10', row(revoked)),
        file('2026-05-12', row(renewed)),
        file('2026-05-20', row({ last: '2026-12-31' })),
      ],
      is: '2026-05-01 ?, 2026-12-31 ?, 2027-01-01 no',
    },
  },
  'left-out': {
    'A report does not have it anymore': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10')],
      is: '2026-05-09 yes, 2026-05-10 no, 2027-01-01 no',
    },
    'A report within 30 days has it again: it was never gone': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10'), report('2026-06-09', row(renewed))],
      is: '2026-05-10 yes, 2026-06-09 yes',
    },
    'A later report has it again: not known between': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10'), report('2026-06-10', row(renewed))],
      is: '2026-05-09 yes, 2026-05-10 ?, 2026-06-09 ?, 2026-06-10 yes',
    },
    'A file has it again: not known': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10'), file('2026-05-20', row(renewed))],
      is: '2026-05-09 yes, 2026-05-10 ?, 2026-05-20 ?, 2028-04-01 no',
    },
    'A file has one that began since': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10'),
        file('2026-05-20', row({ begins: '2026-05-15' })),
      ],
      is: '2026-05-14 no, 2026-05-15 yes',
    },
    'A file that does not have it says nothing': {
      after: [report('2026-02-01', row(renewed)), file('2026-05-10')],
      is: '2026-05-10 yes',
    },
    'A complete file does as a report does': {
      after: [file('2026-02-01', row(renewed)), completeFile('2026-05-10')],
      is: '2026-05-09 yes, 2026-05-10 no',
    },
    'A report names it by a former row alone': {
      after: [
        report('2026-02-01', row({ begins: '2020-01-01' })),
        report('2026-05-10', row({ status: 'ended', begins: '2010-01-01', since: '2015-01-01' })),
      ],
      is: '2012-01-01 yes, 2016-01-01 no, 2021-01-01 yes, 2026-05-10 no',
    },
    'A report does not have a beginning to come anymore': {
      after: [report('2026-02-01', row({ begins: '2026-06-01' })), report('2026-05-10')],
      is: '2026-05-31 no, 2026-06-01 no',
    },
    'First seen in a later report, with a beginning since then: no day before that, and not known from it on':
      {
        after: [report('2026-02-01'), report('2026-05-10', row({ begins: '2026-04-01' }))],
        is: '2026-02-01 no, 2026-03-31 no, 2026-04-01 ?, 2026-05-09 ?, 2026-05-10 yes',
      },
    'Back in a later report, with a beginning since then: not known from the day on which it was gone': {
      after: [
        report('2026-02-01', row()),
        report('2026-03-01'),
        report('2026-05-10', row({ begins: '2026-04-01' })),
      ],
      is: '2026-02-28 yes, 2026-03-01 ?, 2026-04-01 ?, 2026-05-09 ?, 2026-05-10 yes',
    },
    'First in a report within 30 days of its beginning, after one without it': {
      after: [report('2026-02-01'), report('2026-05-01', row({ begins: '2026-04-01' }))],
      is: '2026-03-31 no, 2026-04-01 yes, 2026-05-01 yes',
    },
    'A file has it since a day after the first of two reports without it, but before the second': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10'),
        report('2026-06-10'),
        file('2026-06-20', row({ since: '2026-05-15' })),
      ],
      is: '2026-05-14 no, 2026-05-15 yes, 2026-06-09 yes, 2026-06-10 ?, 2026-06-20 ?',
    },
  },
  'registry-lag': {
    'What a file says, the reports of the next night and of 31 days do not have': {
      after: [file('2026-05-10', row()), report('2026-05-11'), report('2026-06-10')],
      is: '2026-05-10 yes, 2026-05-11 ?, 2026-06-09 ?, 2026-06-10 no',
    },
    'The file comes again every night, and the registry never has it': {
      after: [
        file('2026-05-10', row()),
        report('2026-05-11'),
        file('2026-06-20', row()),
        report('2026-06-21'),
      ],
      is: '2026-05-11 ?, 2026-06-20 ?, 2026-06-21 ?',
    },
    'A file ends it, the report of the next night still has it': {
      after: [report('2026-02-01', row()), file('2026-05-10', row(revoked)), report('2026-05-11', row())],
      is: '2026-04-30 yes, 2026-05-01 no, 2026-05-10 no, 2026-05-11 ?',
    },
    'also where a report between had it': {
      after: [
        file('2026-05-01', row()),
        report('2026-05-05', row()),
        report('2026-05-10'),
        report('2026-06-01'),
      ],
      is: '2026-05-09 yes, 2026-05-10 ?, 2026-05-31 ?, 2026-06-01 no',
    },
    'A file ends it every night: 30 days from the last one': {
      after: [
        report('2026-02-01', row()),
        file('2026-05-10', row(revoked)),
        file('2026-06-08', row(revoked)),
        report('2026-06-12', row()),
        report('2026-07-09', row()),
      ],
      is: '2026-05-01 no, 2026-06-11 no, 2026-06-12 ?, 2026-07-08 ?, 2026-07-09 yes',
    },
  },
  repeated: {
    'A complete file repeats a report, and the next report has it no more': {
      after: [report('2026-02-01', same), completeFile('2026-05-10', same), report('2026-05-11')],
      is: '2026-05-10 yes, 2026-05-11 ?',
    },
    'A report gives back what a file ended, and is repeated after 30 days': {
      after: [
        report('2026-02-01', same),
        file('2026-05-10', row(revoked)),
        report('2026-05-12', same),
        report('2026-06-20', same),
      ],
      is: '2026-05-12 ?, 2026-06-19 ?, 2026-06-20 yes',
    },
    'A report has an earlier last day than a file, and is repeated after 30 days': {
      after: [file('2026-03-01', row(renewed)), report('2026-03-10', short), report('2026-04-10', short)],
      is: '2026-03-31 yes, 2026-04-01 no',
    },
  },
  replaced: {
    'A shorter last day': {
      after: [report('2026-02-01', row(renewed)), report('2026-02-10', row(lapsing))],
      is: '2026-03-31 yes, 2026-04-01 no, 2027-01-01 no',
    },
    'A file does not take a future beginning away': {
      after: [
        file('2026-02-01', row(lapsing), row({ begins: '2026-06-01' })),
        file('2026-02-10', row(lapsing)),
      ],
      is: '2026-04-01 no, 2026-06-01 yes',
    },
    'An early renewal, with a beginning of its own': {
      after: [
        report('2026-02-01', row(lapsing)),
        report('2026-03-10', row({ begins: '2026-03-05', ...renewed })),
      ],
      is: '2018-01-01 yes, 2026-03-04 yes, 2026-03-31 yes, 2026-04-01 yes',
    },
    'A corrected beginning, of the same last day': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-03-10', row({ begins: '2026-01-15', ...renewed })),
      ],
      is: '2018-01-01 ?, 2026-01-14 ?, 2026-01-15 yes, 2026-02-01 yes',
    },
    'A beginning that was reported again, then moved: up to the day on which it first became known': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-03-01', row(renewed)),
        report('2026-04-10', row({ begins: '2026-03-15', ...renewed })),
      ],
      is: '2026-01-31 ?, 2026-02-01 yes, 2026-03-14 yes, 2026-03-15 yes',
    },
    'A file says the term of before again, whose last day is the day before the next one begins': {
      after: [
        file('2026-02-01', row({ begins: '2026-04-01', ...renewed })),
        file('2026-02-10', row(lapsing)),
      ],
      is: '2026-03-31 yes, 2026-04-01 yes, 2028-03-31 yes',
    },
  },
};

/** The rules of days of several rows, licenses, appointments, and lines at work, by rule. */
export const dayCasesOfSeveral: Readonly<Record<string, Readonly<Record<string, DayCase>>>> = {
  'several-rows': {
    'Status changes that all have a day: each until the next one': {
      after: [
        file(
          '2026-05-10',
          row({ since: '2018-01-01' }),
          row({ status: 'ended', since: '2022-01-01' }),
          row({ since: '2023-01-01' }),
        ),
      ],
      is: '2021-12-31 yes, 2022-01-01 no, 2022-12-31 no, 2023-01-01 yes, 2026-05-10 yes',
    },
    'Live until the next change alone, whatever its last day': {
      after: [
        file('2026-05-10', row({ since: '2018-01-01' }), row({ since: '2020-01-01', last: '2025-12-31' })),
      ],
      is: '2019-01-01 yes, 2025-12-31 yes, 2026-01-01 no',
    },
    'Live and ended without days: not known from the end on': {
      after: [file('2026-05-10', row(), row({ status: 'ended' }))],
      is: '2018-01-01 yes, 2026-05-09 yes, 2026-05-10 ?',
    },
    'Live and ended since the same day': {
      after: [
        file('2026-05-10', row({ since: '2020-01-01' }), row({ status: 'ended', since: '2020-01-01' })),
      ],
      is: '2019-12-31 yes, 2020-01-01 ?, 2026-05-10 ?',
    },
    'A former and a present one, without days of status': {
      after: [
        file(
          '2026-05-10',
          row({ status: 'lapsed', begins: '2015-01-01', last: '2019-12-31' }),
          row({ begins: '2020-01-01', ...renewed }),
        ),
      ],
      is: '2014-12-31 no, 2015-01-01 yes, 2019-12-31 yes, 2020-01-01 yes, 2026-05-10 yes',
    },
    'Two of one day: each until the next day': {
      after: [
        file(
          '2026-05-10',
          row({ status: 'ended', since: '2020-01-01' }),
          row({ since: '2023-01-01' }),
          row({ since: '2023-01-01', last: '2028-12-31' }),
        ),
      ],
      is: '2019-12-31 yes, 2020-01-01 no, 2022-12-31 no, 2023-01-01 yes',
    },
    'A history of before replaces no later beginning': {
      after: [
        report('2026-02-01', row({ begins: '2024-01-01' })),
        file(
          '2026-05-10',
          row({ begins: '2015-01-01', since: '2015-01-01' }),
          row({ begins: '2015-01-01', status: 'ended', since: '2022-01-01' }),
        ),
      ],
      is: '2021-12-31 yes, 2022-01-01 no, 2023-12-31 no, 2024-01-01 yes, 2026-05-10 yes',
    },
  },
  'unclear-end': {
    'A termination without a line ends each': {
      of: ofAppointment({ line: 'P' }),
      after: [
        file('2026-02-01', appointment(), appointment({ line: 'P' })),
        file('2026-05-10', appointment({ line: null }, revoked)),
      ],
      is: '2026-04-30 yes, 2026-05-01 no',
    },
    'One that nobody recognizes, beside the row of what it may mean: not known, rather than left out': {
      of: ofLicense('pro', 'producer'),
      after: [
        report('2026-02-01', license(['pro', 'producer'])),
        report(
          '2026-05-10',
          license(['pro', 'producer'], { status: 'unrecognized', ...undated }),
          license([null], { status: 'unrecognized', ...undated }),
        ),
      ],
      is: '2026-05-09 yes, 2026-05-10 ?',
    },
    'but not what it states live itself': {
      of: ofAppointment({ line: 'P' }),
      after: [
        file('2026-02-01', appointment(), appointment({ line: 'P' })),
        file('2026-05-10', appointment({ line: 'P' }), appointment({ line: null }, revoked)),
      ],
      is: '2026-05-01 yes',
    },
    'One of a line by its code, where another code has the name of the line that is held: not that one': {
      of: ofAppointment({ line: '20', lineName: 'casualty' }),
      after: [
        file(
          '2026-02-01',
          appointment({ line: null, lineName: 'casualty' }),
          appointment({ line: '20', lineName: 'casualty' }),
        ),
        file('2026-05-10', appointment({ line: '16' }, revoked)),
      ],
      is: '2026-05-10 yes',
    },
    'A county that none has may be any': {
      of: ofAppointment({ county: 'miamidade' }),
      after: [
        file('2026-02-01', appointment({ county: 'miamidade' })),
        file('2026-05-10', appointment({ county: 'dade' }, revoked)),
      ],
      is: '2026-04-30 yes, 2026-05-01 no',
    },
    'A county that another appointment has ends that one': {
      of: ofAppointment({ county: 'broward' }),
      after: [
        file('2026-02-01', appointment({ county: 'broward' }), appointment({ county: 'dade' })),
        file('2026-05-10', appointment({ county: 'dade' }, revoked)),
      ],
      is: '2026-05-01 yes',
    },
    'A county that only another company has may be any of its company': {
      of: ofAppointment({ county: 'miamidade' }),
      after: [
        file(
          '2026-02-01',
          appointment({ county: 'miamidade' }),
          appointment({ code: '10847', county: 'dade' }),
        ),
        file('2026-05-10', appointment({ county: 'dade' }, revoked)),
      ],
      is: '2026-05-01 no',
    },
    'The end of one line, of an appointment of all lines': {
      of: ofAppointment({ line: null }),
      after: [file('2026-02-01', appointment({ line: null })), file('2026-05-10', appointment({}, revoked))],
      is: '2026-04-30 yes, 2026-05-01 ?',
    },
    'A class by its name, of a license that is held by code': {
      of: ofLicense('pro'),
      after: [file('2026-02-01', row()), file('2026-05-10', license([null, 'producer'], revoked))],
      is: '2026-04-30 yes, 2026-05-01 no',
    },
    'A live row that may be of a revoked license: not known from its beginning on': {
      of: ofLicense(null, 'producer'),
      after: [
        report('2026-02-01', row()),
        report('2026-05-10', row(revoked)),
        completeFile('2026-05-11', license([null, 'producer'], { begins: '2026-05-05' })),
      ],
      is: '2026-05-04 no, 2026-05-05 ?, 2026-05-11 ?',
    },
    'A live row beside the end of what it may be: not known': {
      of: ofLicense(null, 'producer'),
      after: [report('2026-05-10', row(revoked), license([null, 'producer']))],
      is: '2026-04-30 yes, 2026-05-01 ?, 2026-05-10 ?',
    },
    'The name of two codes that have ended: not known which it is of, if either': {
      of: ofLicense(null, 'producer'),
      after: [
        file('2026-02-01', license([null, 'producer'])),
        file('2026-05-10', ...['p', 'q'].map((code) => license([code, 'producer'], revoked))),
      ],
      is: '2026-04-30 yes, 2026-05-01 ?',
    },
    'Two licenses of one number, by the names of their classes: each ends alone': {
      of: ofLicense(null, 'general lines'),
      after: [
        file(
          '2026-02-01',
          license([null, 'general lines'], { begins: '2010-07-01' }),
          license([null, 'life'], { begins: '2010-07-01', status: 'ended', since: '2021-05-01' }),
        ),
      ],
      is: '2012-01-01 yes, 2022-01-01 yes, 2026-02-01 yes',
    },
    'The end of a license leaves what may be it not known, rather than ended': {
      of: ofLicense(null, 'producer'),
      after: [file('2026-02-01', row(), license([null, 'producer'])), file('2026-05-10', row(revoked))],
      is: '2026-04-30 yes, 2026-05-01 ?, 2026-05-10 ?',
    },
    'The end of one line, of an appointment of all lines in another county': {
      of: ofAppointment({ line: null, county: 'miamidade' }),
      after: [
        file('2026-02-01', appointment({ line: null, county: 'miamidade' })),
        file('2026-05-10', appointment({ county: 'dade' }, revoked)),
      ],
      is: '2026-04-30 yes, 2026-05-01 ?',
    },
    'The end of one line marks no day before an appointment of all lines': {
      of: ofAppointment({ line: null }),
      after: [
        file('2026-02-01', appointment({ line: null }, { begins: '2020-01-01' })),
        file('2026-05-10', appointment({}, { status: 'ended', since: '2019-01-01' })),
      ],
      is: '2019-06-01 no, 2020-01-01 yes, 2026-05-10 yes',
    },
  },
  'one-thing': {
    'An equal name is the same, whoever has the code': {
      of: ofLicense('pro', 'producer'),
      after: [
        report('2026-02-01', license(['pro', 'producer'], lapsing)),
        file('2026-03-01', license([null, 'producer'], renewed)),
      ],
      is: '2026-04-01 yes',
    },
    'Codes decide, where both have one': {
      of: ofLicense('adj', 'producer'),
      after: [
        report('2026-02-01', license(['pro', 'producer'])),
        file('2026-05-10', license(['adj', 'producer'], revoked)),
      ],
      is: '2026-01-31 yes, 2026-02-01 no, 2026-05-01 no',
    },
    'An end tells that a code and a name are of one': {
      of: ofLicense(null, 'producer'),
      after: [
        report('2026-02-01', row()),
        file('2026-03-01', license([null, 'producer'], { begins: '2015-01-01' })),
        report('2026-05-10', license(['pro', 'producer'], revoked)),
      ],
      is: '2014-12-31 no, 2015-01-01 yes, 2026-04-30 yes, 2026-05-01 no',
    },
    'A deleted row never was': {
      after: [file('2026-02-01', row()), file('2026-03-01', row({ isDeleted: true })), file('2026-03-02')],
      is: '2019-01-01 no, 2026-02-15 no',
    },
    'A deleted row that is stated again': {
      after: [
        file('2026-02-01', row()),
        file('2026-03-01', row({ isDeleted: true })),
        file('2026-03-02', row()),
      ],
      is: '2019-01-01 yes',
    },
  },
  lines: {
    'A line without a day begins with its license': {
      line: 'C',
      after: [report('2026-02-01', row({ lines: [line('C')] }))],
      is: '2017-12-31 no, 2018-01-01 yes',
    },
    'A line that a later report adds: from that day': {
      line: 'P',
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        report('2026-05-10', row({ lines: [line('C'), line('P')] })),
      ],
      is: '2018-01-01 ?, 2026-05-09 ?, 2026-05-10 yes',
    },
    'A line that came and went, in a file that has it still: not known': {
      line: 'P',
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        report('2026-03-01', row({ lines: [line('C'), line('P')] })),
        report('2026-04-01', row({ lines: [line('C')] })),
        file('2026-05-10', row({ lines: [line('C'), line('P')] })),
      ],
      is: '2026-03-31 yes, 2026-05-09 no, 2026-05-10 ?',
    },
    'A line that a later file adds: from that day; before it, the file before left it out': {
      line: 'P',
      after: [
        file('2026-02-01', row({ lines: [line('C')] })),
        file('2026-05-10', row({ lines: [line('C'), line('P')] })),
      ],
      is: '2018-01-01 ?, 2026-02-01 no, 2026-05-09 no, 2026-05-10 yes',
    },
    'The lines of a row count as long as the row': {
      line: 'P',
      after: [
        file(
          '2026-05-10',
          row({ since: '2018-01-01', lines: [line('P')] }),
          row({ since: '2020-01-01', lines: [line('C')] }),
        ),
      ],
      is: '2018-01-01 yes, 2019-12-31 yes, 2020-01-01 no',
    },
    'A file without lines says nothing of them; a report does': {
      line: 'C',
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        file('2026-03-01', row()),
        report('2026-05-10', row()),
      ],
      is: '2026-03-01 yes, 2026-05-09 yes, 2026-05-10 no',
    },
    'Two rows with ends of their own do not lend each other lines': {
      line: 'P',
      after: [
        report(
          '2026-02-01',
          row({ begins: '2010-01-01', last: '2019-12-31', lines: [line('P')] }),
          row({ begins: '2020-01-01', lines: [line('C')] }),
        ),
      ],
      is: '2012-01-01 yes, 2020-01-01 no, 2026-02-01 no',
    },
    'A former row beside a live one carries none': {
      line: 'P',
      after: [
        file(
          '2026-02-01',
          row({ status: 'ended', begins: '2010-01-01', since: '2015-01-01', lines: [line('P')] }),
          row({ begins: '2016-01-01', lines: [line('C')] }),
        ),
      ],
      is: '2012-01-01 no, 2026-02-01 no',
    },
    'The lines of a former row end with it': {
      line: 'P',
      after: [
        file(
          '2026-02-01',
          row({ status: 'ended', begins: '2010-01-01', since: '2015-01-01', lines: [line('P')] }),
        ),
        file('2026-03-01', row({ begins: '2016-01-01', lines: [line('C')] })),
      ],
      is: '2012-01-01 yes, 2015-01-01 no, 2020-01-01 no, 2026-03-01 no',
    },
    'A line without a day does not begin before its license': {
      line: 'C',
      after: [
        report('2026-02-01', row({ begins: '2026-03-01', lines: [line('C')] })),
        report('2026-02-10', row({ begins: '2026-03-01', lines: [line('C')] })),
      ],
      is: '2026-02-10 no, 2026-02-28 no, 2026-03-01 yes',
    },
    'A license that ever carried lines is in force with one of them alone': {
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        report('2026-05-10', row({ lines: [line('C', { status: 'ended', since: '2026-05-01' })] })),
      ],
      is: '2026-04-30 yes, 2026-05-01 no',
    },
  },
};
