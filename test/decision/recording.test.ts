import {
  appointment,
  appointmentImport,
  appointmentList,
  license,
  licenseImport,
  licenseList,
  notFound,
  setAside,
  terminated,
} from './case-rows.ts';
import type { AppointmentRow, CaseCommand, CaseUnread, Given, LicenseRow } from './commands.ts';
import { recordedBy } from './histories.ts';

// What commands record: what says nothing new records nothing.

type Keyed = {
  readonly key: string;
  readonly what: string;
  readonly rows?: readonly { readonly status: string }[];
  readonly validFrom?: string | null;
};

const factText = ({ what, key, rows = [], validFrom = null }: Keyed): string =>
  [what, key, ...rows.map(({ status }) => status), ...(validFrom === null ? [] : ['from', validFrom])].join(
    ' ',
  );

/** What the last of some commands records. */
function recordedLast(...commands: readonly CaseCommand[]): string[] {
  const [before, after] = [recordedBy(commands.slice(0, -1)), recordedBy(commands)];
  return [
    ...after.licenses.slice(before.licenses.length).map(factText),
    ...after.appointments.slice(before.appointments.length).map(factText),
    ...after.unread
      .slice(before.unread.length)
      .map(({ kind, stateCode }) => `unread ${kind} of ${stateCode}`),
    ...after.closings
      .slice(before.closings.length)
      .map(({ kind, stateCode }) => `${kind} list of ${stateCode}`),
  ];
}

const term = '1001#P#2025-03-01';
const change = 'code 19437###2025-03-01';
const ofEin = { ein: '75-1234567', companyCode: null };
const both = { ein: '75-1234567' };

const ofLine = (code: string, fields: Partial<AppointmentRow> = {}) =>
  appointment({ lineOfAuthorityCode: code, ...fields });
const ofName = appointment({ lineOfAuthorityName: 'Casualty' });
/** An end that leaves out the line, of the day from which the others are live. */
const sameDayEnd = appointment({ status: 'Terminated' });
const otherCompany = appointment({ companyCode: '10847' });
const ended = 'stated code 19437###2026-02-01 Terminated';

