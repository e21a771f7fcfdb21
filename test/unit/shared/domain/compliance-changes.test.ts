import * as fc from 'fast-check';
import { heldKey, heldNamesAfter, type PartyStatus } from '#domain/baselines/baseline.ts';
import {
  bytes,
  type ChangedProduct,
  type ChangeWindow,
  changedProducts,
  inParts,
  longestMs,
  msUntilDue,
  quietMs,
  withChange,
} from '#domain/compliance-changes/report.ts';
import { stateCodes } from '#platform/contract/primitives.ts';

describe('changed products', () => {
  const statusNames = ['Licensed', 'Missing License', 'Expired License'] as const;
  const state = fc.record({
    stateCode: fc.constantFrom(...stateCodes),
    complianceStatus: fc.constantFrom('COMPLIANT' as const, 'NOT_COMPLIANT' as const),
    licenseStatus: fc.record({ statusName: fc.constantFrom(...statusNames) }),
    appointmentStatus: fc.record({
      statusName: fc.constantFrom('Appointed' as const, 'Not Required' as const),
    }),
  });
  const products = fc.uniqueArray(
    fc.record({
      productId: fc.constantFrom('a', 'b', 'c', 'd').map((letter) => letter.repeat(24)),
      productName: fc.constantFrom('Cargo', 'Cyber', 'Größe'),
      states: fc.uniqueArray(state, { selector: ({ stateCode }) => stateCode, maxLength: 12 }),
    }),
    { selector: ({ productId }) => productId, maxLength: 4 },
  );

  type Products = typeof products extends fc.Arbitrary<infer All> ? All : never;

  const statusesOf = (some: Products): PartyStatus[] =>
    some.flatMap(({ productId, productName, states }) =>
      states.map((one) => ({ party: 'agent', productId, productName, state: one, overdueFrom: null })),
    );

  /** What is sent of an agent whose statuses were reported before. */
  const changedOf = (before: Products, after: Products): readonly ChangedProduct[] => {
    const names = new Map(before.map(({ productId, productName }) => [productId, productName]));
    return changedProducts(heldNamesAfter(statusesOf(before)), statusesOf(after), names).agent;
  };

  /** What a receiver that follows the events holds of an NPN's statuses. */
  function applied(before: Products, changed: readonly ChangedProduct[]) {
    const held = new Map(Object.entries(heldNamesAfter(statusesOf(before))));
    for (const { productId, states } of changed) {
      for (const { stateCode, complianceStatus, licenseStatus, appointmentStatus } of states) {
        const key = heldKey('agent', productId, stateCode);
        if (licenseStatus.statusName === 'STATE_REMOVED') held.delete(key);
        else
          held.set(key, [complianceStatus, licenseStatus.statusName, appointmentStatus.statusName].join('/'));
      }
    }
    return held;
  }

  test('the reported changes applied to the last report give the current statuses', () =>
    fc.assert(
      fc.property(products, products, (before, after) => {
        expect(applied(before, changedOf(before, after))).toEqual(applied(after, []));
      }),
    ));

  test('without a change there is no event', () =>
    fc.assert(
      fc.property(products, (statuses) => {
        expect(changedOf(statuses, statuses)).toEqual([]);
      }),
    ));

  test('a removed state is STATE_REMOVED, without a compliance status', () => {
    const gone = {
      productId: 'a'.repeat(24),
      productName: 'Cargo' as const,
      states: [
        {
          stateCode: 'TX' as const,
          complianceStatus: 'COMPLIANT' as const,
          licenseStatus: { statusName: 'Licensed' as const },
          appointmentStatus: { statusName: 'Not Required' as const },
        },
      ],
    };
    const states = [
      {
        stateCode: 'TX',
        licenseStatus: { statusName: 'STATE_REMOVED' },
        appointmentStatus: { statusName: 'STATE_REMOVED' },
      },
    ];
    expect(changedOf([gone], [{ ...gone, states: [] }])).toEqual([
      { productId: gone.productId, productName: 'Cargo', states },
    ]);
    expect(changedOf([gone], [])).toEqual([{ productId: gone.productId, productName: 'Cargo', states }]);
  });

  test('parts contain every state once and in order, and each fits', () =>
    fc.assert(
      fc.property(products, fc.integer({ min: 400, max: 4_000 }), (before, most) => {
        const changed = changedOf([], before);
        const parts = inParts(changed, most);
        const places = (some: readonly ChangedProduct[]) =>
          some.flatMap(({ productId, states }) => states.map(({ stateCode }) => `${productId} ${stateCode}`));
        expect(parts.flatMap(places)).toEqual(places(changed));
        for (const part of parts) {
          expect(bytes(part)).toBeLessThanOrEqual(most + 2);
          expect(part.every(({ states }) => states.length > 0)).toBe(true);
        }
      }),
    ));
});

describe('window', () => {
  const start = Date.parse('2026-06-01T09:00:00.000Z');
  /** Changes as they follow each other, in milliseconds. */
  const gaps = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 80 });

  /** The window as changes move it, for as long as it is open. */
  function windowAfter(between: readonly number[]): { open: ChangeWindow; last: number } {
    let at = start;
    let open = withChange(undefined, new Date(at));
    for (const gap of between) {
      if (at + gap >= Date.parse(open.deliverAfter)) break;
      at += gap;
      open = withChange(open, new Date(at));
    }
    return { open, last: at };
  }

  test('no event is later than 30 minutes after the first change', () =>
    fc.assert(
      fc.property(gaps, (between) => {
        const { open } = windowAfter(between);
        expect(Date.parse(open.firstChangeAt)).toBe(start);
        expect(Date.parse(open.deliverAfter)).toBeLessThanOrEqual(start + longestMs);
      }),
    ));

  test('no event is earlier than a minute after the last change, except at the cap', () =>
    fc.assert(
      fc.property(gaps, (between) => {
        const { open, last } = windowAfter(between);
        const due = Date.parse(open.deliverAfter);
        expect(due === last + quietMs || (due === start + longestMs && due < last + quietMs)).toBe(true);
      }),
    ));

  test('a clock that is behind never moves a window back', () =>
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 600_000 }), (between, behind) => {
        const { open, last } = windowAfter(between);
        const again = withChange(open, new Date(last - behind));
        expect(again.deliverAfter >= open.deliverAfter).toBe(true);
        expect(Date.parse(again.deliverAfter)).toBeLessThanOrEqual(start + longestMs);
      }),
    ));

  test('a window is due at its time, not before', () => {
    const open = withChange(undefined, new Date(start));
    expect(msUntilDue(open, new Date(start))).toBe(60_000);
    expect(msUntilDue(open, new Date(start + 59_999))).toBe(1);
    expect(msUntilDue(open, new Date(start + 61_000))).toBe(0);
  });
});
