import type { LicenseRow } from '#domain/decision/records.ts';
import {
  action,
  actionOf,
  actionReport,
  after,
  type CaseAsked,
  casesOf,
  complete,
  homeNotActive,
  isExpired,
  isLicensed,
  license,
  licensed,
  licenseImport,
  licenseNotKnown,
  licenseReport,
  lines,
  noLicense,
  partlyUnread,
  underOrder,
  wrongClass,
} from '../case-rows.ts';

/** An order from 2026-02-01 on. */
const ofYear = { effectiveDate: '2026-02-01', lengthOfOrderInDays: 365 };

const line16 = { lines: ['16'] };
const classUnrecognized = licenseNotKnown('class_unrecognized?');

/** An organization’s own word that licenses without a class are producers’. */
const classlessAreProducers = {
  stateCode: 'TX',
  classCode: null,
  className: null,
  kind: 'producer',
  recordedAt: '2026-02-01T15:00:00.000Z',
  isOwn: true,
} as const;
/** What an import says of the class P. */
const codeP = (kind: 'producer' | 'adjuster', isOwn: boolean) => ({
  ...classlessAreProducers,
  classCode: 'P',
  kind,
  isOwn,
});

/** A license of Georgia of a producer who lives elsewhere. */
const nonResident = (fields: Partial<LicenseRow> = {}): LicenseRow =>
  license({
    stateCode: 'GA',
    licenseNumber: '77',
    residencyStatus: 'non-resident',
    issueDate: '2018-01-01',
    ...fields,
  });

const kansas = (fields: Partial<LicenseRow> = {}): LicenseRow =>
  license({ stateCode: 'KS', licenseNumber: '2', issueDate: '2017-01-01', ...fields });

/** Asked of Georgia. */
const inGeorgia = (asked: CaseAsked = {}): CaseAsked => ({
  ...asked,
  stateCode: 'GA',
  requires: { linesOfAuthority: [], appointment: 'not required', ...asked.requires, stateCode: 'GA' },
});

const homeUnknown = licenseNotKnown('home_state_license_unknown?');
const orderUnknown = licenseNotKnown('regulatory_action_unknown?');

const revoked = { status: 'No', statusReason: 'Revoked', statusDate: '2026-02-05' };

