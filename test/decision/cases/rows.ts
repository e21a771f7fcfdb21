import {
  action,
  actionReport,
  after,
  answered,
  appointment,
  appointmentEnded,
  appointmentImport,
  appointmentNotKnown,
  appointmentReport,
  asks,
  casesOf,
  complete,
  forCause,
  isAppointed,
  isExpired,
  isLicensed,
  license,
  licensed,
  licenseImport,
  licenseNotKnown,
  licenseReport,
  line,
  lines,
  noLicense,
  noLine,
  notAppointed,
  notBegun,
  notFound,
  partlyUnread,
  terminated,
  wrongClass,
} from '../case-rows.ts';

const licenseUnknown = licenseNotKnown('license_unknown?');
const adjuster = { licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' };
const classless = { licenseClassCode: null, licenseClassName: null };
/** As exports have it that know classes by their names. */
const named = (licenseClassName: string) => ({ licenseClassCode: null, licenseClassName });
const of16 = { linesOfAuthority: lines(['16']) };
const line16 = { lines: ['16'] };
const untilMarch = { nextRenewalDate: '2026-03-31' };
const until2028 = { nextRenewalDate: '2028-03-31' };
const generalLines = { ...named('General Lines (Prop & Cas)'), issueDate: '2010-07-01' };
const canceledLife = {
  ...named('Life Incl Var Annuity & Health'),
  issueDate: '2012-03-01',
  status: 'Cancelled',
  statusDate: '2021-05-01',
};
const of10847 = (status: string) => appointment({ status, companyCode: '10847' });
const terminatedOn = (statusChangeDate: string) => terminated({ statusChangeDate });

/** The rules of what rows are about, and of lines, at work. */
export const rowCases = casesOf({
  'several-rows': [
    after(
      licensed,
      appointmentImport(
        '2026-03-10',
        appointment({ statusChangeDate: '2018-01-01' }),
        terminatedOn('2022-01-01'),
        appointment({ statusChangeDate: '2023-01-01' }),
      ),
    ).asked({
      'Appointed on 2018-01-01, terminated on 2022-01-01, and appointed on 2023-01-01; on 2021-12-31':
        isAppointed('2021-12-31'),
      'On 2022-01-01': appointmentEnded('2022-01-01'),
      'On 2023-01-01': isAppointed('2023-01-01'),
    }),
  ],
  'unclear-end': [
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ lineOfAuthorityCode: '16' })),
      appointmentImport('2026-02-10', terminated()),
    ).asked({
      'An appointment is for the line 16, its termination for none': appointmentEnded('2026-03-10'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ countyName: 'Miami-Dade' })),
      appointmentImport('2026-02-10', terminated({ countyName: 'DADE' })),
    ).asked({
      'A termination is for the county `DADE`, which no appointment has': appointmentEnded('2026-03-10'),
    }),
    after(
      licenseImport('2026-01-10', {}, adjuster),
      licenseImport('2026-02-10', { ...classless, status: 'Revoked' }),
    ).asked({
      'A producer’s and an adjuster’s license have one number, of which a file without a class says `Revoked`':
        noLicense('2026-03-10'),
      'With the knowledge of before': isLicensed('2026-03-10', { knownAt: '2026-02-09' }),
    }),
  ],
  'one-thing': [
    after(licenseImport('2026-01-10', { ...generalLines }, { ...canceledLife })).asked({
      'A number has the classes `General Lines (Prop & Cas)`, active, and `Life Incl Var Annuity & Health`, `Cancelled` in 2021; the former in 2022':
        isLicensed('2022-06-01', { requires: { licenseClasses: [generalLines.licenseClassName] } }),
      'On 2026-03-10': isLicensed('2026-03-10', {
        requires: { licenseClasses: [generalLines.licenseClassName] },
      }),
      'The class that was `Cancelled`': wrongClass('2026-03-10', {
        requires: { licenseClasses: [canceledLife.licenseClassName] },
      }),
    }),
    after(
      licenseReport('2026-01-10', license({ licenseClassName: 'Producer', ...untilMarch })),
      licenseImport('2026-03-01', { ...named('PRODUCER'), ...until2028 }),
    ).asked({
      'A report has a license with a code of its class, and a file its next term with the same name alone':
        isLicensed('2026-04-10'),
    }),
    after(
      licensed,
      appointmentReport('2026-03-10', appointment(), ...['Appointed', 'Terminated'].map(of10847)),
    ).asked({
      'Of two appointments that differ in their company’s code, one is terminated': isAppointed('2026-03-10'),
    }),
    after(
      licensed,
      appointmentReport(
        '2026-03-10',
        appointment(),
        terminated({ companyCode: null, carrierName: 'BEACON SPECIALTY INS. CO.' }),
      ),
    ).asked({
      'A termination has the name of the company alone, as `BEACON SPECIALTY INS. CO.`':
        appointmentEnded('2026-03-10'),
    }),
  ],
  spelling: [
    after(
      licenseImport('2026-01-10', { licenseNumber: '0012345' }),
      licenseImport('2026-02-10', { licenseNumber: '12345', status: 'Revoked' }),
    ).asked({
      'The number of a license is `0012345`, and a file has `12345` as revoked': noLicense('2026-03-10'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ countyName: 'Miami-Dade' })),
      appointmentImport('2026-02-10', terminated({ companyCode: '019437', countyName: 'MIAMI DADE' })),
    ).asked({
      'An appointment is of the company 19437 for the county `Miami-Dade`, its termination of 019437 for `MIAMI DADE`':
        appointmentEnded('2026-03-10'),
    }),
    after(licenseReport('2026-03-10', license({ issueDate: '2026-03-01T00:00:00.000Z' }))).asked({
      '`issueDate` is `2026-03-01T00:00:00.000Z`, which is 2026-02-28 in New York; on 2026-02-28':
        notBegun('2026-02-28'),
      '`issueDate` is `2026-03-01T00:00:00.000Z`; on 2026-03-01': isLicensed('2026-03-01'),
    }),
  ],
  lines: [
    after(
      licenseReport(
        '2026-01-10',
        license({ issueDate: '2018-01-01', linesOfAuthority: [line('16', { issueDate: '2025-05-01' })] }),
      ),
    ).asked({
      'A license of 2018 has the line since 2025-05-01; in 2021': noLine('2021-06-01', line16),
      'On 2025-05-01': isLicensed('2025-05-01', line16),
    }),
    after(licenseReport('2026-01-10', license({ issueDate: '2018-01-01', ...of16 }))).asked({
      'The line of a license of 2018 has no date; in 2021': isLicensed('2021-06-01', line16),
    }),
    after(licenseReport('2026-01-10', license()), licenseReport('2026-03-10', license(of16))).asked({
      'A report of 2026-03-10 has the line 16 for the first time, without a date; on 2026-03-09':
        licenseUnknown('2026-03-09', line16),
      'A report of 2026-03-10 has the line 16 for the first time, without a date; on that day': isLicensed(
        '2026-03-10',
        line16,
      ),
    }),
  ],
  'lines-left-out': [
    after(
      licenseReport('2026-01-10', license({ linesOfAuthority: lines(['16', '20']) })),
      licenseImport('2026-03-10', { linesOfAuthority: lines(['20']) }),
    ).asked({
      'A file of 2026-03-10 does not have the line 16 any more; on 2026-03-09': isLicensed(
        '2026-03-09',
        line16,
      ),
      'A file of 2026-03-10 does not have the line 16 any more; on that day': noLine('2026-03-10', line16),
    }),
    after(licenseReport('2026-01-10', license(of16)), licenseImport('2026-03-01', {})).asked({
      'A file has the license without any line': isLicensed('2026-03-10', line16),
    }),
  ],
  'no-line': [
    after(licenseReport('2026-01-10', license({ linesOfAuthority: lines(['16'], 'Inactive') }))).asked({
      'The only line of the license is `Inactive`, and the product requires none': noLine('2026-03-10'),
    }),
  ],
});

