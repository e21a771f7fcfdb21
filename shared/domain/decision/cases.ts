import {
  appointedOn,
  appointment,
  appointmentEnded,
  appointmentImport,
  appointmentList,
  beacon,
  type Case,
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
export const cases: readonly Case[] = [
  // ── What is known
  {
    rule: 'row-order',
    example: 'An import has one term twice, first live, then as expired; after the end that the second has',
    commands: [licenseImport('2026-03-01', {}, { status: 'expired', nextRenewalDate: '2026-02-28' })],
    question: on('2026-03-10'),
    answer: isLicensed,
  },
  {
    rule: 'row-order',
    example: 'The same in the other order',
    commands: [licenseImport('2026-03-01', { status: 'expired', nextRenewalDate: '2026-02-28' }, {})],
    question: on('2026-03-10'),
    answer: isLicensed,
  },
  {
    rule: 'one-after-another',
    example:
      'An import says that a license ends on 2026-02-28, and one an hour later on 2026-12-31; on 2026-03-10',
    commands: [
      licenseImport('2026-02-01T15:00:00.000Z', { nextRenewalDate: '2026-02-28' }),
      licenseImport('2026-02-01T16:00:00.000Z', { nextRenewalDate: '2026-12-31' }),
    ],
    question: on('2026-03-10'),
    answer: isLicensed,
  },
  {
    rule: 'one-after-another',
    example: 'The same in the other order',
    commands: [
      licenseImport('2026-02-01T15:00:00.000Z', { nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-02-01T16:00:00.000Z', { nextRenewalDate: '2026-02-28' }),
    ],
    question: on('2026-03-10'),
    answer: isExpired,
  },
  {
    rule: 'one-after-another',
    example: 'Two licenses with a line each in two imports, where the product requires both lines',
    commands: [
      licenseImport('2026-02-01T15:00:00.000Z', { linesOfAuthority: lines(['16']) }),
      licenseImport('2026-02-01T16:00:00.000Z', { licenseNumber: '1002', linesOfAuthority: lines(['20']) }),
    ],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
    answer: isLicensed,
  },
  {
    rule: 'known-at',
    example: 'The registry lists a license on 2026-03-10; on 2026-03-15, with the knowledge of 2026-03-09',
    commands: [licenseList('2026-03-10', license())],
    question: on('2026-03-15', { knownAt: '2026-03-09' }),
    answer: noLicense,
  },
  {
    rule: 'known-at',
    example:
      'The registry lists a license as `inactive` on 2026-03-10; on 2026-03-15, with `knownAt` 2026-03-09',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-03-10', license({ status: 'inactive' })),
    ],
    question: on('2026-03-15', { knownAt: '2026-03-09' }),
    answer: isLicensed,
  },
  {
    rule: 'written-at',
    example: 'An import of 15:00 writes a license at 15:10; with the knowledge of 15:05',
    commands: [{ ...licenseImport('2026-03-10T15:00:00.000Z', {}), recordedAt: '2026-03-10T15:10:00.000Z' }],
    question: on('2026-03-15', { knownAt: '2026-03-10T15:05:00.000Z' }),
    answer: noLicense,
  },
  {
    rule: 'became-known',
    example: 'The registry lists a license as `inactive` at 23:30 in New York on 2026-03-01; on that day',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-03-02T04:30:00.000Z', license({ status: 'inactive' })),
    ],
    question: on('2026-03-01'),
    answer: noLicense,
  },
  {
    rule: 'became-known',
    example: 'The row of such a poll is written after midnight',
    commands: [
      licenseList('2026-01-10', license()),
      {
        ...licenseList('2026-03-02T04:30:00.000Z', license({ status: 'inactive' })),
        recordedAt: '2026-03-02T05:30:00.000Z',
      },
    ],
    question: on('2026-03-01'),
    answer: noLicense,
  },
  {
    rule: 'whole-list',
    example:
      'A list of 2026-03-02 leaves a license out and is recorded as a whole on 2026-03-05; on 2026-03-10, with the knowledge of 2026-03-03',
    commands: [
      licenseList('2026-01-10', license()),
      { ...licenseList('2026-03-02'), closedAt: '2026-03-05T15:00:00.000Z' },
    ],
    question: on('2026-03-10', { knownAt: '2026-03-03' }),
    answer: isLicensed,
  },
  {
    rule: 'whole-list',
    example: 'The same with the knowledge of 2026-03-06',
    commands: [
      licenseList('2026-01-10', license()),
      { ...licenseList('2026-03-02'), closedAt: '2026-03-05T15:00:00.000Z' },
    ],
    question: on('2026-03-10', { knownAt: '2026-03-06' }),
    answer: noLicense,
  },
  {
    rule: 'whole-list',
    example:
      'A list that leaves a license out is never recorded as a whole, and the next one has it and another one',
    commands: [
      licenseList('2026-01-10', license()),
      { ...licenseList('2026-03-02'), closedAt: null },
      licenseList('2026-03-05', license(), license({ licenseNumber: '1002', status: 'inactive' })),
    ],
    question: on('2026-03-10'),
    answer: isLicensed,
  },
  {
    rule: 'written-dates',
    example: '`issueDate` is `2026-03-01T00:00:00.000Z`, which is 2026-02-28 in New York; on 2026-02-28',
    isShown: true,
    commands: [licenseList('2026-03-10', license({ issueDate: '2026-03-01T00:00:00.000Z' }))],
    question: on('2026-02-28'),
    answer: notBegun,
  },
  {
    rule: 'written-dates',
    example: 'The same on 2026-03-01',
    commands: [licenseList('2026-03-10', license({ issueDate: '2026-03-01T00:00:00.000Z' }))],
    question: on('2026-03-01'),
    answer: isLicensed,
  },
  {
    rule: 'written-dates',
    example: '`nextRenewalDate` is `2026-03-31T00:00:00.000Z`; on 2026-03-31',
    commands: [licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31T00:00:00.000Z' }))],
    question: on('2026-03-31'),
    answer: isLicensed,
  },
  {
    rule: 'complete-list',
    example:
      'A license was imported, and the list of 2026-03-02 has only another one, without its line of authority; on 2026-03-02',
    commands: [
      licenseImport('2026-01-10', { linesOfAuthority: lines(['16']) }),
      licenseList('2026-03-02', license({ licenseNumber: '1002' })),
    ],
    question: on('2026-03-02', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },
  {
    rule: 'complete-list',
    example: 'The same of an appointment and one with another company',
    commands: [
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentList('2026-03-02', appointment({ companyCode: '99999' })),
    ],
    question: appointedOn('2026-03-02'),
    answer: appointmentEnded,
  },
  {
    rule: 'empty-list',
    example: 'The registry lists a license on 2026-01-10 and nothing on 2026-03-02; on 2026-03-02',
    isShown: true,
    commands: [licenseList('2026-01-10', license()), licenseList('2026-03-02')],
    question: on('2026-03-02'),
    answer: noLicense,
  },
  {
    rule: 'not-found',
    example:
      'The registry lists a license on 2026-01-10 and does not find the NPN on 2026-03-02; on 2026-03-02',
    isShown: true,
    commands: [licenseList('2026-01-10', license()), notFound('2026-03-02')],
    question: on('2026-03-02'),
    answer: isLicensed,
  },
  {
    rule: 'import-is-partial',
    example: 'The registry lists a license, and an import names another one, without its line of authority',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-03-02', { licenseNumber: '1002' }),
    ],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: isLicensed,
  },
  {
    rule: 'deleted',
    example: 'A license was listed on 2026-01-10, and an import of 2026-03-02 deletes it; on 2026-02-01',
    isShown: true,
    commands: [licenseList('2026-01-10', license()), licenseImport('2026-03-02', { isDeleted: true })],
    question: on('2026-02-01'),
    answer: noLicense,
  },
  {
    rule: 'deleted',
    example: 'The list of 2026-04-01 has it again; on 2026-02-01',
    commands: [
      licenseList('2026-01-10', license()),
      licenseImport('2026-03-02', { isDeleted: true }),
      licenseList('2026-04-01', license()),
    ],
    question: on('2026-02-01'),
    answer: isLicensed,
  },
  {
    rule: 'deleted',
    example: 'The termination of an appointment is deleted',
    commands: [
      licensed,
      appointmentImport('2026-01-10', appointment(), terminated()),
      appointmentImport('2026-03-02', { ...terminated(), isDeleted: true }),
    ],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },

  // ── Licenses
  {
    rule: 'license-identity',
    example:
      'Two licenses differ in their class: one expired on 2026-02-28, the other lacks its line of authority; on 2026-03-10',
    commands: [
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28', linesOfAuthority: lines(['16']) }),
        license({ licenseClassCode: 'A' }),
      ),
    ],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },
  {
    rule: 'license-identity',
    example: 'The same where they differ in their number',
    commands: [
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28', linesOfAuthority: lines(['16']) }),
        license({ licenseNumber: '1002' }),
      ),
    ],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },
  {
    rule: 'license-identity',
    example: 'Or in their state',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' }), license({ stateCode: 'CA' })),
    ],
    question: on('2026-03-10'),
    answer: isExpired,
  },
  {
    rule: 'term-identity',
    example: 'A license has terms of 2024-03-01 to 2025-02-28 and from 2026-03-01 on; on 2025-06-01',
    commands: [
      licenseList(
        '2026-03-10',
        license({ issueDate: '2024-03-01', nextRenewalDate: '2025-02-28' }),
        license({ issueDate: '2026-03-01' }),
      ),
    ],
    question: on('2025-06-01'),
    answer: isExpired,
  },
  {
    rule: 'term-days',
    example: '`issueDate` is 2026-03-01; on that day',
    commands: [licenseList('2026-03-10', license({ issueDate: '2026-03-01' }))],
    question: on('2026-03-01'),
    answer: isLicensed,
  },
  {
    rule: 'term-days',
    example: 'On the day before',
    commands: [licenseList('2026-03-10', license({ issueDate: '2026-03-01' }))],
    question: on('2026-02-28'),
    answer: notBegun,
  },
  {
    rule: 'term-days',
    example: '`nextRenewalDate` is 2026-03-31; on that day',
    commands: [licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31' }))],
    question: on('2026-03-31'),
    answer: isLicensed,
  },
  {
    rule: 'term-days',
    example: 'On the day after',
    commands: [licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31' }))],
    question: on('2026-04-01'),
    answer: isExpired,
  },
  {
    rule: 'term-days',
    example: 'A license has terms of 2024-03-01 to 2025-02-28 and from 2026-03-01 on; on 2025-02-28',
    commands: [
      licenseList(
        '2026-03-10',
        license({ issueDate: '2024-03-01', nextRenewalDate: '2025-02-28' }),
        license({ issueDate: '2026-03-01' }),
      ),
    ],
    question: on('2025-02-28'),
    answer: isLicensed,
  },
  {
    rule: 'no-issue-date',
    example: '`issueDate` is null, and `nextRenewalDate` is 2026-12-31; on 2019-01-01',
    commands: [licenseList('2026-03-10', license({ issueDate: null, nextRenewalDate: '2026-12-31' }))],
    question: on('2019-01-01'),
    answer: isLicensed,
  },
  {
    rule: 'own-end',
    example: '`nextRenewalDate` is 2026-12-31, and `expirationDate` 2026-02-28; on 2026-03-10',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31', expirationDate: '2026-02-28' })),
    ],
    question: on('2026-03-10'),
    answer: isExpired,
  },
  {
    rule: 'own-end',
    example: 'The other way round',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28', expirationDate: '2026-12-31' })),
    ],
    question: on('2026-03-10'),
    answer: isExpired,
  },
  {
    rule: 'no-own-end',
    example: '`nextRenewalDate` and `expirationDate` are null; on 2040-01-01',
    commands: [licenseList('2026-01-10', license())],
    question: on('2040-01-01'),
    answer: isLicensed,
  },
  {
    rule: 'valid-from',
    example:
      'An import says from 2026-02-01 on that the license ends on 2026-06-30, and another from 2026-05-01 on that it ends on 2027-06-30; on 2026-08-01',
    commands: [
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-06-30' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-06-30' }),
    ],
    question: on('2026-08-01'),
    answer: isLicensed,
  },
  {
    rule: 'valid-from',
    example: 'Where the first says that it ends on 2026-03-31; on 2026-04-15',
    commands: [
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-03-31' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-06-30' }),
    ],
    question: on('2026-04-15'),
    answer: isExpired,
  },
  {
    rule: 'valid-from',
    example: 'On 2026-01-20, before the first `validFrom`',
    commands: [
      licenseImport('2026-01-10', { validFrom: '2026-02-01' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01' }),
    ],
    question: on('2026-01-20'),
    answer: notBegun,
  },
  {
    rule: 'valid-from',
    example: 'Where the second says that it ends on 2026-06-30, and the first on 2026-12-31; on 2026-08-01',
    commands: [
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2026-06-30' }),
    ],
    question: on('2026-08-01'),
    answer: isExpired,
  },
  {
    rule: 'first-version',
    example: 'A license of 2025-03-01 is listed for the first time on 2026-03-10; on 2025-03-01',
    commands: [licenseList('2026-03-10', license())],
    question: on('2025-03-01'),
    answer: isLicensed,
  },
  {
    rule: 'following-version',
    example:
      'An import gives a line of authority from 2026-02-01 on; a list of 2026-03-10 has the license without it; on 2026-01-20',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-01-11', { validFrom: '2026-02-01', linesOfAuthority: lines(['16', '20']) }),
      licenseList('2026-03-10', license()),
    ],
    question: on('2026-01-20', { requires: { linesOfAuthority: ['16'] } }),
    answer: isLicensed,
  },
  {
    rule: 'following-version',
    example: 'The same on 2026-02-20',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-01-11', { validFrom: '2026-02-01', linesOfAuthority: lines(['16', '20']) }),
      licenseList('2026-03-10', license()),
    ],
    question: on('2026-02-20', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },
  {
    rule: 'following-version',
    example:
      'An import renews the license from 2026-05-01 on, and a list of 2026-03-10 corrects its `nextRenewalDate` to 2026-03-31; on 2026-04-15',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-12-31' }),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31' })),
    ],
    question: on('2026-04-15'),
    answer: isExpired,
  },
  {
    rule: 'equal-valid-from',
    example: 'A list has the `nextRenewalDate` 2026-02-28, and a later one 2027-02-28; on 2026-06-01',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-02-20', license({ nextRenewalDate: '2027-02-28' })),
    ],
    question: on('2026-06-01'),
    answer: isLicensed,
  },
  {
    rule: 'equal-valid-from',
    example: 'A list of 2026-03-10 corrects it to 2026-01-31; on 2026-02-15',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-01-31' })),
    ],
    question: on('2026-02-15'),
    answer: isExpired,
  },
  {
    rule: 'several-rows',
    example:
      'A list has one term until 2026-02-28 with the line 16 and until 2026-12-31 with the line 20; on 2026-03-10, where both lines are required',
    commands: [
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-12-31', linesOfAuthority: lines(['20']) }),
        license({ nextRenewalDate: '2026-02-28', linesOfAuthority: lines(['16']) }),
      ),
    ],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
    answer: isLicensed,
  },
  {
    rule: 'several-rows',
    example: 'The row with the later end is not live; on 2026-03-10',
    commands: [
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28' }),
        license({ nextRenewalDate: '2026-12-31', status: 'inactive' }),
      ),
    ],
    question: on('2026-03-10'),
    answer: isExpired,
  },
  {
    rule: 'corrected-issue-date',
    example:
      'A list has the license with the `issueDate` 2025-03-01, the next one with 2025-06-01; on 2025-04-01',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ issueDate: '2025-03-01' })),
      licenseList('2026-02-10', license({ issueDate: '2025-06-01' })),
    ],
    question: on('2025-04-01'),
    answer: notBegun,
  },
  {
    rule: 'corrected-issue-date',
    example: 'The next one has null and ends before',
    commands: [
      licenseList('2026-01-10', license({ issueDate: '2025-03-01' })),
      licenseList('2026-02-10', license({ issueDate: null, nextRenewalDate: '2025-12-31' })),
    ],
    question: on('2026-01-15'),
    answer: isExpired,
  },
  {
    rule: 'corrected-issue-date',
    example: 'The terms do not overlap',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2025-12-31' })),
      licenseList('2026-02-10', license({ issueDate: '2026-01-01' })),
    ],
    question: on('2025-04-01'),
    answer: isLicensed,
  },
  {
    rule: 'corrected-issue-date',
    example: 'A list had both',
    commands: [
      licenseList('2026-01-10', license(), license({ issueDate: '2025-06-01' })),
      licenseList('2026-02-10', license({ issueDate: '2025-06-01' })),
    ],
    question: on('2025-04-01'),
    answer: isLicensed,
  },
  {
    rule: 'corrected-issue-date',
    example: 'The other’s `issueDate` is after the day on which the one left out was first recorded',
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
    ],
    question: on('2026-02-15'),
    answer: isLicensed,
  },
  {
    rule: 'renewed-license',
    example:
      'The new term begins on 2026-03-01 and lacks the line of authority of the old one, which ends on 2026-12-31; on 2026-03-01',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31', linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
    ],
    question: on('2026-03-01', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },
  {
    rule: 'renewed-license',
    example: 'On 2026-02-28',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31', linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
    ],
    question: on('2026-02-28', { requires: { linesOfAuthority: ['16'] } }),
    answer: isLicensed,
  },
  {
    rule: 'early-renewal',
    example:
      'A term ends on 2026-02-28, and a list of 2026-02-10 has only a term from 2026-03-01 on; on 2026-02-20',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-02-10', license({ issueDate: '2026-03-01' })),
    ],
    question: on('2026-02-20'),
    answer: isLicensed,
  },
  {
    rule: 'early-renewal',
    example: 'On 2026-03-01',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-02-10', license({ issueDate: '2026-03-01' })),
    ],
    question: on('2026-03-01'),
    answer: isLicensed,
  },
  {
    rule: 'reissue',
    example:
      'A term ends on 2026-01-31, and a list of 2026-03-10 has only a term from 2026-03-01 on; on 2026-02-15',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-01-31' })),
      licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
    ],
    question: on('2026-02-15'),
    answer: isExpired,
  },
  {
    rule: 'left-out-term',
    example: 'The list of 2026-03-10 has only another license, without the line of authority; on 2026-03-09',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ licenseNumber: '1002' })),
    ],
    question: on('2026-03-09', { requires: { linesOfAuthority: ['16'] } }),
    answer: isLicensed,
  },
  {
    rule: 'left-out-term',
    example: 'On 2026-03-10',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ licenseNumber: '1002' })),
    ],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },
  {
    rule: 'left-out-term',
    example: 'The `nextRenewalDate` was 2026-02-28; on 2026-03-09',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-03-10'),
    ],
    question: on('2026-03-09'),
    answer: isExpired,
  },
  {
    rule: 'not-live',
    example: 'The status is `ACTIVE`',
    commands: [licenseList('2026-01-10', license({ status: 'ACTIVE' }))],
    question: on('2026-03-10'),
    answer: isLicensed,
  },
  {
    rule: 'not-live',
    example: 'The status becomes `Under review` on 2026-03-02; on 2026-03-10',
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-03-02', license({ status: 'Under review' })),
    ],
    question: on('2026-03-10'),
    answer: noLicense,
  },
  {
    rule: 'not-live-after-its-end',
    example:
      'A license with the `nextRenewalDate` 2026-02-28 becomes `inactive` on 2026-03-10; on 2026-03-05',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-02-28', status: 'inactive' })),
    ],
    question: on('2026-03-05'),
    answer: isExpired,
  },
  {
    rule: 'not-live-after-its-end',
    example: 'On 2026-02-28',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-02-28', status: 'inactive' })),
    ],
    question: on('2026-02-28'),
    answer: isLicensed,
  },
  {
    rule: 'not-live-before-its-end',
    example:
      'A license with the `nextRenewalDate` 2026-12-31 becomes `suspended` on 2026-03-10; on 2026-03-09',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-12-31', status: 'suspended' })),
    ],
    question: on('2026-03-09'),
    answer: isLicensed,
  },
  {
    rule: 'not-live-before-its-end',
    example: 'On 2026-03-10',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-12-31', status: 'suspended' })),
    ],
    question: on('2026-03-10'),
    answer: noLicense,
  },
  {
    rule: 'never-seen-live',
    example: 'A license is first listed on 2026-03-10, as `suspended`; on 2026-03-01',
    commands: [licenseList('2026-03-10', license({ status: 'suspended' }))],
    question: on('2026-03-01'),
    answer: {
      ...noLicense,
      message: 'The license in TX is not active, and from when to when it was is not known.',
    },
  },
  {
    rule: 'first-seen-not-live',
    example:
      'A license is first listed on 2026-03-10, as `expired` with the `nextRenewalDate` 2026-02-28; on 2026-02-20',
    isShown: true,
    commands: [licenseList('2026-03-10', license({ nextRenewalDate: '2026-02-28', status: 'expired' }))],
    question: on('2026-02-20'),
    answer: isLicensed,
  },
  {
    rule: 'first-seen-not-live',
    example: 'As `revoked`',
    commands: [licenseList('2026-03-10', license({ nextRenewalDate: '2026-02-28', status: 'revoked' }))],
    question: on('2026-02-20'),
    answer: noLicense,
  },
  {
    rule: 'not-live-from',
    example: 'An import of 2026-02-10 has a known license as `inactive` from 2026-02-01 on; on 2026-02-05',
    commands: [
      licenseImport('2026-01-10', {}),
      licenseImport('2026-02-10', { validFrom: '2026-02-01', status: 'inactive' }),
    ],
    question: on('2026-02-05'),
    answer: noLicense,
  },
  {
    rule: 'not-live-from',
    example: 'On 2026-01-31',
    commands: [
      licenseImport('2026-01-10', {}),
      licenseImport('2026-02-10', { validFrom: '2026-02-01', status: 'inactive' }),
    ],
    question: on('2026-01-31'),
    answer: isLicensed,
  },
  {
    rule: 'suspension',
    example: 'A license is listed as `suspended` on 2026-02-10 and as `active` on 2026-03-10; on 2026-03-09',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10', license({ status: 'suspended' })),
      licenseList('2026-03-10', license()),
    ],
    question: on('2026-03-09'),
    answer: notBegun,
  },
  {
    rule: 'suspension',
    example: 'On 2026-02-10',
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10', license({ status: 'suspended' })),
      licenseList('2026-03-10', license()),
    ],
    question: on('2026-02-10'),
    answer: notBegun,
  },
  {
    rule: 'suspension',
    example: 'On 2026-03-10',
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10', license({ status: 'suspended' })),
      licenseList('2026-03-10', license()),
    ],
    question: on('2026-03-10'),
    answer: isLicensed,
  },
  {
    rule: 'back-within-30-days',
    example: 'The list of 2026-02-10 leaves a license out, that of 2026-03-12 has it again; on 2026-02-20',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseList('2026-03-12', license()),
    ],
    question: on('2026-02-20'),
    answer: isLicensed,
  },
  {
    rule: 'back-later',
    example: 'It is back on 2026-03-13; on 2026-03-12',
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseList('2026-03-13', license()),
    ],
    question: on('2026-03-12'),
    answer: notBegun,
  },
  {
    rule: 'back-later',
    example: 'On 2026-03-13',
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseList('2026-03-13', license()),
    ],
    question: on('2026-03-13'),
    answer: isLicensed,
  },
  {
    rule: 'back-later',
    example:
      'Its own end, 2026-01-31, had passed, and the list that left it out had a term that begins on 2026-06-01; it is back on 2026-03-13, without an end; on 2026-03-12',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-01-31' })),
      licenseList('2026-02-10', license({ issueDate: '2026-06-01' })),
      licenseList('2026-03-13', license(), license({ issueDate: '2026-06-01' })),
    ],
    question: on('2026-03-12'),
    answer: notBegun,
  },
  {
    rule: 'history-is-no-return',
    example:
      'The list of 2026-02-10 is empty; an import of 2026-03-10 says that the license counts from 2025-06-01; on 2026-03-20',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-03-10', { validFrom: '2025-06-01' }),
    ],
    question: on('2026-03-20'),
    answer: noLicense,
  },
  {
    rule: 'history-is-no-return',
    example: 'The list of 2026-03-15 has it again; on 2026-03-20',
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-03-10', { validFrom: '2025-06-01' }),
      licenseList('2026-03-15', license()),
    ],
    question: on('2026-03-20'),
    answer: isLicensed,
  },
  {
    rule: 'history-is-no-return',
    example: 'The import says that it counts from 2026-02-10; on 2026-03-20',
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-03-10', { validFrom: '2026-02-10' }),
    ],
    question: on('2026-03-20'),
    answer: isLicensed,
  },
  {
    rule: 'line-added',
    example: 'A list of 2026-03-10 has the line 16 for the first time; on 2026-03-09',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-03-10', license({ linesOfAuthority: lines(['16']) })),
    ],
    question: on('2026-03-09', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },
  {
    rule: 'line-added',
    example: 'On 2026-03-10',
    commands: [
      licenseList('2026-01-10', license()),
      licenseList('2026-03-10', license({ linesOfAuthority: lines(['16']) })),
    ],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: isLicensed,
  },
  {
    rule: 'line-left-out',
    example: 'A list of 2026-03-10 leaves the line 16 out; on 2026-02-01',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license()),
    ],
    question: on('2026-02-01', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },
  {
    rule: 'line-ceased',
    example: 'A list of 2026-03-10 has the line 16 as `inactive`; on 2026-03-10',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ linesOfAuthority: lines(['16'], 'inactive') })),
    ],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },
  {
    rule: 'line-ceased',
    example: 'On 2026-03-09',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ linesOfAuthority: lines(['16'], 'inactive') })),
    ],
    question: on('2026-03-09', { requires: { linesOfAuthority: ['16'] } }),
    answer: isLicensed,
  },
  {
    rule: 'later-valid-from',
    example:
      'An import of 2026-03-10 replaces the line 16 by the line 20 from 2026-02-01 on; line 16 on 2026-01-31',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-03-10', { validFrom: '2026-02-01', linesOfAuthority: lines(['20']) }),
    ],
    question: on('2026-01-31', { requires: { linesOfAuthority: ['16'] } }),
    answer: isLicensed,
  },
  {
    rule: 'later-valid-from',
    example: 'Line 20 on 2026-02-01',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-03-10', { validFrom: '2026-02-01', linesOfAuthority: lines(['20']) }),
    ],
    question: on('2026-02-01', { requires: { linesOfAuthority: ['20'] } }),
    answer: isLicensed,
  },
  {
    rule: 'later-valid-from',
    example: 'Line 16 on 2026-02-01',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-03-10', { validFrom: '2026-02-01', linesOfAuthority: lines(['20']) }),
    ],
    question: on('2026-02-01', { requires: { linesOfAuthority: ['16'] } }),
    answer: noLine,
  },

  // ── Appointments
  {
    rule: 'appointment-identity',
    example: 'The appointment for the line 20 is terminated, that for the line 16 is not',
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ lineOfAuthorityCode: '16' }),
        appointment({ lineOfAuthorityCode: '20' }),
        terminated({ lineOfAuthorityCode: '20' }),
      ),
    ],
    question: appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: isAppointed,
  },
  {
    rule: 'appointment-identity',
    example: 'The appointment for a county is terminated, that without one is not',
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        appointment({ countyName: 'Travis' }),
        terminated({ countyName: 'Travis' }),
      ),
    ],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'appointment-identity',
    example: 'That of California is terminated, that of Texas is not',
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        appointment({ stateCode: 'CA' }),
        terminated({ stateCode: 'CA' }),
      ),
    ],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'company-key',
    example: 'The termination has the `companyCode` of the appointment and another name',
    commands: [
      licensed,
      appointmentList('2026-03-10', appointment(), terminated({ carrierName: 'Beacon Specialty of Texas' })),
    ],
    question: appointedOn('2026-03-10'),
    answer: appointmentEnded,
  },
  {
    rule: 'company-key',
    example: 'It has another `companyCode` and the same name and `ein`',
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ ein: '75-1234567' }),
        terminated({ ein: '75-1234567', companyCode: '19438' }),
      ),
    ],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'company-by-ein',
    example: 'The termination has no `companyCode` and the `ein` of the appointment, without the hyphen',
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ ein: '75-1234567' }),
        terminated({ companyCode: null, ein: '751234567', carrierName: null }),
      ),
    ],
    question: appointedOn('2026-03-10'),
    answer: appointmentEnded,
  },
  {
    rule: 'company-by-name',
    example: 'The termination has the name alone, as `BEACON SPECIALTY INS. CO.`',
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        terminated({ companyCode: null, carrierName: 'BEACON SPECIALTY INS. CO.' }),
      ),
    ],
    question: appointedOn('2026-03-10'),
    answer: appointmentEnded,
  },
  {
    rule: 'company-unclear',
    example: 'The termination has the name alone, which two companies have',
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        appointment({ companyCode: '19438' }),
        terminated({ companyCode: null }),
      ),
    ],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'last-change',
    example: 'Appointed on 2025-03-01, terminated on 2026-02-01; on 2026-01-31',
    commands: [licensed, appointmentList('2026-03-10', appointment(), terminated())],
    question: appointedOn('2026-01-31'),
    answer: isAppointed,
  },
  {
    rule: 'last-change',
    example: 'On 2026-02-01',
    commands: [licensed, appointmentList('2026-03-10', appointment(), terminated())],
    question: appointedOn('2026-02-01'),
    answer: appointmentEnded,
  },
  {
    rule: 'last-change',
    example: 'Appointed again on 2026-03-01; on 2026-03-10',
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        terminated(),
        appointment({ statusChangeDate: '2026-03-01' }),
      ),
    ],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'last-change',
    example: 'Before the appointment, on 2025-02-28',
    commands: [licensed, appointmentList('2026-03-10', appointment())],
    question: appointedOn('2025-02-28'),
    answer: notAppointed,
  },
  {
    rule: 'live-appointment',
    example: 'The status is `ACTIVE`',
    commands: [licensed, appointmentList('2026-03-10', appointment({ status: 'ACTIVE' }))],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'live-appointment',
    example: 'The status is `Appointed`, and `terminationReason` is `Cause`',
    commands: [licensed, appointmentList('2026-03-10', appointment({ terminationReason: 'Cause' }))],
    question: appointedOn('2026-03-10'),
    answer: appointmentEnded,
  },
  {
    rule: 'renewal-date',
    example: '`renewalDate` is 2026-02-28; on that day',
    commands: [licensed, appointmentList('2026-03-10', appointment({ renewalDate: '2026-02-28' }))],
    question: appointedOn('2026-02-28'),
    answer: isAppointed,
  },
  {
    rule: 'renewal-date',
    example: 'On the day after',
    commands: [licensed, appointmentList('2026-03-10', appointment({ renewalDate: '2026-02-28' }))],
    question: appointedOn('2026-03-01'),
    answer: appointmentEnded,
  },
  {
    rule: 'changes-of-one-day',
    example: 'A list has an appointment and its termination of one day',
    commands: [
      licensed,
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' }), appointment()),
    ],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'changes-of-one-day',
    example: 'An import has the termination of 2026-02-01, and a later one an appointment of that day',
    commands: [
      licensed,
      appointmentImport('2026-03-10', appointment(), terminated()),
      appointmentImport('2026-03-11', appointment({ statusChangeDate: '2026-02-01' })),
    ],
    question: appointedOn('2026-03-20'),
    answer: isAppointed,
  },
  {
    rule: 'undated-live',
    example: 'A list of 2026-03-10 has a live row without a date; on 2024-01-01',
    isShown: true,
    commands: [licensed, appointmentList('2026-03-10', appointment({ statusChangeDate: null }))],
    question: appointedOn('2024-01-01'),
    answer: isAppointed,
  },
  {
    rule: 'first-change-is-an-end',
    example: 'All that is known is the termination of 2026-02-01; on 2026-01-31',
    isShown: true,
    commands: [licensed, appointmentList('2026-03-10', terminated())],
    question: appointedOn('2026-01-31'),
    answer: isAppointed,
  },
  {
    rule: 'undated-rows',
    example:
      'A list of 2026-01-10 has a live row without a date, that of 2026-03-10 a termination without one; on 2026-03-10',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment({ statusChangeDate: null })),
      appointmentList('2026-03-10', terminated({ statusChangeDate: null })),
    ],
    question: appointedOn('2026-03-10'),
    answer: appointmentEnded,
  },
  {
    rule: 'undated-rows',
    example: 'A list has both at once',
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ statusChangeDate: null }),
        terminated({ statusChangeDate: null }),
      ),
    ],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'undated-live-and-end',
    example: 'An import has the termination of 2026-02-01, and a later import a live row without a date',
    commands: [
      licensed,
      appointmentImport('2026-03-10', terminated()),
      appointmentImport('2026-03-11', appointment({ statusChangeDate: null })),
    ],
    question: appointedOn('2026-03-20'),
    answer: appointmentEnded,
  },
  {
    rule: 'undated-live-and-end',
    example: 'A later list has the live row without a date alone',
    commands: [
      licensed,
      appointmentList('2026-03-10', terminated()),
      appointmentList('2026-03-11', appointment({ statusChangeDate: null })),
    ],
    question: appointedOn('2026-03-20'),
    answer: isAppointed,
  },
  {
    rule: 'undated-end',
    example:
      'A list of 2026-03-10 has a termination without a date and with the `renewalDate` 2026-02-15; on 2026-02-14',
    isShown: true,
    commands: [
      licensed,
      appointmentList('2026-03-10', terminated({ statusChangeDate: null, renewalDate: '2026-02-15' })),
    ],
    question: appointedOn('2026-02-14'),
    answer: isAppointed,
  },
  {
    rule: 'undated-end',
    example: 'On 2026-02-15',
    commands: [
      licensed,
      appointmentList('2026-03-10', terminated({ statusChangeDate: null, renewalDate: '2026-02-15' })),
    ],
    question: appointedOn('2026-02-15'),
    answer: appointmentEnded,
  },
  {
    rule: 'end-of-the-same-date',
    example:
      'The appointment of 2025-03-01 is listed as terminated on 2026-03-10, with the same date and the `renewalDate` 2026-02-15; on 2026-02-14',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList(
        '2026-03-10',
        terminated({ statusChangeDate: '2025-03-01', renewalDate: '2026-02-15' }),
      ),
    ],
    question: appointedOn('2026-02-14'),
    answer: isAppointed,
  },
  {
    rule: 'end-of-the-same-date',
    example: 'On 2026-02-15',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList(
        '2026-03-10',
        terminated({ statusChangeDate: '2025-03-01', renewalDate: '2026-02-15' }),
      ),
    ],
    question: appointedOn('2026-02-15'),
    answer: appointmentEnded,
  },
  {
    rule: 'end-of-the-same-date',
    example: 'The termination has no `renewalDate`, and that of the appointment is 2026-02-15; on 2026-02-15',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment({ renewalDate: '2026-02-15' })),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ],
    question: appointedOn('2026-02-15'),
    answer: appointmentEnded,
  },
  {
    rule: 'end-of-the-same-date',
    example: 'Before the appointment, on 2025-02-28',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ],
    question: appointedOn('2025-02-28'),
    answer: notAppointed,
  },
  {
    rule: 'end-became-known',
    example:
      'The appointment of 2025-03-01 is listed as terminated on 2026-03-10, with the same date; on 2026-03-09',
    isShown: true,
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ],
    question: appointedOn('2026-03-09'),
    answer: isAppointed,
  },
  {
    rule: 'end-became-known',
    example: 'On 2026-03-10',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ],
    question: appointedOn('2026-03-10'),
    answer: appointmentEnded,
  },
  {
    rule: 'end-became-known',
    example: 'It is imported as terminated, without a date; on 2026-03-09',
    commands: [
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentImport('2026-03-10', terminated({ statusChangeDate: null })),
    ],
    question: appointedOn('2026-03-09'),
    answer: isAppointed,
  },
  {
    rule: 'never-seen-appointed',
    example: 'All that is known is a termination without a date; on 2026-03-01',
    commands: [licensed, appointmentList('2026-03-10', terminated({ statusChangeDate: null }))],
    question: appointedOn('2026-03-01'),
    answer: notAppointed,
  },
  {
    rule: 'inferred-until-renewal',
    example:
      'All that is known is the termination of 2026-02-01, with the `renewalDate` 2025-12-31; on 2026-01-15',
    commands: [licensed, appointmentList('2026-03-10', terminated({ renewalDate: '2025-12-31' }))],
    question: appointedOn('2026-01-15'),
    answer: appointmentEnded,
  },
  {
    rule: 'inferred-until-renewal',
    example: 'On 2025-12-31',
    commands: [licensed, appointmentList('2026-03-10', terminated({ renewalDate: '2025-12-31' }))],
    question: appointedOn('2025-12-31'),
    answer: isAppointed,
  },
  {
    rule: 'termination-taken-back',
    example: 'A list has the termination of 2026-02-01, the next one only the appointment; on 2026-03-20',
    isShown: true,
    commands: [
      licensed,
      appointmentList('2026-03-10', appointment(), terminated()),
      appointmentList('2026-03-11', appointment()),
    ],
    question: appointedOn('2026-03-20'),
    answer: isAppointed,
  },
  {
    rule: 'earlier-changes',
    example:
      'A list has the appointment of 2025-03-01, the next one only the termination of 2026-02-01; on 2025-02-28',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated()),
    ],
    question: appointedOn('2025-02-28'),
    answer: notAppointed,
  },
  {
    rule: 'left-out-appointment',
    example: 'The list of 2026-03-10 does not name the appointment; on 2026-03-10',
    commands: [licensed, appointmentList('2026-01-10', appointment()), appointmentList('2026-03-10')],
    question: appointedOn('2026-03-10'),
    answer: appointmentEnded,
  },
  {
    rule: 'left-out-appointment',
    example: 'On 2026-03-09',
    commands: [licensed, appointmentList('2026-01-10', appointment()), appointmentList('2026-03-10')],
    question: appointedOn('2026-03-09'),
    answer: isAppointed,
  },
  {
    rule: 'left-out-appointment',
    example: 'The list of 2026-04-09, 30 days later, has it again; on 2026-03-20',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10'),
      appointmentList('2026-04-09', appointment()),
    ],
    question: appointedOn('2026-03-20'),
    answer: isAppointed,
  },
  {
    rule: 'left-out-appointment',
    example: 'That of 2026-04-10 has it again; on 2026-04-09',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10'),
      appointmentList('2026-04-10', appointment()),
    ],
    question: appointedOn('2026-04-09'),
    answer: appointmentEnded,
  },
  {
    rule: 'stated-again',
    example:
      'An import of 2026-05-10 states the appointment that the list of 2026-03-10 did not name; on 2026-05-10',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10'),
      appointmentImport('2026-05-10', appointment()),
    ],
    question: appointedOn('2026-05-10'),
    answer: isAppointed,
  },
  {
    rule: 'stated-again',
    example: 'On 2026-05-09',
    commands: [
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10'),
      appointmentImport('2026-05-10', appointment()),
    ],
    question: appointedOn('2026-05-09'),
    answer: appointmentEnded,
  },

  // ── Whose appointment counts
  {
    rule: 'naic-code',
    example: 'The appointment has the `companyCode` 19437, which the organization has, and another name',
    commands: [licensed, appointmentList('2026-03-10', appointment({ carrierName: 'Other Mutual' }))],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'naic-code',
    example:
      'An appointment has the organization’s name and a `companyCode` that the organization does not have',
    isShown: true,
    commands: [licensed, appointmentList('2026-03-10', appointment({ companyCode: '99999' }))],
    question: appointedOn('2026-03-10'),
    answer: notAppointed,
  },
  {
    rule: 'ein',
    example:
      'The organization has the EIN 75-1234567, the appointment the `ein` 751234567 and another `companyCode`',
    commands: [
      licensed,
      appointmentList('2026-03-10', appointment({ companyCode: '99999', ein: '751234567' })),
    ],
    question: appointedOn('2026-03-10'),
    answer: isAppointed,
  },
  {
    rule: 'carrier-name',
    example: 'Beacon Specialty has neither, and the `carrierName` is `BEACON SPECIALTY INS. CO.`',
    isShown: true,
    commands: [
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ companyCode: '99999', carrierName: 'BEACON SPECIALTY INS. CO.' }),
      ),
    ],
    question: appointedOn('2026-03-10', { carrier: { ...beacon, naicCodes: [], eins: [] } }),
    answer: isAppointed,
  },
  {
    rule: 'carrier-name',
    example: 'The `carrierName` is `Other Mutual`',
    commands: [licensed, appointmentList('2026-03-10', appointment({ carrierName: 'Other Mutual' }))],
    question: appointedOn('2026-03-10', { carrier: { ...beacon, naicCodes: [], eins: [] } }),
    answer: notAppointed,
  },
  {
    rule: 'product-codes',
    example: 'The product names 22667, and the appointment has the organization’s code',
    isShown: true,
    commands: [licensed, appointmentList('2026-03-10', appointment({ ein: '75-1234567' }))],
    question: appointedOn('2026-03-10', { carrierNaicCodes: ['22667'] }),
    answer: notAppointed,
  },
  {
    rule: 'product-codes',
    example: 'The appointment has 22667',
    commands: [licensed, appointmentList('2026-03-10', appointment({ companyCode: '22667' }))],
    question: appointedOn('2026-03-10', { carrierNaicCodes: ['22667'] }),
    answer: isAppointed,
  },
  {
    rule: 'all-lines',
    example: 'The lines 16 and 20 are required, and the appointment has neither a code nor a name of a line',
    commands: [licensed, appointmentList('2026-03-10', appointment())],
    question: appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
    answer: isAppointed,
  },
  {
    rule: 'all-lines',
    example: 'It has the name of a line that no license has',
    commands: [licensed, appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'Life' }))],
    question: appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: notAppointed,
  },
  {
    rule: 'line-by-name',
    example:
      'The line 16 is required, the appointment has the name `CASUALTY`, and a license has `Casualty` with the code 16',
    isShown: true,
    commands: [licensed, appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'CASUALTY' }))],
    question: appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: isAppointed,
  },
  {
    rule: 'line-by-name',
    example: 'A license of California has the name with the code 16, one of Texas only the code',
    commands: [
      licenseList(
        '2026-01-10',
        license({ linesOfAuthority: [{ code: '16', name: 'P&C', status: 'active' }] }),
        license({ stateCode: 'CA', linesOfAuthority: lines(['16']) }),
      ),
      appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'Casualty' })),
    ],
    question: appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: notAppointed,
  },
  {
    rule: 'line-by-name',
    example: 'Only an earlier list had the name, the present one has another',
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList(
        '2026-02-10',
        license({ linesOfAuthority: [{ code: '16', name: 'P&C', status: 'active' }] }),
      ),
      appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'Casualty' })),
    ],
    question: appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16'] } }),
    answer: isAppointed,
  },

  // ── What a product requires
  {
    rule: 'each-line',
    example: 'The lines 16 and 20 are required, and two licenses have one each',
    commands: [
      licenseList(
        '2026-01-10',
        license({ linesOfAuthority: lines(['16']) }),
        license({ licenseNumber: '1002', linesOfAuthority: lines(['20']) }),
      ),
    ],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
    answer: isLicensed,
  },
  {
    rule: 'each-line',
    example: 'Only the line 16 is there',
    commands: [licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) }))],
    question: on('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
    answer: noLine,
  },
  {
    rule: 'each-line',
    example: 'The appointment is for the line 16 alone',
    commands: [licensed, appointmentList('2026-03-10', appointment({ lineOfAuthorityCode: '16' }))],
    question: appointedOn('2026-03-10', { requires: { linesOfAuthority: ['16', '20'] } }),
    answer: notAppointed,
  },
  {
    rule: 'any-of',
    example: 'The entry is `{"anyOf": ["16", "20"]}`, the license has 16, the appointment 20',
    isShown: true,
    commands: [
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      appointmentList('2026-03-10', appointment({ lineOfAuthorityCode: '20' })),
    ],
    question: appointedOn('2026-03-10', { requires: { linesOfAuthority: [{ anyOf: ['16', '20'] }] } }),
    answer: isAppointed,
  },
  {
    rule: 'any-of',
    example: 'The license has neither',
    commands: [licenseList('2026-01-10', license())],
    question: on('2026-03-10', { requires: { linesOfAuthority: [{ anyOf: ['16', '20'] }] } }),
    answer: noLine,
  },
  {
    rule: 'appointment-of',
    example: '`appointmentOf` is `agency`; an agent without an appointment',
    isShown: true,
    commands: [licensed],
    question: appointedOn('2026-03-10', { requires: { appointmentOf: 'agency' } }),
    answer: isLicensed,
  },
  {
    rule: 'appointment-of',
    example: 'An agency without one',
    commands: [licensed],
    question: appointedOn('2026-03-10', { party: 'agency', requires: { appointmentOf: 'agency' } }),
    answer: notAppointed,
  },
  {
    rule: 'appointment-of',
    example: '`appointmentOf` is `agent`; an agency without one',
    commands: [licensed],
    question: appointedOn('2026-03-10', { party: 'agency', requires: { appointmentOf: 'agent' } }),
    answer: isLicensed,
  },
  {
    rule: 'appointment-of',
    example: 'Without `appointmentOf`, an agency without one',
    commands: [licensed],
    question: appointedOn('2026-03-10', { party: 'agency' }),
    answer: notAppointed,
  },
  {
    rule: 'on-binding',
    example: 'There is no appointment',
    commands: [licensed],
    question: appointedOn('2026-03-10', { requires: { appointment: 'on binding' } }),
    answer: onBinding,
  },
  {
    rule: 'on-binding',
    example: 'There is one',
    commands: [licensed, appointmentList('2026-03-10', appointment())],
    question: appointedOn('2026-03-10', { requires: { appointment: 'on binding' } }),
    answer: isAppointed,
  },
  {
    rule: 'unlisted-state',
    example:
      'The product lists Texas, with an appointment; a license of California, without lines of authority',
    commands: [licenseList('2026-01-10', license({ stateCode: 'CA' }))],
    question: appointedOn('2026-03-10', { stateCode: 'CA' }),
    answer: isLicensed,
  },
  {
    rule: 'unlisted-state',
    example: 'Without a license',
    commands: [licensed],
    question: appointedOn('2026-03-10', { stateCode: 'CA' }),
    answer: noLicense,
  },
  {
    rule: 'config-in-force',
    example: 'From 2026-03-01 on, the product requires an appointment, and there is none; on 2026-02-28',
    isShown: true,
    commands: [licensed],
    question: on('2026-02-28', {
      configs: [config(), config({ appointment: 'required' }, { validFrom: '2026-03-01' })],
    }),
    answer: { ...isLicensed, configBasis: 'version' },
  },
  {
    rule: 'config-in-force',
    example: 'On 2026-03-01',
    commands: [licensed],
    question: on('2026-03-01', {
      configs: [config(), config({ appointment: 'required' }, { validFrom: '2026-03-01' })],
    }),
    answer: notAppointed,
  },
  {
    rule: 'config-in-force',
    example: 'On 2026-03-10, with the knowledge of 2026-02-15, when that was not recorded yet',
    commands: [licensed],
    question: on('2026-03-10', {
      knownAt: '2026-02-15',
      configs: [
        config(),
        config(
          { appointment: 'required' },
          { validFrom: '2026-03-01', recordedAt: '2026-02-20T15:00:00.000Z' },
        ),
      ],
    }),
    answer: isLicensed,
  },
  {
    rule: 'first-config',
    example: 'The first version requires an appointment from 2026-03-01 on, and there is none; on 2026-02-01',
    commands: [licensed],
    question: on('2026-02-01', {
      configs: [config({ appointment: 'required' }, { validFrom: '2026-03-01' })],
    }),
    answer: { ...notAppointed, configBasis: 'first version' },
  },
  {
    rule: 'first-config',
    example: 'It was recorded on 2026-03-01; on 2026-03-10, with the knowledge of 2026-02-01',
    commands: [licensed],
    question: on('2026-03-10', {
      knownAt: '2026-02-01',
      configs: [
        config(
          { appointment: 'required' },
          { validFrom: '2026-03-01', recordedAt: '2026-03-01T15:00:00.000Z' },
        ),
      ],
    }),
    answer: { ...notAppointed, configBasis: 'first version' },
  },

  // ── Answers
  {
    rule: 'expired',
    example: '`nextRenewalDate` was 2026-02-28; on 2026-03-10',
    commands: [licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' }))],
    question: on('2026-03-10'),
    answer: isExpired,
  },
  {
    rule: 'expired',
    example: 'An older term of the license had ended when the next one was suspended',
    commands: [
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
    ],
    question: on('2026-03-10'),
    answer: isExpired,
  },
  {
    rule: 'expired',
    example:
      'An import says from 2026-05-01 on that the license, which ended on 2026-02-28, ends on 2027-02-28; on 2026-03-10',
    commands: [
      licenseImport('2026-01-10', { nextRenewalDate: '2026-02-28' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-02-28' }),
    ],
    question: on('2026-03-10'),
    answer: isExpired,
  },
  {
    rule: 'missing',
    example: 'There is no license',
    commands: [],
    question: on('2026-03-10'),
    answer: noLicense,
  },
  {
    rule: 'missing',
    example: 'A license was suspended before its own end',
    commands: [
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseList('2026-03-01', license({ nextRenewalDate: '2026-12-31', status: 'suspended' })),
    ],
    question: on('2026-03-10'),
    answer: noLicense,
  },
  {
    rule: 'missing',
    example: 'The license begins on 2026-04-01; on 2026-03-10',
    commands: [licenseList('2026-03-01', license({ issueDate: '2026-04-01' }))],
    question: on('2026-03-10'),
    answer: notBegun,
  },
  {
    rule: 'basis',
    example: 'A license is listed for the first time on 2026-01-10; on 2026-01-10',
    commands: [licenseList('2026-01-10', license())],
    question: on('2026-01-10'),
    answer: { ...isLicensed, basis: 'history' },
  },
  {
    rule: 'basis',
    example: 'A license is listed for the first time on 2026-01-10; on 2026-01-09',
    isShown: true,
    commands: [licenseList('2026-01-10', license())],
    question: on('2026-01-09'),
    answer: { ...isLicensed, basis: 'registry dates' },
  },
  {
    rule: 'covering-row',
    example:
      'An import has the `nextRenewalDate` 2027-12-31 from 2026-03-01 on; on 2026-02-01, the license has the one before, 2026-12-31',
    commands: [
      licenseImport('2026-01-10', { nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-03-01', { validFrom: '2026-03-01', nextRenewalDate: '2027-12-31' }),
    ],
    question: on('2026-02-01'),
    answer: { ...isLicensed, licenses: [license({ nextRenewalDate: '2026-12-31' })] },
  },
  {
    rule: 'covering-row',
    example: 'On 2026-03-01, it has 2027-12-31',
    commands: [
      licenseImport('2026-01-10', { nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-03-01', { validFrom: '2026-03-01', nextRenewalDate: '2027-12-31' }),
    ],
    question: on('2026-03-01'),
    answer: { ...isLicensed, licenses: [license({ nextRenewalDate: '2027-12-31' })] },
  },
];
