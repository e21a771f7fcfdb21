import type { LicenseRow } from '#domain/decision/records.ts';
import type { OwnWord } from '#domain/decision/sale.ts';
import {
  action,
  after,
  answered,
  appointment,
  appointmentReport,
  asks,
  type CaseAsked,
  type CaseCommand,
  type CaseParty,
  casesOf,
  config,
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
  notConfigured,
} from '../case-rows.ts';

const day = '2026-03-10';

const licensedParty: CaseParty = { commands: [licensed] };
const appointedParty: CaseParty = { commands: [licensed, appointmentReport('2026-01-10', appointment())] };
const endingOn = (nextRenewalDate: string): CaseParty => ({
  commands: [licenseReport('2026-01-10', license({ nextRenewalDate }))],
});
const expiredParty = endingOn('2026-02-28');
const unknownParty: CaseParty = { commands: [licenseReport('2026-03-20', license({ status: 'Inactive' }))] };
const nobody: CaseParty = { commands: [] };
const withoutNpn: CaseParty = { commands: [], npn: 'not needed' };

/** A sale by an agent of whom the carrier itself says something. */
const soldBy = (ownWord: OwnWord): CaseAsked => ({ sale: { sellers: [{ ...licensedParty, ownWord }] } });
const authorityFor = (upstreamEntityProductId: string, ...approvedStates: string[]): OwnWord =>
  ({ authority: [{ upstreamEntityProductId, approvedStates }] }) as OwnWord;
const noAuthority = asks(answered('Licensed', 'Not Required', 'authority_missing'));

/** A surplus lines license is asked for beside a producer’s. */
const brokered = { furtherLicenses: [{ licenseClasses: ['SL'] }] };
const broker = (at: string, fields: Partial<LicenseRow> = {}): CaseCommand =>
  licenseImport(at, {
    licenseNumber: '77',
    licenseClassCode: 'SL',
    licenseClassName: 'Surplus Lines Broker',
    ...fields,
  });
const unknownBroker: CaseParty = { commands: [broker('2026-03-20', { status: 'Inactive' })] };
const noFurther = asks(answered('Missing License', 'Not Required', 'further_license_missing'));

const nothingAsked = asks(answered('Not Required', 'Not Required'));
const requiringFrom = (validFrom: string, recordedAt?: string) =>
  config(
    { appointment: 'required' },
    { validFrom, ...(recordedAt === undefined ? {} : { recordedAt: `${recordedAt}T15:00:00.000Z` }) },
  );
const onPolicy = { from: '2026-03-01' };

