import * as fc from 'fast-check';
import { appointmentRequirements } from '../../../../../shared/domain/compliance/resource.ts';
import { type ComplianceQuestion, complianceOf } from '../../../../../shared/domain/compliance/status.ts';
import { appointed, carrier, license, line, today } from '../../../../support/compliance-status.ts';

describe('whatever is known', () => {
  const states = fc.constantFrom('TX' as const, 'OK' as const, 'CA' as const);
  const codes = fc.constantFrom('16', '17', '18');
  const statuses = fc.constantFrom('active', 'Active', 'inactive', 'terminated');
  const dates = fc.constantFrom('2020-01-01', '2026-06-14', today, '2026-06-16', '2030-01-01', null);
  const licenses = fc.array(
    fc.record({
      stateCode: states,
      status: statuses,
      nextRenewalDate: dates,
      linesOfAuthority: fc.array(fc.record({ code: codes, name: codes, status: statuses }), { maxLength: 3 }),
    }),
    { maxLength: 5 },
  );
  const appointments = fc.array(
    fc
      .record({ stateCode: states, status: statuses, lineOfAuthorityCode: fc.option(codes) })
      .map((fields) => appointed(fields)),
    { maxLength: 4 },
  );
  const configs = fc.record({
    states: fc.uniqueArray(
      fc.record({
        stateCode: states,
        linesOfAuthority: fc.uniqueArray(codes),
        appointment: fc.constantFrom(...appointmentRequirements),
      }),
      { selector: ({ stateCode }) => stateCode },
    ),
  });
  const questions = fc.record({
    config: configs,
    stateCode: states,
    licenses,
    appointments,
    carrier: fc.constant(carrier),
    today: fc.constant(today),
  }) satisfies fc.Arbitrary<ComplianceQuestion>;

  const rank = ({ complianceStatus, licenseStatus, appointmentStatus }: ReturnType<typeof complianceOf>) => [
    ['NOT_COMPLIANT', 'COMPLIANT'].indexOf(complianceStatus),
    ['Missing License', 'Expired License', 'Missing Line of Authority', 'Licensed'].indexOf(
      licenseStatus.statusName,
    ),
    ['Not Appointed', 'Appointment on Binding', 'Not Required', 'Appointed'].indexOf(
      appointmentStatus.statusName,
    ),
  ];

  it('another license or appointment never makes it worse', async () => {
    await fc.assert(
      fc.property(questions, licenses, appointments, (question, moreLicenses, moreAppointments) => {
        const before = rank(complianceOf(question));
        const after = rank(
          complianceOf({
            ...question,
            licenses: [...question.licenses, ...moreLicenses],
            appointments: [...question.appointments, ...moreAppointments],
          }),
        );
        expect(after.every((value, index) => value >= (before[index] ?? 0))).toBe(true);
      }),
    );
  });

  it('order and other states do not matter, nor does a later day make it better', async () => {
    await fc.assert(
      fc.property(questions, (question) => {
        const told = complianceOf(question);
        expect(
          complianceOf({
            ...question,
            licenses: question.licenses.filter(({ stateCode }) => stateCode === question.stateCode).reverse(),
            appointments: question.appointments
              .filter(({ stateCode }) => stateCode === question.stateCode)
              .reverse(),
          }),
        ).toMatchObject({
          complianceStatus: told.complianceStatus,
          licenseStatus: { statusName: told.licenseStatus.statusName },
          appointmentStatus: told.appointmentStatus,
        });
        const [later = 0] = rank(complianceOf({ ...question, today: '2026-06-17' }));
        expect(later).toBeLessThanOrEqual(rank(told)[0] ?? 0);
      }),
    );
  });

  it('a live license with every line and an appointment without one make it compliant', async () => {
    await fc.assert(
      fc.property(questions, (question) => {
        const { stateCode } = question;
        const whole = license({ stateCode, linesOfAuthority: ['16', '17', '18'].map((code) => line(code)) });
        const known = {
          licenses: [...question.licenses, whole],
          appointments: [...question.appointments, appointed({ stateCode, lineOfAuthorityCode: null })],
        };
        expect(complianceOf({ ...question, ...known }).complianceStatus).toBe('COMPLIANT');
      }),
    );
  });
});
