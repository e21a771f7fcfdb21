import {
  completeFile,
  type DayCase,
  file,
  lapsing,
  line,
  ofAppointment,
  ofLicense,
  renewed,
  report,
  revoked,
  row,
  undated,
} from './day-rows.ts';

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
      is: {
        '2021-12-31': 'yes',
        '2022-01-01': 'no',
        '2022-12-31': 'no',
        '2023-01-01': 'yes',
        '2026-05-10': 'yes',
      },
    },
    'A termination, and later live again, with a beginning of before': {
      after: [
        file(
          '2026-05-10',
          row({ status: 'ended', since: '2020-01-01', begins: '2015-01-01' }),
          row({ since: '2024-01-01', begins: '2015-01-01' }),
        ),
      ],
      is: { '2016-01-01': 'yes', '2020-01-01': 'no', '2023-12-31': 'no', '2024-01-01': 'yes' },
    },
    'Live until the next change alone, whatever its last day': {
      after: [
        file('2026-05-10', row({ since: '2018-01-01' }), row({ since: '2020-01-01', last: '2025-12-31' })),
      ],
      is: { '2019-01-01': 'yes', '2025-12-31': 'yes', '2026-01-01': 'no' },
    },
    'Live and ended without days: not known from the end on': {
      after: [file('2026-05-10', row(), row({ status: 'ended' }))],
      is: { '2018-01-01': 'yes', '2026-05-09': 'yes', '2026-05-10': '?' },
    },
    'Live and ended since the same day': {
      after: [
        file('2026-05-10', row({ since: '2020-01-01' }), row({ status: 'ended', since: '2020-01-01' })),
      ],
      is: { '2019-12-31': 'yes', '2020-01-01': '?', '2026-05-10': '?' },
    },
    'A former and a present one, without days of status': {
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
    'Two of one day: each until the next day': {
      after: [
        file(
          '2026-05-10',
          row({ status: 'ended', since: '2020-01-01' }),
          row({ since: '2023-01-01' }),
          row({ since: '2023-01-01', last: '2028-12-31' }),
        ),
      ],
      is: { '2019-12-31': 'yes', '2020-01-01': 'no', '2022-12-31': 'no', '2023-01-01': 'yes' },
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
      is: {
        '2021-12-31': 'yes',
        '2022-01-01': 'no',
        '2023-12-31': 'no',
        '2024-01-01': 'yes',
        '2026-05-10': 'yes',
      },
    },
  },
  'unclear-end': {
    'A termination without a line ends each': {
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
    'One that nobody recognizes, beside the row of what it may mean: not known, rather than left out': {
      of: ofLicense('pro', 'producer'),
      after: [
        report('2026-02-01', row({ identity: ofLicense('pro', 'producer') })),
        report(
          '2026-05-10',
          row({ status: 'unrecognized', ...undated, identity: ofLicense('pro', 'producer') }),
          row({ status: 'unrecognized', ...undated, identity: ofLicense(null) }),
        ),
      ],
      is: { '2026-05-09': 'yes', '2026-05-10': '?' },
    },
    'but not what it states live itself': {
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
    'One of a line by its code, where another code has the name of the line that is held: not that one': {
      of: ofAppointment({ line: '20', lineName: 'casualty' }),
      after: [
        file(
          '2026-02-01',
          row({ identity: ofAppointment({ line: null, lineName: 'casualty' }) }),
          row({ identity: ofAppointment({ line: '20', lineName: 'casualty' }) }),
        ),
        file('2026-05-10', row({ ...revoked, identity: ofAppointment({ line: '16' }) })),
      ],
      is: { '2026-05-10': 'yes' },
    },
    'A county that none has may be any': {
      of: ofAppointment({ county: 'miamidade' }),
      after: [
        file('2026-02-01', row({ identity: ofAppointment({ county: 'miamidade' }) })),
        file('2026-05-10', row({ ...revoked, identity: ofAppointment({ county: 'dade' }) })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    'A county that another appointment has ends that one': {
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
    'A county that only another company has may be any of its company': {
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
    'The end of one line, of an appointment of all lines': {
      of: ofAppointment({ line: null }),
      after: [
        file('2026-02-01', row({ identity: ofAppointment({ line: null }) })),
        file('2026-05-10', row({ ...revoked, identity: ofAppointment() })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': '?' },
    },
    'A class by its name, of a license that is held by code': {
      of: ofLicense('pro'),
      after: [
        file('2026-02-01', row()),
        file('2026-05-10', row({ ...revoked, identity: ofLicense(null, 'producer') })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    'A live row that may be of a revoked license: not known from its beginning on': {
      of: ofLicense(null, 'producer'),
      after: [
        report('2026-02-01', row()),
        report('2026-05-10', row(revoked)),
        completeFile('2026-05-11', row({ begins: '2026-05-05', identity: ofLicense(null, 'producer') })),
      ],
      is: { '2026-05-04': 'no', '2026-05-05': '?', '2026-05-11': '?' },
    },
    'The name of two codes that have ended: not known which it is of, if either': {
      of: ofLicense(null, 'producer'),
      after: [
        file('2026-02-01', row({ identity: ofLicense(null, 'producer') })),
        file(
          '2026-05-10',
          ...['p', 'q'].map((code) => row({ ...revoked, identity: ofLicense(code, 'producer') })),
        ),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': '?' },
    },
    'Two licenses of one number, by the names of their classes: each ends alone': {
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
    'The end of a license leaves what may be it not known, rather than ended': {
      of: ofLicense(null, 'producer'),
      after: [
        file('2026-02-01', row(), row({ identity: ofLicense(null, 'producer') })),
        file('2026-05-10', row(revoked)),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': '?', '2026-05-10': '?' },
    },
    'The end of one line, of an appointment of all lines in another county': {
      of: ofAppointment({ line: null, county: 'miamidade' }),
      after: [
        file('2026-02-01', row({ identity: ofAppointment({ line: null, county: 'miamidade' }) })),
        file('2026-05-10', row({ ...revoked, identity: ofAppointment({ county: 'dade' }) })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': '?' },
    },
    'The end of one line marks no day before an appointment of all lines': {
      of: ofAppointment({ line: null }),
      after: [
        file('2026-02-01', row({ begins: '2020-01-01', identity: ofAppointment({ line: null }) })),
        file('2026-05-10', row({ status: 'ended', since: '2019-01-01', identity: ofAppointment() })),
      ],
      is: { '2019-06-01': 'no', '2020-01-01': 'yes', '2026-05-10': 'yes' },
    },
  },
  'one-thing': {
    'An equal name is the same, whoever has the code': {
      of: ofLicense('pro', 'producer'),
      after: [
        report('2026-02-01', row({ identity: ofLicense('pro', 'producer'), ...lapsing })),
        file('2026-03-01', row({ identity: ofLicense(null, 'producer'), ...renewed })),
      ],
      is: { '2026-04-01': 'yes' },
    },
    'Codes decide, where both have one': {
      of: ofLicense('adj', 'producer'),
      after: [
        report('2026-02-01', row({ identity: ofLicense('pro', 'producer') })),
        file('2026-05-10', row({ ...revoked, identity: ofLicense('adj', 'producer') })),
      ],
      is: { '2026-01-31': 'yes', '2026-02-01': 'no', '2026-05-01': 'no' },
    },
    'An end tells that a code and a name are of one': {
      of: ofLicense(null, 'producer'),
      after: [
        report('2026-02-01', row()),
        file('2026-03-01', row({ begins: '2015-01-01', identity: ofLicense(null, 'producer') })),
        report('2026-05-10', row({ ...revoked, identity: ofLicense('pro', 'producer') })),
      ],
      is: { '2014-12-31': 'no', '2015-01-01': 'yes', '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
    'A deleted row never was': {
      after: [file('2026-02-01', row()), file('2026-03-01', row({ isDeleted: true })), file('2026-03-02')],
      is: { '2019-01-01': 'no', '2026-02-15': 'no' },
    },
    'A deleted row that is stated again': {
      after: [
        file('2026-02-01', row()),
        file('2026-03-01', row({ isDeleted: true })),
        file('2026-03-02', row()),
      ],
      is: { '2019-01-01': 'yes' },
    },
  },
  lines: {
    'A line without a day begins with its license': {
      line: 'C',
      after: [report('2026-02-01', row({ lines: [line('C')] }))],
      is: { '2017-12-31': 'no', '2018-01-01': 'yes' },
    },
    'A line that a later report adds: from that day': {
      line: 'P',
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        report('2026-05-10', row({ lines: [line('C'), line('P')] })),
      ],
      is: { '2018-01-01': '?', '2026-05-09': '?', '2026-05-10': 'yes' },
    },
    'A line that a later report leaves out': {
      line: 'P',
      after: [
        report('2026-02-01', row({ lines: [line('C'), line('P')] })),
        report('2026-05-10', row({ lines: [line('C')] })),
      ],
      is: { '2026-05-09': 'yes', '2026-05-10': 'no' },
    },
    'A line that a later file adds: from that day; before it, the file before left it out': {
      line: 'P',
      after: [
        file('2026-02-01', row({ lines: [line('C')] })),
        file('2026-05-10', row({ lines: [line('C'), line('P')] })),
      ],
      is: { '2018-01-01': '?', '2026-02-01': 'no', '2026-05-09': 'no', '2026-05-10': 'yes' },
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
      is: { '2018-01-01': 'yes', '2019-12-31': 'yes', '2020-01-01': 'no' },
    },
    'A file without lines says nothing of them; a report does': {
      line: 'C',
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        file('2026-03-01', row()),
        report('2026-05-10', row()),
      ],
      is: { '2026-03-01': 'yes', '2026-05-09': 'yes', '2026-05-10': 'no' },
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
      is: { '2012-01-01': 'yes', '2020-01-01': 'no', '2026-02-01': 'no' },
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
      is: { '2012-01-01': 'no', '2026-02-01': 'no' },
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
      is: { '2012-01-01': 'yes', '2015-01-01': 'no', '2020-01-01': 'no', '2026-03-01': 'no' },
    },
    'A line without a day does not begin before its license': {
      line: 'C',
      after: [
        report('2026-02-01', row({ begins: '2026-03-01', lines: [line('C')] })),
        report('2026-02-10', row({ begins: '2026-03-01', lines: [line('C')] })),
      ],
      is: { '2026-02-10': 'no', '2026-02-28': 'no', '2026-03-01': 'yes' },
    },
    'A license that ever carried lines is in force with one of them alone': {
      after: [
        report('2026-02-01', row({ lines: [line('C')] })),
        report('2026-05-10', row({ lines: [line('C', { status: 'ended', since: '2026-05-01' })] })),
      ],
      is: { '2026-04-30': 'yes', '2026-05-01': 'no' },
    },
  },
};
