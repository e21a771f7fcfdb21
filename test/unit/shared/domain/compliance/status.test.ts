import type { ComplianceConfig } from '#domain/decision/compliance-config.ts';
import {
  type Appointment,
  appointed,
  ask,
  config,
  type License,
  license,
  line,
  today,
} from '../../../../support/compliance-status.ts';

describe('the license', () => {
  it.each<[string, License[], string]>([
    ['none', [], 'Missing License'],
    ['of another state', [license({ stateCode: 'OK' })], 'Missing License'],
    ['inactive', [license({ status: 'inactive' })], 'Missing License'],
    ['active, spelt otherwise', [license({ status: 'Active' })], 'Licensed'],
    ['whose last day is today', [license({ nextRenewalDate: today })], 'Licensed'],
    ['whose last day was yesterday', [license({ nextRenewalDate: '2026-06-14' })], 'Expired License'],
    ['expired, given as a time', [license({ nextRenewalDate: '2026-06-14T23:59:59Z' })], 'Expired License'],
    ['given as a time of today', [license({ nextRenewalDate: '2026-06-15T00:00:00.000Z' })], 'Licensed'],
    [
      'expired and inactive',
      [license({ nextRenewalDate: '2026-06-14', status: 'inactive' })],
      'Expired License',
    ],
    ['without a renewal date', [license({ nextRenewalDate: null })], 'Licensed'],
    ['expired, and a live one', [license({ nextRenewalDate: '2020-01-01' }), license()], 'Licensed'],
    ['without the line', [license({ linesOfAuthority: [line('17')] })], 'Missing Line of Authority'],
    [
      'with the line inactive',
      [license({ linesOfAuthority: [line('16', 'inactive')] })],
      'Missing Line of Authority',
    ],
    [
      'with the line on an expired one alone',
      [license({ nextRenewalDate: '2026-01-01' }), license({ linesOfAuthority: [] })],
      'Missing Line of Authority',
    ],
  ])('%s', (_, licenses, statusName) => {
    const { licenseStatus, complianceStatus } = ask({ licenses });
    expect(licenseStatus.statusName).toBe(statusName);
    expect(complianceStatus).toBe(statusName === 'Licensed' ? 'COMPLIANT' : 'NOT_COMPLIANT');
    expect(licenseStatus.statusMessages?.length).toBe(statusName === 'Licensed' ? undefined : 1);
  });

  it('may spread required lines of authority over several', () => {
    const halves = [license({ linesOfAuthority: [line('16')] }), license({ linesOfAuthority: [line('17')] })];
    const both = config('not required', '16', '17');
    expect(ask({ config: both, licenses: halves }).licenseStatus).toEqual({ statusName: 'Licensed' });
    expect(ask({ config: both, licenses: halves.slice(0, 1) }).licenseStatus).toEqual({
      statusName: 'Missing Line of Authority',
      statusMessages: ['No active line of authority 17 in TX.'],
    });
  });

  it('does not suffice in a state that the config does not list', () => {
    const message = 'The product is not configured in OK.';
    expect(ask({ stateCode: 'OK', licenses: [license({ stateCode: 'OK' })] })).toEqual({
      complianceStatus: 'NOT_COMPLIANT',
      licenseStatus: { statusName: 'State Not Configured', statusMessages: [message] },
      appointmentStatus: { statusName: 'State Not Configured', statusMessages: [message] },
    });
  });
});

describe('the appointment', () => {
  it.each<[string, Pick<ComplianceConfig, 'states'>, Appointment[], string]>([
    ['required and there', config('required', '16'), [appointed()], 'Appointed'],
    ['required and missing', config('required', '16'), [], 'Not Appointed'],
    [
      'required and terminated',
      config('required', '16'),
      [appointed({ status: 'terminated' })],
      'Not Appointed',
    ],
    [
      'required, in another state',
      config('required', '16'),
      [appointed({ stateCode: 'OK' })],
      'Not Appointed',
    ],
    [
      'required, for another line',
      config('required', '16'),
      [appointed({ lineOfAuthorityCode: '9' })],
      'Not Appointed',
    ],
    [
      'required, naming no line',
      config('required', '16'),
      [appointed({ lineOfAuthorityCode: null })],
      'Appointed',
    ],
    [
      'required by a product of no line',
      config('required'),
      [appointed({ lineOfAuthorityCode: '9' })],
      'Appointed',
    ],
    [
      'required, by another carrier',
      config('required', '16'),
      [appointed({ companyCode: '22314', carrierName: 'Beacon Specialty' })],
      'Not Appointed',
    ],
    [
      'required, by EIN in another spelling',
      config('required', '16'),
      [appointed({ companyCode: null, ein: '751234567' })],
      'Appointed',
    ],
    ['spelled as appointed', config('required', '16'), [appointed({ status: 'APPOINTED' })], 'Appointed'],
    [
      'with a reason for its termination',
      config('required', '16'),
      [appointed({ terminationReason: 'Not renewed' })],
      'Not Appointed',
    ],
    [
      'whose renewal date has passed',
      config('required', '16'),
      [appointed({ renewalDate: '2026-06-14' })],
      'Appointed',
    ],
    ['not required', config('not required', '16'), [], 'Not Required'],
    ['on binding', config('on binding', '16'), [], 'Appointment on Binding'],
    ['on binding, and there already', config('on binding', '16'), [appointed()], 'Appointed'],
  ])('%s', (_, asked, appointments, statusName) => {
    const { appointmentStatus, complianceStatus } = ask({ config: asked, appointments });
    expect(appointmentStatus.statusName).toBe(statusName);
    expect(complianceStatus).toBe(statusName === 'Not Appointed' ? 'NOT_COMPLIANT' : 'COMPLIANT');
    expect(appointmentStatus.statusMessages).toEqual(
      statusName === 'Not Appointed'
        ? [expect.stringMatching(/^No active appointment .*in TX\.$/)]
        : undefined,
    );
  });
});

describe('several lines of authority', () => {
  const both = config('required', '16', '17');

  it('need an appointment each', () => {
    expect(ask({ config: both }).appointmentStatus).toEqual({
      statusName: 'Not Appointed',
      statusMessages: ['No active appointment for line of authority 17 in TX.'],
    });
    const appointments = [appointed(), appointed({ lineOfAuthorityCode: '17' })];
    expect(ask({ config: both, appointments }).appointmentStatus).toEqual({ statusName: 'Appointed' });
  });

  it('are covered by an appointment without a line', () => {
    const appointments = [appointed({ lineOfAuthorityCode: null })];
    expect(ask({ config: both, appointments }).appointmentStatus).toEqual({ statusName: 'Appointed' });
  });
});

describe('the insurers of a product', () => {
  const product = { ...config('required', '16'), carrierNaicCodes: ['22314'] };

  it('appoint for it instead of the organization', () => {
    expect(ask({ config: product }).appointmentStatus.statusName).toBe('Not Appointed');
    const appointments = [appointed({ companyCode: '22314' })];
    expect(ask({ config: product, appointments }).appointmentStatus.statusName).toBe('Appointed');
    expect(ask({ appointments }).appointmentStatus.statusName).toBe('Not Appointed');
  });
});
