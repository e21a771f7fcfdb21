import {
  completeFile,
  type DayCase,
  file,
  lapsing,
  line,
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
      is: { '2017-12-31': 'no', '2018-01-01': 'yes', '2026-03-31': 'yes', '2026-04-01': 'no' },
    },
    'Without a first day: from the day on which it was known; before it, not known': {
      after: [report('2026-02-01', row({ ...undated, ...lapsing }))],
      is: { '2012-01-01': '?', '2026-01-31': '?', '2026-02-01': 'yes', '2026-04-01': 'no' },
    },
    'Without a first day, of a license whose first day is known: from that one': {
      after: [report('2026-02-01', row(lapsing)), report('2026-04-20', row({ ...undated, ...renewed }))],
      is: { '2017-12-31': 'no', '2018-01-01': 'yes', '2026-04-05': 'yes', '2028-04-01': 'no' },
    },
    'Without a first day, of a license that is known to begin later: from then': {
      after: [report('2026-02-01', row({ begins: '2026-03-01' })), file('2026-02-10', row(undated))],
      is: { '2026-02-10': 'no', '2026-02-28': 'no', '2026-03-01': 'yes' },
    },
    'Without a first day: from that of the present license, though a former one was stated since': {
      after: [
        file('2026-02-01', row({ begins: '2020-01-01' })),
        file('2026-03-01', row({ status: 'ended', begins: '2010-01-01', since: '2015-01-01' })),
        file('2026-03-10', row(undated)),
      ],
      is: { '2014-12-31': 'yes', '2019-12-31': 'no', '2020-01-01': 'yes', '2026-03-10': 'yes' },
    },
    'A pending row says nothing': {
      after: [file('2026-02-01', row({ status: 'pending' }))],
      is: { '2019-01-01': 'no', '2026-02-01': 'no' },
    },
  },
  end: {
    'Revoked since a day': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10', row({ ...renewed, ...revoked }))],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no', '2028-01-01': 'no' },
    },
    'Without a date, from the day on which it was known': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, status: 'inactive' })),
      ],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no' },
    },
    'Said again, from the day on which it was first said': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, status: 'inactive' })),
        report('2026-06-10', row({ ...renewed, status: 'inactive' })),
      ],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no', '2026-06-10': 'no' },
    },
    'At the latest after its last day': {
      after: [
        report('2026-02-01', row(lapsing)),
        report('2026-04-10', row({ ...lapsing, status: 'inactive' })),
      ],
      is: { '2026-03-31': 'yes', '2026-04-01': 'no', '2026-04-09': 'no' },
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
      is: { '2015-01-01': 'yes', '2021-01-01': 'no', '2026-01-01': 'yes', '2026-03-01': 'yes' },
    },
    'First seen with its day: in force before it': {
      after: [file('2026-05-10', row(revoked))],
      is: { '2017-12-31': 'no', '2021-01-01': 'yes', '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    'First seen without a day: not known before it': {
      after: [file('2026-05-10', row({ status: 'ended' }))],
      is: { '2017-12-31': 'no', '2021-01-01': '?', '2026-05-09': '?', '2026-05-10': 'no' },
    },
    'A lapse, first seen: in force through its last day': {
      after: [file('2026-05-10', row({ ...lapsing, status: 'lapsed' }))],
      is: { '2021-01-01': 'yes', '2026-03-31': 'yes', '2026-04-01': 'no' },
    },
    'A lapse without a last day: nobody knows when': {
      after: [file('2026-05-10', row({ status: 'lapsed' }))],
      is: { '2021-01-01': '?', '2026-05-10': 'no' },
    },
    'Without a beginning, first seen: not known before it': {
      after: [file('2026-05-10', row({ ...revoked, ...undated }))],
      is: { '2021-01-01': '?', '2026-05-01': 'no' },
    },
    'Without a beginning, of a license that is known: no day before it changes': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10', row({ ...revoked, ...undated }))],
      is: { '2017-12-31': 'no', '2021-01-01': 'yes', '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    'With a status that nobody recognizes: not known through its last day': {
      after: [
        report('2026-02-01', row(lapsing)),
        report('2026-03-10', row({ ...lapsing, status: 'unrecognized' })),
      ],
      is: { '2026-03-09': 'yes', '2026-03-10': '?', '2026-03-31': '?', '2026-04-01': 'no' },
    },
    'An end whose status nobody recognizes, first seen, with a line: not known through its last day': {
      after: [report('2026-02-01', row({ ...lapsing, status: 'unrecognized', lines: [line('C')] }))],
      is: { '2026-01-31': '?', '2026-02-10': '?', '2026-03-31': '?', '2026-04-01': 'no' },
    },
  },
  'end-on-beginning': {
    'The day of an end is that of the beginning, which was stated live before': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, status: 'ended', since: '2018-01-01' })),
      ],
      is: { '2017-12-31': 'no', '2018-01-01': '?', '2026-05-09': '?', '2026-05-10': 'no' },
    },
    'Never stated live before: it never was': {
      after: [report('2026-05-10', row({ ...renewed, status: 'ended', since: '2018-01-01' }))],
      is: { '2018-01-01': 'no', '2026-05-10': 'no' },
    },
    'It ends a renewal that began since then, too': {
      after: [
        file('2026-02-01', row(lapsing)),
        file('2026-03-10', row({ begins: '2026-03-05', ...renewed })),
        file('2026-05-10', row({ status: 'ended', since: '2018-01-01' })),
      ],
      is: { '2026-03-04': '?', '2026-03-05': '?', '2026-05-09': '?', '2026-05-10': 'no' },
    },
    'Without a beginning of its own, first seen after that: no day before the beginning changes': {
      after: [
        report('2026-02-01', row(renewed)),
        file('2026-05-10', row({ ...undated, status: 'ended', since: '2018-01-01' })),
      ],
      is: { '2017-12-31': 'no', '2018-01-01': '?', '2026-05-10': 'no' },
    },
  },
  'end-holds': {
    'A file that still has it live, after it was revoked': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, ...revoked })),
        file('2026-05-12', row(renewed)),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': '?', '2026-05-12': '?', '2028-04-01': 'no' },
    },
    'and it holds on: the next report has it live from its own day': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10', row({ ...renewed, ...revoked })),
        file('2026-05-12', row(renewed)),
        report('2026-07-01', row(renewed)),
      ],
      is: { '2026-05-01': '?', '2026-06-30': '?', '2026-07-01': 'yes' },
    },
    'A late renewal: ended 03-31, inactive in the report of 04-10, active in that of 05-05': {
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
    'A file says since when it is live again': {
      after: [report('2026-05-10', row(revoked)), file('2026-07-01', row({ since: '2026-06-15' }))],
      is: { '2026-06-14': 'no', '2026-06-15': 'yes' },
    },
    'A file has a new beginning after the end': {
      after: [report('2026-05-10', row(revoked)), file('2026-07-01', row({ begins: '2026-06-15' }))],
      is: { '2026-04-30': 'yes', '2026-06-14': 'no', '2026-06-15': 'yes' },
    },
    'An end ahead is not touched by a report of before': {
      after: [file('2026-04-01', row(revoked)), report('2026-04-10', row())],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    'nor by a beginning after it, which a later report replaces by that of before': {
      after: [
        file('2026-04-01', row(revoked)),
        report('2026-04-10', row({ begins: '2026-06-01' })),
        report('2026-04-20', row()),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no', '2026-06-01': 'no' },
    },
    'A beginning after an end ahead is in force': {
      after: [file('2026-04-01', row(revoked)), report('2026-04-10', row({ begins: '2026-06-01' }))],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no', '2026-05-31': 'no', '2026-06-01': 'yes' },
    },
    'Nor is an end of before, of days whose beginning after it a later report replaces': {
      after: [
        report('2026-05-10', row({ begins: '2026-06-01' })),
        report('2026-05-12', row(revoked)),
        report('2026-06-02', row()),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no', '2026-06-01': 'no', '2026-06-02': 'yes' },
    },
    'A shorter last day leaves the end alone after it': {
      after: [
        report('2026-05-10', row(revoked)),
        file('2026-05-12', row(renewed)),
        file('2026-05-20', row({ last: '2026-12-31' })),
      ],
      is: { '2026-05-01': '?', '2026-12-31': '?', '2027-01-01': 'no' },
    },
  },
  'left-out': {
    'A report does not have it anymore': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10')],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no', '2027-01-01': 'no' },
    },
    'A report within 30 days has it again: it was never gone': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10'), report('2026-06-09', row(renewed))],
      is: { '2026-05-10': 'yes', '2026-06-09': 'yes' },
    },
    'A later report has it again: not known between': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10'), report('2026-06-10', row(renewed))],
      is: { '2026-05-09': 'yes', '2026-05-10': '?', '2026-06-09': '?', '2026-06-10': 'yes' },
    },
    'A file has it again: not known': {
      after: [report('2026-02-01', row(renewed)), report('2026-05-10'), file('2026-05-20', row(renewed))],
      is: { '2026-05-09': 'yes', '2026-05-10': '?', '2026-05-20': '?', '2028-04-01': 'no' },
    },
    'A file has one that began since': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10'),
        file('2026-05-20', row({ begins: '2026-05-15' })),
      ],
      is: { '2026-05-14': 'no', '2026-05-15': 'yes' },
    },
    'A file that does not have it says nothing': {
      after: [report('2026-02-01', row(renewed)), file('2026-05-10')],
      is: { '2026-05-10': 'yes' },
    },
    'A complete file does as a report does': {
      after: [file('2026-02-01', row(renewed)), completeFile('2026-05-10')],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no' },
    },
    'A report names it by a former row alone': {
      after: [
        report('2026-02-01', row({ begins: '2020-01-01' })),
        report('2026-05-10', row({ status: 'ended', begins: '2010-01-01', since: '2015-01-01' })),
      ],
      is: { '2012-01-01': 'yes', '2016-01-01': 'no', '2021-01-01': 'yes', '2026-05-10': 'no' },
    },
    'A pending row alone': {
      after: [report('2026-02-01', row()), report('2026-05-10', row({ status: 'pending' }))],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no' },
    },
    'A report does not have a beginning to come anymore': {
      after: [report('2026-02-01', row({ begins: '2026-06-01' })), report('2026-05-10')],
      is: { '2026-05-31': 'no', '2026-06-01': 'no' },
    },
    'First seen in a later report, with a beginning since then: no day before that, and not known from it on':
      {
        after: [report('2026-02-01'), report('2026-05-10', row({ begins: '2026-04-01' }))],
        is: {
          '2026-02-01': 'no',
          '2026-03-31': 'no',
          '2026-04-01': '?',
          '2026-05-09': '?',
          '2026-05-10': 'yes',
        },
      },
    'Back in a later report, with a beginning since then: not known from the day on which it was gone': {
      after: [
        report('2026-02-01', row()),
        report('2026-03-01'),
        report('2026-05-10', row({ begins: '2026-04-01' })),
      ],
      is: {
        '2026-02-28': 'yes',
        '2026-03-01': '?',
        '2026-04-01': '?',
        '2026-05-09': '?',
        '2026-05-10': 'yes',
      },
    },
    'Back in a later report, with a last day that has passed': {
      after: [report('2026-02-01', row()), report('2026-03-01'), report('2026-05-10', row(lapsing))],
      is: {
        '2026-02-28': 'yes',
        '2026-03-31': '?',
        '2026-04-01': 'no',
        '2026-05-09': 'no',
        '2026-05-10': 'no',
      },
    },
    'A file has it since a day after the first of two reports without it, but before the second': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-05-10'),
        report('2026-06-10'),
        file('2026-06-20', row({ since: '2026-05-15' })),
      ],
      is: {
        '2026-05-14': 'no',
        '2026-05-15': 'yes',
        '2026-06-09': 'yes',
        '2026-06-10': '?',
        '2026-06-20': '?',
      },
    },
  },
  'registry-lag': {
    'What a file says, the report of the next night does not have': {
      after: [file('2026-05-10', row()), report('2026-05-11')],
      is: { '2026-05-10': 'yes', '2026-05-11': '?' },
    },
    'nor do those of 31 days': {
      after: [file('2026-05-10', row()), report('2026-05-11'), report('2026-06-10')],
      is: { '2026-05-11': '?', '2026-06-09': '?', '2026-06-10': 'no' },
    },
    'The file comes again every night, and the registry never has it': {
      after: [
        file('2026-05-10', row()),
        report('2026-05-11'),
        file('2026-06-20', row()),
        report('2026-06-21'),
      ],
      is: { '2026-05-11': '?', '2026-06-20': '?', '2026-06-21': '?' },
    },
    'A file ends it, the report of the next night still has it': {
      after: [report('2026-02-01', row()), file('2026-05-10', row(revoked)), report('2026-05-11', row())],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no', '2026-05-10': 'no', '2026-05-11': '?' },
    },
    'and one after 30 days': {
      after: [report('2026-02-01', row()), file('2026-05-10', row(revoked)), report('2026-06-10', row())],
      is: { '2026-05-01': 'no', '2026-06-09': 'no', '2026-06-10': 'yes' },
    },
    'also where a report between had it': {
      after: [
        file('2026-05-01', row()),
        report('2026-05-05', row()),
        report('2026-05-10'),
        report('2026-06-01'),
      ],
      is: { '2026-05-09': 'yes', '2026-05-10': '?', '2026-05-31': '?', '2026-06-01': 'no' },
    },
    'A file ends it every night: 30 days from the last one': {
      after: [
        report('2026-02-01', row()),
        file('2026-05-10', row(revoked)),
        file('2026-06-08', row(revoked)),
        report('2026-06-12', row()),
        report('2026-07-09', row()),
      ],
      is: {
        '2026-05-01': 'no',
        '2026-06-11': 'no',
        '2026-06-12': '?',
        '2026-07-08': '?',
        '2026-07-09': 'yes',
      },
    },
  },
  repeated: {
    'A complete file repeats a report, and the next report has it no more': {
      after: [report('2026-02-01', same), completeFile('2026-05-10', same), report('2026-05-11')],
      is: { '2026-05-10': 'yes', '2026-05-11': '?' },
    },
    'A report gives back what a file ended, and is repeated after 30 days': {
      after: [
        report('2026-02-01', same),
        file('2026-05-10', row(revoked)),
        report('2026-05-12', same),
        report('2026-06-20', same),
      ],
      is: { '2026-05-12': '?', '2026-06-19': '?', '2026-06-20': 'yes' },
    },
    'A report has an earlier last day than a file, and is repeated after 30 days': {
      after: [file('2026-03-01', row(renewed)), report('2026-03-10', short), report('2026-04-10', short)],
      is: { '2026-03-31': 'yes', '2026-04-01': 'no' },
    },
  },
  replaced: {
    'A shorter last day': {
      after: [report('2026-02-01', row(renewed)), report('2026-02-10', row(lapsing))],
      is: { '2026-03-31': 'yes', '2026-04-01': 'no', '2027-01-01': 'no' },
    },
    'A report takes a future beginning away, a file does not': {
      after: [
        file('2026-02-01', row(lapsing), row({ begins: '2026-06-01' })),
        file('2026-02-10', row(lapsing)),
      ],
      is: { '2026-04-01': 'no', '2026-06-01': 'yes' },
    },
    'of the same in a report': {
      after: [
        report('2026-02-01', row(lapsing), row({ begins: '2026-06-01' })),
        report('2026-02-10', row(lapsing)),
      ],
      is: { '2026-04-01': 'no', '2026-06-01': 'no' },
    },
    'An early renewal, with a beginning of its own': {
      after: [
        report('2026-02-01', row(lapsing)),
        report('2026-03-10', row({ begins: '2026-03-05', ...renewed })),
      ],
      is: { '2018-01-01': 'yes', '2026-03-04': 'yes', '2026-03-31': 'yes', '2026-04-01': 'yes' },
    },
    'A corrected beginning, of the same last day': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-03-10', row({ begins: '2026-01-15', ...renewed })),
      ],
      is: { '2018-01-01': '?', '2026-01-14': '?', '2026-01-15': 'yes', '2026-02-01': 'yes' },
    },
    'A beginning that was reported again, then moved: up to the day on which it first became known': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-03-01', row(renewed)),
        report('2026-04-10', row({ begins: '2026-03-15', ...renewed })),
      ],
      is: { '2026-01-31': '?', '2026-02-01': 'yes', '2026-03-14': 'yes', '2026-03-15': 'yes' },
    },
    'A file says the term of before again, whose last day is the day before the next one begins': {
      after: [
        file('2026-02-01', row({ begins: '2026-04-01', ...renewed })),
        file('2026-02-10', row(lapsing)),
      ],
      is: { '2026-03-31': 'yes', '2026-04-01': 'yes', '2028-03-31': 'yes' },
    },
    'An earlier beginning': {
      after: [
        report('2026-02-01', row(renewed)),
        report('2026-03-10', row({ begins: '2015-01-01', ...renewed })),
      ],
      is: { '2014-12-31': 'no', '2015-01-01': 'yes', '2026-03-10': 'yes' },
    },
  },
};
