import {
  action,
  actionRetracted,
  after,
  answered,
  appointment,
  appointmentEnded,
  appointmentImport,
  appointmentList,
  appointmentNotKnown,
  asks,
  beacon,
  type CaseAsked,
  type CaseParty,
  config,
  group,
  homeNotActive,
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
  notConfigured,
  onBinding,
  setAside,
  sold,
  terminated,
  underOrder,
  wrongClass,
} from './case-rows.ts';
import type { CaseCommand, LicenseRow } from './commands.ts';

// What practice asks of the decision: histories in which a plainer reading of the rules said yes, and should not have, or no.

/** The carrier's own word about another product. */
const ofOther = { authority: [{ upstreamEntityProductId: 'another', approvedStates: ['TX'] }] };

/** A license that is asked for beside a producer's. */
const surplusLines = (on: string, fields: Partial<LicenseRow> = {}): CaseCommand =>
  licenseImport(on, {
    licenseNumber: '77',
    licenseClassCode: 'SL',
    licenseClassName: 'Surplus Lines Broker',
    ...fields,
  });

const home = { license: 'home_state_license_unknown', company: 'company_not_named' } as const;

/** A license of Georgia of a producer who lives elsewhere. */
const nonResident = (fields: Partial<LicenseRow> = {}): LicenseRow =>
  license({
    stateCode: 'GA',
    licenseNumber: '77',
    residencyStatus: 'non-resident',
    issueDate: '2018-01-01',
    ...fields,
  });

const georgia = { linesOfAuthority: [], appointment: 'not required' as const };

/** Asked of Georgia. */
const inGeorgia = (asked: CaseAsked = {}): CaseAsked => ({
  ...asked,
  stateCode: 'GA',
  requires: { ...georgia, ...asked.requires, stateCode: 'GA' },
});

/** An imported license whose ending row, in a later import, is spelled differently. */
const endedBy = (row: Partial<LicenseRow>, end: Partial<LicenseRow>) =>
  after(licenseImport('2026-01-10', row), licenseImport('2026-02-10', { status: 'Revoked', ...end }));

const licensedParty: CaseParty = { commands: [licensed] };
const appointedParty: CaseParty = { commands: [licensed, appointmentList('2026-01-10', appointment())] };
const endingOn = (nextRenewalDate: string): CaseParty => ({
  commands: [licenseList('2026-01-10', license({ nextRenewalDate }))],
});
/** A former term, revoked since. */
const formerRevoked = license({ issueDate: '2020-03-01', status: 'Revoked', statusDate: '2026-01-05' });
const revokedAdjuster = license({
  ...formerRevoked,
  statusDate: null,
  licenseClassCode: null,
  licenseClassName: 'Adjuster',
});
const nobody: CaseParty = { commands: [] };
const saidOfNoClass = {
  stateCode: 'TX',
  classCode: null,
  className: null,
  kind: 'producer',
  recordedAt: '2026-02-01T15:00:00.000Z',
  isOwn: true,
} as const;
/** An organization’s own word that the code P is of adjusters. */
const codeOfAdjusters = {
  ...saidOfNoClass,
  classCode: 'P',
  kind: 'adjuster',
  recordedAt: '2026-01-01T15:00:00.000Z',
} as const;
const takenBack = [
  saidOfNoClass,
  { ...saidOfNoClass, kind: null, recordedAt: '2026-03-01T15:00:00.000Z' },
] as const;
const expiredParty: CaseParty = {
  commands: [licenseList('2026-01-10', license({ nextRenewalDate: '2026-02-28' }))],
};
const unknownParty: CaseParty = { commands: [licenseList('2026-03-20', license({ status: 'inactive' }))] };

const ofCompany = (companyCode: string) =>
  appointment({
    companyCode,
    carrierName: companyCode === '10847' ? 'Beacon Lloyds' : 'Beacon Casualty Company',
  });

/** A revocation of 2026-02-01 without a length. */
const revocation = {
  disposition: 'Revoked',
  dateOfAction: null,
  effectiveDate: '2026-02-01',
  enterDate: null,
  lengthOfOrderInDays: null,
};

/** A surplus lines license is asked for beside the agent's. */
const brokered = { licenseOf: 'agent' as const, furtherLicenses: [{ licenseClasses: ['SL'] }] };

/** A surplus lines broker under an order. */
const brokerUnder = (disposition: string) => ({
  commands: [
    licenseImport('2026-01-10', { licenseClassCode: 'SL', licenseClassName: 'Surplus Lines Broker' }),
    action('2026-02-10', disposition, { effectiveDate: '2026-02-01' }),
  ],
});

const within30 = { appointment: 'on binding', appointWithinDays: 30 } as const;
const overdue = asks(answered('Licensed', 'Not Appointed', 'appointment_overdue'));
const late = asks(answered('Licensed', 'Not Appointed', 'appointment_late'));

/** A license that is to begin on 2026-03-20, and is suspended. */
const suspendedAnew = license({ issueDate: '2026-03-20', status: 'Suspended', statusDate: '2026-03-01' });

const ofAdjuster = { licenseClassCode: null, licenseClassName: 'Adjuster' };

/** A row of a license that is not live and could not be read. */
const unreadEnd = (licenseNumber: string) =>
  ({
    stateCode: 'TX',
    kind: 'license',
    licenseNumber,
    licenseClassCode: null,
    licenseClassName: null,
    isLive: false,
  }) as const;

/** A row of an appointment that could not be read, and has the code of its company alone. */
const companySetAside = setAside('2026-02-10', {
  stateCode: 'TX',
  kind: 'appointment',
  companyCode: '19437',
  ein: null,
  carrierName: null,
});

