import {
  after,
  answered,
  appointment,
  appointmentEnded,
  appointmentImport,
  appointmentList,
  appointmentNotKnown,
  asks,
  beacon,
  casesOf,
  config,
  group,
  isAppointed,
  isExpired,
  isLicensed,
  license,
  licensed,
  licenseImport,
  licenseList,
  licenseNotKnown,
  line,
  lines,
  noLicense,
  noLine,
  notAppointed,
  notBegun,
  notFound,
  onBinding,
  terminated,
} from './case-rows.ts';
import { practiceCases } from './practice-cases.ts';

const ofEin = { ein: '75-1234567', companyCode: null };
const ofCode = { ein: '75-1234567', statusChangeDate: '2025-03-01' };

/** The rules of the decision (`rules.ts`) at work; the OpenAPI document prints some of them (`examples`). */
export const cases = casesOf({
  // ── What is known
  'row-order': [
    after(licenseImport('2026-03-01', {}, { status: 'expired', nextRenewalDate: '2026-02-28' })).asked({
      'An import has one term twice, first live, then as expired; after the end that the second has':
        isLicensed('2026-03-10'),
    }),
    after(licenseImport('2026-03-01', { status: 'expired', nextRenewalDate: '2026-02-28' }, {})).asked({
      'The same in the other order': isLicensed('2026-03-10'),
    }),
  ],
  'one-after-another': [
    after(
      licenseImport('2026-02-01T15:00:00.000Z', { nextRenewalDate: '2026-02-28' }),
      licenseImport('2026-02-01T16:00:00.000Z', { nextRenewalDate: '2026-12-31' }),
    ).asked({
      'An import says that a license ends on 2026-02-28, and one an hour later on 2026-12-31; on 2026-03-10':
        isLicensed('2026-03-10'),
    }),
    after(
      licenseImport('2026-02-01T15:00:00.000Z', { nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-02-01T16:00:00.000Z', { nextRenewalDate: '2026-02-28' }),
    ).asked({ 'The same in the other order': isExpired('2026-03-10') }),
    after(
      licenseImport('2026-02-01T15:00:00.000Z', { linesOfAuthority: lines(['16']) }),
      licenseImport('2026-02-01T16:00:00.000Z', { licenseNumber: '1002', linesOfAuthority: lines(['20']) }),
    ).asked({
      'Two licenses with a line each in two imports, where the product requires both lines': isLicensed(
        '2026-03-10',
        { lines: ['16', '20'] },
      ),
    }),
    after(
      licenseImport(
        '2026-03-01',
        { issueDate: '2026-02-10', nextRenewalDate: null, status: 'inactive' },
        { issueDate: '2026-02-10', nextRenewalDate: '2026-02-28', validFrom: '2026-01-01' },
      ),
      licenseImport(
        '2026-03-02',
        { issueDate: '2026-02-10', nextRenewalDate: null, status: 'inactive' },
        { issueDate: '2026-02-10', nextRenewalDate: '2026-02-28', validFrom: '2026-01-02' },
      ),
    ).asked({
      'An import says that a term, which begins on 2026-02-10, is inactive; another one says so again, and that it was live from an earlier day than it began, until 2026-02-28; on 2026-02-20':
        licenseNotKnown('license_unknown?')('2026-02-20'),
    }),
  ],
  'known-at': [
    after(licenseList('2026-03-10', license())).asked({
      'The registry lists a license on 2026-03-10; on 2026-03-15, with the knowledge of 2026-03-09':
        noLicense('2026-03-15', { knownAt: '2026-03-09' }),
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-10', license({ status: 'inactive' })),
    ).asked({
      'The registry lists a license as `inactive` on 2026-03-10; on 2026-03-15, with `knownAt` 2026-03-09':
        isLicensed('2026-03-15', { knownAt: '2026-03-09' }),
    }),
  ],
  'written-at': after({
    ...licenseImport('2026-03-10T15:00:00.000Z', {}),
    recordedAt: '2026-03-10T15:10:00.000Z',
  }).asked({
    'An import of 15:00 writes a license at 15:10; with the knowledge of 15:05': noLicense('2026-03-15', {
      knownAt: '2026-03-10T15:05:00.000Z',
    }),
  }),
  'became-known': [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-02T04:30:00.000Z', license({ status: 'inactive' })),
    ).asked({
      'The registry lists a license as `inactive` at 23:30 in New York on 2026-03-01; on that day':
        noLicense('2026-03-01'),
    }),
    after(licenseList('2026-01-10', license()), {
      ...licenseList('2026-03-02T04:30:00.000Z', license({ status: 'inactive' })),
      recordedAt: '2026-03-02T05:30:00.000Z',
    }).asked({ 'The row of such a poll is written after midnight': noLicense('2026-03-01') }),
  ],
  'whole-list': [
    after(licenseList('2026-01-10', license()), {
      ...licenseList('2026-03-02'),
      closedAt: '2026-03-05T15:00:00.000Z',
    }).asked({
      'A list of 2026-03-02 leaves a license out and is recorded as a whole on 2026-03-05; on 2026-03-10, with the knowledge of 2026-03-03':
        isLicensed('2026-03-10', { knownAt: '2026-03-03' }),
      'The same with the knowledge of 2026-03-06': noLicense('2026-03-10', { knownAt: '2026-03-06' }),
    }),
    after(
      licenseList('2026-01-10', license()),
      { ...licenseList('2026-03-02'), closedAt: null },
      licenseList('2026-03-05', license(), license({ licenseNumber: '1002', status: 'inactive' })),
    ).asked({
      'A list that leaves a license out is never recorded as a whole, and the next one has it and another one':
        isLicensed('2026-03-10'),
    }),
  ],
  'written-dates': [
    after(licenseList('2026-03-10', license({ issueDate: '2026-03-01T00:00:00.000Z' }))).asked({
      '`issueDate` is `2026-03-01T00:00:00.000Z`, which is 2026-02-28 in New York; on 2026-02-28':
        notBegun('2026-02-28'),
      'The same on 2026-03-01': isLicensed('2026-03-01'),
    }),
    after(licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31T00:00:00.000Z' }))).asked({
      '`nextRenewalDate` is `2026-03-31T00:00:00.000Z`; on 2026-03-31': isLicensed('2026-03-31'),
    }),
  ],
  'complete-list': [
    after(
      licenseImport('2026-01-10', { linesOfAuthority: lines(['16']) }),
      licenseList('2026-03-02', license({ licenseNumber: '1002' })),
    ).asked({
      'A license was imported, and the list of 2026-03-02 has only another one, without its line of authority; on 2026-03-02':
        noLine('2026-03-02', { lines: ['16'] }),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentList('2026-03-02', appointment({ companyCode: '99999' })),
    ).asked({ 'The same of an appointment and one with another company': appointmentEnded('2026-03-02') }),
  ],
  'empty-list': after(licenseList('2026-01-10', license()), licenseList('2026-03-02')).asked({
    'The registry lists a license on 2026-01-10 and nothing on 2026-03-02; on 2026-03-02':
      noLicense('2026-03-02'),
  }),
  'npn-not-found': [
    after(licenseList('2026-01-10', license()), notFound('2026-03-02')).asked({
      'The registry lists a license on 2026-01-10 and does not find the NPN on 2026-03-02; on 2026-03-02':
        licenseNotKnown('npn_not_found?')('2026-03-02'),
    }),
    after(
      licenseList('2026-01-10', license()),
      notFound('2026-03-02'),
      licenseList('2026-03-09', license()),
    ).asked({ 'It finds it again on 2026-03-09': isLicensed('2026-03-02') }),
    after(
      {
        kind: 'list',
        at: '2026-03-01T15:00:00.000Z',
        licenses: [],
        actions: [
          {
            stateCode: 'TX',
            actionId: '1',
            action: {
              disposition: 'Fine',
              dateOfAction: '2026-02-20',
              effectiveDate: null,
              enterDate: null,
              lengthOfOrderInDays: null,
            },
          },
        ],
      },
      notFound('2026-03-02'),
      licenseImport('2026-03-05', {}),
    ).asked({
      'The registry has only a regulatory action on 2026-03-01 and does not find the NPN on 2026-03-02; an import of 2026-03-05 has a license':
        licenseNotKnown('npn_not_found?')('2026-03-10'),
    }),
    after(licenseImport('2026-01-10', {}), notFound('2026-03-02')).asked({
      'It never found it, and an import has a license': isLicensed('2026-03-02'),
    }),
  ],
  'import-is-partial': after(
    licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
    licenseImport('2026-03-02', { licenseNumber: '1002' }),
  ).asked({
    'The registry lists a license, and an import names another one, without its line of authority':
      isLicensed('2026-03-10', { lines: ['16'] }),
  }),
  deleted: [
    after(licensed, appointmentList('2026-02-01', appointment({ ein: '75-1234567' })), {
      kind: 'import',
      at: '2026-02-10T15:00:00.000Z',
      appointments: [{ ...appointment({ ein: '75-1234567' }), isDeleted: true }],
      unread: [
        { stateCode: 'TX', kind: 'appointment', companyCode: null, ein: '75-1234567', carrierName: null },
      ],
    }).asked({
      'An import deletes the appointment by whose company a row that is set aside has a code that counts':
        notAppointed('2026-03-10', { carrier: group }),
    }),
    after(licenseList('2026-01-10', license()), licenseImport('2026-03-02', { isDeleted: true })).asked({
      'A license was listed on 2026-01-10, and an import of 2026-03-02 deletes it; on 2026-02-01':
        noLicense('2026-02-01'),
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseImport('2026-03-02', { isDeleted: true }),
      licenseList('2026-04-01', license()),
    ).asked({ 'The list of 2026-04-01 has it again; on 2026-02-01': isLicensed('2026-02-01') }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment(), terminated()),
      appointmentImport('2026-03-02', { ...terminated(), isDeleted: true }),
    ).asked({ 'The termination of an appointment is deleted': isAppointed('2026-03-10') }),
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
        noLine('2026-03-10', { lines: ['16'] }),
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28', linesOfAuthority: lines(['16']) }),
        license({ licenseNumber: '1002' }),
      ),
    ).asked({ 'The same where they differ in their number': noLine('2026-03-10', { lines: ['16'] }) }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' }), license({ stateCode: 'CA' })),
    ).asked({ 'Or in their state': isExpired('2026-03-10') }),
  ],
  'term-identity': after(
    licenseList(
      '2026-03-10',
      license({ issueDate: '2024-03-01', nextRenewalDate: '2025-02-28' }),
      license({ issueDate: '2026-03-01' }),
    ),
  ).asked({
    'A license has terms of 2024-03-01 to 2025-02-28 and from 2026-03-01 on; on 2025-06-01':
      isExpired('2025-06-01'),
  }),
  'term-days': [
    after(licenseList('2026-03-10', license({ issueDate: '2026-03-01' }))).asked({
      '`issueDate` is 2026-03-01; on that day': isLicensed('2026-03-01'),
      'On the day before': notBegun('2026-02-28'),
    }),
    after(licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31' }))).asked({
      '`nextRenewalDate` is 2026-03-31; on that day': isLicensed('2026-03-31'),
      'On the day after': isExpired('2026-04-01'),
    }),
    after(
      licenseList(
        '2026-03-10',
        license({ issueDate: '2024-03-01', nextRenewalDate: '2025-02-28' }),
        license({ issueDate: '2026-03-01' }),
      ),
    ).asked({
      'A license has terms of 2024-03-01 to 2025-02-28 and from 2026-03-01 on; on 2025-02-28':
        isLicensed('2025-02-28'),
    }),
  ],
  'no-issue-date': after(
    licenseList('2026-03-10', license({ issueDate: null, nextRenewalDate: '2026-12-31' })),
  ).asked({
    '`issueDate` is null, and `nextRenewalDate` is 2026-12-31; on 2019-01-01': isLicensed('2019-01-01'),
  }),
  'own-end': [
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31', expirationDate: '2026-02-28' })),
    ).asked({
      '`nextRenewalDate` is 2026-12-31, and `expirationDate` 2026-02-28; on 2026-03-10':
        isExpired('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28', expirationDate: '2026-12-31' })),
    ).asked({ 'The other way round': isExpired('2026-03-10') }),
    after(
      licenseImport('2025-02-01', { validFrom: '2025-03-02', expirationDate: '2026-02-28' }),
      licenseList('2025-02-02', license()),
      licenseImport('2026-04-10', { status: 'Revoked' }),
    ).asked({
      'Before a license of 2025-03-01 begins, an import has its end, 2026-02-28, from 2025-03-02 on, and a list no end; an import of 2026-04-10 has it as revoked, without any date; on 2026-03-10':
        isExpired('2026-03-10'),
    }),
  ],
  'no-own-end': after(licenseList('2026-01-10', license())).asked({
    '`nextRenewalDate` and `expirationDate` are null; on 2040-01-01': isLicensed('2040-01-01'),
  }),
  'valid-from': [
    after(
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-06-30' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-06-30' }),
    ).asked({
      'An import says from 2026-02-01 on that the license ends on 2026-06-30, and another from 2026-05-01 on that it ends on 2027-06-30; on 2026-08-01':
        isLicensed('2026-08-01'),
    }),
    after(
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-03-31' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-06-30' }),
    ).asked({ 'Where the first says that it ends on 2026-03-31; on 2026-04-15': isExpired('2026-04-15') }),
    after(
      licenseImport('2026-01-10', { validFrom: '2026-02-01' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01' }),
    ).asked({ 'On 2026-01-20, before the first `validFrom`': noLicense('2026-01-20') }),
    after(
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2026-06-30' }),
    ).asked({
      'Where the second says that it ends on 2026-06-30, and the first on 2026-12-31; on 2026-08-01':
        isExpired('2026-08-01'),
    }),
  ],
  'first-version': after(licenseList('2026-03-10', license())).asked({
    'A license of 2025-03-01 is listed for the first time on 2026-03-10; on 2025-03-01':
      isLicensed('2025-03-01'),
  }),
  'following-version': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseImport('2026-01-11', { validFrom: '2026-02-01', linesOfAuthority: lines(['16', '20']) }),
      licenseList('2026-03-10', license()),
    ).asked({
      'An import gives a line of authority from 2026-02-01 on; a list of 2026-03-10 has the license without it; on 2026-01-20':
        isLicensed('2026-01-20', { lines: ['16'] }),
      'The same on 2026-02-20': isLicensed('2026-02-20', { lines: ['16'] }),
      'The same on 2026-03-10': noLine('2026-03-10', { lines: ['16'] }),
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-12-31' }),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-03-31' })),
    ).asked({
      'An import renews the license from 2026-05-01 on, and a list of 2026-03-10 corrects its `nextRenewalDate` to 2026-03-31; on 2026-04-15':
        isExpired('2026-04-15'),
    }),
    after(
      licenseImport('2026-01-10', { validFrom: '2026-02-01', nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-01-20', { nextRenewalDate: '2026-02-28' }),
      licenseImport('2026-02-10', { nextRenewalDate: '2026-02-28' }),
    ).asked({
      'An import of 2026-01-10 renews the license from 2026-02-01 on; two more, of 2026-01-20 and of 2026-02-10, say that it ends on 2026-02-28; on 2026-03-10':
        isExpired('2026-03-10'),
    }),
    after(
      licenseImport('2026-01-10', {
        validFrom: '2026-02-01',
        licenseClassCode: null,
        licenseClassName: null,
      }),
      licenseList('2026-01-20', license({ licenseClassCode: null, status: 'inactive' })),
      licenseList('2026-02-10', license({ licenseClassCode: null, status: 'inactive' })),
    ).asked({
      'An import says from 2026-02-01 on that a license without a class is live, and lists of 2026-01-20 and of 2026-02-10 that it is inactive; on 2026-03-10':
        noLicense('2026-03-10'),
    }),
  ],
  'equal-valid-from': [
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-02-20', license({ nextRenewalDate: '2027-02-28' })),
    ).asked({
      'A list has the `nextRenewalDate` 2026-02-28, and a later one 2027-02-28; on 2026-06-01':
        isLicensed('2026-06-01'),
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseList('2026-03-10', license({ nextRenewalDate: '2026-01-31' })),
    ).asked({ 'A list of 2026-03-10 corrects it to 2026-01-31; on 2026-02-15': isExpired('2026-02-15') }),
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
        isLicensed('2026-03-10', { lines: ['16', '20'] }),
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28' }),
        license({ nextRenewalDate: '2026-12-31', status: 'inactive' }),
      ),
    ).asked({ 'The row with the later end is not live; on 2026-03-10': isExpired('2026-03-10') }),
  ],
  'corrected-issue-date': [
    after(
      licenseList('2026-01-10', license({ issueDate: '2025-03-01' })),
      licenseList('2026-02-10', license({ issueDate: '2025-06-01' })),
    ).asked({
      'A list has the license with the `issueDate` 2025-03-01, the next one with 2025-06-01; on 2025-04-01':
        notBegun('2025-04-01'),
    }),
    after(
      licenseList('2026-01-10', license({ issueDate: '2025-03-01' })),
      licenseList('2026-02-10', license({ issueDate: null, nextRenewalDate: '2025-12-31' })),
    ).asked({ 'The next one has null and ends before': isExpired('2026-01-15') }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2025-12-31' })),
      licenseList('2026-02-10', license({ issueDate: '2026-01-01' })),
    ).asked({ 'The terms do not overlap': isLicensed('2025-04-01') }),
    after(
      licenseList('2026-01-10', license(), license({ issueDate: '2025-06-01' })),
      licenseList('2026-02-10', license({ issueDate: '2025-06-01' })),
    ).asked({ 'A list had both': isLicensed('2025-04-01') }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
    ).asked({
      'The other’s `issueDate` is after the day on which the one left out was first recorded':
        isLicensed('2026-02-15'),
    }),
    after(
      licenseList('2026-01-10', license({ status: 'suspended', nextRenewalDate: '2026-03-03' })),
      licenseList('2026-01-12', license({ status: 'suspended', issueDate: '2025-02-01' })),
      licenseImport('2026-01-14', {
        status: 'suspended',
        nextRenewalDate: '2026-03-03',
        validFrom: '2026-03-05',
      }),
      licenseList('2026-01-16', license({ status: 'suspended', nextRenewalDate: '2026-03-03' })),
    ).asked({
      'A suspended license that ends on 2026-03-03 is corrected, stated again by an import from 2026-03-05 on, and listed again as at first; on 2026-03-04':
        isExpired('2026-03-04'),
    }),
  ],
  'renewed-license': after(
    licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31', linesOfAuthority: lines(['16']) })),
    licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
  ).asked({
    'The new term begins on 2026-03-01 and lacks the line of authority of the old one, which ends on 2026-12-31; on 2026-03-01':
      noLine('2026-03-01', { lines: ['16'] }),
    'On 2026-02-28': isLicensed('2026-02-28', { lines: ['16'] }),
  }),
  'early-renewal': after(
    licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
    licenseList('2026-02-10', license({ issueDate: '2026-03-01' })),
  ).asked({
    'A term ends on 2026-02-28, and a list of 2026-02-10 has only a term from 2026-03-01 on; on 2026-02-20':
      isLicensed('2026-02-20'),
    'On 2026-03-01': isLicensed('2026-03-01'),
  }),
  reissue: after(
    licenseList('2026-01-10', license({ nextRenewalDate: '2026-01-31' })),
    licenseList('2026-03-10', license({ issueDate: '2026-03-01' })),
  ).asked({
    'A term ends on 2026-01-31, and a list of 2026-03-10 has only a term from 2026-03-01 on; on 2026-02-15':
      isExpired('2026-02-15'),
  }),
  'left-out-term': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-03-10', license({ licenseNumber: '1002' })),
    ).asked({
      'The list of 2026-03-10 has only another license, without the line of authority; on 2026-03-09':
        isLicensed('2026-03-09', { lines: ['16'] }),
      'On 2026-03-10': noLine('2026-03-10', { lines: ['16'] }),
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseList('2026-03-10'),
    ).asked({ 'The `nextRenewalDate` was 2026-02-28; on 2026-03-09': isExpired('2026-03-09') }),
  ],
  'not-live': [
    after(licenseList('2026-01-10', license({ status: 'ACTIVE' }))).asked({
      'The status is `ACTIVE`': isLicensed('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-02', license({ status: 'Surrendered' })),
    ).asked({
      'The status becomes `surrendered` on 2026-03-02; on 2026-03-10': noLicense('2026-03-10'),
    }),
  ],
  'not-live-after-its-end': after(
    licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
    licenseList('2026-03-10', license({ nextRenewalDate: '2026-02-28', status: 'inactive' })),
  ).asked({
    'A license with the `nextRenewalDate` 2026-02-28 becomes `inactive` on 2026-03-10; on 2026-03-05':
      isExpired('2026-03-05'),
    'On 2026-02-28': isLicensed('2026-02-28'),
  }),
  'not-live-before-its-end': after(
    licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
    licenseList('2026-03-10', license({ nextRenewalDate: '2026-12-31', status: 'suspended' })),
  ).asked({
    'A license with the `nextRenewalDate` 2026-12-31 becomes `suspended` on 2026-03-10; on 2026-03-09':
      isLicensed('2026-03-09'),
    'On 2026-03-10': noLicense('2026-03-10'),
  }),
  'license-unknown': [
    after(
      licenseList(
        '2026-03-10',
        license({ status: 'inactive', issueDate: '2015-01-01', expirationDate: '2023-12-31' }),
      ),
    ).asked({
      'A license of 2015 to 2023 is first seen as `inactive`; in 2022':
        licenseNotKnown('license_unknown?')('2022-06-01'),
      'On 2024-01-01': isExpired('2024-01-01'),
    }),
    after(licenseList('2026-03-10', license({ status: 'revoked' }))).asked({
      'A license without an end is first listed on 2026-03-10, as `revoked`; on 2026-03-09':
        licenseNotKnown('license_unknown?')('2026-03-09'),
      'On 2026-03-10': noLicense('2026-03-10'),
    }),
  ],
  'first-seen-lapsed': after(
    licenseList('2026-03-10', license({ nextRenewalDate: '2026-02-28', status: 'expired' })),
  ).asked({
    'A license is first listed on 2026-03-10, as `expired` with the `nextRenewalDate` 2026-02-28; on 2026-02-20':
      isLicensed('2026-02-20'),
    'On 2026-03-01': isExpired('2026-03-01'),
  }),
  'not-live-from': after(
    licenseImport('2026-01-10', {}),
    licenseImport('2026-02-10', { validFrom: '2026-02-01', status: 'inactive' }),
  ).asked({
    'An import of 2026-02-10 has a known license as `inactive` from 2026-02-01 on; on 2026-02-05':
      noLicense('2026-02-05'),
    'On 2026-01-31': isLicensed('2026-01-31'),
  }),
  suspension: after(
    licenseList('2026-01-10', license()),
    licenseList('2026-02-10', license({ status: 'suspended' })),
    licenseList('2026-03-10', license()),
  ).asked({
    'A license is listed as `suspended` on 2026-02-10 and as `active` on 2026-03-10; on 2026-03-09':
      noLicense('2026-03-09'),
    'On 2026-02-10': noLicense('2026-02-10'),
    'On 2026-03-10': isLicensed('2026-03-10'),
  }),
  'back-within-30-days': [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseList('2026-03-12', license()),
    ).asked({
      'The list of 2026-02-10 leaves a license out, that of 2026-03-12 has it again; on 2026-02-20':
        isLicensed('2026-02-20'),
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-02-11', { status: 'inactive', validFrom: '2026-04-01' }),
      licenseList('2026-03-12', license()),
    ).asked({
      'In between, an import says that it is `inactive` from 2026-04-01 on': isLicensed('2026-02-20'),
      'The same on 2026-04-01': noLicense('2026-04-01'),
    }),
  ],
  'back-later': [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseList('2026-03-13', license()),
    ).asked({
      'It is back on 2026-03-13; on 2026-03-12': noLicense('2026-03-12'),
      'On 2026-03-13': isLicensed('2026-03-13'),
    }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-01-31' })),
      licenseList('2026-02-10', license({ issueDate: '2026-06-01' })),
      licenseList('2026-03-13', license(), license({ issueDate: '2026-06-01' })),
    ).asked({
      'Its own end, 2026-01-31, had passed, and the list that left it out had a term that begins on 2026-06-01; it is back on 2026-03-13, without an end; on 2026-03-12':
        noLicense('2026-03-12'),
    }),
  ],
  'history-is-no-return': [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-03-10', { validFrom: '2025-06-01' }),
    ).asked({
      'The list of 2026-02-10 is empty; an import of 2026-03-10 says that the license counts from 2025-06-01; on 2026-03-20':
        noLicense('2026-03-20'),
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-03-10', { validFrom: '2025-06-01' }),
      licenseList('2026-03-15', license()),
    ).asked({ 'The list of 2026-03-15 has it again; on 2026-03-20': isLicensed('2026-03-20') }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-02-10'),
      licenseImport('2026-03-10', { validFrom: '2026-02-10' }),
    ).asked({ 'The import says that it counts from 2026-02-10; on 2026-03-20': isLicensed('2026-03-20') }),
    after(
      licenseList('2026-01-10', license({ issueDate: '2026-02-10', status: 'suspended' })),
      licenseList('2026-01-20'),
      licenseImport('2026-01-25', {
        issueDate: '2026-02-10',
        nextRenewalDate: '2026-02-15',
        validFrom: '2026-01-15',
      }),
      licenseList('2026-03-10', license({ issueDate: '2026-02-10', status: 'suspended' })),
    ).asked({
      'A suspended term is left out on 2026-01-20, live from 2026-01-15 to 2026-02-15 by an import of 2026-01-25, and listed as at first on 2026-03-10, when it is back; on 2026-03-20':
        isExpired('2026-03-20'),
    }),
  ],
  'line-added': after(
    licenseList('2026-01-10', license()),
    licenseList('2026-03-10', license({ linesOfAuthority: lines(['16']) })),
  ).asked({
    'A list of 2026-03-10 has the line 16 for the first time; on 2026-03-09': noLine('2026-03-09', {
      lines: ['16'],
    }),
    'On 2026-03-10': isLicensed('2026-03-10', { lines: ['16'] }),
  }),
  'line-left-out': after(
    licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
    licenseList('2026-03-10', license()),
  ).asked({
    'A list of 2026-03-10 leaves the line 16 out; on 2026-03-09': isLicensed('2026-03-09', { lines: ['16'] }),
    'On 2026-03-10': noLine('2026-03-10', { lines: ['16'] }),
  }),
  'line-ceased': after(
    licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
    licenseList('2026-03-10', license({ linesOfAuthority: lines(['16'], 'inactive') })),
  ).asked({
    'A list of 2026-03-10 has the line 16 as `inactive`; on 2026-03-10': noLine('2026-03-10', {
      lines: ['16'],
    }),
    'On 2026-03-09': isLicensed('2026-03-09', { lines: ['16'] }),
  }),
  'later-valid-from': after(
    licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
    licenseImport('2026-03-10', { validFrom: '2026-02-01', linesOfAuthority: lines(['20']) }),
  ).asked({
    'An import of 2026-03-10 replaces the line 16 by the line 20 from 2026-02-01 on; line 16 on 2026-01-31':
      isLicensed('2026-01-31', { lines: ['16'] }),
    'Line 20 on 2026-02-01': isLicensed('2026-02-01', { lines: ['20'] }),
    'Line 16 on 2026-02-01': noLine('2026-02-01', { lines: ['16'] }),
  }),

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
      'The appointment for the line 20 is terminated, that for the line 16 is not': isAppointed(
        '2026-03-10',
        { lines: ['16'] },
      ),
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
      'The appointment for a county is terminated, that without one is not': isAppointed('2026-03-10'),
    }),
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        appointment({ stateCode: 'CA' }),
        terminated({ stateCode: 'CA' }),
      ),
    ).asked({ 'That of California is terminated, that of Texas is not': isAppointed('2026-03-10') }),
  ],
  'company-key': [
    after(
      licensed,
      appointmentList('2026-03-10', appointment(), terminated({ carrierName: 'Beacon Specialty of Texas' })),
    ).asked({
      'The termination has the `companyCode` of the appointment and another name':
        appointmentEnded('2026-03-10'),
    }),
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ ein: '75-1234567' }),
        terminated({ ein: '75-1234567', companyCode: '19438' }),
      ),
    ).asked({ 'It has another `companyCode` and the same name and `ein`': isAppointed('2026-03-10') }),
  ],
  'company-by-ein': after(
    licensed,
    appointmentList(
      '2026-03-10',
      appointment({ ein: '75-1234567' }),
      terminated({ companyCode: null, ein: '751234567', carrierName: null }),
    ),
  ).asked({
    'The termination has no `companyCode` and the `ein` of the appointment, without the hyphen':
      appointmentEnded('2026-03-10'),
  }),
  'company-by-name': after(
    licensed,
    appointmentList(
      '2026-03-10',
      appointment(),
      terminated({ companyCode: null, carrierName: 'BEACON SPECIALTY INS. CO.' }),
    ),
  ).asked({
    'The termination has the name alone, as `BEACON SPECIALTY INS. CO.`': appointmentEnded('2026-03-10'),
  }),
  'company-unclear': after(
    licensed,
    appointmentList(
      '2026-03-10',
      appointment(),
      appointment({ companyCode: '19438' }),
      terminated({ companyCode: null }),
    ),
  ).asked({ 'The termination has the name alone, which two companies have': isAppointed('2026-03-10') }),
  'last-change': [
    after(licensed, appointmentList('2026-03-10', appointment(), terminated())).asked({
      'Appointed on 2025-03-01, terminated on 2026-02-01; on 2026-01-31': isAppointed('2026-01-31'),
      'On 2026-02-01': appointmentEnded('2026-02-01'),
    }),
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment(),
        terminated(),
        appointment({ statusChangeDate: '2026-03-01' }),
      ),
    ).asked({ 'Appointed again on 2026-03-01; on 2026-03-10': isAppointed('2026-03-10') }),
    after(licensed, appointmentList('2026-03-10', appointment())).asked({
      'Before the appointment, on 2025-02-28': notAppointed('2025-02-28'),
    }),
  ],
  'live-appointment': [
    after(licensed, appointmentList('2026-03-10', appointment({ status: 'ACTIVE' }))).asked({
      'The status is `ACTIVE`': isAppointed('2026-03-10'),
    }),
  ],
  'renewal-date': after(
    licensed,
    appointmentList('2026-03-10', appointment({ renewalDate: '2026-02-28' })),
  ).asked({
    '`renewalDate` is 2026-02-28; on that day': isAppointed('2026-02-28'),
    'On the day after': appointmentEnded('2026-03-01'),
  }),
  'changes-of-one-day': [
    after(
      licensed,
      appointmentImport(
        '2026-01-10',
        appointment({ countyName: 'Travis' }),
        terminated({ statusChangeDate: '2025-03-01' }),
      ),
      appointmentImport('2026-02-10', terminated({ statusChangeDate: '2025-03-01' })),
    ).asked({
      'An import has an appointment of a county and a termination of the same day without a county, and one of 2026-02-10 the termination alone':
        appointmentEnded('2026-03-10'),
      'The same with the knowledge of 2026-02-09': isAppointed('2026-03-10', { knownAt: '2026-02-09' }),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment({ statusChangeDate: null, countyName: 'Travis' })),
      appointmentImport(
        '2026-02-10',
        appointment({ statusChangeDate: null, countyName: 'Travis' }),
        terminated({ statusChangeDate: null }),
      ),
    ).asked({
      'An import states a live appointment of a county once more, and a termination without a county; both are without a date':
        isAppointed('2026-03-10'),
    }),
    after(
      licensed,
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' }), appointment()),
    ).asked({ 'A list has an appointment and its termination of one day': isAppointed('2026-03-10') }),
    after(
      licensed,
      appointmentImport('2026-03-10', appointment(), terminated()),
      appointmentImport('2026-03-11', appointment({ statusChangeDate: '2026-02-01' })),
    ).asked({
      'An import has the termination of 2026-02-01, and a later one an appointment of that day':
        isAppointed('2026-03-20'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment(ofEin)),
      appointmentList('2026-01-20', appointment(ofEin), terminated(ofCode)),
      appointmentImport('2026-01-30', terminated(ofCode)),
    ).asked({
      'A list has an appointment by the EIN, the next one of 2026-01-20 with it its termination of the same day by the NAIC code, and an import of 2026-01-30 the termination alone; on 2026-02-10':
        appointmentEnded('2026-02-10'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment(ofEin)),
      appointmentImport('2026-01-30', terminated(ofCode)),
      appointmentList('2026-02-05', appointment(ofEin), terminated(ofCode)),
    ).asked({
      'The import is before the list that has both, of 2026-02-05; on 2026-02-10': isAppointed('2026-02-10'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment({ statusChangeDate: '2026-03-10' })),
      appointmentList(
        '2026-03-10',
        appointment({ statusChangeDate: '2026-03-10' }),
        terminated({ statusChangeDate: null }),
      ),
    ).asked({
      'A list of 2026-03-10 has an appointment of that day, as the one before it had, and a termination without a date':
        isAppointed('2026-03-20'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10T15:00:00.000Z', terminated({ statusChangeDate: null })),
      appointmentImport('2026-01-10T16:00:00.000Z', appointment({ statusChangeDate: '2026-01-10' })),
      appointmentImport('2026-01-20', terminated({ statusChangeDate: null })),
    ).asked({
      'Imports of 2026-01-10 have a termination without a date, and after it an appointment of that day; one of 2026-01-20 has the termination once more; on 2026-02-10':
        notAppointed('2026-02-10'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment({ statusChangeDate: null })),
      appointmentList('2026-01-20', appointment({ statusChangeDate: '2026-01-10' })),
      appointmentImport('2026-02-10', appointment({ statusChangeDate: null })),
    ).asked({
      'A list of 2026-01-10 has an appointment without a date, the next one dates it 2026-01-10, and an import has it without a date once more; in 2025':
        appointmentNotKnown('appointment_unknown?')('2025-06-01'),
    }),
  ],
  'undated-live': [
    after(licensed, appointmentList('2026-03-10', appointment({ statusChangeDate: null }))).asked({
      'A list of 2026-03-10 has a live row without a date; on 2026-03-10': isAppointed('2026-03-10'),
      'In 2024': appointmentNotKnown('appointment_unknown?')('2024-06-01'),
    }),
    after(
      licensed,
      appointmentImport('2026-03-10', {
        ...appointment({ statusChangeDate: null }),
        validFrom: '2026-02-01',
      }),
    ).asked({
      'An import says from 2026-02-01 on that there is an appointment, without a date; on 2026-02-01':
        isAppointed('2026-02-01'),
      'On 2026-01-31': appointmentNotKnown('appointment_unknown?')('2026-01-31'),
    }),
  ],
  'unknown-before-end': after(licensed, appointmentList('2026-03-10', terminated())).asked({
    'All that is known is the termination of 2026-02-01; in 2024':
      appointmentNotKnown('appointment_unknown?')('2024-06-01'),
  }),
  'undated-rows': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment({ statusChangeDate: null })),
      appointmentList('2026-03-10', terminated({ statusChangeDate: null })),
    ).asked({
      'A list of 2026-01-10 has a live row without a date, that of 2026-03-10 a termination without one; on 2026-03-10':
        appointmentEnded('2026-03-10'),
    }),
    after(
      licensed,
      appointmentList(
        '2026-03-10',
        appointment({ statusChangeDate: null }),
        terminated({ statusChangeDate: null }),
      ),
    ).asked({ 'A list has both at once': isAppointed('2026-03-10') }),
  ],
  'undated-live-and-end': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-01-20', appointment({ statusChangeDate: null, renewalDate: '2026-02-28' })),
      appointmentImport('2026-03-10', terminated({ statusChangeDate: '2025-02-28' })),
    ).asked({
      'A list has an appointment of 2025-03-01, the next list in its place one without a date and with the `renewalDate` 2026-02-28, and an import a termination of 2025-02-28; on 2026-03-01':
        appointmentEnded('2026-03-01'),
      'On 2026-02-28': isAppointed('2026-02-28'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentImport('2026-03-10', terminated()),
      appointmentImport('2026-03-11', appointment({ statusChangeDate: null })),
    ).asked({
      'An import has the termination of 2026-02-01, and a later import a live row without a date':
        appointmentEnded('2026-03-20'),
    }),
    after(
      licensed,
      appointmentList('2026-03-10', terminated()),
      appointmentList('2026-03-11', appointment({ statusChangeDate: null })),
    ).asked({ 'A later list has the live row without a date alone': isAppointed('2026-03-20') }),
  ],
  'undated-end': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList(
        '2026-03-10',
        appointment(),
        terminated({ statusChangeDate: null, renewalDate: '2026-02-15' }),
      ),
    ).asked({
      'A list of 2026-01-10 has an appointment of 2025-03-01, and that of 2026-03-10 its termination without a date and with the `renewalDate` 2026-02-15; on 2026-02-14':
        isAppointed('2026-02-14'),
      'On 2026-02-15': appointmentEnded('2026-02-15'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment({ statusChangeDate: null })),
      appointmentList('2026-02-10', terminated({ statusChangeDate: null, renewalDate: '2026-01-05' })),
    ).asked({
      'A list of 2026-01-10 has an appointment without a date, and that of 2026-02-10 its termination without a date and with the `renewalDate` 2026-01-05; on 2026-03-10':
        notAppointed('2026-03-10'),
      'On 2026-01-20': notAppointed('2026-01-20'),
      'On 2026-01-04': appointmentNotKnown('appointment_unknown?')('2026-01-04'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-02-10', appointment({ statusChangeDate: null, renewalDate: '2025-01-31' })),
      appointmentImport('2026-03-10', terminated({ statusChangeDate: null, renewalDate: '2025-01-31' })),
    ).asked({
      'A list of 2026-01-10 has an appointment of 2025-03-01, that of 2026-02-10 in its place one without a date and with the `renewalDate` 2025-01-31, which an import of 2026-03-10 has as terminated; on 2026-02-10':
        appointmentEnded('2026-02-10'),
      'On 2026-02-09': isAppointed('2026-02-09'),
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
        isAppointed('2026-02-14'),
      'On 2026-02-15': appointmentEnded('2026-02-15'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment({ renewalDate: '2026-02-15' })),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ).asked({
      'The termination has no `renewalDate`, and that of the appointment is 2026-02-15; on 2026-02-15':
        appointmentEnded('2026-02-15'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ).asked({ 'Before the appointment, on 2025-02-28': notAppointed('2025-02-28') }),
  ],
  'end-became-known': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ).asked({
      'The appointment of 2025-03-01 is listed as terminated on 2026-03-10, with the same date; on 2026-03-09':
        isAppointed('2026-03-09'),
      'On 2026-03-10': appointmentEnded('2026-03-10'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentImport('2026-03-10', terminated({ statusChangeDate: null })),
    ).asked({ 'It is imported as terminated, without a date; on 2026-03-09': isAppointed('2026-03-09') }),
  ],
  'never-seen-appointed': after(
    licensed,
    appointmentList('2026-03-10', terminated({ statusChangeDate: null })),
  ).asked({ 'All that is known is a termination without a date; on 2026-03-01': notAppointed('2026-03-01') }),
  'inferred-until-renewal': after(
    licensed,
    appointmentList('2026-03-10', terminated({ renewalDate: '2025-12-31' })),
  ).asked({
    'All that is known is the termination of 2026-02-01, with the `renewalDate` 2025-12-31; on 2026-01-15':
      notAppointed('2026-01-15'),
    'On 2025-12-31': appointmentNotKnown('appointment_unknown?')('2025-12-31'),
  }),
  'termination-taken-back': [
    after(
      licensed,
      appointmentList('2026-03-10', appointment(), terminated()),
      appointmentList('2026-03-11', appointment()),
    ).asked({
      'A list has the termination of 2026-02-01, the next one only the appointment; on 2026-03-20':
        isAppointed('2026-03-20'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-01-20', appointment({ statusChangeDate: null })),
      appointmentList('2026-02-10', appointment({ statusChangeDate: '2026-02-05' })),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ).asked({
      'The appointment of 2025-03-01 is taken back by a list with one without a date, that one is followed by one of 2026-02-05, and the list of 2026-03-10 has only a termination of 2025-03-01':
        appointmentEnded('2026-03-20'),
    }),
  ],
  'earlier-changes': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10', terminated()),
    ).asked({
      'A list has the appointment of 2025-03-01, the next one only the termination of 2026-02-01; on 2025-02-28':
        notAppointed('2025-02-28'),
    }),
    after(
      licensed,
      appointmentList('2026-02-10', appointment(), terminated()),
      appointmentList('2026-03-10', terminated({ statusChangeDate: '2025-03-01' })),
    ).asked({
      'A list has the appointment of 2025-03-01 and a termination of 2026-02-01, the next one, of 2026-03-10, only an end with the date of the appointment; on 2026-02-15':
        appointmentEnded('2026-02-15'),
    }),
  ],
  'left-out-appointment': [
    after(licensed, appointmentList('2026-01-10', appointment()), appointmentList('2026-03-10')).asked({
      'The list of 2026-03-10 does not name the appointment; on 2026-03-10': appointmentEnded('2026-03-10'),
      'On 2026-03-09': isAppointed('2026-03-09'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10'),
      appointmentList('2026-04-09', appointment()),
    ).asked({
      'The list of 2026-04-09, 30 days later, has it again; on 2026-03-20': isAppointed('2026-03-20'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList('2026-03-10'),
      appointmentList('2026-04-10', appointment()),
    ).asked({ 'That of 2026-04-10 has it again; on 2026-04-09': appointmentEnded('2026-04-09') }),
  ],
  'stated-again': after(
    licensed,
    appointmentList('2026-01-10', appointment()),
    appointmentList('2026-03-10'),
    appointmentImport('2026-05-10', appointment()),
  ).asked({
    'An import of 2026-05-10 states the appointment that the list of 2026-03-10 did not name; on 2026-05-10':
      isAppointed('2026-05-10'),
    'On 2026-05-09': appointmentEnded('2026-05-09'),
  }),

  // ── Whose appointment counts
  'naic-code': [
    after(licensed, appointmentList('2026-03-10', appointment({ carrierName: 'Other Mutual' }))).asked({
      'The appointment has the `companyCode` 19437, which the organization has, and another name':
        isAppointed('2026-03-10'),
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ companyCode: '99999' }))).asked({
      'An appointment has the organization’s name and a `companyCode` that the organization does not have':
        notAppointed('2026-03-10'),
    }),
  ],
  ein: [
    after(
      licensed,
      appointmentList('2026-03-10', appointment({ companyCode: '99999', ein: '751234567' })),
    ).asked({
      'The organization has the EIN 75-1234567, the appointment the `ein` 751234567 and another `companyCode`':
        isAppointed('2026-03-10'),
    }),
    after(
      licensed,
      appointmentList(
        '2026-01-10',
        appointment({ ein: '75-1234567', statusChangeDate: '2020-01-01' }),
        terminated({ ein: '75-1234567', statusChangeDate: '2021-01-01' }),
        appointment({ ein: '11-1111111', status: 'Nullified', statusChangeDate: '2024-01-01' }),
      ),
    ).asked({
      'The organization has the EIN of an appointment that ended in 2021, and a later row of the company has another EIN and a status in no table':
        appointmentEnded('2026-03-10', { carrier: { ...beacon, naicCodes: [] } }),
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
      'Beacon Specialty has neither, and the `carrierName` is `BEACON SPECIALTY INS. CO.`': isAppointed(
        '2026-03-10',
        { carrier: { ...beacon, naicCodes: [], eins: [] } },
      ),
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ carrierName: 'Other Mutual' }))).asked({
      'The `carrierName` is `Other Mutual`': notAppointed('2026-03-10', {
        carrier: { ...beacon, naicCodes: [], eins: [] },
      }),
    }),
  ],
  'product-codes': [
    after(licensed, appointmentList('2026-03-10', appointment({ ein: '75-1234567' }))).asked({
      'The product names 22667, and the appointment has the organization’s code': notAppointed('2026-03-10', {
        carrierNaicCodes: ['22667'],
      }),
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ companyCode: '22667' }))).asked({
      'The appointment has 22667': isAppointed('2026-03-10', { carrierNaicCodes: ['22667'] }),
    }),
  ],
  'all-lines': [
    after(licensed, appointmentList('2026-03-10', appointment())).asked({
      'The lines 16 and 20 are required, and the appointment has neither a code nor a name of a line':
        isAppointed('2026-03-10', { lines: ['16', '20'] }),
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'Life' }))).asked({
      'It has the name of a line that no license has': notAppointed('2026-03-10', { lines: ['16'] }),
    }),
  ],
  'line-by-name': [
    after(licensed, appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'CASUALTY' }))).asked({
      'The line 16 is required, the appointment has the name `CASUALTY`, and a license has `Casualty` with the code 16':
        isAppointed('2026-03-10', { lines: ['16'] }),
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ linesOfAuthority: [line('16', { name: 'P&C' })] }),
        license({ stateCode: 'CA', linesOfAuthority: lines(['16']) }),
      ),
      appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'Casualty' })),
    ).asked({
      'A license of California has the name with the code 16, one of Texas only the code': notAppointed(
        '2026-03-10',
        { lines: ['16'] },
      ),
    }),
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      licenseList('2026-02-10', license({ linesOfAuthority: [line('16', { name: 'P&C' })] })),
      appointmentList('2026-03-10', appointment({ lineOfAuthorityName: 'Casualty' })),
    ).asked({
      'Only an earlier list had the name, the present one has another': isAppointed('2026-03-10', {
        lines: ['16'],
      }),
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
      'The lines 16 and 20 are required, and two licenses have one each': isLicensed('2026-03-10', {
        lines: ['16', '20'],
      }),
    }),
    after(licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) }))).asked({
      'Only the line 16 is there': noLine('2026-03-10', { lines: ['16', '20'] }),
    }),
    after(licensed, appointmentList('2026-03-10', appointment({ lineOfAuthorityCode: '16' }))).asked({
      'The appointment is for the line 16 alone': notAppointed('2026-03-10', { lines: ['16', '20'] }),
    }),
  ],
  'any-of': [
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      appointmentList('2026-03-10', appointment({ lineOfAuthorityCode: '20' })),
    ).asked({
      'The entry is `{"anyOf": ["16", "20"]}`, the license has 16, the appointment 20': isAppointed(
        '2026-03-10',
        { lines: [{ anyOf: ['16', '20'] }] },
      ),
    }),
    after(licenseList('2026-01-10', license())).asked({
      'The license has neither': noLine('2026-03-10', { lines: [{ anyOf: ['16', '20'] }] }),
    }),
  ],
  'appointment-of': after(licensed).asked({
    '`appointmentOf` is `agency`; an agent without an appointment': isLicensed('2026-03-10', {
      requires: { appointment: 'required', appointmentOf: 'agency' },
    }),
    'An agency without one': notAppointed('2026-03-10', {
      party: 'agency',
      requires: { appointmentOf: 'agency' },
    }),
    '`appointmentOf` is `agent`; an agency without one': isLicensed('2026-03-10', {
      party: 'agency',
      requires: { appointment: 'required', appointmentOf: 'agent' },
    }),
    'Without `appointmentOf`, an agency without one': notAppointed('2026-03-10', { party: 'agency' }),
    '`appointmentOf` is `agent`, and no agent is there': asks(
      answered('License Not Known', 'Appointment Not Known', 'seller_not_named?'),
    )('2026-03-10', {
      requires: { appointment: 'required', appointmentOf: 'agent' },
      sale: { agency: { commands: [licensed] }, sellers: [] },
    }),
  }),
  'on-binding': [
    after(licensed).asked({
      'There is no appointment': onBinding('2026-03-10', { requires: { appointment: 'on binding' } }),
    }),
    after(licensed, appointmentList('2026-03-10', appointment())).asked({
      'There is one': isAppointed('2026-03-10', { requires: { appointment: 'on binding' } }),
    }),
  ],
  'config-in-force': after(licensed).asked({
    'From 2026-03-01 on, the product requires an appointment, and there is none; on 2026-02-28': isLicensed(
      '2026-02-28',
      { configs: [config(), config({ appointment: 'required' }, { validFrom: '2026-03-01' })] },
      { configBasis: 'version' },
    ),
    'On 2026-03-01': notAppointed('2026-03-01', {
      configs: [config(), config({ appointment: 'required' }, { validFrom: '2026-03-01' })],
    }),
    'On 2026-03-10, with the knowledge of 2026-02-15, when that was not recorded yet': isLicensed(
      '2026-03-10',
      {
        knownAt: '2026-02-15',
        configs: [
          config(),
          config(
            { appointment: 'required' },
            { validFrom: '2026-03-01', recordedAt: '2026-02-20T15:00:00.000Z' },
          ),
        ],
      },
    ),
  }),
  'first-config': after(licensed).asked({
    'The first version requires an appointment from 2026-03-01 on, and there is none; on 2026-02-01':
      notAppointed(
        '2026-02-01',
        { configs: [config({ appointment: 'required' }, { validFrom: '2026-03-01' })] },
        { configBasis: 'first version' },
      ),
    'It was recorded on 2026-03-01; on 2026-03-10, with the knowledge of 2026-02-01': notAppointed(
      '2026-03-10',
      {
        knownAt: '2026-02-01',
        configs: [
          config(
            { appointment: 'required' },
            { validFrom: '2026-03-01', recordedAt: '2026-03-01T15:00:00.000Z' },
          ),
        ],
      },
      { configBasis: 'first version' },
    ),
  }),

  // ── Answers
  expired: [
    after(licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' }))).asked({
      '`nextRenewalDate` was 2026-02-28; on 2026-03-10': isExpired('2026-03-10'),
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
      'An older term of the license had ended when the next one was suspended': isExpired('2026-03-10'),
    }),
    after(
      licenseImport('2026-01-10', { nextRenewalDate: '2026-02-28' }),
      licenseImport('2026-01-11', { validFrom: '2026-05-01', nextRenewalDate: '2027-02-28' }),
    ).asked({
      'An import says from 2026-05-01 on that the license, which ended on 2026-02-28, ends on 2027-02-28; on 2026-03-10':
        isExpired('2026-03-10'),
    }),
  ],
  missing: [
    after().asked({ 'There is no license': noLicense('2026-03-10') }),
    after(
      licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
      licenseList('2026-03-01', license({ nextRenewalDate: '2026-12-31', status: 'suspended' })),
    ).asked({ 'A license was suspended before its own end': noLicense('2026-03-10') }),
    after(licenseList('2026-03-01', license({ issueDate: '2026-04-01' }))).asked({
      'The license begins on 2026-04-01; on 2026-03-10': notBegun('2026-03-10'),
    }),
  ],
  basis: after(licenseList('2026-01-10', license())).asked({
    'A license is listed for the first time on 2026-01-10; on 2026-01-09': isLicensed(
      '2026-01-09',
      {},
      { basis: 'registry dates' },
    ),
    'A license is listed for the first time on 2026-01-10; on 2026-01-10': isLicensed(
      '2026-01-10',
      {},
      { basis: 'history' },
    ),
  }),
  'covering-row': [
    after(
      licenseImport('2026-01-10', { nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-03-01', { validFrom: '2026-03-01', nextRenewalDate: '2027-12-31' }),
    ).asked({
      'An import has the `nextRenewalDate` 2027-12-31 from 2026-03-01 on; on 2026-02-01, the license has the one before, 2026-12-31':
        isLicensed('2026-02-01', {}, { licenses: [license({ nextRenewalDate: '2026-12-31' })] }),
      'On 2026-03-01, it has 2027-12-31': isLicensed(
        '2026-03-01',
        {},
        { licenses: [license({ nextRenewalDate: '2027-12-31' })] },
      ),
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ residencyStatus: 'non-resident' }),
        license({ stateCode: 'KS', licenseNumber: '2' }),
      ),
    ).asked({
      'A non-resident license of Texas counts by the resident license of Kansas': isLicensed(
        '2026-03-10',
        {},
        {
          licenses: [
            license({ residencyStatus: 'non-resident' }),
            license({ stateCode: 'KS', licenseNumber: '2' }),
          ],
        },
      ),
    }),
  ],
  ...practiceCases,
});
