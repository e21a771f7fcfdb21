import {
  after,
  appointment,
  appointmentEnded,
  appointmentImport,
  appointmentReport,
  casesOf,
  isAppointed,
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
  notBegun,
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
    ...[['report', licenseReport] as const, ['file', licenseImport] as const].map(([what, say]) =>
      after(
        licenseReport('2026-01-10', license({ linesOfAuthority: lines(['16', '20']) })),
        say('2026-03-10', license({ linesOfAuthority: lines(['20']) })),
      ).asked({
        [`A ${what} of 2026-03-10 does not have the line 16 any more; on 2026-03-09`]: isLicensed(
          '2026-03-09',
          line16,
        ),
        [`A ${what} of 2026-03-10 does not have the line 16 any more; on that day`]: noLine(
          '2026-03-10',
          line16,
        ),
      }),
    ),
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
