import {
  after,
  appointedOn,
  appointment,
  appointmentEnded,
  appointmentImport,
  appointmentList,
  beacon,
  casesOf,
  config,
  isAppointed,
  isExpired,
  isLicensed,
  license,
  licensed,
  licenseImport,
  licenseList,
  lines,
  noLicense,
  noLine,
  notAppointed,
  notBegun,
  notFound,
  on,
  onBinding,
  terminated,
} from './case-rows.ts';

/** The rules of the decision (`rules.ts`) at work: the tests check them, and the OpenAPI document prints some. */
export const cases = casesOf({
  // ── What is known
  'row-order': [
    after(licenseImport('2026-03-01', {}, { status: 'expired', nextRenewalDate: '2026-02-28' })).asked({
      'An import has one term twice, first live, then as expired; after the end that the second has': [
        on('2026-03-10'),
        isLicensed,
      ],
    }),
    after(licenseImport('2026-03-01', { status: 'expired', nextRenewalDate: '2026-02-28' }, {})).asked({
      'The same in the other order': [on('2026-03-10'), isLicensed],
    }),
  ],
  'one-after-another': [
    after(
      licenseImport('2026-02-01T15:00:00.000Z', { nextRenewalDate: '2026-02-28' }),
      licenseImport('2026-02-01T16:00:00.000Z', { nextRenewalDate: '2026-12-31' }),
    ).asked({
      'An import says that a license ends on 2026-02-28, and one an hour later on 2026-12-31; on 2026-03-10':
        [on('2026-03-10'), isLicensed],
    }),
    after(
      licenseImport('2026-02-01T15:00:00.000Z', { nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-02-01T16:00:00.000Z', { nextRenewalDate: '2026-02-28' }),
    ).asked({
      'The same in the other order': [on('2026-03-10'), isExpired],
    }),
    after(
      licenseImport('2026-02-01T15:00:00.000Z', { linesOfAuthority: lines(['16']) }),
      licenseImport('2026-02-01T16:00:00.000Z', { licenseNumber: '1002', linesOfAuthority: lines(['20']) }),
    ).asked({
      'Two licenses with a line each in two imports, where the product requires both lines': [
        on('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
        isLicensed,
      ],
    }),
  ],
  'known-at': [
    after(licenseList('2026-03-10', license())).asked({
      'The registry lists a license on 2026-03-10; on 2026-03-15, with the knowledge of 2026-03-09': [
        on('2026-03-15', { knownAt: '2026-03-09' }),
        noLicense,
      ],
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-10', license({ status: 'inactive' })),
    ).asked({
      'The registry lists a license as `inactive` on 2026-03-10; on 2026-03-15, with `knownAt` 2026-03-09': [
        on('2026-03-15', { knownAt: '2026-03-09' }),
        isLicensed,
        'shown',
      ],
    }),
  ],
  'written-at': [
    after({ ...licenseImport('2026-03-10T15:00:00.000Z', {}), recordedAt: '2026-03-10T15:10:00.000Z' }).asked(
      {
        'An import of 15:00 writes a license at 15:10; with the knowledge of 15:05': [
          on('2026-03-15', { knownAt: '2026-03-10T15:05:00.000Z' }),
          noLicense,
        ],
      },
    ),
  ],
  'became-known': [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-02T04:30:00.000Z', license({ status: 'inactive' })),
    ).asked({
      'The registry lists a license as `inactive` at 23:30 in New York on 2026-03-01; on that day': [
        on('2026-03-01'),
        noLicense,
        'shown',
      ],
    }),
    after(licenseList('2026-01-10', license()), {
      ...licenseList('2026-03-02T04:30:00.000Z', license({ status: 'inactive' })),
      recordedAt: '2026-03-02T05:30:00.000Z',
    }).asked({
      'The row of such a poll is written after midnight': [on('2026-03-01'), noLicense],
    }),
  ],
  'whole-list': [
    after(licenseList('2026-01-10', license()), {
      ...licenseList('2026-03-02'),
      closedAt: '2026-03-05T15:00:00.000Z',
    }).asked({
      'A list of 2026-03-02 leaves a license out and is recorded as a whole on 2026-03-05; on 2026-03-10, with the knowledge of 2026-03-03':
        [on('2026-03-10', { knownAt: '2026-03-03' }), isLicensed],
      'The same with the knowledge of 2026-03-06': [on('2026-03-10', { knownAt: '2026-03-06' }), noLicense],
    }),
    after(
      licenseList('2026-01-10', license()),
      { ...licenseList('2026-03-02'), closedAt: null },
      licenseList('2026-03-05', license(), license({ licenseNumber: '1002', status: 'inactive' })),
    ).asked({
      'A list that leaves a license out is never recorded as a whole, and the next one has it and another one':
        [on('2026-03-10'), isLicensed],
    }),
  ],
  'written-dates': [
    after(licenseList('2026-03-10', license({ issueDate: '2026-03-01T00:00:00.000Z' }))).asked({
      '`issueDate` is `2026-03-01T00:00:00.000Z`, which is 2026-02-28 in New York; on 2026-02-28': [
        on('2026-02-28'),
        notBegun,
        'shown',
      ],
      'The same on 2026-03-01': [on('2026-03-01'), isLicensed],
    }),
    after(licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31T00:00:00.000Z' }))).asked({
      '`nextRenewalDate` is `2026-03-31T00:00:00.000Z`; on 2026-03-31': [on('2026-03-31'), isLicensed],
    }),
  ],
  'complete-list': [
    after(
      licenseImport('2026-01-10', { linesOfAuthority: lines(['16']) }),
      licenseList('2026-03-02', license({ licenseNumber: '1002' })),
    ).asked({
      'A license was imported, and the list of 2026-03-02 has only another one, without its line of authority; on 2026-03-02':
        [on('2026-03-02', { requires: { linesOfAuthority: ['16'] } }), noLine],
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentList('2026-03-02', appointment({ companyCode: '99999' })),
    ).asked({
      'The same of an appointment and one with another company': [
        appointedOn('2026-03-02'),
        appointmentEnded,
      ],
    }),
  ],
  'empty-list': [
    after(licenseList('2026-01-10', license()), licenseList('2026-03-02')).asked({
      'The registry lists a license on 2026-01-10 and nothing on 2026-03-02; on 2026-03-02': [
        on('2026-03-02'),
        noLicense,
        'shown',
      ],
    }),
  ],
  'not-found': [
    after(licenseList('2026-01-10', license()), notFound('2026-03-02')).asked({
      'The registry lists a license on 2026-01-10 and does not find the NPN on 2026-03-02; on 2026-03-02': [
        on('2026-03-02'),
        isLicensed,
        'shown',
      ],
    }),
  ],
  'import-is-partial': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-03-02', { licenseNumber: '1002' }),
    ).asked({
      'The registry lists a license, and an import names another one, without its line of authority': [
        on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
        isLicensed,
      ],
    }),
  ],
  deleted: [
    after(licenseList('2026-01-10', license()), licenseImport('2026-03-02', { isDeleted: true })).asked({
      'A license was listed on 2026-01-10, and an import of 2026-03-02 deletes it; on 2026-02-01': [
        on('2026-02-01'),
        noLicense,
        'shown',
      ],
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseImport('2026-03-02', { isDeleted: true }),
      licenseList('2026-04-01', license()),
    ).asked({
      'The list of 2026-04-01 has it again; on 2026-02-01': [on('2026-02-01'), isLicensed],
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment(), terminated()),
      appointmentImport('2026-03-02', { ...terminated(), isDeleted: true }),
    ).asked({
      'The termination of an appointment is deleted': [appointedOn('2026-03-10'), isAppointed],
    }),
  ],

  // ── Licenses
  'license-identity': [
    after(
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28', linesOfAuthority: lines(['16']) }),
        license({ licenseClassCode: 'A' }),
      ),
    ).asked({
      'Two licenses differ in their class: one expired on 2026-02-28, the other lacks its line of authority; on 2026-03-10':
        [on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }), noLine],
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28', linesOfAuthority: lines(['16']) }),
        license({ licenseNumber: '1002' }),
      ),
    ).asked({
      'The same where they differ in their number': [
        on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
        noLine,
      ],
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' }), license({ stateCode: 'CA' })),
    ).asked({
      'Or in their state': [on('2026-03-10'), isExpired],
    }),
  ],
  'term-identity': [
    after(
      licenseList(
        '2026-03-10',
        license({ issueDate: '2024-03-01', nextRenewalDate: '2025-02-28' }),
        license({ issueDate: '2026-03-01' }),
      ),
    ).asked({
      'A license has terms of 2024-03-01 to 2025-02-28 and from 2026-03-01 on; on 2025-06-01': [
        on('2025-06-01'),
        isExpired,
      ],
    }),
  ],
  'term-days': [
    after(licenseList('2026-03-10', license({ issueDate: '2026-03-01' }))).asked({
      '`issueDate` is 2026-03-01; on that day': [on('2026-03-01'), isLicensed],
      'On the day before': [on('2026-02-28'), notBegun],
    }),
    after(licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31' }))).asked({
      '`nextRenewalDate` is 2026-03-31; on that day': [on('2026-03-31'), isLicensed],
      'On the day after': [on('2026-04-01'), isExpired],
    }),
    after(
      licenseList(
        '2026-03-10',
        license({ issueDate: '2024-03-01', nextRenewalDate: '2025-02-28' }),
        license({ issueDate: '2026-03-01' }),
      ),
    ).asked({
      'A license has terms of 2024-03-01 to 2025-02-28 and from 2026-03-01 on; on 2025-02-28': [
        on('2025-02-28'),
        isLicensed,
      ],
    }),
  ],
  'no-issue-date': [
    after(licenseList('2026-03-10', license({ issueDate: null, nextRenewalDate: '2026-12-31' }))).asked({
      '`issueDate` is null, and `nextRenewalDate` is 2026-12-31; on 2019-01-01': [
        on('2019-01-01'),
        isLicensed,
      ],
    }),
  ],
  'own-end': [
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31', expirationDate: '2026-02-28' })),
    ).asked({
      '`nextRenewalDate` is 2026-12-31, and `expirationDate` 2026-02-28; on 2026-03-10': [
        on('2026-03-10'),
        isExpired,
        'shown',
      ],
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28', expirationDate: '2026-12-31' })),
    ).asked({
      'The other way round': [on('2026-03-10'), isExpired],
    }),
  ],
  'no-own-end': [
    after(licenseList('2026-01-10', license())).asked({
      '`nextRenewalDate` and `expirationDate` are null; on 2040-01-01': [on('2040-01-01'), isLicensed],
    }),
  ],
  'valid-from': [
    after(
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-06-30' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-06-30' }),
    ).asked({
      'An import says from 2026-02-01 on that the license ends on 2026-06-30, and another from 2026-05-01 on that it ends on 2027-06-30; on 2026-08-01':
        [on('2026-08-01'), isLicensed],
    }),
    after(
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-03-31' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-06-30' }),
    ).asked({
      'Where the first says that it ends on 2026-03-31; on 2026-04-15': [on('2026-04-15'), isExpired],
    }),
    after(
      licenseImport('2026-01-10', { validFrom: '2026-02-01' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01' }),
    ).asked({
      'On 2026-01-20, before the first `validFrom`': [on('2026-01-20'), notBegun],
    }),
    after(
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2026-06-30' }),
    ).asked({
      'Where the second says that it ends on 2026-06-30, and the first on 2026-12-31; on 2026-08-01': [
        on('2026-08-01'),
        isExpired,
      ],
    }),
  ],
  'first-version': [
    after(licenseList('2026-03-10', license())).asked({
      'A license of 2025-03-01 is listed for the first time on 2026-03-10; on 2025-03-01': [
        on('2025-03-01'),
        isLicensed,
      ],
    }),
  ],
  'following-version': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-01-11', { validFrom: '2026-02-01', linesOfAuthority: lines(['16', '20']) }),
      licenseList('2026-03-10', license()),
    ).asked({
      'An import gives a line of authority from 2026-02-01 on; a list of 2026-03-10 has the license without it; on 2026-01-20':
        [on('2026-01-20', { requires: { linesOfAuthority: ['16'] } }), isLicensed],
      'The same on 2026-02-20': [on('2026-02-20', { requires: { linesOfAuthority: ['16'] } }), noLine],
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-12-31' }),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31' })),
    ).asked({
      'An import renews the license from 2026-05-01 on, and a list of 2026-03-10 corrects its `nextRenewalDate` to 2026-03-31; on 2026-04-15':
        [on('2026-04-15'), isExpired],
    }),
  ],
  'equal-valid-from': [
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-02-20', license({ nextRenewalDate: '2027-02-28' })),
    ).asked({
      'A list has the `nextRenewalDate` 2026-02-28, and a later one 2027-02-28; on 2026-06-01': [
        on('2026-06-01'),
        isLicensed,
        'shown',
      ],
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-01-31' })),
    ).asked({
      'A list of 2026-03-10 corrects it to 2026-01-31; on 2026-02-15': [on('2026-02-15'), isExpired],
    }),
  ],
  'several-rows': [
    after(
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-12-31', linesOfAuthority: lines(['20']) }),
        license({ nextRenewalDate: '2026-02-28', linesOfAuthority: lines(['16']) }),
      ),
    ).asked({
      'A list has one term until 2026-02-28 with the line 16 and until 2026-12-31 with the line 20; on 2026-03-10, where both lines are required':
        [on('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }), isLicensed],
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28' }),
        license({ nextRenewalDate: '2026-12-31', status: 'inactive' }),
      ),
    ).asked({
      'The row with the later end is not live; on 2026-03-10': [on('2026-03-10'), isExpired],
    }),
  ],
  'corrected-issue-date': [
    after(
      licenseList('2026-01-10', license({ issueDate: '2025-03-01' })),
      licenseList('2026-02-10', license({ issueDate: '2025-06-01' })),
    ).asked({
      'A list has the license with the `issueDate` 2025-03-01, the next one with 2025-06-01; on 2025-04-01': [
        on('2025-04-01'),
        notBegun,
        'shown',
      ],
    }),
    after(
      licenseList('2026-01-10', license({ issueDate: '2025-03-01' })),
      licenseList('2026-02-10', license({ issueDate: null, nextRenewalDate: '2025-12-31' })),
    ).asked({
      'The next one has null and ends before': [on('2026-01-15'), isExpired],
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2025-12-31' })),
      licenseList('2026-02-10', license({ issueDate: '2026-01-01' })),
    ).asked({
      'The terms do not overlap': [on('2025-04-01'), isLicensed],
    }),
    after(
      licenseList('2026-01-10', license(), license({ issueDate: '2025-06-01' })),
      licenseList('2026-02-10', license({ issueDate: '2025-06-01' })),
    ).asked({
      'A list had both': [on('2025-04-01'), isLicensed],
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
    ).asked({
      'The other’s `issueDate` is after the day on which the one left out was first recorded': [
        on('2026-02-15'),
        isLicensed,
      ],
    }),
  ],
  'renewed-license': [
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31', linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
    ).asked({
      'The new term begins on 2026-03-01 and lacks the line of authority of the old one, which ends on 2026-12-31; on 2026-03-01':
        [on('2026-03-01', { requires: { linesOfAuthority: ['16'] } }), noLine],
      'On 2026-02-28': [on('2026-02-28', { requires: { linesOfAuthority: ['16'] } }), isLicensed],
    }),
  ],
  'early-renewal': [
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-02-10', license({ issueDate: '2026-03-01' })),
    ).asked({
      'A term ends on 2026-02-28, and a list of 2026-02-10 has only a term from 2026-03-01 on; on 2026-02-20':
        [on('2026-02-20'), isLicensed, 'shown'],
      'On 2026-03-01': [on('2026-03-01'), isLicensed],
    }),
  ],
  reissue: [
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-01-31' })),
      licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
    ).asked({
      'A term ends on 2026-01-31, and a list of 2026-03-10 has only a term from 2026-03-01 on; on 2026-02-15':
        [on('2026-02-15'), isExpired, 'shown'],
    }),
  ],
  'left-out-term': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ licenseNumber: '1002' })),
    ).asked({
      'The list of 2026-03-10 has only another license, without the line of authority; on 2026-03-09': [
        on('2026-03-09', { requires: { linesOfAuthority: ['16'] } }),
        isLicensed,
      ],
      'On 2026-03-10': [on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }), noLine],
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-03-10'),
    ).asked({
      'The `nextRenewalDate` was 2026-02-28; on 2026-03-09': [on('2026-03-09'), isExpired],
    }),
  ],
  'not-live': [
    after(licenseList('2026-01-10', license({ status: 'ACTIVE' }))).asked({
      'The status is `ACTIVE`': [on('2026-03-10'), isLicensed],
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-02', license({ status: 'Under review' })),
    ).asked({
      'The status becomes `Under review` on 2026-03-02; on 2026-03-10': [on('2026-03-10'), noLicense],
    }),
  ],
  'not-live-after-its-end': [
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-02-28', status: 'inactive' })),
    ).asked({
      'A license with the `nextRenewalDate` 2026-02-28 becomes `inactive` on 2026-03-10; on 2026-03-05': [
        on('2026-03-05'),
        isExpired,
        'shown',
      ],
      'On 2026-02-28': [on('2026-02-28'), isLicensed],
    }),
  ],
  'not-live-before-its-end': [
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-12-31', status: 'suspended' })),
    ).asked({
      'A license with the `nextRenewalDate` 2026-12-31 becomes `suspended` on 2026-03-10; on 2026-03-09': [
        on('2026-03-09'),
        isLicensed,
        'shown',
      ],
      'On 2026-03-10': [on('2026-03-10'), noLicense],
    }),
  ],
  'never-seen-live': [
    after(licenseList('2026-03-10', license({ status: 'suspended' }))).asked({
      'A license is first listed on 2026-03-10, as `suspended`; on 2026-03-01': [
        on('2026-03-01'),
        {
          ...noLicense,
          message: 'The license in TX is not active, and from when to when it was is not known.',
        },
      ],
    }),
  ],
  'first-seen-not-live': [
    after(licenseList('2026-03-10', license({ nextRenewalDate: '2026-02-28', status: 'expired' }))).asked({
      'A license is first listed on 2026-03-10, as `expired` with the `nextRenewalDate` 2026-02-28; on 2026-02-20':
        [on('2026-02-20'), isLicensed, 'shown'],
    }),
    after(licenseList('2026-03-10', license({ nextRenewalDate: '2026-02-28', status: 'revoked' }))).asked({
      'As `revoked`': [on('2026-02-20'), noLicense],
    }),
  ],
  'not-live-from': [
    after(
      licenseImport('2026-01-10', {}),
      licenseImport('2026-02-10', { validFrom: '2026-02-01', status: 'inactive' }),
    ).asked({
      'An import of 2026-02-10 has a known license as `inactive` from 2026-02-01 on; on 2026-02-05': [
        on('2026-02-05'),
        noLicense,
      ],
      'On 2026-01-31': [on('2026-01-31'), isLicensed],
    }),
  ],
  suspension: [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10', license({ status: 'suspended' })),
      licenseList('2026-03-10', license()),
    ).asked({
      'A license is listed as `suspended` on 2026-02-10 and as `active` on 2026-03-10; on 2026-03-09': [
        on('2026-03-09'),
        notBegun,
        'shown',
      ],
      'On 2026-02-10': [on('2026-02-10'), notBegun],
      'On 2026-03-10': [on('2026-03-10'), isLicensed],
    }),
  ],
  'back-within-30-days': [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseList('2026-03-12', license()),
    ).asked({
      'The list of 2026-02-10 leaves a license out, that of 2026-03-12 has it again; on 2026-02-20': [
        on('2026-02-20'),
        isLicensed,
        'shown',
      ],
    }),
  ],
  'back-later': [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseList('2026-03-13', license()),
    ).asked({
      'It is back on 2026-03-13; on 2026-03-12': [on('2026-03-12'), notBegun],
      'On 2026-03-13': [on('2026-03-13'), isLicensed],
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-01-31' })),
      licenseList('2026-02-10', license({ issueDate: '2026-06-01' })),
      licenseList('2026-03-13', license(), license({ issueDate: '2026-06-01' })),
    ).asked({
      'Its own end, 2026-01-31, had passed, and the list that left it out had a term that begins on 2026-06-01; it is back on 2026-03-13, without an end; on 2026-03-12':
        [on('2026-03-12'), notBegun],
    }),
  ],
  'history-is-no-return': [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-03-10', { validFrom: '2025-06-01' }),
    ).asked({
      'The list of 2026-02-10 is empty; an import of 2026-03-10 says that the license counts from 2025-06-01; on 2026-03-20':
        [on('2026-03-20'), noLicense, 'shown'],
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-03-10', { validFrom: '2025-06-01' }),
      licenseList('2026-03-15', license()),
    ).asked({
      'The list of 2026-03-15 has it again; on 2026-03-20': [on('2026-03-20'), isLicensed],
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-03-10', { validFrom: '2026-02-10' }),
    ).asked({
      'The import says that it counts from 2026-02-10; on 2026-03-20': [on('2026-03-20'), isLicensed],
    }),
  ],
  'line-added': [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-10', license({ linesOfAuthority: lines(['16']) })),
    ).asked({
      'A list of 2026-03-10 has the line 16 for the first time; on 2026-03-09': [
        on('2026-03-09', { requires: { linesOfAuthority: ['16'] } }),
        noLine,
        'shown',
      ],
      'On 2026-03-10': [on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }), isLicensed],
    }),
  ],
  'line-left-out': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license()),
    ).asked({
      'A list of 2026-03-10 leaves the line 16 out; on 2026-02-01': [
        on('2026-02-01', { requires: { linesOfAuthority: ['16'] } }),
        noLine,
        'shown',
      ],
    }),
  ],
  'line-ceased': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ linesOfAuthority: lines(['16'], 'inactive') })),
    ).asked({
      'A list of 2026-03-10 has the line 16 as `inactive`; on 2026-03-10': [
        on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
        noLine,
        'shown',
      ],
      'On 2026-03-09': [on('2026-03-09', { requires: { linesOfAuthority: ['16'] } }), isLicensed],
    }),
  ],
  'later-valid-from': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-03-10', { validFrom: '2026-02-01', linesOfAuthority: lines(['20']) }),
    ).asked({
      'An import of 2026-03-10 replaces the line 16 by the line 20 from 2026-02-01 on; line 16 on 2026-01-31':
        [on('2026-01-31', { requires: { linesOfAuthority: ['16'] } }), isLicensed],
      'Line 20 on 2026-02-01': [on('2026-02-01', { requires: { linesOfAuthority: ['20'] } }), isLicensed],
      'Line 16 on 2026-02-01': [on('2026-02-01', { requires: { linesOfAuthority: ['16'] } }), noLine],
    }),
  ],

  // ── Appointments
  'appointment-identity': [
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ lineOfAuthorityCode: '16' }),
        appointment({ lineOfAuthorityCode: '20' }),
        terminated({ lineOfAuthorityCode: '20' }),
      ),
    ).asked({
      'The appointment for the line 20 is terminated, that for the line 16 is not': [
        appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
        isAppointed,
      ],
    }),
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        appointment({ countyName: 'Travis' }),
        terminated({ countyName: 'Travis' }),
      ),
    ).asked({
      'The appointment for a county is terminated, that without one is not': [
        appointedOn('2026-03-10'),
        isAppointed,
      ],
    }),
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        appointment({ stateCode: 'CA' }),
        terminated({ stateCode: 'CA' }),
      ),
    ).asked({
      'That of California is terminated, that of Texas is not': [appointedOn('2026-03-10'), isAppointed],
    }),
  ],
  'company-key': [
    after(
      licensed,
      appointmentList('2026-03-10', appointment(), terminated({ carrierName: 'Beacon Specialty of Texas' })),
    ).asked({
      'The termination has the `companyCode` of the appointment and another name': [
        appointedOn('2026-03-10'),
        appointmentEnded,
      ],
    }),
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ ein: '75-1234567' }),
        terminated({ ein: '75-1234567', companyCode: '19438' }),
      ),
    ).asked({
      'It has another `companyCode` and the same name and `ein`': [appointedOn('2026-03-10'), isAppointed],
    }),
  ],
  'company-by-ein': [
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ ein: '75-1234567' }),
        terminated({ companyCode: null, ein: '751234567', carrierName: null }),
      ),
    ).asked({
      'The termination has no `companyCode` and the `ein` of the appointment, without the hyphen': [
        appointedOn('2026-03-10'),
        appointmentEnded,
      ],
    }),
  ],
  'company-by-name': [
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        terminated({ companyCode: null, carrierName: 'BEACON SPECIALTY INS. CO.' }),
      ),
    ).asked({
      'The termination has the name alone, as `BEACON SPECIALTY INS. CO.`': [
        appointedOn('2026-03-10'),
        appointmentEnded,
      ],
    }),
  ],
  'company-unclear': [
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        appointment({ companyCode: '19438' }),
        terminated({ companyCode: null }),
      ),
    ).asked({
      'The termination has the name alone, which two companies have': [
        appointedOn('2026-03-10'),
        isAppointed,
      ],
    }),
  ],
  'last-change': [
    after(licensed, appointmentList('2026-03-10', appointment(), terminated())).asked({
      'Appointed on 2025-03-01, terminated on 2026-02-01; on 2026-01-31': [
        appointedOn('2026-01-31'),
        isAppointed,
      ],
      'On 2026-02-01': [appointedOn('2026-02-01'), appointmentEnded],
    }),
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        terminated(),
        appointment({ statusChangeDate: '2026-03-01' }),
      ),
    ).asked({
      'Appointed again on 2026-03-01; on 2026-03-10': [appointedOn('2026-03-10'), isAppointed],
    }),
    after(licensed, appointmentList('2026-03-10', appointment())).asked({
      'Before the appointment, on 2025-02-28': [appointedOn('2025-02-28'), notAppointed],
    }),
  ],
  'live-appointment': [
    after(licensed, appointmentList('2026-03-10', appointment({ status: 'ACTIVE' }))).asked({
      'The status is `ACTIVE`': [appointedOn('2026-03-10'), isAppointed],
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ terminationReason: 'Cause' }))).asked({
      'The status is `Appointed`, and `terminationReason` is `Cause`': [
        appointedOn('2026-03-10'),
        appointmentEnded,
      ],
    }),
  ],
  'renewal-date': [
    after(licensed, appointmentList('2026-03-10', appointment({ renewalDate: '2026-02-28' }))).asked({
      '`renewalDate` is 2026-02-28; on that day': [appointedOn('2026-02-28'), isAppointed],
      'On the day after': [appointedOn('2026-03-01'), appointmentEnded],
    }),
  ],
  'changes-of-one-day': [
    after(
      licensed,
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' }), appointment()),
    ).asked({
      'A list has an appointment and its termination of one day': [appointedOn('2026-03-10'), isAppointed],
    }),
    after(
      licensed,
      appointmentImport('2026-03-10', appointment(), terminated()),
      appointmentImport('2026-03-11', appointment({ statusChangeDate: '2026-02-01' })),
    ).asked({
      'An import has the termination of 2026-02-01, and a later one an appointment of that day': [
        appointedOn('2026-03-20'),
        isAppointed,
      ],
    }),
  ],
  'undated-live': [
    after(licensed, appointmentList('2026-03-10', appointment({ statusChangeDate: null }))).asked({
      'A list of 2026-03-10 has a live row without a date; on 2024-01-01': [
        appointedOn('2024-01-01'),
        isAppointed,
        'shown',
      ],
    }),
  ],
  'first-change-is-an-end': [
    after(licensed, appointmentList('2026-03-10', terminated())).asked({
      'All that is known is the termination of 2026-02-01; on 2026-01-31': [
        appointedOn('2026-01-31'),
        isAppointed,
        'shown',
      ],
    }),
  ],
  'undated-rows': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment({ statusChangeDate: null })),
      appointmentList('2026-03-10', terminated({ statusChangeDate: null })),
    ).asked({
      'A list of 2026-01-10 has a live row without a date, that of 2026-03-10 a termination without one; on 2026-03-10':
        [appointedOn('2026-03-10'), appointmentEnded],
    }),
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ statusChangeDate: null }),
        terminated({ statusChangeDate: null }),
      ),
    ).asked({
      'A list has both at once': [appointedOn('2026-03-10'), isAppointed],
    }),
  ],
  'undated-live-and-end': [
    after(
      licensed,
      appointmentImport('2026-03-10', terminated()),
      appointmentImport('2026-03-11', appointment({ statusChangeDate: null })),
    ).asked({
      'An import has the termination of 2026-02-01, and a later import a live row without a date': [
        appointedOn('2026-03-20'),
        appointmentEnded,
      ],
    }),
    after(
      licensed,
      appointmentList('2026-03-10', terminated()),
      appointmentList('2026-03-11', appointment({ statusChangeDate: null })),
    ).asked({
      'A later list has the live row without a date alone': [appointedOn('2026-03-20'), isAppointed],
    }),
  ],
  'undated-end': [
    after(
      licensed,
      appointmentList('2026-03-10', terminated({ statusChangeDate: null, renewalDate: '2026-02-15' })),
    ).asked({
      'A list of 2026-03-10 has a termination without a date and with the `renewalDate` 2026-02-15; on 2026-02-14':
        [appointedOn('2026-02-14'), isAppointed, 'shown'],
      'On 2026-02-15': [appointedOn('2026-02-15'), appointmentEnded],
    }),
  ],
  'end-of-the-same-date': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList(
        '2026-03-10',
        terminated({ statusChangeDate: '2025-03-01', renewalDate: '2026-02-15' }),
      ),
    ).asked({
      'The appointment of 2025-03-01 is listed as terminated on 2026-03-10, with the same date and the `renewalDate` 2026-02-15; on 2026-02-14':
        [appointedOn('2026-02-14'), isAppointed],
      'On 2026-02-15': [appointedOn('2026-02-15'), appointmentEnded],
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment({ renewalDate: '2026-02-15' })),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ).asked({
      'The termination has no `renewalDate`, and that of the appointment is 2026-02-15; on 2026-02-15': [
        appointedOn('2026-02-15'),
        appointmentEnded,
      ],
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ).asked({
      'Before the appointment, on 2025-02-28': [appointedOn('2025-02-28'), notAppointed],
    }),
  ],
  'end-became-known': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ).asked({
      'The appointment of 2025-03-01 is listed as terminated on 2026-03-10, with the same date; on 2026-03-09':
        [appointedOn('2026-03-09'), isAppointed, 'shown'],
      'On 2026-03-10': [appointedOn('2026-03-10'), appointmentEnded],
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentImport('2026-03-10', terminated({ statusChangeDate: null })),
    ).asked({
      'It is imported as terminated, without a date; on 2026-03-09': [appointedOn('2026-03-09'), isAppointed],
    }),
  ],
  'never-seen-appointed': [
    after(licensed, appointmentList('2026-03-10', terminated({ statusChangeDate: null }))).asked({
      'All that is known is a termination without a date; on 2026-03-01': [
        appointedOn('2026-03-01'),
        notAppointed,
      ],
    }),
  ],
  'inferred-until-renewal': [
    after(licensed, appointmentList('2026-03-10', terminated({ renewalDate: '2025-12-31' }))).asked({
      'All that is known is the termination of 2026-02-01, with the `renewalDate` 2025-12-31; on 2026-01-15':
        [appointedOn('2026-01-15'), appointmentEnded],
      'On 2025-12-31': [appointedOn('2025-12-31'), isAppointed],
    }),
  ],
  'termination-taken-back': [
    after(
      licensed,
      appointmentList('2026-03-10', appointment(), terminated()),
      appointmentList('2026-03-11', appointment()),
    ).asked({
      'A list has the termination of 2026-02-01, the next one only the appointment; on 2026-03-20': [
        appointedOn('2026-03-20'),
        isAppointed,
        'shown',
      ],
    }),
  ],
  'earlier-changes': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated()),
    ).asked({
      'A list has the appointment of 2025-03-01, the next one only the termination of 2026-02-01; on 2025-02-28':
        [appointedOn('2025-02-28'), notAppointed],
    }),
  ],
  'left-out-appointment': [
    after(licensed, appointmentList('2026-01-10', appointment()), appointmentList('2026-03-10')).asked({
      'The list of 2026-03-10 does not name the appointment; on 2026-03-10': [
        appointedOn('2026-03-10'),
        appointmentEnded,
      ],
      'On 2026-03-09': [appointedOn('2026-03-09'), isAppointed],
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10'),
      appointmentList('2026-04-09', appointment()),
    ).asked({
      'The list of 2026-04-09, 30 days later, has it again; on 2026-03-20': [
        appointedOn('2026-03-20'),
        isAppointed,
      ],
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10'),
      appointmentList('2026-04-10', appointment()),
    ).asked({
      'That of 2026-04-10 has it again; on 2026-04-09': [appointedOn('2026-04-09'), appointmentEnded],
    }),
  ],
  'stated-again': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10'),
      appointmentImport('2026-05-10', appointment()),
    ).asked({
      'An import of 2026-05-10 states the appointment that the list of 2026-03-10 did not name; on 2026-05-10':
        [appointedOn('2026-05-10'), isAppointed],
      'On 2026-05-09': [appointedOn('2026-05-09'), appointmentEnded],
    }),
  ],

  // ── Whose appointment counts
  'naic-code': [
    after(licensed, appointmentList('2026-03-10', appointment({ carrierName: 'Other Mutual' }))).asked({
      'The appointment has the `companyCode` 19437, which the organization has, and another name': [
        appointedOn('2026-03-10'),
        isAppointed,
      ],
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ companyCode: '99999' }))).asked({
      'An appointment has the organization’s name and a `companyCode` that the organization does not have': [
        appointedOn('2026-03-10'),
        notAppointed,
        'shown',
      ],
    }),
  ],
  ein: [
    after(
      licensed,
      appointmentList('2026-03-10', appointment({ companyCode: '99999', ein: '751234567' })),
    ).asked({
      'The organization has the EIN 75-1234567, the appointment the `ein` 751234567 and another `companyCode`':
        [appointedOn('2026-03-10'), isAppointed],
    }),
  ],
  'carrier-name': [
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ companyCode: '99999', carrierName: 'BEACON SPECIALTY INS. CO.' }),
      ),
    ).asked({
      'Beacon Specialty has neither, and the `carrierName` is `BEACON SPECIALTY INS. CO.`': [
        appointedOn('2026-03-10', { carrier: { ...beacon, naicCodes: [], eins: [] } }),
        isAppointed,
        'shown',
      ],
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ carrierName: 'Other Mutual' }))).asked({
      'The `carrierName` is `Other Mutual`': [
        appointedOn('2026-03-10', { carrier: { ...beacon, naicCodes: [], eins: [] } }),
        notAppointed,
      ],
    }),
  ],
  'product-codes': [
    after(licensed, appointmentList('2026-03-10', appointment({ ein: '75-1234567' }))).asked({
      'The product names 22667, and the appointment has the organization’s code': [
        appointedOn('2026-03-10', { carrierNaicCodes: ['22667'] }),
        notAppointed,
        'shown',
      ],
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ companyCode: '22667' }))).asked({
      'The appointment has 22667': [appointedOn('2026-03-10', { carrierNaicCodes: ['22667'] }), isAppointed],
    }),
  ],
  'all-lines': [
    after(licensed, appointmentList('2026-03-10', appointment())).asked({
      'The lines 16 and 20 are required, and the appointment has neither a code nor a name of a line': [
        appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
        isAppointed,
      ],
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'Life' }))).asked({
      'It has the name of a line that no license has': [
        appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
        notAppointed,
      ],
    }),
  ],
  'line-by-name': [
    after(licensed, appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'CASUALTY' }))).asked({
      'The line 16 is required, the appointment has the name `CASUALTY`, and a license has `Casualty` with the code 16':
        [appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }), isAppointed, 'shown'],
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ linesOfAuthority: [{ code: '16', name: 'P&C', status: 'active' }] }),
        license({ stateCode: 'CA', linesOfAuthority: lines(['16']) }),
      ),
      appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'Casualty' })),
    ).asked({
      'A license of California has the name with the code 16, one of Texas only the code': [
        appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
        notAppointed,
      ],
    }),
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList(
        '2026-02-10',
        license({ linesOfAuthority: [{ code: '16', name: 'P&C', status: 'active' }] }),
      ),
      appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'Casualty' })),
    ).asked({
      'Only an earlier list had the name, the present one has another': [
        appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
        isAppointed,
      ],
    }),
  ],

  // ── What a product requires
  'each-line': [
    after(
      licenseList(
        '2026-01-10',
        license({ linesOfAuthority: lines(['16']) }),
        license({ licenseNumber: '1002', linesOfAuthority: lines(['20']) }),
      ),
    ).asked({
      'The lines 16 and 20 are required, and two licenses have one each': [
        on('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
        isLicensed,
      ],
    }),
    after(licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) }))).asked({
      'Only the line 16 is there': [
        on('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
        noLine,
      ],
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ lineOfAuthorityCode: '16' }))).asked({
      'The appointment is for the line 16 alone': [
        appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
        notAppointed,
      ],
    }),
  ],
  'any-of': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      appointmentList('2026-03-10', appointment({ lineOfAuthorityCode: '20' })),
    ).asked({
      'The entry is `{"anyOf": ["16", "20"]}`, the license has 16, the appointment 20': [
        appointedOn('2026-03-10', { requires: { linesOfAuthority: [{ anyOf: ['16', '20'] }] } }),
        isAppointed,
        'shown',
      ],
    }),
    after(licenseList('2026-01-10', license())).asked({
      'The license has neither': [
        on('2026-03-10', { requires: { linesOfAuthority: [{ anyOf: ['16', '20'] }] } }),
        noLine,
      ],
    }),
  ],
  'appointment-of': [
    after(licensed).asked({
      '`appointmentOf` is `agency`; an agent without an appointment': [
        appointedOn('2026-03-10', { requires: { appointmentOf: 'agency' } }),
        isLicensed,
        'shown',
      ],
      'An agency without one': [
        appointedOn('2026-03-10', { party: 'agency', requires: { appointmentOf: 'agency' } }),
        notAppointed,
      ],
      '`appointmentOf` is `agent`; an agency without one': [
        appointedOn('2026-03-10', { party: 'agency', requires: { appointmentOf: 'agent' } }),
        isLicensed,
      ],
      'Without `appointmentOf`, an agency without one': [
        appointedOn('2026-03-10', { party: 'agency' }),
        notAppointed,
      ],
    }),
  ],
  'on-binding': [
    after(licensed).asked({
      'There is no appointment': [
        appointedOn('2026-03-10', { requires: { appointment: 'on binding' } }),
        onBinding,
      ],
    }),
    after(licensed, appointmentList('2026-03-10', appointment())).asked({
      'There is one': [appointedOn('2026-03-10', { requires: { appointment: 'on binding' } }), isAppointed],
    }),
  ],
  'unlisted-state': [
    after(licenseList('2026-01-10', license({ stateCode: 'CA' }))).asked({
      'The product lists Texas, with an appointment; a license of California, without lines of authority': [
        appointedOn('2026-03-10', { stateCode: 'CA' }),
        isLicensed,
      ],
    }),
    after(licensed).asked({
      'Without a license': [appointedOn('2026-03-10', { stateCode: 'CA' }), noLicense],
    }),
  ],
  'config-in-force': [
    after(licensed).asked({
      'From 2026-03-01 on, the product requires an appointment, and there is none; on 2026-02-28': [
        on('2026-02-28', {
          configs: [config(), config({ appointment: 'required' }, { validFrom: '2026-03-01' })],
        }),
        { ...isLicensed, configBasis: 'version' },
        'shown',
      ],
      'On 2026-03-01': [
        on('2026-03-01', {
          configs: [config(), config({ appointment: 'required' }, { validFrom: '2026-03-01' })],
        }),
        notAppointed,
      ],
      'On 2026-03-10, with the knowledge of 2026-02-15, when that was not recorded yet': [
        on('2026-03-10', {
          knownAt: '2026-02-15',
          configs: [
            config(),
            config(
              { appointment: 'required' },
              { validFrom: '2026-03-01', recordedAt: '2026-02-20T15:00:00.000Z' },
            ),
          ],
        }),
        isLicensed,
      ],
    }),
  ],
  'first-config': [
    after(licensed).asked({
      'The first version requires an appointment from 2026-03-01 on, and there is none; on 2026-02-01': [
        on('2026-02-01', {
          configs: [config({ appointment: 'required' }, { validFrom: '2026-03-01' })],
        }),
        { ...notAppointed, configBasis: 'first version' },
      ],
      'It was recorded on 2026-03-01; on 2026-03-10, with the knowledge of 2026-02-01': [
        on('2026-03-10', {
          knownAt: '2026-02-01',
          configs: [
            config(
              { appointment: 'required' },
              { validFrom: '2026-03-01', recordedAt: '2026-03-01T15:00:00.000Z' },
            ),
          ],
        }),
        { ...notAppointed, configBasis: 'first version' },
      ],
    }),
  ],

  // ── Answers
  expired: [
    after(licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' }))).asked({
      '`nextRenewalDate` was 2026-02-28; on 2026-03-10': [on('2026-03-10'), isExpired],
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ issueDate: '2024-03-01', nextRenewalDate: '2025-02-28' }),
        license(),
      ),
      licenseList(
        '2026-03-01',
        license({ issueDate: '2024-03-01', nextRenewalDate: '2025-02-28' }),
        license({ status: 'suspended' }),
      ),
    ).asked({
      'An older term of the license had ended when the next one was suspended': [on('2026-03-10'), isExpired],
    }),
    after(
      licenseImport('2026-01-10', { nextRenewalDate: '2026-02-28' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-02-28' }),
    ).asked({
      'An import says from 2026-05-01 on that the license, which ended on 2026-02-28, ends on 2027-02-28; on 2026-03-10':
        [on('2026-03-10'), isExpired],
    }),
  ],
  missing: [
    after().asked({
      'There is no license': [on('2026-03-10'), noLicense],
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseList('2026-03-01', license({ nextRenewalDate: '2026-12-31', status: 'suspended' })),
    ).asked({
      'A license was suspended before its own end': [on('2026-03-10'), noLicense],
    }),
    after(licenseList('2026-03-01', license({ issueDate: '2026-04-01' }))).asked({
      'The license begins on 2026-04-01; on 2026-03-10': [on('2026-03-10'), notBegun],
    }),
  ],
  basis: [
    after(licenseList('2026-01-10', license())).asked({
      'A license is listed for the first time on 2026-01-10; on 2026-01-10': [
        on('2026-01-10'),
        { ...isLicensed, basis: 'history' },
      ],
      'A license is listed for the first time on 2026-01-10; on 2026-01-09': [
        on('2026-01-09'),
        { ...isLicensed, basis: 'registry dates' },
        'shown',
      ],
    }),
  ],
  'covering-row': [
    after(
      licenseImport('2026-01-10', { nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-03-01', { validFrom: '2026-03-01', nextRenewalDate: '2027-12-31' }),
    ).asked({
      'An import has the `nextRenewalDate` 2027-12-31 from 2026-03-01 on; on 2026-02-01, the license has the one before, 2026-12-31':
        [on('2026-02-01'), { ...isLicensed, licenses: [license({ nextRenewalDate: '2026-12-31' })] }],
      'On 2026-03-01, it has 2027-12-31': [
        on('2026-03-01'),
        { ...isLicensed, licenses: [license({ nextRenewalDate: '2027-12-31' })] },
      ],
    }),
  ],
});
