import type { AppointmentRow } from '#domain/decision/records.ts';
import {
  after,
  answered,
  appointment,
  appointmentEnded,
  appointmentImport,
  appointmentNotKnown,
  appointmentReport,
  asks,
  beacon,
  casesOf,
  forCause,
  group,
  isAppointed,
  license,
  licensed,
  licenseReport,
  line,
  notAppointed,
  onBinding,
  partlyUnread,
  sold,
  terminated,
} from '../case-rows.ts';

const appointmentUnknown = appointmentNotKnown('appointment_unknown?');
const companyUnknown = appointmentNotKnown('company_unknown?');

/** An appointment by one of the companies of the group. */
const by = (companyCode: '19437' | '10847', fields: Partial<AppointmentRow> = {}) =>
  appointment({
    companyCode,
    carrierName: companyCode === '10847' ? 'Beacon Lloyds' : 'Beacon Casualty Company',
    ...fields,
  });
const reported = (...rows: readonly AppointmentRow[]) =>
  after(licensed, appointmentReport('2026-01-10', ...rows));

const ofEin = (ein: string) => appointment({ ein, companyCode: null });
const twoEins = { ...beacon, naicCodes: [], eins: ['75-1234567', '22-2222222'] };

/** Beacon took over a company in 2026. */
const merged = { ...beacon, naicCodes: [{ code: '22314', until: '2025-12-31' }, '10847'] };
const ofMerged = [
  appointment({ companyCode: '22314', statusChangeDate: '2019-01-01' }),
  terminated({ companyCode: '22314', statusChangeDate: '2026-01-01', terminationReason: 'Company merger' }),
  appointment({ companyCode: '10847', statusChangeDate: '2026-01-01' }),
];

const within30 = { appointment: 'on binding', appointWithinDays: 30 } as const;
const overdue = asks(answered('Licensed', 'Not Appointed', 'appointment_overdue'), within30);
const late = asks(answered('Licensed', 'Not Appointed', 'appointment_late'), within30);
const sale = { sellers: [{ commands: [licensed, appointmentReport('2026-01-10', appointment())] }] };
/** An appointment of a county, and an end for cause to come of one of the whole state. */
const endingForCause = appointmentReport(
  '2026-01-10',
  appointment({ countyName: 'Travis' }),
  terminated({ terminationReason: 'Cause', statusChangeDate: '2026-04-01' }),
);
const unreadAppointments = (at: string) => partlyUnread(appointmentReport(at), 'appointment');
const notUnderstood = appointmentNotKnown('row_not_understood?');