export const practiceCases = {
  // ── Words
  'status-words': [
    ...[
      'ACTIVE - RENEWED',
      'In-Force',
      'Current',
      'Valid',
      'Licensed',
      'Issued',
      'Yes',
      'A',
      'Probation',
      'Active (Resident)',
    ].map((status) =>
      after(licenseList('2026-01-10', license({ status }))).asked({
        [`The status is \`${status}\``]: isLicensed('2026-03-10'),
      }),
    ),
    ...[
      'Not in force',
      'Active/Suspended',
      'Voluntary Surrender',
      'Expired, Active',
      'No',
      'Denied',
      'Non-Renewed',
    ].map((status) =>
      after(
        licenseList('2025-06-01', license({ nextRenewalDate: '2027-12-31' })),
        licenseList('2026-01-10', license({ status, nextRenewalDate: '2027-12-31' })),
      ).asked({ [`A license that was active becomes \`${status}\``]: noLicense('2026-03-10') }),
    ),
  ],
  'status-unrecognized': [
    after(
      licenseList('2025-06-01', license()),
      licenseList('2026-01-10', license({ status: 'Nullified' })),
    ).asked({
      'A license that was active becomes `Nullified` on 2026-01-10; on 2026-03-10':
        licenseNotKnown('status_unrecognized?')('2026-03-10'),
      'On 2026-01-09': isLicensed('2026-01-09'),
    }),
    after(licenseList('2026-01-10', license({ status: 'Active - Frozen' }))).asked({
      'The status is `Active - Frozen`, of which one part is no word of the table':
        licenseNotKnown('status_unrecognized?')('2026-03-10'),
      'The time before it became known': noLicense('2025-06-01'),
    }),
    after(
      licenseList('2025-06-01', license()),
      licenseList('2026-01-10', license({ status: 'Nullified - Revoked' })),
    ).asked({ 'The status is `Nullified - Revoked`': noLicense('2026-03-10') }),
    after(
      licensed,
      appointmentList(
        '2026-02-10',
        appointment({ statusChangeDate: '2020-01-01' }),
        appointment({ status: 'Nullified', statusChangeDate: '2026-02-01' }),
      ),
    ).asked({
      'An appointment of 2020 is `Nullified` on 2026-02-01; on 2026-03-10':
        appointmentNotKnown('status_unrecognized?')('2026-03-10'),
      'On 2026-01-31': isAppointed('2026-01-31'),
    }),
  ],
  'termination-reason': [
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      appointmentList(
        '2026-02-10',
        appointment(),
        appointment({ statusChangeDate: '2026-02-01', terminationReason: 'Cause' }),
      ),
    ).asked({
      'The status is `Appointed`, and `terminationReason` is `Cause`': appointmentEnded('2026-03-10'),
    }),
    ...['None', 'N/A', 'not applicable', ' '].map((terminationReason) =>
      after(licensed, appointmentList('2026-01-10', appointment({ terminationReason }))).asked({
        [`\`terminationReason\` is \`${terminationReason}\``]: isAppointed('2026-03-10'),
      }),
    ),
  ],

  // ── Classes
  'class-by-name': [
    ...[
      'Insurance Producer',
      'GENERAL LINES AGENT',
      'Business Entity Producer',
      'HEALTH',
      'Limited Liability Company Agency',
    ].map((licenseClassName) =>
      after(licenseList('2026-01-10', license({ licenseClassName }))).asked({
        [`The class is \`${licenseClassName}\``]: isLicensed('2026-03-10'),
      }),
    ),
    after(
      licenseList(
        '2026-01-10',
        license({ licenseClassCode: '0216', licenseClassName: 'HEALTH', linesOfAuthority: [line('H')] }),
      ),
    ).asked({
      'The class is `HEALTH`, and the product requires that line': isLicensed('2026-03-10', { lines: ['H'] }),
    }),
  ],
  'class-wrong': [
    ...[
      'Adjuster',
      'Public Adjuster Agent',
      'Insurance Consultant',
      'Bail Bondsman',
      'Car Rental Agency',
      'Surplus Lines Broker',
      'Limited Lines Producer',
    ].map((licenseClassName) =>
      after(
        licenseList(
          '2026-01-10',
          license({ licenseClassCode: 'X', licenseClassName, linesOfAuthority: lines(['16', '20']) }),
        ),
      ).asked({
        [`The only license is of the class \`${licenseClassName}\`, with the lines that the product requires`]:
          wrongClass('2026-03-10', {
            lines: ['16'],
          }),
      }),
    ),
    after(licenseList('2026-01-10', license({ licenseClassName: 'Car Rental Agency' }))).asked({
      'The product requires no line, and the only license is a car rental agency’s': wrongClass('2026-03-10'),
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ nextRenewalDate: '2026-02-28' }),
        license({ licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' }),
      ),
    ).asked({ 'The producer’s license has expired, and the adjuster’s is live': isExpired('2026-03-10') }),
    after(
      licenseList('2026-01-10', license({ licenseClassName: 'Adjuster', nextRenewalDate: '2026-02-28' })),
    ).asked({
      'An adjuster’s license has expired, and there never was a producer’s': noLicense('2026-03-10'),
    }),
  ],
  'class-unrecognized': [
    after(licenseList('2026-01-10', license({ licenseClassCode: null, licenseClassName: null }))).asked({
      'The license has neither code nor name of a class':
        licenseNotKnown('class_unrecognized?')('2026-03-10'),
    }),
    after(licenseList('2026-01-10', license({ licenseClassName: 'Frobnicator' }))).asked({
      'The class is `Frobnicator`': licenseNotKnown('class_unrecognized?')('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license(), license({ licenseNumber: '2', licenseClassName: null })),
    ).asked({
      'There is a producer’s license beside one without the name of a class': isLicensed('2026-03-10'),
    }),
  ],
  'class-kind': [
    after(licenseList('2026-01-10', revokedAdjuster), licenseImport('2026-02-10', {}, revokedAdjuster)).asked(
      {
        'A list has an adjuster’s license without a code as revoked, and an import has it once more, beside a live license of the same number with the code P, which is a producer’s':
          isLicensed('2026-03-10'),
        'One says that the code P is an adjuster’s, and the product asks for that class': noLicense(
          '2026-03-10',
          {
            requires: { licenseClasses: ['P'] },
            classKinds: [codeOfAdjusters],
          },
        ),
      },
    ),
    after(licenseList('2026-01-10', license({ licenseClassCode: null, licenseClassName: null }))).asked({
      'An import says that a license of Texas without a class is a producer’s': isLicensed('2026-03-10', {
        classKinds: [saidOfNoClass],
      }),
      'An import took it back': licenseNotKnown('class_unrecognized?')('2026-03-10', {
        classKinds: takenBack,
      }),
      'Known before it was taken back': isLicensed('2026-03-10', {
        knownAt: '2026-02-10',
        classKinds: takenBack,
      }),
      'With the knowledge of the day before that import': licenseNotKnown('class_unrecognized?')(
        '2026-03-10',
        {
          knownAt: '2026-01-31',
          classKinds: [saidOfNoClass],
        },
      ),
    }),
    after(licenseList('2026-01-10', license({ licenseClassCode: 'p' }))).asked({
      'One for everybody says that the code P is a producer’s, the organization’s own that it is an adjuster’s':
        wrongClass('2026-03-10', {
          classKinds: [
            codeOfAdjusters,
            {
              ...codeOfAdjusters,
              kind: 'producer',
              recordedAt: '2026-02-01T15:00:00.000Z',
              isOwn: false,
            },
          ],
        }),
    }),
  ],

  // ── Which license a row is of
  'license-number': [
    endedBy({ licenseNumber: '0012345' }, { licenseNumber: '12345' }).asked({
      'The number is `0012345`, and an import has `12345` as revoked': noLicense('2026-03-10'),
    }),
    endedBy({ licenseNumber: '0D12345' }, { licenseNumber: '0d12345' }).asked({
      '`0D12345`, and `0d12345`': noLicense('2026-03-10'),
    }),
    endedBy({ licenseNumber: 'W-123 456' }, { licenseNumber: 'W123456' }).asked({
      '`W-123 456`, and `W123456`': noLicense('2026-03-10'),
    }),
  ],
  'row-without-class': [
    after(
      licenseList(
        '2026-01-10',
        license({ status: 'Suspended', issueDate: '2024-01-01' }),
        license({ licenseClassCode: 'ADJ', licenseClassName: 'Adjuster', issueDate: '2024-01-01' }),
        license({ licenseClassCode: null, licenseClassName: null }),
      ),
    ).asked({
      'A producer’s license is suspended, an adjuster’s of the same number is live, and a third row without a class is live':
        licenseNotKnown('class_unrecognized?')('2026-03-10'),
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ licenseClassName: null }),
        license({ licenseClassCode: null, licenseClassName: 'Adjuster', issueDate: '2024-01-01' }),
      ),
      licenseList(
        '2026-01-11',
        license({ licenseClassCode: null }),
        license({ licenseClassCode: null, licenseClassName: 'Adjuster', issueDate: '2024-01-01' }),
      ),
      licenseList('2026-01-12', license({ licenseClassCode: null, licenseClassName: null })),
    ).asked({
      'The last list without a name of a class, the one before names a producer’s and an adjuster’s':
        licenseNotKnown('class_unrecognized?')('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license({ status: 'Revoked', statusDate: '2026-01-05' })),
      licenseImport(
        '2026-02-10',
        { validFrom: '2026-06-01' },
        { licenseClassCode: null, status: 'Revoked', statusDate: '2026-01-05' },
      ),
      licenseList('2026-03-01', license({ status: 'Revoked', statusDate: '2026-01-05' })),
    ).asked({
      'Lists have a license as revoked, and an import between them as live from 2026-06-01 on, with its class, and as revoked, without the code':
        noLicense('2026-03-10'),
    }),
    endedBy({ licenseClassCode: null, licenseClassName: null }, { licenseClassCode: 'P' }).asked({
      'A license without a class, and an import has its number with the code P as revoked': asks(
        answered('Missing License', 'Not Required', 'license_missing'),
      )('2026-03-10'),
    }),
    endedBy(
      { licenseClassName: null },
      { licenseClassCode: null, licenseClassName: 'Insurance Producer' },
    ).asked({
      'A license with the code P, and an import has its number with the name `Insurance Producer` alone as revoked; the class P is then a producer’s':
        noLicense('2026-03-10'),
    }),
    after(
      licenseImport('2026-01-10', {}, { licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' }),
      licenseImport('2026-02-10', { licenseClassCode: null, licenseClassName: null, status: 'Revoked' }),
    ).asked({
      'A producer’s and an adjuster’s license have one number, which an import without a class has as revoked':
        noLicense('2026-03-10'),
    }),
    after(
      licenseImport('2026-01-10', {}),
      licenseImport('2026-02-10', { licenseClassCode: null, licenseClassName: null, status: 'Revoked' }),
      licenseImport('2026-02-20', { licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' }),
    ).asked({ 'The adjuster’s license appears after that': wrongClass('2026-03-10') }),
    after(
      licenseList('2026-01-10', license({ status: 'Expired', statusDate: '2026-01-05' })),
      licenseList('2026-02-10', license({ licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' })),
      licenseList('2026-02-20', license({ licenseClassCode: null, licenseClassName: null })),
      licenseImport('2026-03-10', {
        licenseClassCode: null,
        licenseClassName: null,
        status: 'Revoked',
        statusDate: '2026-03-01',
      }),
    ).asked({
      'A producer’s license ended on 2026-01-04, then an adjuster’s and one without a class have its number, and an import has it without a class as revoked since 2026-03-01; on 2026-01-10':
        wrongClass('2026-01-10'),
      'On 2026-01-04': isLicensed('2026-01-04'),
    }),
    after(
      licenseImport('2026-01-10', {}, { licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' }),
      licenseImport('2026-02-10', {
        licenseClassCode: null,
        licenseClassName: null,
        status: 'Revoked',
        statusDate: '2026-02-05',
        issueDate: '2024-01-01',
      }),
    ).asked({
      'A producer’s and an adjuster’s license of 2025-03-01 have one number, and an import without a class has one of 2024-01-01 as revoked since 2026-02-05; on 2024-06-01':
        licenseNotKnown('license_unknown?')('2024-06-01'),
      'On 2026-02-04': isLicensed('2026-02-04'),
      'On 2026-02-05': noLicense('2026-02-05'),
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-01', license({ licenseClassCode: null, licenseClassName: 'Insurance Producer' })),
    ).asked({
      'The registry lists a license with a code of its class, the next list with the name of its class alone':
        isLicensed('2026-03-10'),
      'On a day before that list': isLicensed('2026-02-10'),
    }),
    after(
      licenseImport(
        '2026-01-10',
        {
          licenseClassCode: null,
          licenseClassName: 'Insurance Producer',
          status: 'Inactive',
          nextRenewalDate: '2025-12-31',
        },
        { licenseClassCode: null, licenseClassName: 'Adjuster' },
      ),
    ).asked({
      'One number has an inactive row `Insurance Producer` and an active row `Adjuster`':
        isExpired('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license({ issueDate: '2026-06-01' })),
      licenseList(
        '2026-02-10',
        license({ ...ofAdjuster, status: 'suspended' }),
        license({ licenseClassCode: null, licenseClassName: null, issueDate: null }),
      ),
      licenseList('2026-03-10', license(ofAdjuster)),
    ).asked({
      'A live row without a class stands beside a suspended adjuster’s of one number, and the list of 2026-03-10 has the latter as active and the former not; on 2026-03-09':
        licenseNotKnown('class_unrecognized?')('2026-03-09'),
      'On 2026-03-10': notBegun('2026-03-10'),
    }),
  ],

  // ── Terms
  'status-date': [
    after(
      licenseList(
        '2026-05-01',
        license({ status: 'Expired', statusDate: '2026-04-15', nextRenewalDate: '2026-03-31' }),
      ),
    ).asked({
      'A license that ended on 2026-03-31 is `Expired` since 2026-04-15; on 2026-04-10':
        isExpired('2026-04-10'),
      'On 2026-03-31': isLicensed('2026-03-31'),
    }),
    after(
      licenseList(
        '2026-05-01',
        license({ status: 'Revoked', statusDate: '2026-04-15', nextRenewalDate: '2027-03-31' }),
      ),
    ).asked({
      'A license is first seen as `Revoked` since 2026-04-15; on 2026-04-14': isLicensed('2026-04-14'),
      'On 2026-04-15': noLicense('2026-04-15'),
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-05-20', license({ status: 'Suspended' })),
      licenseList('2026-06-04', license({ statusDate: '2026-06-01' })),
    ).asked({
      'A license that was suspended is seen reinstated on 2026-06-04, since 2026-06-01; on 2026-06-02':
        isLicensed('2026-06-02'),
      'On 2026-05-31': noLicense('2026-05-31'),
    }),
  ],
  pending: [
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-01', license({ status: 'Pending' })),
    ).asked({
      'A license that was active becomes `Pending` on 2026-03-01; on 2026-03-10': noLicense('2026-03-10'),
      'On 2026-02-28': isLicensed('2026-02-28'),
    }),
    after(licenseList('2026-03-01', license({ status: 'Pending', statusDate: '2026-02-01' }))).asked({
      'A license is first seen as `Pending`': noLicense('2025-06-01'),
    }),
    after(licenseList('2026-01-10', license({ status: 'Active - Renewal pending' }))).asked({
      'The status is `Active - Renewal pending`': isLicensed('2026-03-10'),
    }),
  ],
  'end-of-no-term': [
    after(
      licenseImport(
        '2026-01-10',
        { issueDate: '2026-02-15' },
        { ...formerRevoked, statusDate: null, validFrom: '2026-03-10' },
      ),
      licenseImport('2026-03-01', { ...formerRevoked, statusDate: null }),
    ).asked({
      'An import has a license that begins on 2026-02-15 beside a former term that it says is revoked from 2026-03-10 on, and one of 2026-03-01 has the former term as revoked':
        noLicense('2026-03-02'),
      'The same with the knowledge of 2026-02-28': isLicensed('2026-03-02', { knownAt: '2026-02-28' }),
    }),
    after(
      licenseList('2026-01-10', license(), formerRevoked),
      licenseList('2026-02-10', license({ issueDate: '2026-02-05' }), formerRevoked),
      licenseImport('2026-02-20', { issueDate: '2026-02-05', isDeleted: true }),
    ).asked({
      'A list has a term beside a former one that was revoked on 2026-01-05, the next list a new term beside that one, and an import says that the new term never was; on 2026-02-03':
        noLicense('2026-02-03'),
      'The same with the knowledge of 2026-02-19': isLicensed('2026-02-03', { knownAt: '2026-02-19' }),
    }),
    after(
      {
        ...licenseImport('2026-01-10', {}, { ...formerRevoked, statusDate: null }),
        unread: [
          {
            stateCode: 'TX',
            kind: 'license',
            licenseNumber: '1001',
            licenseClassCode: null,
            licenseClassName: null,
            isLive: false,
          },
        ],
      } as CaseCommand,
      licenseImport('2026-02-10', {}, { ...formerRevoked, statusDate: null }),
    ).asked({
      'An import has a license beside a former term that is revoked, and a row of it that cannot be read; one of 2026-02-10 has both once more':
        noLicense('2026-03-10'),
    }),
    after(
      licenseList(
        '2026-01-10',
        license(),
        license({
          licenseClassCode: null,
          licenseClassName: null,
          issueDate: null,
          status: 'Inactive',
          nextRenewalDate: '2025-08-15',
        }),
      ),
      licenseList(
        '2026-02-10',
        license({ licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' }),
        license({
          licenseClassCode: null,
          licenseClassName: null,
          issueDate: null,
          status: 'Inactive',
          nextRenewalDate: '2025-08-15',
        }),
      ),
    ).asked({
      'A list has a license as live beside a term without a class that ended on 2025-08-15 as inactive, and the next one that term beside a license of another class; on 2026-01-20':
        isExpired('2026-01-20'),
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ issueDate: null, status: 'Inactive', nextRenewalDate: '2025-01-31' }),
      ),
      licenseImport('2026-01-20', {}),
      setAside('2026-01-25', {
        stateCode: 'TX',
        kind: 'license',
        licenseNumber: '9',
        licenseClassCode: null,
        licenseClassName: null,
        isLive: false,
      }),
      licenseImport('2026-02-10', { issueDate: null, status: 'Inactive', nextRenewalDate: '2025-01-31' }),
    ).asked({
      'A list has a term that ended on 2025-01-31 as inactive, an import states a later one, a row of another number cannot be read, and an import repeats the former':
        isLicensed('2026-03-10', {}, { warnings: [] }),
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ issueDate: '2026-06-01' }),
        license({ issueDate: null, status: 'Inactive' }),
      ),
      licenseList(
        '2026-02-10',
        license({ issueDate: null, status: 'Inactive' }),
        license({ status: 'Revoked', statusDate: '2026-05-01' }),
      ),
    ).asked({
      'A list has a term that is to begin beside one without a date that is inactive, and the next list has the latter beside one that is revoked from 2026-05-01 on; on 2026-03-10':
        noLicense('2026-03-10'),
    }),
    after(
      licenseList(
        '2026-01-10',
        license(),
        license({ issueDate: '2026-01-05', status: 'Inactive', nextRenewalDate: '2026-03-07' }),
      ),
      licenseList(
        '2026-03-03T15:00:00.000Z',
        license({ issueDate: '2026-01-05', status: 'Inactive', nextRenewalDate: '2026-03-07' }),
      ),
      licenseImport('2026-03-03T16:00:00.000Z', { isDeleted: true }, { issueDate: '2026-02-10' }),
    ).asked({
      'A list has a license as live beside a term that is inactive, the next one has the latter alone, and an import of the same day deletes the license and states one of 2026-02-10; on 2026-03-10':
        isLicensed('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license({ issueDate: '2026-06-01', status: 'Expired' })),
      licenseImport(
        '2026-02-20',
        { issueDate: null, statusDate: '2026-02-10' },
        { issueDate: null, validFrom: '2026-01-01' },
      ),
    ).asked({
      'A list has a term that is to begin as expired, and an import states one without `issueDate` as active since 2026-02-10, and from 2026-01-01 on as active; on 2026-02-15':
        noLicense('2026-02-15'),
      'On 2026-02-20': isLicensed('2026-02-20'),
    }),
    after(
      licenseList(
        '2026-01-10',
        license(),
        license({ licenseClassCode: null, issueDate: null, status: 'Pending' }),
      ),
      licenseImport('2026-02-10', {}),
      licenseImport('2026-02-20', { licenseClassCode: null, issueDate: null, status: 'Pending' }),
    ).asked({
      'A list has a license as live beside one without a date that is pending, and two imports say the same again; on 2026-03-10':
        isLicensed('2026-03-10'),
    }),
    after(
      licenseList(
        '2026-01-10',
        license(),
        license({ status: 'Expired', statusDate: '2026-02-01', issueDate: '2026-03-01' }),
      ),
      licenseImport('2026-01-20', { status: 'Expired', statusDate: '2026-02-01', issueDate: '2026-03-01' }),
      licenseList(
        '2026-01-30',
        license({ status: 'Expired', statusDate: '2026-02-01', issueDate: '2026-03-01' }),
      ),
    ).asked({
      'A list has a license as live beside one of 2026-03-01 that expired on 2026-02-01, an import repeats the latter, and the next list has it alone; on 2026-02-10':
        noLicense('2026-02-10'),
    }),
    after(
      licenseList('2026-01-10', license({ issueDate: '2026-06-01', status: 'suspended' })),
      licenseImport('2026-02-10', { issueDate: null }),
      licenseImport('2026-02-10', { issueDate: null, statusDate: '2026-02-05' }),
    ).asked({
      'A list has a term that is to begin as suspended, and an import in two calls states one without `issueDate` twice, once as active since 2026-02-05; on 2026-02-07':
        isLicensed('2026-02-07'),
    }),
    after(
      licenseImport('2026-01-10', { issueDate: '2026-03-01', validFrom: '2026-02-01' }),
      licenseList(
        '2026-01-20',
        license({ issueDate: '2026-03-01' }),
        license({ status: 'Inactive', statusDate: '2026-03-05' }),
      ),
    ).asked({
      'An import says from 2026-02-01 on that a term begins on 2026-03-01, and a list of 2026-01-20 has that beside an earlier term that is inactive since 2026-03-05; on 2026-03-10':
        isLicensed('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license({ expirationDate: '2026-12-31' })),
      licenseList(
        '2026-01-20',
        license({ expirationDate: '2026-12-31' }),
        license({ status: 'Revoked', statusDate: '2026-01-15', issueDate: '2026-03-01' }),
      ),
      licenseList(
        '2026-01-30',
        license({ status: 'Revoked', statusDate: '2026-01-15', issueDate: '2026-03-01' }),
      ),
    ).asked({
      'A list has a license of 2025-03-01 as live, the next list beside it one of 2026-03-01 as revoked since 2026-01-15, and the last list only the latter; on 2026-01-20':
        noLicense('2026-01-20'),
    }),
    after(
      licenseList('2026-01-10', license({ expirationDate: '2026-12-31' })),
      licenseImport('2026-02-10', { status: 'Inactive', issueDate: '2026-03-01' }),
      licenseImport(
        '2026-02-20',
        { expirationDate: '2027-12-31' },
        { status: 'Inactive', issueDate: '2026-03-01' },
      ),
    ).asked({
      'An import has a license of 2026-03-01 as inactive, which ends one of 2025-03-01, and a later import has that again, and the other as live with another date; on 2026-03-10':
        noLicense('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license(), license({ status: 'Revoked', issueDate: '2024-01-01' })),
      licenseImport(
        '2026-02-10',
        { validFrom: '2025-03-02' },
        { status: 'Revoked', issueDate: '2024-01-01' },
      ),
    ).asked({
      'A list has a license of 2025-03-01 as live and one of 2024-01-01 as revoked, and an import has both, the former from 2025-03-02 on; on 2026-03-10':
        noLicense('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license({ status: 'Inactive', issueDate: '2026-03-01' })),
      licenseImport('2026-02-10', {}, { status: 'Inactive', issueDate: '2026-03-01' }),
    ).asked({
      'A list has a license of 2026-03-01 as inactive, and an import states that again, and one of 2025-03-01 as live; on 2026-02-20':
        noLicense('2026-02-20'),
    }),
    after(
      licenseList('2026-02-01', license(), license({ issueDate: null, status: 'Suspended' })),
      licenseList('2026-02-10', license({ issueDate: null, status: 'Suspended' })),
      licenseList('2026-02-20', license()),
    ).asked({
      'A list has a license as live and, without an `issueDate`, as suspended, the next one only as suspended, and one 10 days later only as live; on 2026-02-15':
        noLicense('2026-02-15'),
      'On 2026-02-05': isLicensed('2026-02-05'),
      'On 2026-02-20': isLicensed('2026-02-20'),
    }),
    after(
      licenseList('2026-02-01', license({ issueDate: null, status: 'Suspended' })),
      licenseImport(
        '2026-02-20',
        { statusDate: '2026-02-10', nextRenewalDate: '2026-12-31' },
        { nextRenewalDate: '2027-12-31' },
      ),
    ).asked({
      'An import has it as live again in two rows, of which the one that ends first has the `statusDate` 2026-02-10; on 2026-02-15':
        noLicense('2026-02-15'),
    }),
    after(
      licenseList('2026-02-01', suspendedAnew),
      licenseImport('2026-02-02', {}),
      licenseList('2026-02-03', suspendedAnew),
    ).asked({
      'A list has only a license issued on 2026-03-20 and suspended on 2026-03-01, an import one of 2025 as live, and the next list is as the first one':
        noLicense('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseImport('2026-02-01', {}, { issueDate: null, status: 'Suspended' }),
      licenseImport('2026-02-02', {}, { issueDate: null, status: 'Suspended' }),
    ).asked({
      'An import states a listed license as live and, without an `issueDate`, as suspended, and so does one of the next day':
        noLicense('2026-03-10'),
    }),
    after(
      licenseImport('2026-02-01', {}, { issueDate: null, status: 'Suspended' }),
      licenseImport('2026-02-02', {}),
    ).asked({
      'An import states a license as live and, without an `issueDate`, as suspended, and one of the next day as live alone; on 2026-02-01':
        noLicense('2026-02-01'),
      'On 2026-02-02': isLicensed('2026-02-02'),
    }),
    after(
      licenseList(
        '2026-02-01',
        license({ issueDate: null }),
        license({ issueDate: '2026-03-20', status: 'Suspended' }),
      ),
      licenseList('2026-02-02', license()),
    ).asked({
      'A list has a license as live and a term of 2026-03-20 as suspended, and the next list corrects the `issueDate` of the former':
        isLicensed('2026-03-10'),
    }),
    endedBy({ issueDate: '2018-01-01' }, { issueDate: '2018-01-02' }).asked({
      'A license issued on 2018-01-01, and an import has it as issued on 2018-01-02 and revoked':
        noLicense('2026-03-10'),
    }),
    after(
      licenseList(
        '2026-01-10',
        license({ issueDate: '2010-01-01', nextRenewalDate: '2014-12-31', status: 'Inactive' }),
        license({ issueDate: '2018-01-01' }),
      ),
    ).asked({
      'A list has a term of 2010 to 2014 as `Inactive` and one of 2018 as `Active`': isLicensed('2026-03-10'),
    }),
    after(
      licenseImport('2026-01-10', {
        issueDate: '2010-01-01',
        nextRenewalDate: '2014-12-31',
        status: 'Inactive',
      }),
      licenseImport('2026-01-11', { issueDate: '2018-01-01' }),
    ).asked({ 'Two imports have them': isLicensed('2026-03-10', {}, { warnings: ['end_unmatched'] }) }),
    after(
      licenseImport('2026-01-10', { issueDate: '2018-01-01' }),
      licenseImport('2026-01-11', {
        issueDate: '2010-01-01',
        nextRenewalDate: '2014-12-31',
        status: 'Inactive',
      }),
    ).asked({ 'In the other order': isLicensed('2026-03-10', {}, { warnings: ['end_unmatched'] }) }),
    after(
      licenseImport('2026-01-10', {
        issueDate: '2010-01-01',
        nextRenewalDate: '2014-12-31',
        status: 'Inactive',
      }),
      licenseList(
        '2026-01-11',
        license({ issueDate: '2010-01-01', nextRenewalDate: '2014-12-31', status: 'Inactive' }),
        license({ issueDate: '2018-01-01' }),
      ),
    ).asked({
      'An import has the former, and a list after it both': isLicensed('2026-03-10', {}, { warnings: [] }),
    }),
    after(
      licenseImport('2026-01-10', { issueDate: '2018-01-01' }),
      licenseImport('2026-02-10', { issueDate: null, status: 'Revoked', statusDate: '2026-02-01' }),
    ).asked({
      'An import has the license as revoked since 2026-02-01, without an `issueDate`; on 2026-02-01':
        noLicense('2026-02-01'),
      'On 2026-01-31': isLicensed('2026-01-31'),
    }),
  ],

  // ── Lines
  'no-line-counts': after(
    licenseList('2026-01-10', license({ linesOfAuthority: lines(['16'], 'Inactive') })),
  ).asked({
    'The only line of the license is `Inactive`, and the product requires none': noLine('2026-03-10'),
  }),
  'line-issue-date': [
    after(
      licenseList(
        '2026-01-10',
        license({ issueDate: '2018-01-01', linesOfAuthority: [line('16', { issueDate: '2025-05-01' })] }),
      ),
    ).asked({
      'A license of 2018 has the line since 2025-05-01; in 2021': noLine('2021-06-01', { lines: ['16'] }),
      'On 2025-05-01': isLicensed('2025-05-01', { lines: ['16'] }, { warnings: [] }),
    }),
    after(
      licenseList(
        '2020-01-10',
        license({ issueDate: '2018-01-01', linesOfAuthority: [line('16', { issueDate: '2018-01-01' })] }),
      ),
      licenseList(
        '2026-03-01',
        license({ issueDate: '2018-01-01', linesOfAuthority: [line('16', { issueDate: '2026-02-01' })] }),
      ),
    ).asked({
      'A later list has 2026-02-01 for a line that was listed with 2018-01-01; in 2020': isLicensed(
        '2020-06-01',
        {
          lines: ['16'],
        },
      ),
    }),
    after(licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) }))).asked({
      'The line has no date of its own; on a day before it became known': isLicensed(
        '2025-06-01',
        { lines: ['16'] },
        { warnings: ['line_date_unknown'] },
      ),
    }),
  ],
  'line-kept': after(
    licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
    licenseImport('2026-03-01', {}),
  ).asked({
    'An import has the license without any line': isLicensed('2026-03-10', { lines: ['16'] }),
  }),
  'continuing-education': after(
    licenseList(
      '2026-01-10',
      license({
        linesOfAuthority: [
          line('16', { issueDate: '2025-03-01', ceCompliance: 'not in compliance', ceCreditsNeeded: 12 }),
          line('20', { issueDate: '2025-03-01', ceCompliance: 'in compliance' }),
        ],
      }),
    ),
  ).asked({
    'The registry says of the line 16 that continuing education is not in compliance': isLicensed(
      '2026-03-10',
      { lines: ['16'] },
      { warnings: ['ce_not_in_compliance'] },
    ),
    'It says so of the line 16 alone, and the product requires 20': isLicensed(
      '2026-03-10',
      { lines: ['20'] },
      { warnings: [] },
    ),
    'The product requires no line': isLicensed('2026-03-10', {}, { warnings: ['ce_not_in_compliance'] }),
  }),
  'line-without-code': after(
    licenseList(
      '2026-01-10',
      license({ linesOfAuthority: [line('', { name: 'CASUALTY' })] }),
      license({
        licenseNumber: '2',
        issueDate: '2020-01-01',
        nextRenewalDate: '2024-12-31',
        linesOfAuthority: lines(['16']),
      }),
    ),
  ).asked({
    'The license has a line `CASUALTY` without a code, and another license of the state gives that name the code 16':
      isLicensed('2026-03-10', { lines: ['16'] }),
  }),

  // ── Home state
  'home-state': [
    after(
      licenseList(
        '2026-01-10',
        nonResident(),
        license({ stateCode: 'KS', licenseNumber: '2', nextRenewalDate: '2025-12-31' }),
        license({ stateCode: 'KS', licenseNumber: '3', residencyStatus: 'non-resident' }),
      ),
    ).asked({
      'The license of the home state expired, which has a non-resident one of the holder in force too':
        homeNotActive('2026-03-10', inGeorgia()),
    }),
    after(
      licenseList(
        '2026-01-10',
        nonResident(),
        license({ stateCode: 'KS', licenseNumber: '2', nextRenewalDate: '2025-12-31' }),
      ),
      licenseImport('2026-01-15', {
        stateCode: 'KS',
        licenseNumber: '3',
        issueDate: '2024-01-01',
        nextRenewalDate: '2025-12-31',
      }),
      licenseImport('2026-01-20', { stateCode: 'KS', licenseNumber: '4', issueDate: '2026-06-01' }),
    ).asked({
      'The license that the registry has of it expired, and an import has an earlier one that expired and one that is to begin':
        homeNotActive('2026-03-10', inGeorgia()),
    }),
    after(
      licenseList(
        '2026-01-10',
        nonResident(),
        license({ stateCode: 'KS', issueDate: '2017-01-01', nextRenewalDate: '2025-12-31' }),
      ),
    ).asked({
      'The registry lists a license of Georgia, and that of the home state, Kansas, which expired':
        homeNotActive('2026-03-10', inGeorgia()),
      'On a day on which it had not': isLicensed('2025-06-01', inGeorgia(), { warnings: [] }),
    }),
    after(
      licenseList(
        '2025-06-10',
        nonResident({ licenseClassCode: '1' }),
        license({ stateCode: 'KS', issueDate: '2017-01-01' }),
      ),
      licenseList(
        '2026-01-10',
        nonResident({ licenseClassCode: '1' }),
        license({ stateCode: 'KS', issueDate: '2017-01-01', status: 'Revoked' }),
      ),
    ).asked({
      'That of Kansas is revoked, and the product names the class of the license of Georgia': homeNotActive(
        '2026-03-10',
        inGeorgia({ requires: { licenseClasses: ['1'] } }),
      ),
    }),
    after(
      licenseList('2026-01-10', nonResident(), license({ stateCode: 'KS', issueDate: '2017-01-01' })),
      action('2026-02-01', 'Suspension', { effectiveDate: '2026-02-01', lengthOfOrderInDays: 365 }, 'KS'),
    ).asked({
      'Kansas suspended the license that is still listed as live there': homeNotActive(
        '2026-03-10',
        inGeorgia(),
      ),
    }),
    after(
      licenseList('2019-01-10', nonResident(), license({ issueDate: '2015-01-01' })),
      licenseList(
        '2025-06-10',
        nonResident(),
        license({ issueDate: '2015-01-01', status: 'Inactive', statusDate: '2025-06-01' }),
        license({ stateCode: 'CO', issueDate: '2025-05-20' }),
      ),
    ).asked({
      'A producer moved from Texas to Colorado in 2025; in 2020': isLicensed('2020-06-01', inGeorgia()),
      'In 2026': isLicensed('2026-03-10', inGeorgia()),
    }),
    ...(['DC', 'PR'] as const).map((stateCode) =>
      after(licenseList('2026-01-10', nonResident(), license({ stateCode, issueDate: '2015-01-01' }))).asked({
        [`The home state is ${stateCode}`]: isLicensed('2026-03-10', inGeorgia(), { warnings: [] }),
      }),
    ),
    after(
      licenseList(
        '2026-01-10',
        nonResident(),
        license({ stateCode: 'KS', issueDate: '2017-01-01' }),
        license({ stateCode: 'MO', issueDate: '2018-01-01', nextRenewalDate: '2025-12-31' }),
      ),
    ).asked({
      'An agency is resident in two states, and licensed in one of them': isLicensed(
        '2026-03-10',
        inGeorgia({ party: 'agency' }),
      ),
    }),
  ],
  'home-state-unknown': [
    after(
      licenseImport('2026-01-10', nonResident(), {
        stateCode: 'TX',
        issueDate: '2015-01-01',
        nextRenewalDate: '2024-12-31',
        status: 'Expired',
      }),
    ).asked({
      'Only imports say of the licenses, and that of the home state has expired': isLicensed(
        '2026-03-10',
        inGeorgia(),
        {
          warnings: [home.license],
        },
      ),
    }),
    after(licenseList('2026-01-10', nonResident())).asked({
      'No resident license is known: the producer lives in Canada': isLicensed('2026-03-10', inGeorgia(), {
        warnings: [home.license],
      }),
    }),
    after(
      licenseList('2026-01-10', nonResident(), license({ stateCode: 'KS', licenseClassName: 'Adjuster' })),
    ).asked({
      'The only resident license is an adjuster’s': isLicensed('2026-03-10', inGeorgia(), {
        warnings: [home.license],
      }),
    }),
  ],
  'home-state-ignored': after(
    licenseList(
      '2026-01-10',
      nonResident(),
      license({ stateCode: 'KS', issueDate: '2017-01-01', nextRenewalDate: '2025-12-31' }),
    ),
  ).asked({
    '`homeState` is `ignored`, and the license of the home state has expired': isLicensed(
      '2026-03-10',
      inGeorgia({ requires: { homeState: 'ignored' } }),
      { warnings: [] },
    ),
  }),

  // ── Orders
  order: [
    after(
      licensed,
      action('2026-02-10', 'License, Suspended', { effectiveDate: '2026-02-01', lengthOfOrderInDays: 365 }),
    ).asked({
      'A suspension of 365 days from 2026-02-01 on, while the license is still live; on 2026-02-01':
        underOrder('2026-02-01'),
      'On 2026-01-31': isLicensed('2026-01-31'),
      'On 2027-01-31': underOrder('2027-01-31'),
      'On 2027-02-01': isLicensed('2027-02-01'),
    }),
    after(
      licensed,
      action('2026-02-10', 'Revocation', { effectiveDate: '2026-02-01', lengthOfOrderInDays: 0 }),
    ).asked({
      'A revocation of 2026-02-01, with a length of 0 days; on 2026-03-10': underOrder('2026-03-10'),
    }),
    after(licensed, action('2026-02-10', 'Voluntary surrender', { enterDate: '2026-02-05' })).asked({
      'A surrender with an `enterDate` alone, 2026-02-05; on 2026-02-04': isLicensed('2026-02-04'),
      'On 2026-02-05': underOrder('2026-02-05'),
    }),
    after(licensed, action('2026-02-10', 'Revoked')).asked({
      'A revocation without any date became known on 2026-02-10; on that day': underOrder('2026-02-10'),
      'On the day before': isLicensed('2026-02-09'),
    }),
    after(
      licensed,
      action('2026-02-10', 'Revoked'),
      action('2026-02-20', 'Revoked', { lengthOfOrderInDays: 365 }),
    ).asked({ 'It is stated with a length ten days later; on 2026-02-10': underOrder('2026-02-10') }),
    after(licensed, action('2026-02-10', 'Revoked'), actionRetracted('2026-02-20', 'Revoked')).asked({
      'The revocation is taken back': isLicensed('2026-02-12'),
    }),
    after(
      licensed,
      action('2026-02-10', 'Revoked'),
      actionRetracted('2026-02-20', 'Revoked'),
      action('2026-03-05', 'Revoked'),
    ).asked({
      'It is taken back, and stated again on 2026-03-05; on 2026-03-04': isLicensed('2026-03-04'),
      'It is taken back, and stated again; on 2026-03-05': underOrder('2026-03-05'),
    }),
    after(
      licensed,
      action('2026-02-10', 'Revoked'),
      action('2026-02-11', 'Suspension'),
      actionRetracted('2026-02-20', 'Suspension'),
    ).asked({ 'Of two orders, one is taken back': underOrder('2026-03-10') }),
    after(licensed, action('2026-02-10', 'Revoked', { effectiveDate: '2026-02-01' }, 'CA')).asked({
      'California revoked a license': isLicensed('2026-03-10'),
    }),
  ],
  'order-length': [
    after(
      licenseList('2025-01-10', license()),
      action('2025-02-10', 'Revoked', { effectiveDate: '2025-02-01' }),
      licenseList('2026-03-01', license({ nextRenewalDate: '2027-12-31' })),
    ).asked({
      'The next list that states the license live is one of 2026-03-01; on 2026-02-01':
        isLicensed('2026-02-01'),
      'On 2026-01-31, the last of 365 days': underOrder('2026-01-31'),
    }),
    after(
      licenseList('2026-01-10', license()),
      action('2026-02-10', 'Suspension', { effectiveDate: '2026-02-01', lengthOfOrderInDays: 60 }),
      licenseList('2026-03-20', license({ nextRenewalDate: '2027-12-31' })),
    ).asked({
      'A suspension of 60 days, while a list of 2026-03-20 states the license live; on 2026-04-01':
        underOrder('2026-04-01'),
      'On 2026-04-02': isLicensed('2026-04-02'),
    }),
    after(
      licenseList('2026-01-10', license()),
      action('2026-02-10', 'Revoked', { effectiveDate: '2026-02-01' }),
      licenseList('2026-03-02', license()),
      licenseList('2026-03-20', license()),
    ).asked({
      'A revocation of 2026-02-01 without a length, and lists of 2026-03-02, 29 days later, and of 2026-03-20 state the license live; on 2026-03-19':
        underOrder('2026-03-19'),
      'On 2026-03-20': isLicensed('2026-03-20'),
    }),
    after(
      licenseList('2026-01-10', license()),
      licenseList('2026-03-05', license({ nextRenewalDate: '2027-12-31' })),
      action('2026-03-08', 'Revoked', { effectiveDate: '2026-02-01' }),
    ).asked({
      'Only a list of 2026-03-05 states it live, and the revocation of 2026-02-01 became known on 2026-03-08':
        underOrder('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license()),
      action('2026-02-08', 'Revoked', { effectiveDate: '2026-02-05' }),
      licenseList('2026-03-05', license()),
      action('2026-03-08', 'Revoked', { effectiveDate: '2026-02-01' }),
    ).asked({
      'A list of 2026-03-05 states it live, and an import of 2026-03-08 corrects the first day of the revocation from 2026-02-05 to 2026-02-01':
        underOrder('2026-03-10'),
    }),
    after(licenseList('2026-01-10', license()), {
      kind: 'list',
      at: '2026-03-05T15:00:00.000Z',
      licenses: [license()],
      actions: [{ stateCode: 'TX', actionId: '1', action: revocation }],
    }).asked({
      'The poll of 2026-03-05 states it for the first time, and the license as live':
        isLicensed('2026-03-10'),
    }),
    after(licensed, action('2025-02-10', 'Revoked', { effectiveDate: '2025-02-01' })).asked({
      'No list states it; on 2026-01-31, the last of 365 days': underOrder('2026-01-31'),
      'On 2026-02-01': isLicensed('2026-02-01'),
    }),
  ],
  'order-stayed': ['Suspension stayed', 'Revocation - Rescinded', 'Fine suspended', 'Monetary penalty'].map(
    (disposition) =>
      after(licensed, action('2026-02-10', disposition, { effectiveDate: '2026-02-01' })).asked({
        [`The disposition is \`${disposition}\``]: isLicensed('2026-03-10'),
      }),
  ),
  'cease-and-desist': after(licensed, action('2026-02-10', 'Cease and Desist')).asked({
    'A cease and desist order without a date, and the license is live': licenseNotKnown(
      'regulatory_action_in_force?',
    )('2026-03-10'),
  }),

  // ── Appointments
  'appointment-pending': [
    ...['Pending', 'Rejected', 'Denied', 'Incomplete'].map((status) =>
      after(
        licensed,
        appointmentList('2026-03-01', appointment({ status, statusChangeDate: '2026-02-01' })),
      ).asked({
        [`The only row is \`${status}\` since 2026-02-01; in 2021`]: notAppointed('2021-05-05'),
        [`\`${status}\`, on 2026-03-10`]: notAppointed('2026-03-10'),
      }),
    ),
    ...['Approved', 'In Force', 'APPOINTED'].map((status) =>
      after(
        licensed,
        appointmentList('2026-03-01', appointment({ status, statusChangeDate: '2026-02-01' })),
      ).asked({
        [`The only row is \`${status}\` since 2026-02-01; in 2021`]: notAppointed('2021-05-05'),
        [`\`${status}\`, on 2026-03-10`]: isAppointed('2026-03-10'),
      }),
    ),
  ],
  'effective-date': [
    after(
      licensed,
      appointmentList(
        '2026-01-10',
        terminated({ statusChangeDate: '2020-06-30' }),
        appointment({ statusChangeDate: '2024-01-01', effectiveDate: '2015-01-01' }),
      ),
    ).asked({
      'Appointed on 2024-01-01, effective 2015-01-01, and terminated on 2020-06-30; in 2022':
        appointmentEnded('2022-06-01'),
      'In 2018': isAppointed('2018-06-01'),
    }),
    after(
      licensed,
      appointmentList(
        '2026-01-10',
        appointment({ statusChangeDate: '2015-01-01' }),
        terminated({ statusChangeDate: '2020-06-30' }),
        appointment({ statusChangeDate: '2024-01-01', effectiveDate: '2024-01-01' }),
      ),
    ).asked({ 'Appointed from 2015 to 2020 and again on 2024-01-01; in 2018': isAppointed('2018-06-01') }),
  ],
  'broad-end': [
    after(
      licensed,
      appointmentImport(
        '2026-01-10',
        appointment({ carrierName: null, countyName: 'Travis', lineOfAuthorityCode: '20' }),
        terminated({ lineOfAuthorityCode: '20', statusChangeDate: '2025-06-01' }),
      ),
      appointmentImport('2026-02-10', terminated({ companyCode: null, countyName: 'TRAVIS' })),
    ).asked({
      'An appointment for a county by the company’s code alone, another row that gives the code its name, and an end for the county by that name':
        appointmentEnded('2026-03-10'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', terminated({ countyName: 'Travis' })),
      appointmentImport('2026-01-20', appointment({ statusChangeDate: '2026-02-01' })),
      appointmentImport('2026-02-10', terminated({ countyName: 'Travis' })),
    ).asked({
      'An import states an end for a county that nobody holds, the next one an appointment of its day, and the third one the end again; after it':
        appointmentEnded('2026-02-15'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ lineOfAuthorityCode: '16' })),
      appointmentImport('2026-02-10', terminated()),
    ).asked({
      'An appointment for the line 16, and an import has a termination without a line':
        appointmentEnded('2026-03-10'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ lineOfAuthorityName: 'Casualty' })),
      appointmentImport(
        '2026-02-10',
        terminated({ lineOfAuthorityName: 'CASUALTY', lineOfAuthorityCode: '16' }),
      ),
    ).asked({
      'An appointment for `Casualty`, and a termination for `CASUALTY` with the code 16':
        appointmentEnded('2026-03-10'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ countyName: 'Miami-Dade' })),
      appointmentImport('2026-02-10', terminated({ countyName: 'MIAMI DADE' })),
    ).asked({
      'An appointment for the county `Miami-Dade`, and a termination for `MIAMI DADE`':
        appointmentEnded('2026-03-10'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ countyName: 'Miami-Dade' })),
      appointmentImport('2026-02-10', terminated({ countyName: 'DADE' })),
    ).asked({ 'A termination for `DADE`, a county that no row has': appointmentEnded('2026-03-10') }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ companyCode: '19437' })),
      appointmentImport('2026-02-10', terminated({ companyCode: '019437' })),
    ).asked({
      'An appointment of the company 19437, and a termination of 019437': appointmentEnded('2026-03-10'),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentImport('2026-02-10', terminated({ companyCode: null, carrierName: 'Other Mutual' })),
    ).asked({
      'A termination of another name without a code, which ends nothing': isAppointed(
        '2026-03-10',
        {},
        { warnings: ['end_unmatched'] },
      ),
    }),
    after(
      licensed,
      appointmentImport(
        '2026-01-10',
        appointment({ lineOfAuthorityCode: '16', lineOfAuthorityName: 'Casualty' }),
        terminated({ lineOfAuthorityName: 'Property' }),
      ),
      appointmentList(
        '2026-02-10',
        appointment({ lineOfAuthorityCode: '16', lineOfAuthorityName: 'Casualty' }),
        terminated({ lineOfAuthorityName: 'Property' }),
      ),
      appointmentImport('2026-02-20', terminated({ lineOfAuthorityName: 'Property' })),
    ).asked({
      'An import has an appointment and the termination of another line, which ends nothing, a list has both, and an import the termination once more':
        isAppointed('2026-03-10', {}, { warnings: [] }),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentImport('2026-02-10', terminated({ statusChangeDate: null })),
    ).asked({
      'A termination without a date is imported on 2026-02-10; on 2026-02-09': isAppointed('2026-02-09'),
      'On 2026-02-10': appointmentEnded('2026-02-10'),
    }),
  ],

  // ── Whose appointment
  'all-lines-by-name': ['All Lines', 'ALL'].map((lineOfAuthorityName) =>
    after(licensed, appointmentList('2026-01-10', appointment({ lineOfAuthorityName }))).asked({
      [`The name of the appointment’s line is \`${lineOfAuthorityName}\``]: isAppointed('2026-03-10', {
        lines: ['16'],
      }),
    }),
  ),
  'state-codes': after(licensed, appointmentList('2026-01-10', appointment())).asked({
    'The state of the config names the company 22667, and the appointment has the organization’s':
      notAppointed('2026-03-10', {
        requires: { carrierNaicCodes: ['22667'] },
      }),
    'The product names 22667, and the state the organization’s': isAppointed('2026-03-10', {
      carrierNaicCodes: ['22667'],
      requires: { carrierNaicCodes: ['19437'] },
    }),
  }),
  'writing-company': [
    after(
      licensed,
      appointmentList(
        '2026-01-10',
        appointment({ companyCode: '10847', carrierName: 'Beacon of Texas' }),
        appointment({ companyCode: null, carrierName: 'Beacon Lloyds' }),
      ),
    ).asked({
      'An appointment without a code has the name that the sale is of, and the catalog has it for 10847':
        isAppointed('2026-03-10', {
          carrier: group,
          company: { name: 'Beacon Lloyds' },
          catalog: { 'Beacon Lloyds': '10847' },
        }),
    }),
    after(licensed, appointmentList('2026-01-10', ofCompany('10847'))).asked({
      'The organization has two codes, the sale is of the company 19437, and the appointment of 10847':
        notAppointed('2026-03-10', {
          carrier: group,
          company: { naicCode: '19437' },
        }),
      'The sale is of 10847': isAppointed('2026-03-10', { carrier: group, company: { naicCode: '10847' } }),
      'The sale is of `BEACON LLOYDS`, the name on the appointment': isAppointed('2026-03-10', {
        carrier: group,
        company: { name: 'BEACON LLOYDS' },
      }),
      'The sale is of a name that the catalog has for 19437': notAppointed('2026-03-10', {
        carrier: group,
        company: { name: 'Beacon Casualty Company' },
        catalog: { 'Beacon Casualty Company': '19437' },
      }),
      'The product names two codes, of which the appointment has one, and the sale is of the other':
        notAppointed('2026-03-10', {
          carrierNaicCodes: ['11111', '10847'],
          company: { naicCode: '11111' },
        }),
    }),
    after(licensed, appointmentList('2026-01-10', appointment())).asked({
      'The organization has one code, and the sale is of `ABC Ins Co`': isAppointed('2026-03-10', {
        carrier: { ...beacon, eins: [] },
        company: { name: 'ABC Ins Co' },
      }),
    }),
  ],
  'company-unknown': [
    after(
      licensed,
      appointmentList(
        '2026-01-10',
        appointment({ companyCode: '10847', carrierName: 'Beacon Lloyds' }),
        terminated({ companyCode: '19437', carrierName: 'Beacon Lloyds' }),
      ),
    ).asked({
      'The sale is of a name that appointments of both companies have, and one of them has ended':
        appointmentNotKnown('company_unknown?')('2026-03-10', {
          carrier: group,
          company: { name: 'Beacon Lloyds' },
        }),
    }),
    after(
      licensed,
      setAside('2026-02-10', {
        stateCode: 'TX',
        kind: 'appointment',
        companyCode: '10847',
        ein: null,
        carrierName: 'Beacon Lloyds',
      }),
    ).asked({
      'The sale is of a name that only a row has that could not be read': appointmentNotKnown(
        'company_unknown?',
        'row_not_understood?',
      )('2026-03-10', { carrier: group, company: { name: 'Beacon Lloyds' } }),
    }),
    after(licensed, appointmentList('2026-01-10', ofCompany('10847'))).asked({
      'The sale is of a name that nobody knows, and one of two companies has appointed the agent':
        appointmentNotKnown('company_unknown?')('2026-03-10', {
          carrier: group,
          company: { name: 'ABC Ins Co' },
        }),
      'The sale is of the company 22667, which is none of the two': appointmentNotKnown('company_unknown?')(
        '2026-03-10',
        {
          carrier: group,
          company: { naicCode: '22667' },
        },
      ),
    }),
    after(licensed, appointmentList('2026-01-10', ofCompany('10847'), ofCompany('19437'))).asked({
      'The sale is of a name that nobody knows, and both companies have appointed the agent': isAppointed(
        '2026-03-10',
        {
          carrier: group,
          company: { name: 'ABC Ins Co' },
        },
      ),
    }),
  ],
  'company-not-named': [
    after(licensed, appointmentList('2026-01-10', ofCompany('10847'))).asked({
      'The sale names no company, and one of two has appointed the agent': isAppointed(
        '2026-03-10',
        { carrier: group },
        { warnings: [home.company] },
      ),
    }),
    after(licensed, appointmentList('2026-01-10', ofCompany('10847'), ofCompany('19437'))).asked({
      'Both have': isAppointed('2026-03-10', { carrier: group }, { warnings: [] }),
    }),
  ],
  'by-group': after(licensed, appointmentList('2026-01-10', ofCompany('10847'))).asked({
    '`appointmentBy` is `group`, the sale is of the company 19437, and the appointment of 10847': isAppointed(
      '2026-03-10',
      {
        carrier: group,
        company: { naicCode: '19437' },
        requires: { appointmentBy: 'group' },
      },
    ),
  }),

  // ── What a product requires
  'license-classes': [
    after(
      licenseList('2026-01-10', license({ licenseClassCode: '16', licenseClassName: 'Property Bail Agent' })),
    ).asked({
      '`licenseClasses` is `["16"]`': isLicensed('2026-03-10', { requires: { licenseClasses: ['16'] } }),
      '`licenseClasses` is `["property bail agent"]`': isLicensed('2026-03-10', {
        requires: { licenseClasses: ['property bail agent'] },
      }),
      '`licenseClasses` is `["17"]`': wrongClass('2026-03-10', { requires: { licenseClasses: ['17'] } }),
    }),
  ],
  'further-licenses': [
    ...[['1001', '1002'] as const, ['1002', '1001'] as const].map((numbers) => {
      const lacking = [line('16', { issueDate: '2025-03-01', ceCompliance: 'not in compliance' })];
      const rows = numbers.map((licenseNumber) =>
        license({
          licenseNumber,
          licenseClassCode: 'SL',
          licenseClassName: 'Surplus Lines',
          linesOfAuthority: licenseNumber === '1001' ? lacking : [],
        }),
      );
      return after(licensed, licenseImport('2026-01-10', ...rows)).asked({
        [`Two licenses of the class are ${numbers.join(' and ')}; of the first number continuing education is not in compliance`]:
          isLicensed(
            '2026-03-10',
            { requires: { furtherLicenses: [{ licenseClasses: ['SL'] }] } },
            { warnings: [] },
          ),
      });
    }),
    after(licensed, surplusLines('2026-01-11', { status: 'Frobnicated' })).asked({
      'The status of the surplus lines license is not recognized': licenseNotKnown('status_unrecognized?')(
        '2026-03-10',
        { requires: { furtherLicenses: [{ licenseClasses: ['SL'] }] } },
      ),
    }),
    after(
      licensed,
      surplusLines('2026-01-11', { status: 'Frobnicated' }),
      surplusLines('2026-01-12', { licenseNumber: '78' }),
    ).asked({
      'The status of one of two surplus lines licenses is not recognized': isLicensed('2026-03-10', {
        requires: { furtherLicenses: [{ licenseClasses: ['SL'] }] },
      }),
    }),
    after().asked({
      'A surplus lines license is asked for beside a producer’s, and the agency holds it': isLicensed(
        '2026-03-10',
        {
          requires: { furtherLicenses: [{ licenseClasses: ['SL'] }] },
          sale: {
            agency: {
              commands: [
                licensed,
                licenseImport('2026-01-10', {
                  licenseClassCode: 'SL',
                  licenseClassName: 'Surplus Lines Broker',
                }),
              ],
            },
            sellers: [licensedParty],
          },
        },
      ),
      'The agency that holds it is under an order, and only the agent needs the other license': asks(
        answered('Missing License', 'Not Required', 'further_license_missing'),
      )('2026-03-10', {
        requires: brokered,
        sale: { agency: brokerUnder('Revoked'), sellers: [licensedParty] },
      }),
      'It is under a cease and desist order': licenseNotKnown('regulatory_action_in_force?')('2026-03-10', {
        requires: brokered,
        sale: { agency: brokerUnder('Cease and Desist'), sellers: [licensedParty] },
      }),
      'Nobody holds it': asks(answered('Missing License', 'Not Required', 'further_license_missing'))(
        '2026-03-10',
        {
          requires: { furtherLicenses: [{ licenseClasses: ['SL'] }] },
          sale: { agency: licensedParty, sellers: [licensedParty] },
        },
      ),
    }),
    after(
      setAside('2026-02-10', {
        stateCode: 'TX',
        kind: 'license',
        licenseNumber: '9',
        licenseClassCode: null,
        licenseClassName: null,
        isLive: true,
      }),
    ).asked({
      'All that is known is a live row that could not be read': licenseNotKnown('row_not_understood?')(
        '2026-03-10',
        { requires: { furtherLicenses: [{ licenseClasses: ['SL'] }] } },
      ),
    }),
  ],
  'appointment-overdue': [
    after(licensed, sold('2026-02-02', '2026-02-01')).asked({
      'The carrier appoints within 30 days, and a sale of 2026-02-01 is the first one; on 2026-03-03':
        onBinding('2026-03-03', { requires: within30 }),
      'On 2026-03-04': overdue('2026-03-04', { requires: within30 }),
      'Without `appointWithinDays`': onBinding('2026-03-04'),
      'With the knowledge of the day before it was imported': onBinding('2026-03-04', {
        requires: within30,
        knownAt: '2026-02-01',
      }),
    }),
    after(
      licensed,
      sold('2026-01-06', '2026-01-05'),
      appointmentList(
        '2026-03-01',
        appointment({ statusChangeDate: '2026-01-20', renewalDate: '2026-02-10' }),
      ),
      sold('2026-03-02', '2026-03-01'),
    ).asked({
      'The party was appointed from 2026-01-20 to 2026-02-10, after a first sale, and sold again on 2026-03-01; on 2026-03-10':
        onBinding('2026-03-10', { requires: within30 }),
      'On 2026-04-01': overdue('2026-04-01', { requires: within30 }),
    }),
    after(licensed, sold('2026-02-02', '2026-02-01'), {
      kind: 'import',
      at: '2026-02-10T15:00:00.000Z',
      sales: [{ stateCode: 'TX', transactionId: '2026-02-01', day: null }],
    }).asked({ 'The sale was taken back': onBinding('2026-03-10', { requires: within30 }) }),
    after(licensed, sold('2026-02-02', '2026-02-01', '10847')).asked({
      'The sale was for another company': onBinding('2026-03-10', { requires: within30 }),
      'The carrier has both companies, and its other one writes': onBinding('2026-03-10', {
        requires: within30,
        carrier: group,
        company: { naicCode: '19437' },
      }),
      'A company writes that is neither of them': overdue('2026-03-10', {
        requires: within30,
        carrier: group,
        company: { naicCode: '11111' },
      }),
    }),
  ],
  'appointment-late': [
    after(licensed, sold('2026-02-02', '2026-02-01')).asked({
      'The sale of 2026-02-01, within 30 days of which the carrier appoints, is looked at on 2026-03-03':
        onBinding('2026-02-01', { requires: within30, saleSeenOn: '2026-03-03' }),
      'On 2026-03-04': late('2026-02-01', { requires: within30, saleSeenOn: '2026-03-04' }),
    }),
    after(
      licensed,
      sold('2026-02-02', '2026-02-01'),
      appointmentList('2026-03-10', appointment({ statusChangeDate: '2026-03-03' })),
    ).asked({
      'The party was appointed on 2026-03-03': onBinding('2026-02-01', {
        requires: within30,
        saleSeenOn: '2026-04-10',
      }),
    }),
    after(
      licensed,
      sold('2026-02-02', '2026-02-01'),
      appointmentList('2026-03-10', appointment({ statusChangeDate: '2026-03-04' })),
    ).asked({
      'It was appointed on 2026-03-04': late('2026-02-01', { requires: within30, saleSeenOn: '2026-04-10' }),
    }),
  ],
  'license-of': [
    after().asked({
      '`licenseOf` is `agency`; an agent without a license': asks(answered('Not Required', 'Not Required'))(
        '2026-03-10',
        {
          requires: { licenseOf: 'agency' },
        },
      ),
      '`licenseOf` is `agency`; an agency without one': noLicense('2026-03-10', {
        party: 'agency',
        requires: { licenseOf: 'agency' },
      }),
      '`licenseOf` is `agent`, and the agency of the sale has none': isLicensed('2026-03-10', {
        requires: { licenseOf: 'agent' },
        sale: { agency: nobody, sellers: [licensedParty] },
      }),
      '`licenseOf` is `agent`, and no agent is there': licenseNotKnown('seller_not_named?')('2026-03-10', {
        requires: { licenseOf: 'agent' },
        sale: { agency: licensedParty, sellers: [] },
      }),
      '`licenseOf` is `agency`, and no agency is there': licenseNotKnown('agency_unknown?')('2026-03-10', {
        requires: { licenseOf: 'agency' },
        sale: { sellers: [licensedParty] },
      }),
    }),
  ],
  either: after().asked({
    '`appointmentOf` is `either`, and the agency is appointed': isAppointed('2026-03-10', {
      requires: { appointmentOf: 'either' },
      sale: { agency: appointedParty, sellers: [licensedParty] },
    }),
    'The agent is': isAppointed('2026-03-10', {
      requires: { appointmentOf: 'either' },
      sale: { agency: licensedParty, sellers: [appointedParty] },
    }),
    'Neither is': notAppointed('2026-03-10', {
      requires: { appointmentOf: 'either' },
      sale: { agency: licensedParty, sellers: [licensedParty] },
    }),
    'The status of an agent who is not': notAppointed(
      '2026-03-10',
      {
        requires: { appointmentOf: 'either', licenseOf: 'agency' },
      },
      { licenseStatus: 'Not Required' },
    ),
  }),
  'agency-differs': [
    after(licenseList('2026-01-10', license({ licenseClassName: 'Business Entity Producer' }))).asked({
      'The product requires the line 16, of agencies none; an agency whose license has no lines': isLicensed(
        '2026-03-10',
        {
          party: 'agency',
          lines: ['16'],
          requires: { agency: { linesOfAuthority: [] } },
        },
      ),
      'An agent with such a license': noLine('2026-03-10', {
        lines: ['16'],
        requires: { agency: { linesOfAuthority: [] } },
      }),
    }),
  ],
  'state-not-configured': after(licenseList('2026-01-10', license({ stateCode: 'GA' }))).asked({
    'The product lists Texas; a license of Georgia, in Georgia': notConfigured('2026-03-10', {
      stateCode: 'GA',
    }),
  }),
  'other-states': after(
    licenseList('2026-01-10', license({ stateCode: 'GA', linesOfAuthority: lines(['16']) })),
  ).asked({
    '`otherStates` requires a license with the line 16, which one of Georgia has': isLicensed('2026-03-10', {
      stateCode: 'GA',
      configs: [
        {
          states: [],
          otherStates: { linesOfAuthority: ['16'], appointment: 'not required' },
          validFrom: '2020-01-01',
          recordedAt: '2020-01-01T15:00:00.000Z',
        },
      ],
    }),
  }),
  'npn-missing': after().asked({
    'An agency has no NPN and needs one': licenseNotKnown('npn_missing?')('2026-03-10', {
      party: 'agency',
      npn: 'missing',
    }),
    'A further license is asked of it too': licenseNotKnown('npn_missing?')('2026-03-10', {
      party: 'agency',
      npn: 'missing',
      requires: { furtherLicenses: [{ licenseClasses: ['SL'] }] },
    }),
    'An agency has none and needs none': asks(answered('Not Required', 'Not Required'))('2026-03-10', {
      party: 'agency',
      npn: 'not needed',
    }),
    'Its agent is licensed': isLicensed('2026-03-10', {
      sale: { agency: { commands: [], npn: 'not needed' }, sellers: [licensedParty] },
    }),
    'Its agent’s license has expired': isExpired('2026-03-10', {
      sale: { agency: { commands: [], npn: 'not needed' }, sellers: [expiredParty] },
    }),
    'Its agent is licensed, and `licenseOf` is `agency`': licenseNotKnown('npn_missing?')('2026-03-10', {
      requires: { licenseOf: 'agency' },
      sale: { agency: { commands: [], npn: 'not needed' }, sellers: [licensedParty] },
    }),
    'It has no agent': licenseNotKnown('npn_missing?')('2026-03-10', {
      sale: { agency: { commands: [], npn: 'not needed' }, sellers: [] },
    }),
    'Its agent is licensed and appointed, and `appointmentOf` is `agency`': asks(
      answered('License Not Known', 'Appointment Not Known', 'npn_missing?'),
    )('2026-03-10', {
      requires: { appointment: 'required', appointmentOf: 'agency' },
      sale: { agency: { commands: [], npn: 'not needed' }, sellers: [appointedParty] },
    }),
  }),
  strictest: after().asked({
    'Of the agency it is not known, and the agent’s license has expired': asks(
      answered('Expired License', 'Not Required', 'license_expired', 'license_unknown?'),
    )('2026-03-10', { sale: { agency: unknownParty, sellers: [expiredParty] } }),
    'The license ends on 2026-06-30': isLicensed(
      '2026-03-10',
      { sale: { sellers: [endingOn('2026-06-30')] } },
      { goodUntil: '2026-06-30' },
    ),
    'The license has no end': isLicensed(
      '2026-03-10',
      { sale: { sellers: [{ commands: [licenseList('2026-01-10', license())] }] } },
      { goodUntil: null },
    ),
    'The license of the agency ends before': isLicensed(
      '2026-03-10',
      { sale: { agency: endingOn('2026-04-30'), sellers: [endingOn('2026-06-30')] } },
      { goodUntil: '2026-04-30' },
    ),
    'Of the agency it is not known, and the agent is licensed': licenseNotKnown('license_unknown?')(
      '2026-03-10',
      {
        sale: { agency: unknownParty, sellers: [licensedParty] },
      },
    ),
  }),

  // ── The carrier's own word
  authority: after().asked({
    'The agent’s `authority` names the state for another product, and is required': asks(
      answered('Licensed', 'Not Required', 'authority_missing'),
    )('2026-03-10', {
      configs: [config({}, { authority: 'required' })],
      sale: { sellers: [{ ...licensedParty, ownWord: ofOther }] },
    }),
    'It names it for another product, and is not required': isLicensed('2026-03-10', {
      sale: { sellers: [{ ...licensedParty, ownWord: ofOther }] },
    }),
    'It names no state for the product, and is ignored': isLicensed('2026-03-10', {
      configs: [config({}, { authority: 'ignored' })],
      sale: {
        sellers: [
          {
            ...licensedParty,
            ownWord: { authority: [{ upstreamEntityProductId: 'the product', approvedStates: [] }] },
          },
        ],
      },
    }),
    'The agent’s `authority` for the product names no state': asks(
      answered('Licensed', 'Not Required', 'authority_missing'),
    )('2026-03-10', {
      sale: {
        sellers: [
          {
            ...licensedParty,
            ownWord: { authority: [{ upstreamEntityProductId: 'the product', approvedStates: [] }] },
          },
        ],
      },
    }),
    'It names the state': isLicensed('2026-03-10', {
      sale: {
        sellers: [
          {
            ...licensedParty,
            ownWord: { authority: [{ upstreamEntityProductId: 'the product', approvedStates: ['TX'] }] },
          },
        ],
      },
    }),
    'The agent has none for the product': isLicensed('2026-03-10', {
      sale: { sellers: [{ ...licensedParty, ownWord: { authority: [] } }] },
    }),
  }),
  archived: after().asked({
    'The agent is archived': asks(answered('Licensed', 'Not Required', 'seller_archived'))('2026-03-10', {
      sale: { sellers: [{ ...licensedParty, ownWord: { isArchived: true } }] },
    }),
    'An agent who is archived in 2026, for a day of 2022': isLicensed(
      '2022-06-01',
      { sale: { sellers: [{ ...licensedParty, ownWord: { isArchived: true } }] } },
      { warnings: ['association_of_today'] },
    ),
  }),
  association: after().asked({
    'The association with the agency is not active': asks(
      answered('Licensed', 'Not Required', 'association_not_active'),
    )('2026-03-10', {
      sale: {
        agency: { ...licensedParty, ownWord: { isAssociationActive: false } },
        sellers: [licensedParty],
      },
    }),
  }),
  'for-cause': [
    after(
      licensed,
      appointmentList(
        '2026-01-10',
        appointment({ ein: '75-1234567', statusChangeDate: '2020-01-01' }),
        terminated({ ein: '75-1234567', statusChangeDate: '2021-01-01' }),
        terminated({ ein: '11-1111111', statusChangeDate: '2024-01-01', terminationReason: 'Cause' }),
      ),
    ).asked({
      'Rows of the company with another EIN than the organization’s end it for cause': onBinding(
        '2026-03-10',
        {
          carrier: { ...beacon, naicCodes: [] },
        },
      ),
    }),
    after(
      licensed,
      appointmentList('2026-02-10', appointment(), terminated({ terminationReason: 'Terminated for Cause' })),
    ).asked({
      'The appointment ended for cause, where one on binding is enough': asks(
        answered('Licensed', 'Not Appointed', 'terminated_for_cause'),
        { appointment: 'on binding' },
      )('2026-03-10'),
    }),
    ...['NOT FOR CAUSE', 'Without cause', 'W/O Cause', 'No cause', 'Other than cause', 'Retired'].map(
      (terminationReason) =>
        after(
          licensed,
          appointmentList('2026-02-10', appointment(), terminated({ terminationReason })),
        ).asked({
          [`It ended with the reason \`${terminationReason}\``]: onBinding('2026-03-10'),
        }),
    ),
  ],

  // ── What nobody could read, and what is old
  'row-set-aside': [
    after(
      licenseList('2026-01-10', license()),
      setAside('2026-01-20', unreadEnd('7')),
      setAside('2026-02-10', unreadEnd('1001')),
      licenseImport('2026-02-20', { licenseNumber: '1002', status: 'Revoked' }),
    ).asked({
      'A row of another number could not be read before, and one of another number is imported since':
        licenseNotKnown('row_not_understood?')('2026-03-10'),
    }),
    after(
      licenseList('2026-01-10', license()),
      setAside('2026-01-20', unreadEnd('1001')),
      licenseList('2026-01-30', license({ nextRenewalDate: '2027-12-31' })),
      setAside('2026-02-10', unreadEnd('1001')),
    ).asked({
      'The row could not be read, a list made it good, and it comes again':
        licenseNotKnown('row_not_understood?')('2026-03-10'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      companySetAside,
      licenseList('2026-02-20', license()),
    ).asked({
      'A row of the company could not be read, and a list of licenses alone comes since': appointmentNotKnown(
        'row_not_understood?',
      )('2026-03-10', {
        requires: { linesOfAuthority: [] },
      }),
    }),
    after(
      licenseList('2026-01-10', license({ linesOfAuthority: lines(['16']) })),
      appointmentList('2026-01-10', terminated({ lineOfAuthorityCode: '20' })),
      setAside('2026-02-10', {
        kind: 'appointment',
        stateCode: 'TX',
        carrierName: 'Beacon Specialty Insurance Company',
        ein: '75-1234567',
        companyCode: null,
      }),
    ).asked({
      'A termination for line 20 has a company’s code, and a row is set aside that has the company’s name and, without its code, an EIN that no other row has; line 16 is required':
        appointmentNotKnown('row_not_understood?')('2026-03-10', {
          requires: { linesOfAuthority: ['16'], carrierNaicCodes: ['19437'] },
        }),
    }),
    after(licensed, setAside('2026-02-10', unreadEnd('9'))).asked({
      'A row of the license that is not live could not be read':
        licenseNotKnown('row_not_understood?')('2026-03-10'),
      'With the knowledge of the day before': isLicensed('2026-03-10', { knownAt: '2026-02-09' }),
    }),
    after(licensed, setAside('2026-02-10', unreadEnd('8'))).asked({
      'It has another number': isLicensed('2026-03-10'),
    }),
    after(
      setAside('2026-02-10', {
        stateCode: 'TX',
        kind: 'license',
        licenseNumber: '9',
        licenseClassCode: null,
        licenseClassName: null,
        isLive: true,
      }),
    ).asked({
      'A live row could not be read, and nothing else is there':
        licenseNotKnown('row_not_understood?')('2010-06-01'),
    }),
    after(licensed, appointmentList('2026-01-10', appointment()), companySetAside).asked({
      'A row of the company could not be read': appointmentNotKnown('row_not_understood?')('2026-03-10'),
    }),
    after(
      ...['2026-02-10', '2026-02-17'].map((at) => ({
        ...licenseImport(at, {}),
        unread: [unreadEnd('1001')],
      })),
    ).asked({
      'An import states a license and has another row of its number that could not be read, and a week later comes again':
        licenseNotKnown('row_not_understood?')('2026-03-10'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      companySetAside,
      appointmentImport('2026-02-11', appointment({ companyCode: null, lineOfAuthorityCode: '16' })),
    ).asked({
      'It has the code of the company alone, and an import since states an appointment with its name alone':
        isAppointed('2026-03-10'),
    }),
    after(
      licensed,
      appointmentList('2026-01-10', appointment()),
      setAside('2026-02-10', {
        stateCode: 'TX',
        kind: 'appointment',
        companyCode: null,
        ein: null,
        carrierName: null,
      }),
    ).asked({
      'A row without a company could not be read': isAppointed(
        '2026-03-10',
        {},
        { warnings: ['row_not_understood'] },
      ),
    }),
  ],
  'not-verified': after().asked({
    'The organization wants facts verified within 30 days, and the agent’s were 31 days before':
      licenseNotKnown('not_verified?')('2026-03-10', {
        sale: {
          sellers: [{ ...licensedParty, verifiedAt: '2026-02-07T15:00:00.000Z' }],
          verifiedWithinDays: 30,
        },
      }),
    'Facts must be verified within 30 days, and were on 2026-03-01': isLicensed(
      '2026-03-10',
      {
        sale: {
          sellers: [{ ...endingOn('2026-06-30'), verifiedAt: '2026-03-01T15:00:00.000Z' }],
          verifiedWithinDays: 30,
        },
      },
      { goodUntil: '2026-03-31' },
    ),
    'They were 30 days before': isLicensed('2026-03-10', {
      sale: {
        sellers: [{ ...licensedParty, verifiedAt: '2026-02-08T15:00:00.000Z' }],
        verifiedWithinDays: 30,
      },
    }),
    'They never were': licenseNotKnown('not_verified?')('2026-03-10', {
      sale: { sellers: [{ ...licensedParty, verifiedAt: null }], verifiedWithinDays: 30 },
    }),
  }),
};
