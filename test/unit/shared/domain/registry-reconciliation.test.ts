import * as fc from 'fast-check';
import { amendableFieldNames } from '#domain/registry/resources.ts';
import { type AmendableFields, amendableOf, amendmentOf } from '#domain/registry-reconciliation/visit.ts';
import { type PollReason, shardOf } from '#domain/registry-records/stored.ts';
import type { SubscribedNpn } from '#domain/registry-records/subscriptions.ts';
import { collect } from '#platform/data/concurrently.ts';
import { reconciliationJobs } from '../../../../functions/registry-reconciliation/reconcile.ts';

describe('amendment dates', () => {
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
  ])('%s and %s are the same date: nothing was amended', (one, other) => {
    expect(amendmentOf(action(one), action(other))).toBeUndefined();
    expect(amendmentOf(action(other), action(one))).toBeUndefined();
  });

  test.each([
    ['2025-05-02', '2025-05-03'],
    ['2025-05-02', '2025-05-03T00:00:00Z'],
    ['2025-05-02', null],
  ])('%s and %s are different dates', (one, other) => {
    const previousValues = Object.fromEntries(dates.map((field) => [field, one]));
    expect(amendmentOf(action(one), action(other))).toEqual({ changedFields: [...dates], previousValues });
  });

  test('fields that are no dates are compared as they are written', () => {
    const amendment = amendmentOf(action(null, '2025-05-02'), action(null, '2025-05-02T00:00:00Z'));
    expect(amendment?.changedFields).toEqual(['fileRef']);
  });
});

describe('amendment', () => {
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
        expect(Object.keys(told?.previousValues ?? {}).sort()).toEqual(
          [...(told?.changedFields ?? [])].sort(),
        );
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
});

describe('visits of a night', () => {
  // Whom each night's jobs are of, among NPNs that wait in memory.

  const first = new Date('2026-06-01T21:00:00-04:00');
  const night = (number: number) => new Date(first.getTime() + number * 86_400_000);

  let waiting: Map<string, { reason: PollReason; since: string }>;
  /** NPNs with a license, by the day on which it ends. */
  let ending: Map<string, string>;

  beforeEach(() => {
    [waiting, ending] = [new Map(), new Map()];
  });

  const wait = (npn: string, reason: PollReason, number: number) =>
    waiting.set(npn, { reason, since: night(number).toISOString() });

  /** Makes the visits of a night; returns whom it visits, in this order. */
  async function visited(number: number, most?: number): Promise<string[]> {
    const deps = {
      npns: {
        async *waiting(reason: PollReason, shard: number) {
          const found: SubscribedNpn[] = Array.from(waiting)
            .filter(([npn, one]) => one.reason === reason && shardOf(npn) === shard)
            .map(([npn, { since }]) => ({ npn, since }));
          yield found.sort((one, other) => (one.since < other.since ? -1 : 1));
        },
        endingOn: async (days: readonly string[]) => new Set(days.flatMap((day) => ending.get(day) ?? [])),
      },
      nightCalls: { most },
      now: () => night(number),
    };
    const jobs = (await collect(reconciliationJobs(night(number), deps))).flat();
    const npns = jobs.flatMap((job) => job.npns);
    for (const npn of npns) wait(npn, 'NPN', number);
    return npns;
  }

  test('are of every NPN: never verified, asked for, with a license that ends within 30 days, longest not verified', async () => {
    wait('31', 'NPN', -3);
    wait('32', 'NPN', -8);
    wait('33', 'NPN', -1);
    wait('21', 'NPN', -1);
    wait('22', 'NPN', -2);
    wait('11', 'ASKED', -4);
    wait('12', 'ASKED', -5);
    wait('1', 'NEW', -6);
    wait('2', 'NEW', -7);
    ending.set('2026-06-01', '21').set('2026-07-01', '22').set('2026-07-02', '32');
    // It has no subscriber any more.
    ending.set('2026-06-05', '99');
    expect(await visited(0)).toEqual(['2', '1', '12', '11', '22', '21', '32', '31', '33']);
  });

  test('are as many as the calls of the night, and the others come first in the nights after', async () => {
    const npns = Array.from({ length: 60 }, (_, index) => String(1_000 + index));
    for (const [index, npn] of npns.entries()) wait(npn, 'NPN', index - 60);
    expect(await visited(0, 25)).toEqual(npns.slice(0, 25));
    expect(await visited(1, 25)).toEqual(npns.slice(25, 50));
    wait('7', 'ASKED', 1);
    const third = await visited(2, 25);
    expect(third.slice(0, 11)).toEqual(['7', ...npns.slice(50)]);
    expect(npns.slice(0, 25)).toEqual(expect.arrayContaining(third.slice(11)));
  });
});