const live30 = ofLine('30', { statusChangeDate: '2024-03-01' });
const adjuster = { licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' };

const [live, other] = [license(), license({ licenseNumber: '2' })];
const listed = licenseList('2026-01-10', live, other);
const held = licenseImport('2026-01-10', {});
const georgia = license({ stateCode: 'GA' });
const unread: CaseUnread = {
  kind: 'license',
  stateCode: 'TX',
  licenseNumber: '1001',
  licenseClassCode: null,
  licenseClassName: null,
  isLive: true,
};
const unreadAppointment: CaseUnread = {
  kind: 'appointment',
  stateCode: 'TX',
  companyCode: '10847',
  ein: null,
  carrierName: null,
};
const until = (nextRenewalDate: string, validFrom?: string) => ({
  nextRenewalDate,
  ...(validFrom === undefined ? {} : { validFrom }),
});
/** A command with a row that could not be read. */
const withUnread = (command: CaseCommand, row: CaseUnread): CaseCommand =>
  ({ ...command, unread: [row] }) as CaseCommand;
const deleted = <Row>(row: Row): Row & Given => ({ ...row, isDeleted: true });
/** A former term, revoked: an end of the license, unless the term itself was live. */
const revoked = { issueDate: '2020-03-01', status: 'Revoked' };
const end = license(revoked);
const ofEnd = '1001#P#2020-03-01';
const undated = (fields: Partial<AppointmentRow> = {}): AppointmentRow & Given => ({
  ...appointment({ statusChangeDate: null, ...fields }),
  validFrom: '2026-01-05',
});

describe('a list', () => {
  it.each<[string, readonly CaseCommand[], readonly string[]]>([
    ['that says what the last one said', [listed, licenseList('2026-02-10', other, live, live)], []],
    [
      'that says it with members of our own',
      [listed, licenseList('2026-02-10', { ...live, updatedAt: '2026-02-10' } as LicenseRow, other)],
      [],
    ],
    [
      'that is the first to say what an import said',
      [held, licenseList('2026-02-10', live)],
      ['license list of TX'],
    ],
    [
      'that leaves out a license',
      [listed, licenseList('2026-02-10', live)],
      ['left out 2#P#2025-03-01', 'license list of TX'],
    ],
    [
      'that leaves it out again',
      [listed, licenseList('2026-02-10', live), licenseList('2026-03-10', live)],
      [],
    ],
    [
      'that names it again',
      [listed, licenseList('2026-02-10', live), licenseList('2026-03-10', live, other)],
      ['stated 2#P#2025-03-01 active', 'license list of TX'],
    ],
    [
      'of one state',
      [licenseList('2026-01-10', live, georgia), licenseList('2026-02-10', live)],
      [`left out ${term}`, 'license list of GA'],
    ],
    [
      'that finds the NPN again',
      [listed, notFound('2026-02-10'), licenseList('2026-03-10', live, other)],
      ['license list of TX'],
    ],
    [
      'after a row was set aside',
      [listed, setAside('2026-02-10', unread), licenseList('2026-03-10', live, other)],
      ['license list of TX'],
    ],
    [
      'after an appointment was set aside',
      [listed, setAside('2026-02-10', unreadAppointment), licenseList('2026-03-10', live, other)],
      [],
    ],
    [
      'with a row that is set aside, which leaves nothing out and is not complete',
      [listed, withUnread(licenseList('2026-02-10', live), unread)],
      ['unread license of TX'],
    ],
    [
      'with a row that is set aside as it was',
      [listed, setAside('2026-02-09', unread), withUnread(licenseList('2026-02-10', live), unread)],
      [],
    ],
    [
      'with a row that is set aside in another state',
      [listed, withUnread(licenseList('2026-02-10', live), { ...unread, stateCode: 'GA' })],
      ['left out 2#P#2025-03-01', 'unread license of GA', 'license list of TX'],
    ],
    [
      'that says what an import said from a day that has come since',
      [
        licenseImport('2026-01-10', until('2026-12-31')),
        licenseImport('2026-01-20', until('2027-12-31', '2026-02-10')),
        licenseList('2026-02-10', license(until('2027-12-31'))),
      ],
      [`stated ${term} active`, 'license list of TX'],
    ],
    [
      'that says what is in force until that day comes',
      [
        licenseImport('2026-01-10', until('2026-12-31')),
        licenseImport('2026-01-20', until('2027-12-31', '2026-02-10')),
        licenseList('2026-02-09', license(until('2026-12-31'))),
      ],
      ['license list of TX'],
    ],
    [
      'that says what an import said from its own day',
      [
        licenseImport('2026-01-10', until('2026-12-31')),
        licenseImport('2026-01-20', until('2027-12-31', '2026-01-20')),
        licenseList('2026-02-10', license(until('2027-12-31'))),
      ],
      ['license list of TX'],
    ],
    [
      'that says of an appointment what it said before an import ended it by the EIN',
      [
        appointmentList('2026-01-10', appointment(both)),
        appointmentImport('2026-01-20', appointment({ ...ofEin, status: 'Terminated' })),
        appointmentList('2026-02-10', appointment(both)),
      ],
      [`stated ${change} Appointed`, 'left out ein 75-1234567###2025-03-01', 'appointment list of TX'],
    ],
    [
      'that names a license as it was before an import ended it under another spelling',
      [
        listed,
        licenseImport('2026-01-20', { licenseClassCode: null, licenseClassName: null, status: 'Revoked' }),
        licenseList('2026-02-10', live, other),
      ],
      [`stated ${term} active`, 'left out 1001##2025-03-01', 'license list of TX'],
    ],
    [
      'of appointments that says what the last one said',
      [appointmentList('2026-01-10', appointment()), appointmentList('2026-02-10', appointment())],
      [],
    ],
    [
      'that says of an appointment what an import said from a day that has come since',
      [
        appointmentImport('2026-01-10', { ...appointment(), validFrom: '2026-02-01' }),
        appointmentList('2026-02-10', appointment()),
      ],
      ['appointment list of TX'],
    ],
    [
      'of appointments that says what the last one corrected',
      [
        appointmentList('2026-01-10', appointment()),
        appointmentList('2026-01-20', appointment({ renewalDate: '2026-12-31' })),
        appointmentList('2026-02-10', appointment({ renewalDate: '2026-12-31' })),
      ],
      [],
    ],
    [
      'of appointments that repeats one beside an end that leaves out its line',
      [
        appointmentList('2026-01-10', ofLine('16'), sameDayEnd),
        appointmentList('2026-02-10', ofLine('16'), sameDayEnd),
      ],
      [],
    ],
    [
      'that repeats an end beside a live license, which ends nothing',
      [licenseList('2026-01-10', live, end), licenseList('2026-02-10', live, end)],
      [],
    ],
    [
      'that repeats the end alone',
      [licenseList('2026-01-10', live, end), licenseList('2026-02-10', end, other)],
      [`stated ${ofEnd} Revoked`, 'stated 2#P#2025-03-01 active', `left out ${term}`, 'license list of TX'],
    ],
    [
      'that repeats the end alone once more',
      [
        licenseList('2026-01-10', live, end),
        licenseList('2026-02-10', end, other),
        licenseList('2026-03-10', end, other),
      ],
      [],
    ],
    [
      'that repeats that a license has ended',
      [
        licenseList('2026-01-10', live),
        licenseList('2026-02-10', license({ status: 'Revoked' })),
        licenseList('2026-03-10', license({ status: 'Revoked' })),
      ],
      [],
    ],
  ])('%s', (_, commands, recorded) => {
    expect(recordedLast(...commands)).toEqual(recorded);
  });
});

describe('an import', () => {
  it.each<[string, readonly CaseCommand[], readonly string[]]>([
    ['that says what is recorded', [held, licenseImport('2026-02-10', {}, {})], []],
    ['that says what a list said', [listed, licenseImport('2026-02-10', {})], []],
    [
      'that says what was said before the last one',
      [
        licenseImport('2026-01-10', until('2026-12-31')),
        licenseImport('2026-01-20', until('2027-12-31')),
        licenseImport('2026-02-10', until('2026-12-31')),
      ],
      [`stated ${term} active`],
    ],
    [
      'that says anew what a list left out',
      [listed, licenseList('2026-01-20', other), licenseImport('2026-02-10', {})],
      [`stated ${term} active`],
    ],
    [
      'that repeats two versions of a term',
      [
        licenseImport('2026-01-10', until('2026-12-31', '2026-01-01'), until('2027-12-31', '2026-02-01')),
        licenseImport('2026-01-20', until('2026-12-31', '2026-01-01'), until('2027-12-31', '2026-02-01')),
      ],
      [],
    ],
    [
      'that repeats one of them otherwise',
      [
        licenseImport('2026-01-10', until('2026-12-31', '2026-01-01'), until('2027-12-31', '2026-02-01')),
        licenseImport('2026-01-20', until('2026-12-31', '2026-01-01'), until('2028-12-31', '2026-02-01')),
      ],
      [`stated ${term} active from 2026-01-01`, `stated ${term} active from 2026-02-01`],
    ],
    [
      'of which a call is repeated',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', until('2026-12-31')),
        licenseImport('2026-01-20', until('2026-12-31')),
      ],
      [],
    ],
    [
      'of which another call says more of a term',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', until('2026-12-31')),
        licenseImport('2026-01-20', {}),
      ],
      [`stated ${term} active`],
    ],
    [
      'that deletes a license',
      [held, licenseImport('2026-02-10', { isDeleted: true })],
      [`retracted ${term}`],
    ],
    [
      'that deletes it again',
      [
        held,
        licenseImport('2026-01-20', { isDeleted: true }),
        licenseImport('2026-02-10', { isDeleted: true }),
      ],
      [],
    ],
    [
      'that deletes what is not recorded',
      [held, licenseImport('2026-02-10', deleted({ licenseNumber: '2' }))],
      [],
    ],
    [
      'that deletes what it states, under another spelling',
      [held, licenseImport('2026-02-10', deleted({ licenseClassCode: null }), { licenseNumber: '01001' })],
      [`retracted ${term}`],
    ],
    [
      'that deletes a license of another class',
      [held, licenseImport('2026-02-10', deleted({ licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' }))],
      [],
    ],
    [
      'that deletes another term',
      [held, licenseImport('2026-02-10', deleted({ issueDate: '2024-03-01' }))],
      [],
    ],
    [
      'that states again what it deleted',
      [held, licenseImport('2026-01-20', { isDeleted: true }), licenseImport('2026-02-10', {})],
      [`stated ${term} active`],
    ],
    [
      'after a row of its state was set aside',
      [held, setAside('2026-01-20', unread), licenseImport('2026-02-10', {})],
      [`stated ${term} active`],
    ],
    [
      'that sets the row aside again, and so does not make it good',
      [held, setAside('2026-01-20', unread), withUnread(licenseImport('2026-02-10', {}), unread)],
      [],
    ],
    [
      'after a row of another state was set aside',
      [held, setAside('2026-01-20', { ...unread, stateCode: 'GA' }), licenseImport('2026-02-10', {})],
      [],
    ],
    [
      'after an appointment was set aside',
      [held, setAside('2026-01-20', unreadAppointment), licenseImport('2026-02-10', {})],
      [],
    ],
    [
      'after a row was set aside before it was recorded',
      [setAside('2026-01-09', unread), held, licenseImport('2026-02-10', {})],
      [],
    ],
    [
      'with a row that is set aside as it was',
      [setAside('2026-01-20', unread), setAside('2026-02-10', unread)],
      [],
    ],
    [
      'with one row of it twice',
      [setAside('2026-02-10', unread, unread, { ...unread, licenseNumber: '2' })],
      ['unread license of TX', 'unread license of TX'],
    ],
    [
      'with a row that is set aside again after a list',
      [
        setAside('2026-01-20', unread),
        listed,
        licenseList('2026-01-30', live),
        setAside('2026-02-10', unread),
      ],
      ['unread license of TX'],
    ],
    [
      'with a row that is set aside again after a list of another kind',
      [
        setAside('2026-01-20', unread),
        appointmentList('2026-01-30', appointment()),
        setAside('2026-02-10', unread),
      ],
      [],
    ],
    [
      'that says of an appointment what a list says that ended it',
      [
        appointmentList('2026-01-10', appointment(both)),
        appointmentList('2026-01-20', terminated(both)),
        appointmentImport('2026-02-10', terminated(both)),
      ],
      ['stated code 19437###2026-02-01 Terminated'],
    ],
    [
      'that repeats such an end, before a list',
      [
        appointmentList('2026-01-10', appointment(both)),
        appointmentImport('2026-01-20', terminated(both)),
        appointmentImport('2026-02-10', terminated(both)),
      ],
      [],
    ],
    [
      'that repeats an appointment without a date from the day that it gave, by the EIN',
      [appointmentImport('2026-01-10', undated(both)), appointmentImport('2026-02-10', undated(both))],
      [],
    ],
    [
      'that says an appointment under another key',
      [appointmentImport('2026-01-10', undated(both)), appointmentImport('2026-02-10', undated(ofEin))],
      ['stated ein 75-1234567###2026-01-05 Appointed from 2026-01-05'],
    ],
    [
      'that repeats what it said under two keys',
      [
        appointmentImport('2026-01-10', undated(both), undated(ofEin)),
        appointmentImport('2026-02-10', undated(both), undated(ofEin)),
      ],
      [],
    ],
    [
      'that states a license beside an end that is recorded, of which it is no end then',
      [
        licenseImport('2026-01-10', { licenseNumber: '7', status: 'Revoked', issueDate: '2020-03-01' }),
        licenseImport(
          '2026-02-10',
          { licenseNumber: '7', status: 'Revoked', issueDate: '2020-03-01' },
          { licenseNumber: '7' },
        ),
      ],
      ['stated 7#P#2020-03-01 Revoked', 'stated 7#P#2025-03-01 active'],
    ],
    [
      'that repeats a license of which another term ended that was live itself',
      [
        licenseImport('2026-01-10', {}, { issueDate: '2020-03-01' }),
        licenseImport('2026-01-20', { issueDate: '2020-03-01', status: 'Revoked' }),
        licenseImport('2026-02-10', {}),
      ],
      [],
    ],
    [
      'that repeats a license after an end of no term of its own',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', { issueDate: '2020-03-01', status: 'Revoked' }),
        licenseImport('2026-02-10', {}),
      ],
      [`stated ${term} active`],
    ],
    [
      'that repeats it once more',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', revoked),
        licenseImport('2026-02-10', {}),
        licenseImport('2026-03-10', {}),
      ],
      [],
    ],
    [
      'that repeats it the day after one that is no return from an end of its own day',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20T10:00:00.000', revoked),
        licenseImport('2026-01-20T16:00:00.000', {}),
        licenseImport('2026-01-21', {}),
      ],
      [`stated ${term} active`],
    ],
    [
      'that repeats it where the term that ended it was said to be live since',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', revoked),
        licenseImport('2026-01-30', { ...revoked, status: 'active' }),
        licenseImport('2026-02-10', {}),
      ],
      [`stated ${term} active`],
    ],
    [
      'that repeats it where a command stated the other term both ended and live',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', revoked, { ...revoked, status: 'active' }),
        licenseImport('2026-02-10', {}),
      ],
      [],
    ],
    [
      'that repeats it after two rows of an end',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', revoked, { ...revoked, statusReason: 'Fraud' }),
        licenseImport('2026-02-10', {}),
      ],
      [`stated ${term} active`],
    ],
    [
      'that repeats it with its end',
      [licenseImport('2026-01-10', {}, revoked), licenseImport('2026-02-10', {}, revoked)],
      [],
    ],
    [
      'that repeats both beside another license that began when the end did',
      [
        licenseImport('2026-01-10', {}, revoked),
        licenseImport('2026-02-10', {}, revoked, { licenseNumber: '2', issueDate: '2020-03-01' }),
      ],
      ['stated 2#P#2020-03-01 active'],
    ],
    [
      'that repeats it, after its end, beside the end of another license',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', revoked),
        licenseImport('2026-02-10', {}, { ...revoked, licenseNumber: '2' }),
      ],
      [`stated ${term} active`, 'stated 2#P#2020-03-01 Revoked'],
    ],
    [
      'that repeats an end after the license was said to be live',
      [
        licenseImport('2026-01-10', revoked),
        licenseImport('2026-01-20', {}, { status: 'inactive' }),
        licenseImport('2026-02-10', revoked),
      ],
      [`stated ${ofEnd} Revoked`],
    ],
    [
      'that repeats one of two licenses of a number',
      [
        licenseImport('2026-01-10', {}, { licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' }),
        licenseImport('2026-02-10', {}),
      ],
      [],
    ],
    [
      'that states a license beside an end of another one',
      [
        licenseImport('2026-01-10', { ...revoked, licenseNumber: '2' }),
        licenseImport('2026-02-10', {}, { ...revoked, licenseNumber: '2' }),
      ],
      [`stated ${term} active`],
    ],
    [
      'that says of an appointment what a list said',
      [appointmentList('2026-01-10', appointment()), appointmentImport('2026-02-10', appointment())],
      [],
    ],
    [
      'that repeats an end of an appointment which a list has said since, too',
      [
        appointmentList('2026-01-10', appointment()),
        appointmentList('2026-02-02', terminated()),
        appointmentImport('2026-02-03', terminated()),
        appointmentList('2026-02-04', terminated()),
        appointmentImport('2026-02-10', terminated()),
      ],
      [],
    ],
    [
      'that states such an end after one deleted it',
      [
        appointmentList('2026-02-02', terminated()),
        appointmentImport('2026-02-03', terminated()),
        appointmentImport('2026-02-04', deleted(terminated())),
        appointmentList('2026-02-05', terminated()),
        appointmentImport('2026-02-10', terminated()),
      ],
      [ended],
    ],
    [
      'that repeats an end which leaves out the line, after a list of what it ended',
      [
        appointmentList('2026-01-10', ofLine('16'), terminated()),
        appointmentImport('2026-02-02', terminated()),
        appointmentList('2026-02-03', ofLine('16'), terminated()),
        appointmentImport('2026-02-10', terminated()),
      ],
      [ended],
    ],
    [
      'that repeats an end with the code of a line, after a list of an appointment that has only a name',
      [
        appointmentList('2026-01-10', ofName, terminated({ lineOfAuthorityCode: '16' })),
        appointmentImport('2026-02-02', terminated({ lineOfAuthorityCode: '16' })),
        appointmentList('2026-02-03', ofName, terminated({ lineOfAuthorityCode: '16' })),
        appointmentImport('2026-02-10', terminated({ lineOfAuthorityCode: '16' })),
      ],
      ['stated code 19437#code 16##2026-02-01 Terminated'],
    ],
    [
      'that repeats an end of an appointment that it stated itself',
      [
        appointmentImport('2026-01-10', appointment(), terminated()),
        appointmentImport('2026-02-10', terminated()),
      ],
      [],
    ],
    [
      'that repeats an end alone which it stated beside what it means, of the same day',
      [
        appointmentImport('2026-01-10', ofLine('16'), sameDayEnd),
        appointmentImport('2026-02-10', sameDayEnd),
      ],
      [`stated ${change} Terminated`],
    ],
    [
      'that repeats the end alone once more',
      [
        appointmentImport('2026-01-10', ofLine('16'), sameDayEnd),
        appointmentImport('2026-02-10', sameDayEnd),
        appointmentImport('2026-02-11', sameDayEnd),
      ],
      [],
    ],
    [
      'that repeats an end after the appointment was said to be live, among others',
      [
        appointmentImport('2026-01-10', terminated()),
        appointmentImport('2026-01-20', appointment(), otherCompany),
        appointmentImport('2026-02-10', terminated()),
      ],
      [ended],
    ],
    [
      'that repeats an end after another appointment was said to be live, and its own pending',
      [
        appointmentImport('2026-01-10', terminated()),
        appointmentImport('2026-01-20', appointment({ status: 'Pending' }), otherCompany),
        appointmentImport('2026-02-10', terminated()),
      ],
      [],
    ],
    [
      'that repeats appointments beside an end that means them, and is of their day',
      [
        appointmentImport('2026-01-10', ofLine('16'), ofLine('20')),
        appointmentImport('2026-02-10', ofLine('16'), ofLine('20'), sameDayEnd),
      ],
      [
        'stated code 19437#code 16##2025-03-01 Appointed',
        'stated code 19437#code 20##2025-03-01 Appointed',
        `stated ${change} Terminated`,
      ],
    ],
    [
      'that repeats an appointment beside an end of another line, county, day, or state',
      [
        appointmentImport(
          '2026-01-10',
          ofLine('16'),
          ofLine('20', { countyName: 'Travis' }),
          appointment(),
          ofLine('30', { status: 'Pending' }),
        ),
        appointmentImport(
          '2026-02-10',
          ofLine('16'),
          appointment(),
          ofLine('30', { status: 'Pending' }),
          ofLine('20', { status: 'Terminated' }),
          terminated({ lineOfAuthorityCode: '40' }),
          terminated(),
          appointment({ stateCode: 'GA', status: 'Terminated' }),
        ),
      ],
      [
        'stated code 19437#code 20##2025-03-01 Terminated',
        'stated code 19437#code 40##2026-02-01 Terminated',
        ended,
        `stated ${change} Terminated`,
      ],
    ],
    [
      'that repeats what is pending beside an end that leaves out the line',
      [
        appointmentImport('2026-01-10', live30, ofLine('30', { status: 'Pending' }), sameDayEnd),
        appointmentImport('2026-02-10', live30, ofLine('30', { status: 'Pending' }), sameDayEnd),
      ],
      [],
    ],
    [
      'that says an end of a day on which a list says it too, and another import said live',
      [
        appointmentImport('2026-01-10', appointment()),
        appointmentList('2026-02-02', sameDayEnd),
        appointmentImport('2026-02-10', sameDayEnd),
      ],
      [`stated ${change} Terminated`],
    ],
    [
      'that repeats a license after an end that is dated before it began, or is of another class',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', { ...revoked, statusDate: '2025-03-01' }, { ...revoked, ...adjuster }),
        licenseImport('2026-02-10', {}),
      ],
      [],
    ],
    [
      'that repeats an end after the license has ended',
      [
        licenseImport('2026-01-10', revoked),
        licenseImport('2026-01-20', { status: 'Inactive' }),
        licenseImport('2026-02-10', revoked),
      ],
      [],
    ],
    [
      'that repeats a license twice on the day of its end',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20T10:00:00.000', revoked),
        licenseImport('2026-01-20T16:00:00.000', {}),
        licenseImport('2026-01-20T17:00:00.000', {}),
      ],
      [],
    ],
    [
      'that repeats a license, after its end, beside the end of a term that it states live too',
      [
        licenseImport('2026-01-10', {}),
        licenseImport('2026-01-20', revoked),
        licenseImport('2026-02-10', {}, { ...revoked, issueDate: '2015-03-01' }, { issueDate: '2015-03-01' }),
      ],
      [`stated ${term} active`, 'stated 1001#P#2015-03-01 Revoked active'],
    ],
  ])('%s', (_, commands, recorded) => {
    expect(recordedLast(...commands)).toEqual(recorded);
  });
});
