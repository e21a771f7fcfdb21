import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { classKindOf } from '../../../../../shared/domain/decision/classes.ts';
import { registryAction, registryEntity } from '../../../../../shared/domain/registry/registry.ts';
import { createSimulator, simulate, withRecord } from '../../../../../shared/domain/registry/simulator.ts';
import { isForCause, statusKindOf } from '../../../../../shared/domain/registry/words.ts';
import { registryRecordsTable } from '../../../../../shared/domain/table-designs.ts';
import { toItem } from '../../../../../shared/platform/data/dynamo.ts';
import { tableOf } from '../../../../../shared/platform/data/table.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
/** Those that the simulated registry knows. */
const npns = fc.stringMatching(/^([1-9]\d{0,8}|[1-8]\d{9})$/);

const many = Array.from({ length: 500 }, (_, index) => simulate(String(20_000_000 + index * 11), now));
const licenses = many.flatMap(({ entity }) => entity?.licenses ?? []);

it('returns records that match the registry’s schemas for any NPN', () => {
  fc.assert(
    fc.property(npns, (npn) => {
      const { entity, regulatoryActions } = simulate(npn, now);
      expect(z.safeParse(registryEntity, entity)).toMatchObject({ success: true });
      expect(z.safeParse(z.array(registryAction), regulatoryActions)).toMatchObject({ success: true });
      const states = new Set(entity?.licenses.map(({ stateCode }) => stateCode));
      expect(states.size).toBeGreaterThanOrEqual(1);
      expect(states.size).toBeLessThanOrEqual(8);
    }),
  );
});

it('returns the same records at any time of a year', () => {
  fc.assert(
    fc.property(npns, (npn) => {
      expect(simulate(npn, new Date('2026-01-01T00:00:00.000Z'))).toEqual(
        simulate(npn, new Date('2026-12-31T23:59:59.999Z')),
      );
    }),
  );
});

it('returns the same records in every process', () => {
  const { entity } = simulate('17654321', now);
  expect(entity).toMatchObject({ kind: 'individual', name: 'Casey Ramsey', residentStateCode: 'NH' });
  expect(entity?.licenses.slice(0, 2)).toMatchObject([
    { stateCode: 'NH', licenseNumber: '6796474', expirationDate: '2027-12-31', nextRenewalDate: null },
    { stateCode: 'SC', licenseNumber: '1288178', status: 'inactive', expirationDate: null },
  ]);
});

it('has firms and individuals, current and expired licenses, and some regulatory actions', () => {
  const share = (part: number, whole: number) => part / whole;
  expect(share(many.filter(({ entity }) => entity?.kind === 'firm').length, many.length)).toBeCloseTo(0.5, 0);
  const expired = licenses.filter(
    ({ status, expirationDate }) => status === 'active' && (expirationDate ?? '') < '2026-06-15',
  );
  expect(share(expired.length, licenses.length)).toBeGreaterThan(0.03);
  expect(share(expired.length, licenses.length)).toBeLessThan(0.12);
  const fined = many.filter(({ regulatoryActions }) =>
    regulatoryActions.some(({ penaltyFineForfeitureInUSD }) => penaltyFineForfeitureInUSD !== null),
  );
  expect(share(fined.length, many.length)).toBeGreaterThan(0.06);
  expect(share(fined.length, many.length)).toBeLessThan(0.2);
});