const appointmentUnknown = appointmentNotKnown('appointment_unknown?');

/** The rules of when something is in force at work. */
export const dayCases = casesOf({
  'live-row': [
    after(licenseReport('2026-03-10', license({ issueDate: '2026-03-01', ...untilMarch }))).asked({
      'A license has the `issueDate` 2026-03-01 and the `expirationDate` 2026-03-31; on 2026-02-28':
        notBegun('2026-02-28'),
      'On 2026-04-01': isExpired('2026-04-01'),
    }),
    after(licenseReport('2026-03-10', license({ issueDate: null, ...until2028 }))).asked({
      'A license without an `issueDate` became known on 2026-03-10; in 2012': licenseUnknown('2012-06-01'),
    }),
    ...(['nextRenewalDate', 'expirationDate'] as const).map((earlier) =>
      after(
        licenseReport(
          '2026-01-10',
          license({ nextRenewalDate: '2026-12-31', expirationDate: '2026-12-31', [earlier]: '2026-02-28' }),
        ),
      ).asked({
        [`\`${earlier}\` is 2026-02-28, and the other date 2026-12-31; on 2026-03-10`]:
          isExpired('2026-03-10'),
      }),
    ),
    after(
      licensed,
      appointmentReport(
        '2026-03-10',
        appointment({ statusChangeDate: '2025-03-01', effectiveDate: '2020-01-01' }),
      ),
    ).asked({
      'An appointment has the `effectiveDate` 2020-01-01, and another `statusChangeDate`; on that day':
        isAppointed('2020-01-01'),
      'On 2019-12-31': notAppointed('2019-12-31'),
    }),
  ],
  end: [
    after(
      licenseReport('2026-01-10', license()),
      licenseReport('2026-05-10', license({ status: 'Revoked', statusDate: '2026-05-01' })),
    ).asked({
      'A license is `Revoked`, with the `statusDate` 2026-05-01; on 2026-04-30': isLicensed('2026-04-30'),
      'On 2026-05-01': noLicense('2026-05-01'),
    }),
  ],
  'before-end': [
    after(
      licenseReport(
        '2026-03-10',
        license({ status: 'Inactive', issueDate: '2015-01-01', expirationDate: '2023-12-31' }),
      ),
    ).asked({
      'A license of 2015 to 2023 is first seen as `Inactive`, without a date; in 2022':
        licenseUnknown('2022-06-01'),
      'On 2024-01-01': isExpired('2024-01-01'),
    }),
    after(
      licensed,
      appointmentImport(
        '2026-05-10',
        terminated({ effectiveDate: '2019-03-01', statusChangeDate: '2026-05-01' }),
      ),
    ).asked({
      'A terminated appointment has the `effectiveDate` 2019-03-01 and the `statusChangeDate` 2026-05-01; in 2018':
        notAppointed('2018-06-01'),
      'In 2021': isAppointed('2021-06-01'),
      'On 2026-05-01': appointmentEnded('2026-05-01'),
    }),
  ],
  'end-on-beginning': [
    after(
      licensed,
      appointmentReport('2026-01-10', appointment()),
      appointmentReport('2026-03-10', terminatedOn('2025-03-01')),
    ).asked({
      'The appointment of 2025-03-01 is terminated in a report of 2026-03-10, with the same date; on 2026-03-09':
        appointmentUnknown('2026-03-09'),
      'On 2026-03-10': notAppointed('2026-03-10'),
    }),
  ],
  'end-holds': [
    after(
      licenseReport('2026-01-10', license()),
      licenseReport('2026-03-01', license({ status: 'Inactive' })),
      licenseImport('2026-03-05', {}),
    ).asked({
      'A report of 2026-03-01 has a license as `Inactive`, and a file of 2026-03-05 still has it as active; on 2026-03-10':
        licenseUnknown('2026-03-10'),
    }),
  ],
  'left-out': [
    after(
      licenseReport('2026-01-10', license()),
      licenseReport('2026-02-10'),
      licenseReport('2026-03-12', license()),
    ).asked({
      'A report of 2026-02-10 does not have a license, that of 2026-03-12 has it again; on 2026-02-20':
        isLicensed('2026-02-20'),
    }),
  ],
  'registry-lag': [
    after(
      licensed,
      appointmentImport('2026-03-09', appointment({ statusChangeDate: '2026-03-08' })),
      appointmentReport('2026-03-10'),
    ).asked({
      'A file of 2026-03-09 has an appointment that the report of the next day does not have yet; on 2026-03-10':
        appointmentUnknown('2026-03-10'),
    }),
  ],
  replaced: [
    after(
      licenseReport('2026-01-10', license()),
      licenseReport('2026-02-10', license({ issueDate: '2025-06-01' })),
    ).asked({
      'A report moves the `issueDate` from 2025-03-01 to 2025-06-01; on 2025-04-01':
        licenseUnknown('2025-04-01'),
      'On 2025-06-01': isLicensed('2025-06-01'),
    }),
  ],
});

