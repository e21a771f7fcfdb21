import {
  type AmendableFields,
  amendmentOf,
} from '../../../../../shared/domain/registry-reconciliation/amendment.ts';

const dates = ['dateOfAction', 'effectiveDate', 'enterDate'] as const;

const action = (date: string | null, fileRef: string | null = 'A'): AmendableFields => ({
  originOfAction: 'Department of Insurance',
  reasonForAction: 'Late filing',
  disposition: 'Penalty',
  dateOfAction: date,
  effectiveDate: date,
  enterDate: date,
  fileRef,
  penaltyFineForfeitureInUSD: 250,
  lengthOfOrderInDays: 0,
});

test.each([
  ['2025-05-02', '2025-05-02T00:00:00Z'],
  ['2025-05-02', '2025-05-02T00:00:00.000Z'],
  ['2025-05-02', '2025-05-02T00:00:00-04:00'],
  ['2025-05-02T00:00:00Z', '2025-05-02T00:00:00.000+00:00'],
  ['2025-05-02T00:00:00Z', '2025-05-01T20:00:00-04:00'],
])('%s and %s are the same date: nothing was amended', (one, other) => {
  expect(amendmentOf(action(one), action(other))).toBeUndefined();
  expect(amendmentOf(action(other), action(one))).toBeUndefined();
});

test.each([
  ['2025-05-02', '2025-05-03'],
  ['2025-05-02', '2025-05-03T00:00:00Z'],
  ['2025-05-02T00:00:00Z', '2025-05-02T00:00:01Z'],
  ['2025-05-02', null],
])('%s and %s are different dates', (one, other) => {
  const previousValues = Object.fromEntries(dates.map((field) => [field, one]));
  expect(amendmentOf(action(one), action(other))).toEqual({ changedFields: [...dates], previousValues });
});

test('fields that are no dates are compared as they are written', () => {
  const amendment = amendmentOf(action(null, '2025-05-02'), action(null, '2025-05-02T00:00:00Z'));
  expect(amendment?.changedFields).toEqual(['fileRef']);
});
