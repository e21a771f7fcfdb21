import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { registryAction, registryEntity } from '../../../../../shared/domain/registry/registry.ts';
import { createSimulator, simulate, withRecord } from '../../../../../shared/domain/registry/simulator.ts';
import { registryRecordsTable } from '../../../../../shared/domain/registry-records/table.ts';
import { toItem } from '../../../../../shared/platform/data/dynamo.ts';
import { tableOf } from '../../../../../shared/platform/data/table.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
/** Those that the simulated registry knows. */
const npns = fc.stringMatching(/^([1-9]\d{0,8}|[1-8]\d{9})$/);

it('returns records that match the registry’s schemas for any NPN', () => {
  fc.assert(
    fc.property(npns, (npn) => {
      const { entity, regulatoryActions } = simulate(npn, now);
      expect(z.safeParse(registryEntity, entity)).toMatchObject({ success: true });
      expect(z.safeParse(z.array(registryAction), regulatoryActions)).toMatchObject({ success: true });
      const states = entity?.licenses.map(({ stateCode }) => stateCode) ?? [];
      expect(new Set(states).size).toBe(states.length);
      expect(states.length).toBeGreaterThanOrEqual(1);
      expect(states.length).toBeLessThanOrEqual(8);
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
    { stateCode: 'NH', licenseNumber: '6796474', nextRenewalDate: '2027-12-31' },
    { stateCode: 'SC', licenseNumber: '1288178', nextRenewalDate: '2026-12-31' },
  ]);
});

it('has firms and individuals, current and expired licenses, and some regulatory actions', () => {
  const many = Array.from({ length: 400 }, (_, index) => simulate(String(10_000_000 + index * 7), now));
  const licenses = many.flatMap(({ entity }) => entity?.licenses ?? []);
  const share = (part: number, whole: number) => part / whole;
  expect(share(many.filter(({ entity }) => entity?.kind === 'firm').length, many.length)).toBeCloseTo(0.5, 0);
  const expired = licenses.filter(({ nextRenewalDate }) => (nextRenewalDate ?? '') < '2026-06-15');
  expect(share(expired.length, licenses.length)).toBeGreaterThan(0.06);
  expect(share(expired.length, licenses.length)).toBeLessThan(0.2);
  const acted = many.filter(({ regulatoryActions }) => regulatoryActions.length > 0);
  expect(share(acted.length, many.length)).toBeGreaterThan(0.06);
  expect(share(acted.length, many.length)).toBeLessThan(0.2);
});

it('does not know NPNs of ten digits that begin with 9', () => {
  expect(simulate('9123456789', now)).toEqual({ entity: undefined, regulatoryActions: [] });
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
  for (const ask of [simulator.fetch('1'), simulator.subscribe('1')]) {
    await expect(ask).rejects.toThrow('unavailable');
  }
});