const notUnderstood = licenseNotKnown('row_not_understood?');

/** The rules of reports and files, and of words of statuses, at work. */
export const reportCases = casesOf({
  // ── Reports and files
  complete: [
    after(licenseReport('2026-01-10', license()), licenseReport('2026-03-02')).asked({
      'A report of 2026-01-10 has a license, and that of 2026-03-02 has none; on 2026-03-01':
        isLicensed('2026-03-01'),
      'On 2026-03-02': noLicense('2026-03-02'),
    }),
    after(
      licenseImport('2026-01-10', of16),
      complete(licenseImport('2026-03-02', { licenseNumber: '1002' })),
    ).asked({
      'A file has a license with the line 16, and one with `complete: true` only another license, without it':
        noLine('2026-03-02', line16),
    }),
    after(licenseImport('2026-01-10', of16), licenseImport('2026-03-02', { licenseNumber: '1002' })).asked({
      'The later file is not complete': isLicensed('2026-03-02', line16),
    }),
    after(
      licenseReport('2026-01-10', license()),
      complete(licenseImport('2026-03-02', { stateCode: 'GA', licenseNumber: '2' })),
    ).asked({ 'It is, and names the producer in another state alone': isLicensed('2026-03-02') }),
    after(licensed, appointmentImport('2026-01-10', appointment()), appointmentReport('2026-03-02')).asked({
      'A file has an appointment, and a report of 2026-03-02 has none': appointmentEnded('2026-03-02'),
    }),
  ],
  'order-of-reports': [
    after(
      licenseImport('2026-02-01T15:00:00.000Z', { nextRenewalDate: '2026-02-28' }),
      licenseImport('2026-02-01T16:00:00.000Z', { nextRenewalDate: '2026-12-31' }),
    ).asked({
      'A file says that a license ends on 2026-02-28, and one an hour later on 2026-12-31; on 2026-03-10':
        isLicensed('2026-03-10'),
    }),
    after(licenseReport('2026-03-10'), {
      ...licenseReport('2026-01-10', license()),
      recordedAt: '2026-03-12T15:00:00.000Z',
    }).asked({
      'A report that was asked for on 2026-01-10 is imported after that of 2026-03-10, which does not have its license; on 2026-03-09':
        isLicensed('2026-03-09'),
      'On 2026-03-12': noLicense('2026-03-12'),
    }),
    after(
      licenseReport('2026-01-10', license()),
      licenseReport('2026-03-02T04:30:00.000Z', license({ status: 'Inactive' })),
    ).asked({
      'A report has a license as `Inactive` at 23:30 in New York on 2026-03-01; on that day':
        noLicense('2026-03-01'),
      'On the day before': isLicensed('2026-02-28'),
    }),
  ],
  deleted: [
    after(licenseReport('2026-01-10', license()), licenseImport('2026-03-02', { isDeleted: true })).asked({
      'A report of 2026-01-10 has a license, and a file of 2026-03-02 deletes it; on 2026-02-01':
        noLicense('2026-02-01'),
    }),
    after(
      licenseImport('2026-01-10', {}),
      licenseImport('2026-03-02', { isDeleted: true }),
      licenseImport('2026-04-01', {}),
    ).asked({ 'A file of 2026-04-01 has it again; on 2026-02-01': isLicensed('2026-02-01') }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment(), terminated()),
      appointmentImport('2026-03-02', { ...terminated(), isDeleted: true }),
    ).asked({ 'The termination of an appointment is deleted': isAppointed('2026-03-10') }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ ein: '75-1234567' })),
      appointmentImport('2026-01-20', {
        ...appointment({ companyCode: null, ein: '751234567' }),
        isDeleted: true,
      }),
    ).asked({ 'An appointment is deleted by the EIN of its company': notAppointed('2026-03-10') }),
    after(
      licenseImport('2026-01-10', { status: 'Revoked', statusDate: '2026-01-05' }),
      licenseImport('2026-02-01', {}, { issueDate: '2025-03-10' }),
      licenseImport('2026-02-05', { isDeleted: true }),
    ).asked({ 'A license is deleted, and not its revocation of 2026-01-05': licenseUnknown('2026-03-10') }),
    after(
      licenseImport('2026-01-10', { status: 'Revoked', statusDate: '2026-01-05' }),
      licenseImport('2026-01-20', { status: 'Suspended', statusDate: '2026-01-15' }),
      licenseImport('2026-02-01', {}),
      licenseImport('2026-02-05', { status: 'Suspended', statusDate: '2026-01-15', isDeleted: true }),
    ).asked({ 'A suspension is deleted, and not the revocation before it': licenseUnknown('2026-03-10') }),
    after(
      licensed,
      appointmentReport('2026-01-01', appointment({ effectiveDate: '2018-02-01' })),
      appointmentReport(
        '2026-01-10',
        terminated({
          effectiveDate: '2018-02-01',
          statusChangeDate: '2026-01-05',
          terminationReason: 'Cause',
        }),
      ),
      appointmentImport('2026-02-05', { ...appointment({ effectiveDate: '2018-02-01' }), isDeleted: true }),
    ).asked({
      'An appointment is deleted, and not its termination for cause': forCause('2026-03-10'),
    }),
  ],
  'row-not-understood': [
    after(
      licenseReport('2026-01-10', license()),
      partlyUnread(licenseReport('2026-02-10', license()), 'license'),
    ).asked({
      'A report has a license, and another row that cannot be read': notUnderstood('2026-03-10'),
    }),
    after(
      licenseReport('2026-01-10', license()),
      partlyUnread(licenseReport('2026-02-10'), 'license'),
      licenseReport('2026-03-01', license()),
    ).asked({ 'The next report has it, and can be read': isLicensed('2026-03-10') }),
    after(partlyUnread(licenseReport('2026-02-10'), 'license')).asked({
      'Nothing is known but a row that cannot be read': notUnderstood('2026-03-10'),
    }),
    after(
      partlyUnread(licenseReport('2026-02-10', license()), 'license'),
      action('2026-03-01', 'Suspension', { effectiveDate: '2026-03-01' }),
    ).asked({
      'The license was suspended by a regulatory action': asks({
        ...answered('Regulatory Action', 'Not Required', 'regulatory_action_in_force', 'row_not_understood?'),
        verdict: 'no',
      })('2026-03-10'),
    }),
    after(licensed, partlyUnread(appointmentReport('2026-02-10', appointment()), 'appointment')).asked({
      'A row of appointments cannot be read': appointmentNotKnown('row_not_understood?')('2026-03-10'),
    }),
    after(licensed, partlyUnread(appointmentReport('2026-02-10'), 'appointment')).asked({
      'Nothing is known of appointments but that row':
        appointmentNotKnown('row_not_understood?')('2026-03-10'),
    }),
    after(licensed, partlyUnread(actionReport('2026-02-10'), 'regulatory action')).asked({
      'A regulatory action cannot be read': notUnderstood('2026-03-10'),
    }),
  ],
  'npn-not-found': [
    after(licenseReport('2026-01-10', license()), notFound('2026-03-02')).asked({
      'A report of 2026-01-10 has a license, and on 2026-03-02 the registry does not find the NPN; on 2026-03-10':
        licenseNotKnown('npn_not_found?')('2026-03-10'),
    }),
    after(
      licenseReport('2026-01-10', license()),
      notFound('2026-03-02'),
      licenseReport('2026-03-09', license()),
    ).asked({ 'It finds it again on 2026-03-09': isLicensed('2026-03-10') }),
    after(licenseImport('2026-01-10', {}), notFound('2026-03-02')).asked({
      'It never found it, and a file had the license before': licenseNotKnown('npn_not_found?')('2026-03-10'),
    }),
    after(
      licenseImport('2026-01-10', { stateCode: 'KS' }),
      notFound('2026-02-01'),
      licenseImport('2026-02-10', {}),
    ).asked({
      'It did not find it after a file had a license of Kansas, and before one had that of Texas':
        licenseNotKnown('npn_not_found?')('2026-03-10'),
    }),
    after(notFound('2026-01-02'), licenseImport('2026-01-10', {})).asked({
      'It did not find it before a file had the license': isLicensed('2026-03-10'),
    }),
    after(notFound('2026-03-02')).asked({ 'Nobody ever had it': noLicense('2026-03-10') }),
  ],
  // ── Words of statuses
  'status-words': [
    after(
      licenseReport('2025-06-01', license()),
      licenseReport('2026-01-10', license({ status: 'Active/Suspended' })),
    ).asked({ 'A license that was active becomes `Active/Suspended`': noLicense('2026-03-10') }),
    after(licenseImport('2026-03-01', { status: 'Pending', statusDate: '2026-02-01' })).asked({
      'All that is known is a row that is `Pending`': noLicense('2026-03-10'),
    }),
    after(licenseReport('2026-01-10', license()), licenseImport('2026-03-01', { status: 'Pending' })).asked({
      'A file has a license as `Pending` that a report has as active': isLicensed('2026-03-10'),
    }),
  ],
  'status-unrecognized': [
    after(
      licenseReport('2025-06-01', license({ nextRenewalDate: '2026-06-30' })),
      licenseReport('2026-01-10', license({ nextRenewalDate: '2026-06-30', status: 'Nullified' })),
    ).asked({
      'A license until 2026-06-30 that was active becomes `Nullified` on 2026-01-10; on 2026-01-09':
        isLicensed('2026-01-09'),
      'On 2026-03-10': licenseNotKnown('status_unrecognized?')('2026-03-10'),
      'On 2026-07-01': noLicense('2026-07-01'),
    }),
    after(
      licensed,
      appointmentReport(
        '2026-02-10',
        appointment({ statusChangeDate: '2020-01-01' }),
        appointment({ status: 'Nullified', statusChangeDate: '2026-02-01' }),
      ),
    ).asked({
      'An appointment of 2020 is `Nullified` on 2026-02-01; on 2026-01-31': isAppointed('2026-01-31'),
      'An appointment of 2020 is `Nullified` on 2026-02-01; on 2026-03-10':
        appointmentNotKnown('status_unrecognized?')('2026-03-10'),
    }),
  ],
  'termination-reason': [
    after(
      licensed,
      appointmentReport('2026-01-10', appointment()),
      appointmentReport(
        '2026-02-10',
        appointment({ terminationReason: 'Cause', statusChangeDate: '2026-02-01' }),
      ),
    ).asked({
      'The status is `Appointed`, and `terminationReason` is `Cause`': appointmentEnded('2026-03-10'),
    }),
  ],
});