/** The rules of the day, of what a product requires, of the carrier’s own word, and of answers at work. */
export const requirementCases = casesOf({
  // ── The day, and what is known
  'known-at': [
    after(
      licenseReport('2026-01-10', license()),
      licenseReport('2026-03-10', license({ status: 'Inactive' })),
    ).asked({
      'A report of 2026-03-10 has a license as `Inactive`; on 2026-03-15, with `knownAt` 2026-03-09':
        isLicensed('2026-03-15', { knownAt: '2026-03-09' }),
    }),
    after({
      ...licenseImport('2026-03-10T15:00:00.000Z', {}),
      recordedAt: '2026-03-10T15:10:00.000Z',
    }).asked({
      'A file is recorded at 15:10 that was asked for at 15:00; with the knowledge of 15:05': noLicense(
        '2026-03-15',
        { knownAt: '2026-03-10T15:05:00.000Z' },
      ),
    }),
    after(licensed).asked({
      'A config that requires an appointment from 2026-03-01 on is recorded on 2026-02-20; with the knowledge of 2026-02-15':
        isLicensed(day, {
          knownAt: '2026-02-15',
          configs: [config(), requiringFrom(onPolicy.from, '2026-02-20')],
        }),
    }),
  ],
  basis: [
    after(licenseReport('2026-01-10', license())).asked({
      'A license is reported for the first time on 2026-01-10; on 2026-01-09': isLicensed(
        '2026-01-09',
        {},
        { basis: 'registry dates' },
      ),
      'A license is reported for the first time on 2026-01-10; on that day': isLicensed(
        '2026-01-10',
        {},
        { basis: 'history' },
      ),
    }),
  ],

  // ── What a product requires
  'each-line': [
    after(
      licenseReport(
        '2026-01-10',
        license({ linesOfAuthority: lines(['16']) }),
        license({ licenseNumber: '1002', linesOfAuthority: lines(['20']) }),
      ),
    ).asked({
      'The lines 16 and 20 are required, and two licenses have one each': isLicensed(day, {
        lines: ['16', '20'],
      }),
      'A third line is required': noLine(day, { lines: ['16', '20', '30'] }),
      'The entry is `{"anyOf": ["20", "30"]}`': isLicensed(day, { lines: [{ anyOf: ['20', '30'] }] }),
    }),
    after(
      licenseReport('2026-01-10', license({ linesOfAuthority: [line('16', { name: 'Property' })] })),
      licenseReport('2026-02-10', license({ linesOfAuthority: [line('16', { name: 'Casualty' })] })),
    ).asked({
      'The line 16 was called Property, which is required, and is Casualty since': noLine(day, {
        lines: ['Property'],
      }),
      'Casualty is required': isLicensed(day, { lines: ['Casualty'] }),
    }),
    after(
      licenseReport(
        '2026-01-10',
        license({ linesOfAuthority: [line('16'), line('', { name: 'Property', status: 'Inactive' })] }),
      ),
    ).asked({
      'A license has the line 16, and the line `Property`, without a code, as `Inactive`; the entry is `Property`':
        noLine(day, { lines: ['Property'] }),
    }),
  ],
  'other-lines': [
    after(licenseReport('2026-01-10', license({ licenseClassName: 'Business Entity Producer' }))).asked({
      'The line 16 is required, of agencies none; an agency whose license has no lines': isLicensed(day, {
        party: 'agency',
        lines: ['16'],
        requires: { agency: { linesOfAuthority: [] } },
      }),
      'An agent with such a license': noLine(day, {
        lines: ['16'],
        requires: { agency: { linesOfAuthority: [] } },
      }),
    }),
  ],
  'further-licenses': [
    after(licensed).asked({
      'A surplus lines license is required too, and the agent has none': noFurther(day, {
        requires: brokered,
      }),
    }),
    after().asked({
      'The agency has it': isLicensed(day, {
        requires: brokered,
        sale: {
          agency: { commands: [licensed, broker('2026-01-10')] },
          sellers: [licensedParty],
        },
      }),
      'The agency has it, and is under an order': noFurther(day, {
        requires: { ...brokered, licenseOf: 'agent' },
        sale: {
          agency: {
            commands: [
              broker('2026-01-10'),
              action('2026-02-10', 'Suspension', { effectiveDate: '2026-03-01' }),
            ],
          },
          sellers: [licensedParty],
        },
      }),
      'Whether the agent has it is not known': licenseNotKnown('license_unknown?')(day, {
        requires: { ...brokered, licenseOf: 'agency' },
        sale: { agency: licensedParty, sellers: [unknownBroker] },
      }),
      'Neither has it': noFurther(day, {
        requires: brokered,
        sale: { agency: licensedParty, sellers: [licensedParty] },
      }),
    }),
  ],
  'who-needs-it': [
    after().asked({
      '`licenseOf` is `agency`; an agent without a license': nothingAsked(day, {
        requires: { licenseOf: 'agency' },
      }),
      '`licenseOf` is `agent`, and the agency of the sale has no license': isLicensed(day, {
        requires: { licenseOf: 'agent' },
        sale: { agency: nobody, sellers: [licensedParty] },
      }),
    }),
    after(licensed).asked({
      '`appointmentOf` is `agency`; an agent without an appointment': isLicensed(day, {
        requires: { appointment: 'required', appointmentOf: 'agency' },
      }),
      '`appointmentOf` is `agency`; an agency without an appointment': notAppointed(day, {
        party: 'agency',
        requires: { appointmentOf: 'agency' },
      }),
    }),
    after().asked({
      '`appointmentOf` is `either`, and the agency is appointed': isAppointed(day, {
        requires: { appointmentOf: 'either' },
        sale: { agency: appointedParty, sellers: [licensedParty] },
      }),
      '`appointmentOf` is `either`, and the agent is appointed': isAppointed(day, {
        requires: { appointmentOf: 'either' },
        sale: { agency: licensedParty, sellers: [appointedParty] },
      }),
      '`appointmentOf` is `either`, and nobody is appointed': notAppointed(day, {
        requires: { appointmentOf: 'either' },
        sale: { agency: licensedParty, sellers: [licensedParty] },
      }),
    }),
  ],
  'party-missing': [
    after().asked({
      '`licenseOf` is `agent`, and no agent is there': licenseNotKnown('seller_not_named?')(day, {
        requires: { licenseOf: 'agent' },
        sale: { agency: licensedParty, sellers: [] },
      }),
      '`licenseOf` is `agency`, and no agency is there': licenseNotKnown('agency_unknown?')(day, {
        requires: { licenseOf: 'agency' },
        sale: { sellers: [licensedParty] },
      }),
    }),
  ],
  'npn-missing': [
    after().asked({
      'An agency has no NPN and needs one': licenseNotKnown('npn_missing?')(day, {
        party: 'agency',
        npn: 'missing',
      }),
      'An agency has no NPN, and its `isNpnRequired` is false': nothingAsked(day, {
        party: 'agency',
        npn: 'not needed',
      }),
      'Its agent is licensed': isLicensed(day, { sale: { agency: withoutNpn, sellers: [licensedParty] } }),
      'Its agent is licensed, and `licenseOf` is `agency`': licenseNotKnown('npn_missing?')(day, {
        requires: { licenseOf: 'agency' },
        sale: { agency: withoutNpn, sellers: [licensedParty] },
      }),
    }),
  ],
  'state-not-configured': [
    after(licenseReport('2026-01-10', license({ stateCode: 'GA', linesOfAuthority: lines(['16']) }))).asked({
      'The product lists Texas; a license of Georgia, in Georgia': notConfigured(day, { stateCode: 'GA' }),
      '`otherStates` requires the line 16, which it has': isLicensed(day, {
        stateCode: 'GA',
        configs: [
          {
            ...config(),
            states: [],
            otherStates: { linesOfAuthority: ['16'], appointment: 'not required' },
          },
        ],
      }),
    }),
  ],
  'config-in-force': [
    after(licensed).asked({
      'From 2026-03-01 on, the product requires an appointment, and there is none; on 2026-02-28': isLicensed(
        '2026-02-28',
        { configs: [config(), requiringFrom(onPolicy.from)] },
        { configBasis: 'version' },
      ),
      'On 2026-03-01': notAppointed('2026-03-01', { configs: [config(), requiringFrom(onPolicy.from)] }),
      'There was no config before; on 2026-02-28': notAppointed(
        '2026-02-28',
        { configs: [requiringFrom(onPolicy.from)] },
        { configBasis: 'first version' },
      ),
    }),
  ],

  // ── The carrier’s own word
  authority: [
    after().asked({
      'The agent’s `authority` for the product names the state': isLicensed(
        day,
        soldBy(authorityFor('the product', 'TX')),
      ),
      'It names no state': noAuthority(day, soldBy(authorityFor('the product'))),
      'It names no state, and the config says `authority: ignored`': isLicensed(day, {
        ...soldBy(authorityFor('the product')),
        configs: [config({}, { authority: 'ignored' })],
      }),
      'It is for another product': isLicensed(day, soldBy(authorityFor('another', 'TX'))),
      'It is for another product, and the config says `authority: required`': noAuthority(day, {
        ...soldBy(authorityFor('another', 'TX')),
        configs: [config({}, { authority: 'required' })],
      }),
    }),
  ],
  archived: [
    after().asked({
      'The agent is archived': asks(answered('Licensed', 'Not Required', 'seller_archived'))(
        day,
        soldBy({ isArchived: true }),
      ),
    }),
  ],
  association: [
    after().asked({
      'The association with the agency is not active': asks(
        answered('Licensed', 'Not Required', 'association_not_active'),
      )(day, {
        sale: {
          agency: { ...licensedParty, ownWord: { isAssociationActive: false } },
          sellers: [licensedParty],
        },
      }),
      'It is not active today, nor is the agent, and the day is earlier': isLicensed(
        '2026-03-10',
        {
          sale: {
            agency: { ...licensedParty, ownWord: { isAssociationActive: false } },
            sellers: [{ ...licensedParty, ownWord: { isArchived: true } }],
            today: '2026-03-11',
          },
        },
        { warnings: ['association_of_today'] },
      ),
    }),
  ],

  // ── Answers
  verdict: [
    after().asked({
      'Of the agency it is not known, and the agent’s license has expired': asks(
        answered('Expired License', 'Not Required', 'license_expired', 'license_unknown?'),
      )(day, { sale: { agency: unknownParty, sellers: [expiredParty] } }),
      'Of the agency it is not known, and the agent is licensed': licenseNotKnown('license_unknown?')(day, {
        sale: { agency: unknownParty, sellers: [licensedParty] },
      }),
      'The license of the agent ends on 2026-06-30, that of the agency on 2026-04-30': isLicensed(
        day,
        { sale: { agency: endingOn('2026-04-30'), sellers: [endingOn('2026-06-30')] } },
        { goodUntil: '2026-04-30' },
      ),
      'The license of the agent expired on 2026-02-28': isExpired(
        day,
        { sale: { sellers: [expiredParty] } },
        { goodUntil: null },
      ),
    }),
  ],
  expired: [
    after(licenseReport('2026-01-10', license({ nextRenewalDate: '2026-02-28' }))).asked({
      'The last day of a license was 2026-02-28; on 2026-03-10': isExpired(
        day,
        {},
        { message: 'The license in TX expired on 2026-02-28.' },
      ),
    }),
    after(
      licenseReport('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseReport('2026-03-05'),
    ).asked({ 'A report after that does not have it': isExpired(day) }),
    after(
      licenseReport('2026-01-10', license({ nextRenewalDate: '2026-02-28' })),
      licenseReport(
        '2026-03-05',
        license({ nextRenewalDate: '2026-02-28', status: 'Revoked', statusDate: '2026-02-10' }),
      ),
    ).asked({ 'A report says that it was `Revoked` before': noLicense(day) }),
  ],
  missing: [
    after().asked({ 'There never was a license': noLicense(day) }),
    after(licenseReport('2026-03-01', license({ issueDate: '2026-04-01' }))).asked({
      'The license begins on 2026-04-01; on 2026-03-10': notBegun(day),
    }),
  ],
  'not-known': [
    after(licenseReport('2026-03-20', license({ status: 'Inactive' }))).asked({
      'A license is first reported on 2026-03-20, as `Inactive`; on 2026-03-10':
        licenseNotKnown('license_unknown?')(day),
    }),
    after(
      licenseReport('2026-03-20', license({ status: 'Inactive' }), license({ licenseNumber: '1002' })),
    ).asked({ 'Another license is active': isLicensed(day) }),
    after(
      licenseReport(
        '2026-03-20',
        license({ status: 'Inactive', linesOfAuthority: lines(['16']) }),
        license({ licenseNumber: '1002', linesOfAuthority: lines(['20']) }),
      ),
    ).asked({
      'The other one has the line 20, and both lines are required': licenseNotKnown('license_unknown?')(day, {
        lines: ['16', '20'],
      }),
      'A third line is required': asks(
        answered('Missing Line of Authority', 'Not Required', 'line_missing', 'license_unknown?'),
      )(day, { lines: ['16', '30'] }),
    }),
  ],
  'not-verified': [
    after().asked({
      'Reports must not be older than 30 days, and the last one was 31 days before': licenseNotKnown(
        'not_verified?',
      )(day, {
        sale: {
          sellers: [{ ...licensedParty, verifiedAt: '2026-02-07T15:00:00.000Z' }],
          verifiedWithinDays: 30,
        },
      }),
      'It was on 2026-03-01': isLicensed(
        day,
        {
          sale: {
            sellers: [{ ...endingOn('2026-06-30'), verifiedAt: '2026-03-01T15:00:00.000Z' }],
            verifiedWithinDays: 30,
          },
        },
        { goodUntil: '2026-03-31' },
      ),
      'It was on 2026-02-10, and on 2026-03-01 it is asked whether she may sell on 2026-03-15': isLicensed(
        '2026-03-15',
        {
          sale: {
            today: '2026-03-01',
            sellers: [{ ...endingOn('2026-06-30'), verifiedAt: '2026-02-10T15:00:00.000Z' }],
            verifiedWithinDays: 30,
          },
        },
        { goodUntil: '2026-03-15' },
      ),
      'There never was one': licenseNotKnown('not_verified?')(day, {
        sale: { sellers: [{ ...licensedParty, verifiedAt: null }], verifiedWithinDays: 30 },
      }),
    }),
  ],
  'continuing-education': [
    after(
      licenseReport(
        '2026-01-10',
        license({
          linesOfAuthority: [
            line('16', { ceCompliance: 'not in compliance', ceCreditsNeeded: 12 }),
            line('20', { ceCompliance: 'in compliance' }),
          ],
        }),
      ),
    ).asked({
      'The line 16 is not in compliance with continuing education': isLicensed(
        day,
        { lines: ['16'] },
        { warnings: ['ce_not_in_compliance'] },
      ),
      'The lines 16 and 20 are required': isLicensed(
        day,
        { lines: ['16', '20'] },
        { warnings: ['ce_not_in_compliance'] },
      ),
      'The line 20 is': isLicensed(day, { lines: ['20'] }, { warnings: [] }),
    }),
  ],
});
