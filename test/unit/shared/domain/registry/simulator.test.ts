import { classKindOf } from '#domain/decision/classes.ts';
import { simulate, withRecord } from '#domain/registry/simulator.ts';
import { isForCause, statusKindOf } from '#domain/registry/words.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const npns = Array.from({ length: 500 }, (_, index) => String(20_000_000 + index * 11));

const many = npns.flatMap((npn) => simulate(npn, now) ?? []);
const licenses = many.flatMap((report) => report.licenses);
const lines = licenses.flatMap(({ linesOfAuthority }) => linesOfAuthority);

it('returns the same records in every process, at any time of a year', () => {
  for (const npn of npns) {
    expect(simulate(npn, new Date('2026-01-01T00:00:00.000Z'))).toEqual(
      simulate(npn, new Date('2026-12-31T23:59:59.999Z')),
    );
  }
  expect(simulate('17654321', now)).toMatchObject({ kind: 'individual', name: 'Casey Ramsey' });
  expect(simulate('17654321', now)?.licenses[0]).toMatchObject({
    stateCode: 'NH',
    licenseNumber: '6796474',
    residencyStatus: 'resident',
  });
});

it('knows firms and individuals, who have licenses in one to eight states, and one home state', () => {
  expect(many).toHaveLength(npns.length);
  expect(new Set(many.map(({ kind }) => kind)).size).toBe(2);
  for (const report of many) {
    const states = new Set(report.licenses.map(({ stateCode }) => stateCode));
    expect(states.size).toBeGreaterThanOrEqual(1);
    expect(states.size).toBeLessThanOrEqual(8);
    const homes = report.licenses.filter(({ residencyStatus }) => residencyStatus === 'resident');
    expect(new Set(homes.map(({ stateCode }) => stateCode)).size).toBe(1);
  }
});

it('does not know NPNs of ten digits that begin with 9', () => {
  expect(simulate('9123456789', now)).toBeUndefined();
});

describe('what real reports have now and then', () => {
  const appointments = many.flatMap((report) => report.appointments);
  const orders = many.flatMap((report) =>
    report.actions.filter(({ disposition }) => disposition === 'License, Suspended'),
  );
  const isExpired = (shown: string) =>
    licenses.filter(({ status, expirationDate }) => status === shown && (expirationDate ?? '9') < '2026-06');
  it.each([
    ['expired licenses that are shown so', isExpired('inactive').length],
    ['expired licenses that show as active', isExpired('active').length],
    ['licenses without lines', licenses.filter((one) => one.linesOfAuthority.length === 0).length],
    ['licenses that are applied for', lines.filter(({ status }) => status === 'Pending').length],
    ['suspensions by an order', orders.length],
    ['rows that cannot be read', many.flatMap(({ unreadable = [] }) => unreadable).length],
  ])('are %s', (_, count) => {
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThan(licenses.length / 4);
  });

  it('are in words of several states, all of which are understood', () => {
    const kinds = new Set(licenses.map((one) => classKindOf(one, [])));
    expect(kinds).toEqual(new Set(['producer']));
    const statuses = [...licenses, ...lines].map(({ status }) => statusKindOf(status, 'license'));
    expect(new Set(statuses)).toEqual(new Set(['live', 'inactive', 'pending']));
    const ofAppointments = appointments.map(({ status, terminationReason }) =>
      statusKindOf(status, 'appointment', terminationReason),
    );
    expect(new Set(ofAppointments)).toEqual(new Set(['live', 'ended']));
    expect(appointments.some(({ terminationReason }) => isForCause(terminationReason))).toBe(false);
  });
});

describe('a record that an operator sets', () => {
  const npn = '17654321';
  const made = simulate(npn, now);

  it('replaces the given properties, and leaves the others', () => {
    expect(withRecord(made, { licenses: [] }, npn)).toMatchObject({ name: 'Casey Ramsey', licenses: [] });
    const entity = { kind: 'firm' as const, name: 'Set' };
    expect(withRecord(made, { entity }, npn)).toMatchObject({ ...entity, licenses: made?.licenses });
  });

  it('makes a known NPN unknown, or an unknown one known', () => {
    expect(withRecord(made, { entity: null, licenses: [] }, npn)).toBeUndefined();
    expect(withRecord(undefined, {}, npn)).toBeUndefined();
    expect(withRecord(undefined, { licenses: [] }, npn)).toMatchObject({ name: `Holder of ${npn}` });
  });
});
