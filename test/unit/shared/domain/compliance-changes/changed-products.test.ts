import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { type ProductStatuses, reported } from '../../../../../shared/domain/baselines/statuses.ts';
import {
  bytes,
  type ChangedProduct,
  changedProducts,
  inParts,
  packed,
  unpacked,
} from '../../../../../shared/domain/compliance-changes/changed-products.ts';
import { stateCodes } from '../../../../../shared/platform/contract/primitives.ts';

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

/** What a receiver that follows the events holds of an NPN's statuses. */
function applied(before: readonly ProductStatuses[], changed: readonly ChangedProduct[]) {
  const held = new Map(
    before.flatMap(({ productId, states }) =>
      states.map(({ stateCode, complianceStatus, licenseStatus, appointmentStatus }) => [
        `${productId} ${stateCode}`,
        `${complianceStatus} ${licenseStatus.statusName} ${appointmentStatus.statusName}`,
      ]),
    ),
  );
  for (const { productId, states } of changed) {
    for (const { stateCode, complianceStatus, licenseStatus, appointmentStatus } of states) {
      const key = `${productId} ${stateCode}`;
      if (licenseStatus.statusName === 'STATE_REMOVED') held.delete(key);
      else held.set(key, `${complianceStatus} ${licenseStatus.statusName} ${appointmentStatus.statusName}`);
    }
  }
  return held;
}

test('the reported changes applied to the last report give the current statuses', () =>
  fc.assert(
    fc.property(products, products, (before, after) => {
      const changed = changedProducts(reported(before), after);
      expect(applied(before, changed)).toEqual(applied(after, []));
    }),
  ));

test('without a change there is no event', () =>
  fc.assert(
    fc.property(products, (statuses) => {
      expect(changedProducts(reported(statuses), statuses)).toEqual([]);
    }),
  ));

test('a removed state is STATE_REMOVED, without a compliance status', () => {
  const gone = {
    productId: 'a'.repeat(24),
    productName: 'Cargo',
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
  expect(changedProducts(reported([gone]), [{ ...gone, states: [] }])).toEqual([
    { productId: gone.productId, productName: 'Cargo', states },
  ]);
  expect(changedProducts(reported([gone]), [])).toEqual([
    { productId: gone.productId, productName: 'Cargo', states },
  ]);
});

test('parts contain every state once and in order, and each fits', () =>
  fc.assert(
    fc.property(products, fc.integer({ min: 400, max: 4_000 }), (before, most) => {
      const changed = changedProducts({}, before);
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

test('what changed is unpacked as it was packed', () =>
  fc.assert(
    fc.property(products, products, (agent, agency) => {
      const changed = { agent: changedProducts({}, agent), agency: changedProducts(reported(agent), agency) };
      expect(unpacked(packed(changed))).toEqual(changed);
    }),
  ));

test('what changed of hundreds of products fits an item: without its messages, where these are too long', () => {
  const long = Array.from({ length: 200 }, (_, index) => ({
    productId: index.toString(16).padStart(24, '0'),
    productName: 'Cargo',
    states: stateCodes.map((stateCode) => ({
      stateCode,
      complianceStatus: 'NOT_COMPLIANT' as const,
      licenseStatus: {
        statusName: 'Missing License' as const,
        statusMessages: [randomBytes(500).toString('base64')],
      },
      appointmentStatus: { statusName: 'Not Required' as const },
    })),
  }));
  const bytesOfChange = packed({ agent: long, agency: [] });
  expect(bytesOfChange.length).toBeLessThan(100 * 1_024);
  expect(unpacked(bytesOfChange).agent).toEqual(
    long.map(({ states, ...product }) => ({
      ...product,
      states: states.map((state) => ({ ...state, licenseStatus: { statusName: 'Missing License' } })),
    })),
  );
});
