import * as fc from 'fast-check';
import { amendableFieldNames } from '../../../../../shared/domain/registry/regulatory-action.ts';
import {
  type AmendableFields,
  amendableOf,
  amendmentOf,
} from '../../../../../shared/domain/registry-reconciliation/amendment.ts';

const text = fc.option(fc.string({ maxLength: 5 }));
const date = fc.option(fc.constantFrom('2026-01-01', '2026-01-02'));
const amount = fc.option(fc.integer({ min: 0, max: 3 }));
const fields: fc.Arbitrary<AmendableFields> = fc.record({
  originOfAction: text,
  reasonForAction: text,
  disposition: text,
  dateOfAction: date,
  effectiveDate: date,
  enterDate: date,
  fileRef: text,
  penaltyFineForfeitureInUSD: amount,
  lengthOfOrderInDays: amount,
});

/** All 512 subsets of the nine fields. */
const subsets = Array.from({ length: 2 ** amendableFieldNames.length }, (_, bits) =>
  amendableFieldNames.filter((_name, index) => (bits & (1 << index)) !== 0),
);

const filled: AmendableFields = {
  originOfAction: 'Department of Insurance',
  reasonForAction: 'Late filing',
  disposition: 'Penalty',
  dateOfAction: '2026-01-01',
  effectiveDate: '2026-01-02',
  enterDate: '2026-01-03',
  fileRef: 'A',
  penaltyFineForfeitureInUSD: 250,
  lengthOfOrderInDays: 0,
};
const empty = Object.fromEntries(amendableFieldNames.map((name) => [name, null])) as AmendableFields;

test('each of the 512 sets of changed fields is reported with its previous values', () => {
  for (const changed of subsets) {
    const after = { ...filled, ...Object.fromEntries(changed.map((name) => [name, empty[name]])) };
    const told = amendmentOf(filled, after);
    if (changed.length === 0) {
      expect(told).toBeUndefined();
      continue;
    }
    expect(told?.changedFields).toEqual(changed);
    expect(told?.previousValues).toEqual(Object.fromEntries(changed.map((name) => [name, filled[name]])));
    // The other way round: null says that a field was empty, and a key that is absent is not part of the amendment.
    expect(amendmentOf(after, filled)?.previousValues).toEqual(
      Object.fromEntries(changed.map((name) => [name, null])),
    );
  }
});

test('the previous values of an amendment restore what was reported', () =>
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const told = amendmentOf(before, after);
      expect({ ...after, ...told?.previousValues }).toEqual(before);
      expect(Object.keys(told?.previousValues ?? {}).sort()).toEqual([...(told?.changedFields ?? [])].sort());
    }),
  ));

test('without a change there is no event', () =>
  fc.assert(
    fc.property(fields, (same) => {
      expect(amendmentOf(same, amendableOf({ ...same }))).toBeUndefined();
    }),
  ));

test('the previous values are null if the last report cannot be read', () => {
  expect(amendmentOf(undefined, filled)).toEqual({
    changedFields: [...amendableFieldNames],
    previousValues: null,
  });
});
