import * as fc from 'fast-check';
import { renewalStatusOf } from '../../../../../shared/domain/compliance/renewal-status.ts';
import { appointmentRequirements } from '../../../../../shared/domain/compliance/resource.ts';
import { type ComplianceQuestion, complianceOf } from '../../../../../shared/domain/compliance/status.ts';

// Every value carries what it means beside how it is written, so that the model below needs none of the code's rules of
// reading: it is the rules of compliance alone, sentence by sentence.

const today = '2026-06-15';

const written = <Meaning>(meaning: Meaning, ...texts: readonly (string | null)[]) =>
  texts.map((text) => ({ text, meaning }));

/** How the registry spells statuses, and whether each is live for a license and for an appointment. */
const statuses = [
  ...written({ license: true, appointment: true }, 'active', 'Active', ' ACTIVE '),
  ...written({ license: false, appointment: true }, 'appointed', 'Appointed'),
  ...written({ license: false, appointment: false }, 'inactive', 'Terminated', 'expired', 'Surrendered'),
];

/** Dates and times, and whether the day has passed in New York. */
const dates = [
  ...written('passed', '2020-01-01', '2026-06-14', '2026-06-15T03:59:59Z', '2026-06-14T23:00:00-04:00'),
  ...written(
    'to come',
    today,
    '2026-06-15T04:00:00Z',
    '2026-06-16T03:59:59Z',
    '2026-07-20',
    '2030-01-01',
    null,
  ),
];

const names = [
  ...written('beacon', 'Beacon Specialty', 'BEACON SPECIALTY INSURANCE COMPANY', 'Beacon-Specialty, Inc.'),
  ...written('beacon', 'Beacon Specialty L.L.C.', 'Béacon Specialty Co.'),
  ...written('texas', 'Beacon Specialty of Texas'),
  ...written('keystone', 'Keystone Surety Company', 'Keystone Surety'),
];
const unnamed = written(null, null, '', 'Insurance Company');

const eins = [
  ...written('beacon', '75-1234567', '751234567'),
  ...written('keystone', '23-7654321', '237654321'),
];
const noEin = written(null, null, '', 'unknown');

const codes = ['19437', '22314', '10847'];
const lines = ['16', '17'];
const states = ['TX', 'OK'] as const;

const of = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const some = <Value>(values: readonly Value[]) => fc.subarray([...values]);

const licenses = fc.array(
  fc.record({
    state: of(states),
    status: of(statuses),
    date: of(dates),
    lines: fc.array(fc.record({ code: of(lines), status: of(statuses) }), { maxLength: 3 }),
  }),
  { maxLength: 3 },
);

const appointments = fc.array(
  fc.record({
    state: of(states),
    status: of(statuses),
    terminated: of([...written(false, null, ''), ...written(true, 'Not renewed')]),
    date: of(dates),
    line: of([...lines, null]),
    code: of([...codes, ' 19437', null]),
    ein: of([...eins, ...noEin]),
    name: of([...names, ...unnamed]),
  }),
  { maxLength: 5 },
);

const carriers = fc.record({ name: of(names), codes: some(codes), eins: some(eins) });

const products = fc.record({
  insurers: fc.option(fc.subarray(codes, { minLength: 1 }), { nil: undefined }),
  requires: some(lines),
  appointment: of(appointmentRequirements),
});

const scenes = fc.record({ licenses, appointments, carrier: carriers, product: products });
type Scene = ReturnType<typeof scenes.generate>['value'];