describe('what real reports have now and then', () => {
  const lines = licenses.flatMap(({ linesOfAuthority }) => linesOfAuthority);

  it('is classes of several kinds, in the words of several states, all of which are understood', () => {
    const kinds = new Set(licenses.map((one) => classKindOf(one, [])));
    expect(kinds).toEqual(new Set(['producer', 'surplus lines', 'adjuster']));
    expect(new Set(licenses.map(({ licenseClassName }) => licenseClassName)).size).toBeGreaterThan(8);
    const statuses = [...licenses, ...lines].map(({ status }) => statusKindOf(status, 'license'));
    expect(new Set(statuses)).toEqual(new Set(['live', 'inactive', 'pending']));
  });

  it('is firms and surplus lines licenses without lines, and lines that ended or were granted on a day of their own', () => {
    expect(licenses.some(({ linesOfAuthority }) => linesOfAuthority.length === 0)).toBe(true);
    expect(lines.some(({ status, statusDate }) => status === 'Inactive' && statusDate !== null)).toBe(true);
    expect(lines.every(({ issueDate, status }) => issueDate !== null || status === 'Pending')).toBe(true);
  });

  it('is a home state, and licenses that are suspended by an order of the same day', () => {
    for (const { entity } of many) {
      const homes = entity?.licenses.filter(({ residencyStatus }) => residencyStatus === 'resident') ?? [];
      expect(new Set(homes.map(({ stateCode }) => stateCode))).toEqual(new Set([entity?.residentStateCode]));
    }
    const orders = many.flatMap(({ entity, regulatoryActions }) =>
      regulatoryActions
        .filter(({ disposition }) => disposition === 'License, Suspended')
        .map(({ stateCode, effectiveDate }) => ({
          effectiveDate,
          ofState: entity?.licenses.filter((one) => one.stateCode === stateCode) ?? [],
        })),
    );
    expect(orders.length).toBeGreaterThan(20);
    for (const { effectiveDate, ofState } of orders) {
      expect(ofState.every(({ status }) => status === 'inactive')).toBe(true);
      expect(
        ofState.some((one) => one.statusReason === 'Suspended' && one.statusDate === effectiveDate),
      ).toBe(ofState.some(({ linesOfAuthority }) => linesOfAuthority.length > 0));
    }
  });

  it('is appointments that ended, and not for cause', () => {
    const appointments = many.flatMap(({ entity }) => entity?.appointments ?? []);
    const kinds = new Set(
      appointments.map((one) => statusKindOf(one.status, 'appointment', one.terminationReason)),
    );
    expect(kinds).toEqual(new Set(['live', 'ended']));
    expect(appointments.some(({ terminationReason }) => isForCause(terminationReason))).toBe(false);
  });

  it('is a row now and then that cannot be read, beside others that can', () => {
    const odd = many.flatMap(({ unreadable }) => unreadable);
    expect(odd.length).toBeGreaterThan(20);
    expect(odd.length).toBeLessThan(licenses.length / 10);
    expect(new Set(odd.flatMap(({ faults }) => faults))).toEqual(new Set(['expirationDate']));
  });
});

it('does not know NPNs of ten digits that begin with 9', () => {
  expect(simulate('9123456789', now)).toEqual({
    entity: undefined,
    regulatoryActions: [],
    unreadable: [],
  });
});

describe('a record that an operator sets', () => {
  const npn = '17654321';
  const made = simulate(npn, now);

  it('replaces the given properties, and leaves the others', () => {
    const told = withRecord(made, { licenses: [] }, npn);
    expect(told).toEqual({ ...made, entity: { ...made.entity, licenses: [] } });
    const entity = { kind: 'individual' as const, name: 'Set', residentStateCode: null };
    expect(withRecord(made, { entity }, npn).entity).toEqual({ ...made.entity, ...entity });
  });

  it('makes a known NPN unknown, or an unknown one known', () => {
    expect(withRecord(made, { entity: null, licenses: [] }, npn).entity).toBeUndefined();
    const nobody = simulate('9000000001', now);
    expect(withRecord(nobody, {}, '9000000001').entity).toBeUndefined();
    expect(withRecord(nobody, { licenses: [] }, '9000000001').entity).toMatchObject({ licenses: [] });
  });
});

it('fails if an operator configured it to', async () => {
  const dynamo = mockClient(DynamoDBClient);
  dynamo.on(GetItemCommand).resolves({ Item: toItem({ unavailable: true }) });
  const simulator = createSimulator(
    tableOf(registryRecordsTable, new DynamoDBClient({ region: 'us-east-1' }), 'table'),
    () => now,
  );
  for (const ask of [simulator.fetch('1', 'organization'), simulator.visit?.('1')]) {
    await expect(ask).rejects.toThrow('unavailable');
  }
});