/** The rules of whose appointment counts, and of those on binding, at work. */
export const appointmentCases = casesOf({
  // ── Whose appointment counts
  'own-codes': [
    reported(appointment({ carrierName: 'Other Mutual' })).asked({
      'An appointment has the code 19437, which the organization has, and another name':
        isAppointed('2026-03-10'),
    }),
    reported(appointment({ companyCode: '99999' })).asked({
      'It has the organization’s name, and another code': notAppointed('2026-03-10'),
    }),
    reported(appointment({ companyCode: '99999', ein: '751234567' })).asked({
      'It has the organization’s EIN, and another code': isAppointed('2026-03-10'),
    }),
    reported(appointment({ companyCode: '99999', carrierName: 'BEACON SPECIALTY INS. CO.' })).asked({
      'Beacon Specialty has neither codes nor EINs, and the `carrierName` is `BEACON SPECIALTY INS. CO.`':
        isAppointed('2026-03-10', { carrier: { ...beacon, naicCodes: [], eins: [] } }),
    }),
    reported(appointment({ carrierName: 'Other Mutual' })).asked({
      'The `carrierName` is `Other Mutual`': notAppointed('2026-03-10', {
        carrier: { ...beacon, naicCodes: [], eins: [] },
      }),
    }),
    reported(...ofMerged).asked({
      'The organization has the code 22314 until 2025-12-31, and 10847; appointed by 22314 until then, and by 10847 since; in 2024':
        isAppointed('2024-03-01', { carrier: merged, company: { naicCode: '22314' } }),
      'On 2026-03-10': isAppointed('2026-03-10', { carrier: merged }, { warnings: [] }),
      'On 2025-12-31': isAppointed('2025-12-31', { carrier: merged, company: { naicCode: '22314' } }),
      'Without the former code, in 2024': notAppointed('2024-03-01', {
        carrier: { ...beacon, naicCodes: ['10847'] },
      }),
    }),
    after().asked({
      'The organization has the code until 2026-06-30': isAppointed(
        '2026-03-10',
        { carrier: { ...beacon, naicCodes: [{ code: '19437', until: '2026-06-30' }], eins: [] }, sale },
        { goodUntil: '2026-06-30' },
      ),
      'It has it from 2026-05-01 on': notAppointed(
        '2026-03-10',
        { carrier: { ...beacon, naicCodes: [{ code: '19437', from: '2026-05-01' }], eins: [] }, sale },
        { goodUntil: '2026-04-30' },
      ),
    }),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment({ companyCode: '99999', carrierName: 'Other Mutual' })),
      appointmentImport(
        '2026-02-10',
        terminated({ companyCode: null, carrierName: null, ein: '75-1234567' }),
      ),
    ).asked({
      'An appointment has another code, and a termination that may be of it the EIN alone; on 2026-01-20':
        notAppointed('2026-01-20'),
    }),
  ],
  'product-codes': [
    reported(appointment()).asked({
      'The product names the company 22667, and the appointment has the organization’s code': notAppointed(
        '2026-03-10',
        { carrierNaicCodes: ['22667'] },
      ),
      'The state in the config names the organization’s code instead': isAppointed('2026-03-10', {
        carrierNaicCodes: ['22667'],
        requires: { carrierNaicCodes: ['19437'] },
      }),
    }),
    reported(appointment()).asked({
      'The organization has its name alone': notAppointed('2026-03-10', {
        carrier: { ...beacon, naicCodes: [], eins: [] },
        carrierNaicCodes: ['22667'],
      }),
    }),
    reported(appointment({ companyCode: '22667' })).asked({
      'The appointment has 22667': isAppointed('2026-03-10', { carrierNaicCodes: ['22667'] }),
    }),
  ],
  'writing-company': [
    reported(by('10847')).asked({
      'The organization has two codes, the sale names 19437, and the appointment has 10847': notAppointed(
        '2026-03-10',
        { carrier: group, company: { naicCode: '19437' } },
      ),
      'The sale names 10847': isAppointed('2026-03-10', { carrier: group, company: { naicCode: '10847' } }),
      'It names `BEACON LLOYDS`, as the appointment does': isAppointed('2026-03-10', {
        carrier: group,
        company: { name: 'BEACON LLOYDS' },
      }),
    }),
  ],
  'company-unknown': [
    reported(appointment()).asked({
      'The organization has one code, and the sale names another one, 99999': companyUnknown('2026-03-10', {
        carrier: { ...beacon, eins: [] },
        company: { naicCode: '99999' },
      }),
      'It is to be appointed on binding': companyUnknown('2026-03-10', {
        company: { naicCode: '99999' },
        requires: { appointment: 'on binding' },
      }),
      '`appointmentBy` is `group`': companyUnknown('2026-03-10', {
        company: { naicCode: '99999' },
        requires: { appointmentBy: 'group' },
      }),
      'The organization has one code, and the sale names `ABC Ins Co`': isAppointed('2026-03-10', {
        carrier: { ...beacon, eins: [] },
        company: { name: 'ABC Ins Co' },
      }),
    }),
    reported(by('10847')).asked({
      'It has two, the sale names `ABC Ins Co`, and one has appointed the agent': companyUnknown(
        '2026-03-10',
        { carrier: group, company: { name: 'ABC Ins Co' } },
        { warnings: [] },
      ),
    }),
    reported(by('10847'), by('19437')).asked({
      'Both have appointed the agent': isAppointed('2026-03-10', {
        carrier: group,
        company: { name: 'ABC Ins Co' },
      }),
    }),
    reported(by('10847'), terminated({ companyCode: '19437', carrierName: 'Beacon Lloyds' })).asked({
      'The sale names what the appointments of both are called, one of which ended': companyUnknown(
        '2026-03-10',
        { carrier: group, company: { name: 'Beacon Lloyds' } },
      ),
    }),
    reported(ofEin('75-1234567')).asked({
      'The organization has two EINs, one has appointed the agent, and the sale names another company':
        companyUnknown('2026-03-10', { carrier: twoEins, company: { name: 'Totally Other' } }),
      'Those of any of a group will do': isAppointed('2026-03-10', {
        carrier: twoEins,
        company: { naicCode: '99999' },
        requires: { appointmentBy: 'group' },
      }),
      'The sale names the organization’s only code': companyUnknown('2026-03-10', {
        company: { naicCode: '19437' },
      }),
      'It names that code, and the carrier appoints when it binds': asks(
        answered('Licensed', 'Appointment on Binding'),
      )('2026-03-10', { company: { naicCode: '19437' }, requires: { appointment: 'on binding' } }),
    }),
    reported(ofEin('75-1234567'), ofEin('22-2222222')).asked({
      'Both have': isAppointed('2026-03-10', { carrier: twoEins, company: { name: 'Totally Other' } }),
    }),
    reported(appointment({ companyCode: '10847', ein: '75-1234567' })).asked({
      'The organization has another code and that EIN, which may be of another company': companyUnknown(
        '2026-03-10',
        { company: { name: 'Totally Other' } },
      ),
    }),
  ],
  'company-not-named': [
    reported(ofEin('75-1234567')).asked({
      'The organization has two EINs, and one has appointed the agent': isAppointed(
        '2026-03-10',
        { carrier: twoEins },
        { warnings: ['company_not_named'] },
      ),
    }),
    reported(by('10847')).asked({
      'The sale names no company, and one of two has appointed the agent': isAppointed(
        '2026-03-10',
        { carrier: group },
        { warnings: ['company_not_named'] },
      ),
      '`appointmentBy` is `group`, and the sale names the other one': isAppointed('2026-03-10', {
        carrier: group,
        company: { naicCode: '19437' },
        requires: { appointmentBy: 'group' },
      }),
    }),
    reported(by('10847'), by('19437')).asked({
      'Both have': isAppointed('2026-03-10', { carrier: group }, { warnings: [] }),
    }),
  ],
  'all-lines': [
    ...[null, 'ALL'].map((lineOfAuthorityName) =>
      reported(appointment({ lineOfAuthorityName })).asked({
        [`The name of an appointment’s line is ${lineOfAuthorityName === null ? 'null' : `\`${lineOfAuthorityName}\``}`]:
          isAppointed('2026-03-10', { lines: ['16', '20'] }),
      }),
    ),
    after(
      licensed,
      appointmentImport('2026-01-10', appointment()),
      appointmentImport('2026-02-10', terminated({ lineOfAuthorityCode: '16' })),
    ).asked({
      'An appointment is for all lines, and the line 16 is terminated on 2026-02-01; on 2026-03-10':
        appointmentUnknown('2026-03-10', { lines: ['16'] }),
      'On 2026-01-31': isAppointed('2026-01-31', { lines: ['16'] }),
    }),
  ],
  'renewal-date': [
    reported(appointment({ renewalDate: '2026-02-28' })).asked({
      'The `renewalDate` of an appointment is 2026-02-28; on 2026-02-28': isAppointed(
        '2026-02-28',
        {},
        { warnings: [] },
      ),
      'The `renewalDate` of an appointment was 2026-02-28; on 2026-03-01': isAppointed(
        '2026-03-01',
        {},
        { warnings: ['renewal_date_passed'] },
      ),
    }),
  ],

  // ── Appointment on binding
  'on-binding': [
    after(licensed).asked({ 'There is no appointment': onBinding('2026-03-10') }),
    reported(appointment()).asked({
      'There is one': isAppointed('2026-03-10', { requires: { appointment: 'on binding' } }),
    }),
    reported(appointment({ statusChangeDate: null })).asked({
      'Whether there was one is not known': onBinding('2025-06-01'),
    }),
    after(licensed, unreadAppointments('2026-03-01')).asked({
      'A row of appointments cannot be read, which may end one for cause': notUnderstood('2026-03-10', {
        requires: within30,
      }),
      'Whatever is due': notUnderstood('2026-03-10', { requires: { appointment: 'on binding' } }),
    }),
  ],
  'appointment-overdue': [
    after(licensed, sold('2026-02-01')).asked({
      'The carrier appoints within 30 days, and the first sale was on 2026-02-01; on 2026-03-03': onBinding(
        '2026-03-03',
        { requires: within30 },
      ),
      'On 2026-03-04': overdue('2026-03-04'),
      'The organization has neither codes nor EINs': overdue('2026-03-04', {
        carrier: { name: 'Beacon Specialty', naicCodes: [], eins: [] },
      }),
      'Without `appointWithinDays`': onBinding('2026-03-04'),
    }),
    after(licensed, sold('2025-12-01', '22314')).asked({
      'The first sale was by a company that is no more': overdue('2026-03-10', {
        carrier: { ...merged, eins: [] },
      }),
    }),
    after(
      licensed,
      sold('2024-01-01'),
      appointmentImport('2024-03-01', appointment({ companyCode: '22314', statusChangeDate: '2024-02-01' })),
    ).asked({
      'An appointment by that company covered until it was no more': onBinding('2026-03-10', {
        requires: within30,
        carrier: { ...merged, eins: [] },
      }),
    }),
    after(
      licensed,
      sold('2026-01-01', '55555'),
      appointmentReport(
        '2026-01-10',
        appointment({ companyCode: '10847', ein: '75-1234567', statusChangeDate: '2018-01-01' }),
        terminated({ companyCode: '10847', ein: '75-1234567', statusChangeDate: '2019-01-01' }),
      ),
    ).asked({
      'The organization has EINs alone, and the sale another code than an appointment of 2018': overdue(
        '2026-03-10',
        { carrier: { ...beacon, naicCodes: [] } },
      ),
    }),
    after(licensed, sold('2026-02-01', '10847')).asked({
      'The first sale was of another company': onBinding('2026-03-04', {
        requires: within30,
        carrier: group,
        company: { naicCode: '19437' },
      }),
    }),
    after(
      licensed,
      sold('2026-02-05'),
      sold('2026-02-01'),
      appointmentReport(
        '2026-05-01',
        appointment({ statusChangeDate: '2026-04-01' }),
        terminated({ statusChangeDate: '2026-05-01' }),
      ),
    ).asked({ 'It was appointed on 2026-04-01; on 2026-03-04': overdue('2026-03-04') }),
    after(licensed, sold('2026-01-05'), unreadAppointments('2026-03-05')).asked({
      'A row that cannot be read may be the appointment': notUnderstood('2026-03-10', { requires: within30 }),
    }),
    after(
      licensed,
      sold('2026-01-05'),
      appointmentReport('2026-03-01', appointment({ statusChangeDate: null })),
    ).asked({
      'An appointment without a date became known on 2026-03-01; on 2026-02-28': appointmentUnknown(
        '2026-02-28',
        { requires: within30 },
      ),
    }),
    after(
      licensed,
      sold('2026-01-05'),
      appointmentReport('2026-01-20', terminated({ statusChangeDate: null })),
      sold('2026-02-10'),
    ).asked({
      'Whether an appointment covered the first of two sales is not known; on 2026-02-20': appointmentUnknown(
        '2026-02-20',
        { requires: within30 },
      ),
      'On 2026-03-13': overdue('2026-03-13'),
    }),
  ],
  'appointment-late': [
    after(licensed, sold('2026-02-01')).asked({
      'A sale of 2026-02-01, with 30 days to appoint, is looked at on 2026-03-03': onBinding('2026-02-01', {
        requires: within30,
        saleSeenOn: '2026-03-03',
      }),
      'On 2026-03-04': late('2026-02-01', { saleSeenOn: '2026-03-04' }),
    }),
    after(licensed, sold('2026-03-01')).asked({
      'All that is recorded is a later sale': late('2026-02-01', { saleSeenOn: '2026-03-04' }),
      'It was to be appointed on the day of the sale': late('2026-02-01', {
        requires: { appointWithinDays: 0 },
        saleSeenOn: '2026-02-02',
      }),
    }),
    reported(
      appointment({ statusChangeDate: '2025-03-01' }),
      terminated({ statusChangeDate: '2025-12-31' }),
    ).asked({
      'An appointment had ended before the sale': late('2026-02-01', { saleSeenOn: '2026-03-04' }),
    }),
    after(
      licensed,
      sold('2026-02-01'),
      appointmentReport('2026-03-10', appointment({ statusChangeDate: '2026-03-03' })),
    ).asked({
      'The agent was appointed on 2026-03-03': onBinding('2026-02-01', {
        requires: within30,
        saleSeenOn: '2026-04-10',
      }),
    }),
    after(
      licensed,
      sold('2026-02-01'),
      appointmentReport('2026-03-10', appointment({ statusChangeDate: '2026-03-04' })),
    ).asked({ 'The agent was appointed on 2026-03-04': late('2026-02-01', { saleSeenOn: '2026-04-10' }) }),
    after(
      licensed,
      sold('2026-01-05'),
      appointmentReport('2026-03-01', appointment({ statusChangeDate: null })),
    ).asked({
      'An appointment without a date became known on 2026-03-01, after it was due': appointmentUnknown(
        '2026-01-05',
        { requires: within30, saleSeenOn: '2026-03-10' },
      ),
    }),
  ],
  'for-cause': [
    ...['Terminated for Cause', 'AVFS'].map((terminationReason) =>
      reported(appointment(), terminated({ terminationReason })).asked({
        [`An appointment ended with the reason \`${terminationReason}\``]: forCause('2026-03-10'),
      }),
    ),
    after(
      licensed,
      appointmentImport('2026-02-02', appointment(), terminated({ terminationReason: 'Cause' })),
      appointmentImport('2026-02-09', terminated({ terminationReason: 'Retired' })),
    ).asked({ 'A later file corrects the reason': onBinding('2026-03-10') }),
    after(
      licensed,
      appointmentReport('2026-02-05', terminated({ terminationReason: 'Cause' })),
      appointmentReport('2026-02-20', terminated({ statusChangeDate: null })),
    ).asked({ 'A later report has the end without a reason and a date': forCause('2026-03-10') }),
    after(
      licensed,
      appointmentImport('2026-02-05', terminated({ terminationReason: 'Cause' })),
      appointmentReport('2026-02-20', terminated({ statusChangeDate: '2026-02-09' })),
    ).asked({ 'A later report has it without a reason, on a later day': forCause('2026-03-10') }),
    reported(
      terminated({ companyCode: '22314', statusChangeDate: '2025-11-01', terminationReason: 'Cause' }),
    ).asked({ 'It was by a code that no longer counts': forCause('2026-03-10', { carrier: merged }) }),
    reported(terminated({ companyCode: '22314', terminationReason: 'Cause' })).asked({
      'It was by a code that did not count on that day': onBinding('2026-03-10', { carrier: merged }),
    }),
    reported(terminated({ statusChangeDate: '2025-06-01', terminationReason: 'Cause' }), terminated()).asked({
      'The same report has a later end, without a reason': onBinding('2026-03-10'),
    }),
    reported(
      appointment(),
      terminated({ terminationReason: 'Cause', statusChangeDate: '2025-06-01' }),
      appointment({ statusChangeDate: '2025-09-01' }),
      terminated(),
    ).asked({ 'After an end for cause, it was made again, and ended without': onBinding('2026-03-10') }),
    after(
      licensed,
      appointmentReport('2026-01-10', appointment()),
      appointmentImport('2026-02-02', terminated({ terminationReason: 'Cause' })),
      appointmentReport('2026-02-03', appointment()),
    ).asked({ 'The registry does not have the end for cause yet': forCause('2026-03-10') }),
    after(
      licensed,
      appointmentImport('2026-02-02', terminated({ terminationReason: 'Cause' })),
      appointmentImport('2026-02-09', terminated({ statusChangeDate: '2025-06-01' })),
    ).asked({ 'A later file has an end before that': forCause('2026-03-10') }),
    after(
      licensed,
      appointmentReport('2026-02-02', terminated({ terminationReason: 'Cause' })),
      appointmentReport('2026-02-20', appointment({ statusChangeDate: '2026-02-15' })),
      appointmentReport('2026-03-05'),
    ).asked({ 'It was made again, and a report does not have it any more': forCause('2026-03-10') }),
    reported(
      terminated({ lineOfAuthorityCode: '16', statusChangeDate: '2025-06-01', terminationReason: 'Cause' }),
      terminated({ lineOfAuthorityCode: '20' }),
    ).asked({
      'That of another line ended later, without': onBinding('2026-03-10'),
      'Its own line is asked': forCause('2026-03-10', { lines: ['16'] }),
      'Both are asked': forCause('2026-03-10', { lines: ['16', '20'] }),
    }),
    reported(terminated({ companyCode: '10847', terminationReason: 'Cause' })).asked({
      'Another company of the carrier ended it for cause': forCause('2026-03-10', {
        carrier: group,
        company: { naicCode: '19437' },
      }),
    }),
    after().asked({
      'An appointment of the whole state is to end for cause on 2026-04-01, that of a county goes on, and the sale is of another company':
        onBinding(
          '2026-03-10',
          {
            carrier: group,
            company: { naicCode: '10847' },
            sale: { sellers: [{ commands: [licensed, endingForCause] }] },
          },
          { goodUntil: '2026-03-31' },
        ),
    }),
  ],
  'not-appointed': [
    after(licensed).asked({ 'There never was an appointment': notAppointed('2026-03-10') }),
    reported(terminated({ lineOfAuthorityCode: '20' })).asked({
      'One of another line has ended': notAppointed('2026-03-10', { lines: ['16'] }),
    }),
    reported(appointment(), terminated()).asked({
      'An appointment was in force until 2026-01-31': appointmentEnded('2026-03-10'),
      'The day is before the appointment': notAppointed('2025-02-28'),
    }),
  ],
  'each-line': [
    after(
      licensed,
      appointmentReport(
        '2026-01-10',
        appointment({ lineOfAuthorityCode: '7', lineOfAuthorityName: 'Property' }),
      ),
      appointmentReport(
        '2026-02-10',
        appointment({ lineOfAuthorityCode: '7', lineOfAuthorityName: 'Surety' }),
      ),
    ).asked({
      'The line of an appointment was called Property, which is required, and is Surety since': notAppointed(
        '2026-03-10',
        { requires: { appointmentLinesOfAuthority: ['Property'] } },
      ),
      'Surety is required': isAppointed('2026-03-10', {
        requires: { appointmentLinesOfAuthority: ['Surety'] },
      }),
    }),
    after(
      licenseReport(
        '2026-01-10',
        license({ linesOfAuthority: [line('16')] }),
        license({ licenseNumber: '1002', linesOfAuthority: [line('20')] }),
      ),
      appointmentReport(
        '2026-01-10',
        appointment({ lineOfAuthorityCode: '16' }),
        appointment({ lineOfAuthorityCode: '20' }),
      ),
    ).asked({
      'The lines 16 and 20 are required, of which two licenses and two appointments have one each':
        isAppointed('2026-03-10', { lines: ['16', '20'] }),
    }),
    reported(appointment({ lineOfAuthorityCode: '16' })).asked({
      'The appointment is for the line 16 alone': notAppointed('2026-03-10', { lines: ['16', '20'] }),
      'The entry is `{"anyOf": ["16", "20"]}`': isAppointed('2026-03-10', {
        lines: [{ anyOf: ['16', '20'] }],
      }),
    }),
    after(
      licenseReport(
        '2026-01-10',
        license({ linesOfAuthority: [line('', { name: 'Property and Casualty' })] }),
      ),
      appointmentReport('2026-01-10', appointment({ lineOfAuthorityName: 'PROPERTY AND CASUALTY' })),
    ).asked({
      'License and appointment have the line `Property and Casualty` without a code, and the product requires that name':
        isAppointed('2026-03-10', { lines: ['Property and Casualty'] }),
    }),
    after(
      licenseReport('2026-01-10', license({ linesOfAuthority: [line('16')] })),
      appointmentReport('2026-01-10', appointment({ lineOfAuthorityName: 'CASUALTY' })),
    ).asked({
      'The license has the line by its code, 16, the appointment by its name, `CASUALTY`; the entry is the code':
        notAppointed('2026-03-10', { lines: ['16'] }),
      'The entry is `{"anyOf": ["16", "Casualty"]}`': isAppointed('2026-03-10', {
        lines: [{ anyOf: ['16', 'Casualty'] }],
      }),
    }),
    reported(
      appointment({ lineOfAuthorityCode: '16', lineOfAuthorityName: 'Casualty' }),
      terminated({ lineOfAuthorityName: 'Property' }),
    ).asked({
      'The appointment for the line 16 is active, and one for `Property`, without a code, is terminated; the entry is `Property`':
        notAppointed('2026-03-10', { lines: ['Property'] }),
    }),
  ],
  'other-lines': [
    after(
      licenseReport('2026-01-10', license({ licenseClassCode: '0220', licenseClassName: 'General Lines' })),
      appointmentReport('2026-01-10', appointment({ lineOfAuthorityCode: '0216' })),
    ).asked({
      'The class 0220 is required of licenses, the line 0220 of appointments, and the appointment is for 0216':
        notAppointed('2026-03-10', {
          requires: { licenseClasses: ['0220'], appointmentLinesOfAuthority: ['0220'] },
        }),
    }),
  ],
});