function question({ licenses: held, appointments: made, carrier, product }: Scene): ComplianceQuestion {
  return {
    stateCode: 'TX',
    today,
    config: {
      states: [{ stateCode: 'TX', linesOfAuthority: product.requires, appointment: product.appointment }],
      ...(product.insurers === undefined ? {} : { carrierNaicCodes: product.insurers }),
    },
    carrier: {
      name: carrier.name.text ?? '',
      naicCodes: carrier.codes,
      eins: carrier.eins.map(({ text }) => text ?? ''),
    },
    licenses: held.map(({ state, status, date, lines: carried }) => ({
      stateCode: state,
      status: status.text ?? '',
      nextRenewalDate: date.text,
      linesOfAuthority: carried.map((line) => ({
        code: line.code,
        name: line.code,
        status: line.status.text ?? '',
      })),
    })),
    appointments: made.map(({ state, status, terminated, date, line, code, ein, name }) => ({
      stateCode: state,
      status: status.text ?? '',
      terminationReason: terminated.text,
      renewalDate: date.text,
      lineOfAuthorityCode: line,
      companyCode: code,
      ein: ein.text,
      carrierName: name.text,
    })),
  };
}

function licenseStatus({ licenses: held, product }: Scene): string {
  const inState = held.filter(({ state }) => state === 'TX');
  const live = inState.filter(({ status, date }) => status.meaning.license && date.meaning === 'to come');
  if (live.length === 0) {
    return inState.some(({ date }) => date.meaning === 'passed') ? 'Expired License' : 'Missing License';
  }
  const hasEvery = product.requires.every((code) =>
    live.some((license) => license.lines.some((line) => line.code === code && line.status.meaning.license)),
  );
  return hasEvery ? 'Licensed' : 'Missing Line of Authority';
}

/** Whose an appointment is, for this product. */
function counts({ carrier, product }: Scene, { code, ein, name }: Scene['appointments'][number]): boolean {
  const codeOf = code?.trim() ?? '';
  if (product.insurers !== undefined) return product.insurers.includes(codeOf);
  if (carrier.codes.length === 0 && carrier.eins.length === 0) return name.meaning === carrier.name.meaning;
  return (
    carrier.codes.includes(codeOf) ||
    (ein.meaning !== null && carrier.eins.some(({ meaning }) => meaning === ein.meaning))
  );
}

function appointmentStatus(scene: Scene): string {
  const { product } = scene;
  if (product.appointment === 'not required') return 'Not Required';
  const valid = scene.appointments.filter(
    (one) =>
      one.state === 'TX' &&
      one.status.meaning.appointment &&
      !one.terminated.meaning &&
      one.date.meaning === 'to come' &&
      counts(scene, one),
  );
  const coversEvery = product.requires.every((code) =>
    valid.some(({ line }) => line === null || line === code),
  );
  if (valid.length > 0 && coversEvery) return 'Appointed';
  return product.appointment === 'on binding' ? 'Appointment on Binding' : 'Not Appointed';
}

const runs = { numRuns: 2_000 };

it('is as the rules say, whatever the carrier, lines, dates and statuses', async () => {
  await fc.assert(
    fc.property(scenes, (scene) => {
      const found = complianceOf(question(scene));
      const license = licenseStatus(scene);
      const appointment = appointmentStatus(scene);
      expect([found.licenseStatus.statusName, found.appointmentStatus.statusName]).toEqual([
        license,
        appointment,
      ]);
      expect(found.complianceStatus).toBe(
        license === 'Licensed' && appointment !== 'Not Appointed' ? 'COMPLIANT' : 'NOT_COMPLIANT',
      );
    }),
    runs,
  );
});

it('calls a license what the license overview calls it', async () => {
  const names = {
    active: 'Licensed',
    expiring: 'Licensed',
    expired: 'Expired License',
    inactive: 'Missing License',
  } as const;
  await fc.assert(
    fc.property(of(statuses), of(dates), (status, date) => {
      const license = { status: status.text ?? '', nextRenewalDate: date.text };
      const { licenseStatus: found } = complianceOf({
        stateCode: 'TX',
        today,
        config: { states: [] },
        carrier: { name: '', naicCodes: [], eins: [] },
        licenses: [{ ...license, stateCode: 'TX', linesOfAuthority: [] }],
        appointments: [],
      });
      expect(found.statusName).toBe(names[renewalStatusOf(license, today)]);
    }),
  );
});