/** The rules of classes, the home state, and regulatory actions at work. */
export const licenseCases = casesOf({
  // ── Classes of licenses
  'class-kind': [
    after(licenseReport('2026-01-10', license({ licenseClassCode: null, licenseClassName: null }))).asked({
      'The license has no class, and an operator imported on 2026-02-01 that such a one is a producer’s':
        isLicensed('2026-03-10', { classKinds: [classlessAreProducers] }),
      'With the knowledge of the day before': classUnrecognized('2026-03-10', {
        knownAt: '2026-01-31',
        classKinds: [classlessAreProducers],
      }),
    }),
    after(licenseReport('2026-01-10', license({ licenseClassCode: 'p' }))).asked({
      'The code P is a producer’s for everybody, and an adjuster’s for the organization': wrongClass(
        '2026-03-10',
        { classKinds: [codeP('adjuster', true), codeP('producer', false)] },
      ),
    }),
  ],
  'class-wrong': [
    after(
      licenseReport('2026-01-10', license({ licenseClassName: 'Adjuster', linesOfAuthority: lines(['16']) })),
    ).asked({
      'An adjuster’s license has the line that the product requires': wrongClass('2026-03-10', line16),
    }),
    after(
      licenseReport(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28' }),
        license({ licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' }),
      ),
    ).asked({ 'A producer’s license expired, and an adjuster’s is active': isExpired('2026-03-10') }),
    after(
      licenseReport(
        '2026-01-10',
        license({ licenseClassCode: 'ADJ', licenseClassName: 'Adjuster', nextRenewalDate: '2026-02-28' }),
      ),
    ).asked({ 'An adjuster’s license expired': noLicense('2026-03-10') }),
    after(licenseReport('2026-02-10', license({ ...revoked, nextRenewalDate: '2026-02-28' }))).asked({
      'It was revoked before it expired': noLicense('2026-03-10'),
    }),
    after(
      licenseReport(
        '2026-01-10',
        license({ licenseClassCode: '16', licenseClassName: 'Property Bail Agent' }),
      ),
    ).asked({
      '`licenseClasses` is `["16", "17"]`, of which the former is the code of a bail agent’s license':
        isLicensed('2026-03-10', { requires: { licenseClasses: ['16', '17'] } }),
      'It is its name, `["property bail agent"]`': isLicensed('2026-03-10', {
        requires: { licenseClasses: ['property bail agent'] },
      }),
      'It is `["17"]`': wrongClass('2026-03-10', { requires: { licenseClasses: ['17'] } }),
    }),
  ],
  'class-unrecognized': [
    after(licenseReport('2026-01-10', license({ licenseClassName: 'Frobnicator' }))).asked({
      'The class is `Frobnicator`': classUnrecognized('2026-03-10'),
    }),
    after(licenseReport('2026-01-10', license({ licenseClassCode: null, licenseClassName: null }))).asked({
      'It has no class, and `licenseClasses` is `["X"]`': classUnrecognized('2026-03-10', {
        requires: { licenseClasses: ['X'] },
      }),
    }),
    after(licenseImport('2026-03-01', {}), licenseImport('2026-03-02', { licenseClassCode: null })).asked({
      'It is `["P"]`, a code that a later file leaves out': isLicensed('2026-03-10', {
        requires: { licenseClasses: ['P'] },
      }),
    }),
    after(
      licenseReport(
        '2026-01-10',
        license(),
        license({ licenseNumber: '2', licenseClassCode: null, licenseClassName: null }),
      ),
    ).asked({
      'There is a producer’s license beside one without a class': isLicensed('2026-03-10'),
    }),
  ],

  // ── The home state
  'home-state': [
    after(licenseReport('2026-01-10', nonResident(), kansas({ nextRenewalDate: '2025-12-31' }))).asked({
      'A report has a license of Georgia, and that of the home state, Kansas, which expired on 2025-12-31':
        homeNotActive('2026-03-10', inGeorgia()),
      'On 2025-06-01': isLicensed('2025-06-01', inGeorgia(), {
        warnings: [],
        licenses: [nonResident(), kansas({ nextRenewalDate: '2025-12-31' })],
      }),
    }),
    after(
      licenseReport('2026-01-10', nonResident(), kansas()),
      complete(licenseImport('2026-02-01', kansas({ licenseNumber: '3', issueDate: '2026-06-01' }))),
    ).asked({
      'A complete file has only a license of Kansas that is to begin': homeNotActive(
        '2026-03-10',
        inGeorgia(),
      ),
    }),
    after(
      licenseReport(
        '2026-01-10',
        nonResident(),
        kansas(),
        kansas({ licenseNumber: '3', residencyStatus: 'non-resident' }),
      ),
    ).asked({
      'Kansas has a license as a non-resident besides': isLicensed('2026-03-10', inGeorgia(), {
        warnings: [],
      }),
    }),
    after(
      licenseReport('2026-01-10', nonResident(), kansas()),
      action('2026-02-01', 'Suspension', { stateCode: 'KS', lengthOfOrderInDays: 365 }),
    ).asked({ 'Kansas suspended the holder': homeNotActive('2026-03-10', inGeorgia()) }),
    after(
      licenseReport(
        '2025-06-10',
        nonResident(),
        license({ issueDate: '2015-01-01', status: 'Inactive', statusDate: '2025-06-01' }),
        license({ stateCode: 'CO', issueDate: '2025-05-20' }),
      ),
    ).asked({
      'A producer moved from Texas to Colorado in 2025; in 2020': isLicensed('2020-06-01', inGeorgia()),
      'In 2026': isLicensed('2026-03-10', inGeorgia()),
    }),
  ],
  'home-state-unknown': [
    after(
      licenseReport('2026-01-10', nonResident(), kansas()),
      licenseImport('2026-02-01', kansas({ status: 'Revoked', residencyStatus: 'non-resident' })),
    ).asked({
      'A file has the license of Kansas as `Revoked`, and as a non-resident’s': homeUnknown(
        '2026-03-10',
        inGeorgia(),
      ),
    }),
    after(
      licenseImport('2026-01-10', nonResident(), kansas({ status: 'Revoked', statusDate: '2025-05-01' })),
    ).asked({
      'A file has a license of Georgia, and that of the home state, Kansas, as `Revoked`': homeUnknown(
        '2026-03-10',
        inGeorgia(),
      ),
    }),
    after(licenseImport('2026-01-10', nonResident(), kansas({ nextRenewalDate: '2027-01-10' }))).asked({
      'The license of Kansas ends on 2027-01-10, by a file; on 2027-02-01': homeUnknown(
        '2027-02-01',
        inGeorgia(),
      ),
      'On 2027-01-10': isLicensed('2027-01-10', inGeorgia(), { warnings: [] }),
    }),
    after(
      licenseReport('2026-01-10', nonResident(), kansas()),
      licenseImport('2026-02-01', {
        ...kansas({ licenseClassCode: null, licenseClassName: null, status: 'Revoked' }),
        residencyStatus: 'non-resident',
      }),
    ).asked({
      'A file has its number as `Revoked`, without a class, and as a non-resident’s': homeUnknown(
        '2026-03-10',
        inGeorgia(),
      ),
    }),
    ...(['license', 'regulatory action'] as const).map((kind) =>
      after(
        licenseReport('2026-01-10', nonResident(), kansas()),
        partlyUnread({ ...licenseReport('2026-02-10', nonResident(), kansas()), actions: [] }, kind, 'KS'),
      ).asked({
        [`A row of Kansas about a ${kind} cannot be read`]: homeUnknown('2026-03-10', inGeorgia()),
      }),
    ),
    after(partlyUnread(licenseReport('2026-01-10', nonResident()), 'license', 'KS')).asked({
      'The only row of Kansas cannot be read': homeUnknown('2026-03-10', inGeorgia()),
    }),
    after(
      licenseReport('2026-01-10', nonResident(), kansas({ nextRenewalDate: '2025-12-31' })),
      partlyUnread(licenseReport('2026-02-10', nonResident()), 'license', 'KS'),
    ).asked({
      'The license of Kansas expired, and a row that cannot be read may renew it': homeUnknown(
        '2026-03-10',
        inGeorgia(),
      ),
    }),
    after(
      licenseReport(
        '2026-01-10',
        nonResident(),
        kansas({ licenseClassName: 'Frobnicator', status: 'Revoked', statusDate: '2026-01-01' }),
      ),
    ).asked({
      'A license of Kansas is `Revoked`, and its class is `Frobnicator`': homeUnknown(
        '2026-03-10',
        inGeorgia(),
      ),
      'On 2025-12-31': isLicensed('2025-12-31', inGeorgia(), { warnings: ['home_state_license_unknown'] }),
    }),
    after(licenseReport('2026-01-10', nonResident(), kansas({ status: 'Pending' }))).asked({
      'The license of Kansas is only applied for': homeUnknown('2026-03-10', inGeorgia()),
    }),
    after(
      licenseReport('2026-01-10', nonResident()),
      licenseReport('2026-07-10', nonResident(), kansas({ issueDate: '2026-06-01' })),
    ).asked({
      'The license of Kansas begins on 2026-06-01; on 2026-03-10': homeUnknown('2026-03-10', inGeorgia()),
    }),
    after(
      licenseReport(
        '2026-01-10',
        nonResident(),
        kansas({ nextRenewalDate: '2026-01-31' }),
        license({ stateCode: 'MO', issueDate: '2026-06-01' }),
      ),
    ).asked({
      'The license of Kansas expired, that of Missouri begins later': homeNotActive(
        '2026-03-10',
        inGeorgia(),
      ),
    }),
    after(
      licenseReport('2026-01-10', nonResident(), kansas()),
      licenseReport('2026-02-10', nonResident(), kansas({ licenseClassName: 'Adjuster' })),
    ).asked({
      'The class of the license of Kansas, with the same code, is corrected to an adjuster’s': isLicensed(
        '2026-03-10',
        inGeorgia(),
        { warnings: ['home_state_license_unknown'] },
      ),
    }),
    after(licenseReport('2026-01-10', nonResident())).asked({
      'No resident license is known': isLicensed('2026-03-10', inGeorgia(), {
        warnings: ['home_state_license_unknown'],
      }),
    }),
    after(licenseReport('2026-01-10', nonResident(), kansas({ licenseClassName: 'Adjuster' }))).asked({
      'The only resident license is an adjuster’s': isLicensed('2026-03-10', inGeorgia(), {
        warnings: ['home_state_license_unknown'],
      }),
    }),
  ],
  basis: [
    after(
      licenseReport('2026-01-10', license()),
      action('2026-03-20', 'Suspension', { effectiveDate: '2026-02-01', lengthOfOrderInDays: 60 }),
      action('2026-04-20', 'Suspension Vacated', { effectiveDate: '2026-03-01' }),
    ).asked({
      'An order of 2026-02-01 is recorded on 2026-03-20; on 2026-02-10': underOrder(
        '2026-02-10',
        { knownAt: '2026-03-31' },
        { basis: 'registry dates' },
      ),
      'On 2026-03-20': underOrder('2026-03-20', { knownAt: '2026-03-31' }, { basis: 'history' }),
      'On 2026-01-31': isLicensed('2026-01-31', {}, { basis: 'history' }),
      'Its end of 2026-03-01 is recorded on 2026-04-20; on 2026-03-25': isLicensed(
        '2026-03-25',
        {},
        { basis: 'registry dates' },
      ),
    }),
    after(
      licenseReport('2026-01-10', nonResident(), kansas({ nextRenewalDate: '2026-12-31' })),
      licenseReport('2026-03-20', nonResident(), kansas({ nextRenewalDate: '2026-01-31' })),
    ).asked({
      'That the license of Kansas ended on 2026-01-31 is recorded on 2026-03-20; on 2026-02-10':
        homeNotActive('2026-02-10', inGeorgia(), { basis: 'registry dates' }),
      'On 2026-03-21': homeNotActive('2026-03-21', inGeorgia(), { basis: 'history' }),
      'On 2026-01-20': isLicensed('2026-01-20', inGeorgia(), { basis: 'history' }),
    }),
  ],
  'home-state-ignored': [
    after(licenseReport('2026-01-10', nonResident(), kansas({ nextRenewalDate: '2025-12-31' }))).asked({
      '`homeState` is `ignored`, and the license of the home state expired': isLicensed(
        '2026-03-10',
        inGeorgia({ requires: { homeState: 'ignored' } }),
        { warnings: [] },
      ),
    }),
  ],

  // ── Regulatory actions
  order: [
    after(licensed, action('2026-02-20', 'License, Suspended', { effectiveDate: '2026-02-15' })).asked({
      'The disposition is `License, Suspended`, and the license is active': underOrder('2026-03-10'),
    }),
    after(
      licensed,
      action('2026-02-20', 'Revoked', {
        effectiveDate: '2026-03-05',
        dateOfAction: '2026-03-01',
        enterDate: '2026-02-25',
      }),
    ).asked({
      'A revocation has the `effectiveDate` 2026-03-05, and earlier other dates; on 2026-03-04':
        isLicensed('2026-03-04'),
      'On 2026-03-05': underOrder('2026-03-05'),
    }),
    after(licensed, action('2026-02-20', 'Revoked')).asked({
      'A revocation without any date became known on 2026-02-20; on 2026-02-19': isLicensed('2026-02-19'),
      'On 2026-02-20': underOrder('2026-02-20'),
    }),
  ],
  'order-length': [
    after(licensed, action('2026-02-10', 'Suspension', ofYear)).asked({
      'A suspension of 365 days from 2026-02-01 on; on 2027-01-31': underOrder('2027-01-31'),
      'On 2027-02-01': isLicensed('2027-02-01'),
    }),
    after(licensed, action('2026-02-10', 'Suspension', { ...ofYear, lengthOfOrderInDays: 1 })).asked({
      'A suspension of one day, on that day': underOrder('2026-02-01'),
    }),
    after(licensed, action('2026-02-10', 'Suspension', { ...ofYear, lengthOfOrderInDays: 0 })).asked({
      'Its length is 0; on 2026-03-02, its 30th day': underOrder('2026-03-02'),
      'Its length is 0; on 2026-03-03': orderUnknown('2026-03-03'),
    }),
  ],
  'order-over': [
    after(
      licensed,
      actionReport(
        '2026-02-25',
        actionOf('Suspension', ofYear),
        actionOf('Reinstated', { effectiveDate: '2026-02-20' }),
      ),
      actionReport('2026-03-05', actionOf('Suspension', ofYear)),
      actionReport('2026-03-12'),
    ).asked({
      'A later report has a suspension, and not what ended it any more': underOrder('2026-03-10'),
    }),
    after(
      licensed,
      actionReport(
        '2026-01-10',
        actionOf('Suspension', { effectiveDate: '2024-02-01', lengthOfOrderInDays: 1_825 }),
        actionOf('Reinstated', { effectiveDate: '2024-06-01' }),
      ),
      actionReport('2026-02-10'),
    ).asked({ 'A later report has neither any more; on 2025-06-01': isLicensed('2025-06-01') }),
    after(
      licensed,
      actionReport(
        '2026-02-10',
        actionOf('License, Suspended', { actionId: '7', lengthOfOrderInDays: 365 }),
        actionOf('Monetary penalty', { actionId: '7' }),
      ),
      action('2026-02-20', 'Monetary penalty', { actionId: '7' }),
    ).asked({ 'One action has two rows, one of which a file repeats': underOrder('2026-03-10') }),
    after(
      licensed,
      action('2026-01-20', 'Reinstated', { effectiveDate: '2026-01-15' }),
      action('2026-02-10', 'Suspension', ofYear),
      action('2026-02-20', 'Fine', { effectiveDate: '2026-02-15' }),
    ).asked({ 'A suspension after a reinstatement, and before a fine': underOrder('2026-03-10') }),
    after(licensed, {
      ...action('2026-02-10', 'Revoked'),
      actions: ['Fine', 'Revoked'].map((disposition) =>
        actionOf(disposition, { actionId: '7', isDeleted: disposition === 'Fine', ...ofYear }),
      ),
    }).asked({ 'A file replaces a fine by a revocation of the same number': underOrder('2026-03-10') }),
    after(
      licensed,
      action('2026-02-10', 'Suspension', ofYear),
      action('2026-03-02', 'Suspension', { isDeleted: true }),
      action('2026-03-03', 'Revocation', { effectiveDate: '2026-03-01' }),
    ).asked({
      'A file deletes a suspension; on 2026-02-15': isLicensed('2026-02-15'),
      'Another one is there; on 2026-03-10': underOrder('2026-03-10'),
    }),
    after(
      licensed,
      actionReport('2026-02-10', actionOf('Suspension', { actionId: '7', ...ofYear })),
      actionReport('2026-03-05', actionOf('Reinstated', { actionId: '7', effectiveDate: '2026-03-20' })),
    ).asked({
      'A suspension is now called reinstated on 2026-03-20; on 2026-03-19': underOrder('2026-03-19'),
      'A suspension is now called reinstated on 2026-03-20; on that day': isLicensed('2026-03-20'),
    }),
    after(
      licensed,
      actionReport('2026-02-01', actionOf('Suspension', { lengthOfOrderInDays: 10 })),
      actionReport('2026-02-10'),
      actionReport('2026-03-05', actionOf('Suspension', { lengthOfOrderInDays: 10 })),
    ).asked({ 'A suspension without a date is gone, and there again': underOrder('2026-03-14') }),
    after(
      licensed,
      actionReport('2026-02-10', actionOf('Cease and Desist', { actionId: '7', ...ofYear })),
      actionReport('2026-03-05', ...['Fine', 'Vacated'].map((one) => actionOf(one, { actionId: '7' }))),
    ).asked({ 'What was a cease and desist order is vacated, beside a fine': orderUnknown('2026-02-28') }),
    after(
      licensed,
      action('2026-03-01', 'Suspension', { actionId: '7', ...ofYear }),
      actionReport('2026-03-05', actionOf('Hearing', { actionId: '7' })),
    ).asked({ 'A report calls a hearing what a file called a suspension': orderUnknown('2026-03-31') }),
    after(
      licensed,
      action('2026-03-01', 'Suspension', ofYear),
      actionReport('2026-03-05'),
      actionReport('2026-04-05'),
    ).asked({
      'A report does not have a suspension of a file of four days before': orderUnknown('2026-04-04'),
      'Nor does a report of 35 days after that file; on that day': isLicensed('2026-04-05'),
    }),
    after(
      licensed,
      action('2026-02-10', 'Suspension', ofYear),
      action('2026-03-10', 'Previous Order Vacated', { effectiveDate: '2026-03-05' }),
    ).asked({
      'A suspension of 365 days, and another action of 2026-03-05 is `Previous Order Vacated`; on 2026-03-04':
        underOrder('2026-03-04'),
      'On 2026-03-05': isLicensed('2026-03-05'),
    }),
    after(
      licensed,
      actionReport('2026-02-10', actionOf('Suspension', ofYear)),
      actionReport('2026-03-10'),
    ).asked({
      'A report of 2026-03-10 does not have a suspension any more; on 2026-03-09': underOrder('2026-03-09'),
      'A report of 2026-03-10 does not have a suspension any more; on that day': isLicensed('2026-03-10'),
    }),
  ],
  'order-unknown': [
    after(licensed, action('2026-02-10', 'Revoked', { effectiveDate: '2026-02-01' })).asked({
      'A revocation of 2026-02-01 has no length; on 2026-03-03, its 31st day': orderUnknown('2026-03-03'),
      'On 2027-01-31, its 365th': orderUnknown('2027-01-31'),
      'On 2027-02-01': isLicensed('2027-02-01'),
    }),
    after(licensed, action('2026-02-10', 'Suspension; Stayed', { lengthOfOrderInDays: 60 })).asked({
      'The disposition is `Suspension; Stayed`': orderUnknown('2026-03-10'),
    }),
  ],
});
