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
  isAppointed,
  isLicensed,
  license,
  licensed,
  licenseImport,
  licenseNotKnown,
  licenseReport,
  lines,
  noLicense,
  noLine,
  notAppointed,
  notFound,
  partlyUnread,
  terminated,
} from '../case-rows.ts';

const notUnderstood = licenseNotKnown('row_not_understood?');
const of16 = { linesOfAuthority: lines(['16']) };
const line16 = { lines: ['16'] };

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
      'It never found it, and a file has the license': isLicensed('2026-03-10'),
    }),
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
    after(licensed, appointmentReport('2026-01-10', appointment({ terminationReason: 'N/A' }))).asked({
      '`terminationReason` is `N/A`': isAppointed('2026-03-10'),
    }),
  ],
});
