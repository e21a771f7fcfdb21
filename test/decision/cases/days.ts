import {
  after,
  appointment,
  appointmentEnded,
  appointmentImport,
  appointmentNotKnown,
  appointmentReport,
  casesOf,
  isAppointed,
  isExpired,
  isLicensed,
  license,
  licensed,
  licenseImport,
  licenseNotKnown,
  licenseReport,
  noLicense,
  notAppointed,
  notBegun,
  terminated,
} from '../case-rows.ts';

const licenseUnknown = licenseNotKnown('license_unknown?');
const appointmentUnknown = appointmentNotKnown('appointment_unknown?');
const untilMarch = { nextRenewalDate: '2026-03-31' };
const until2028 = { nextRenewalDate: '2028-03-31' };
const terminatedOn = (statusChangeDate: string) => terminated({ statusChangeDate });

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
