import * as fc from 'fast-check';
import { type QueueDeps, reconciliationJobs } from '../../../../functions/registry-reconciliation/queue.ts';
import { pollEveryDays } from '../../../../shared/domain/registry/registry.ts';
import { amendableFieldNames } from '../../../../shared/domain/registry/resources.ts';
import {
  type AmendableFields,
  amendableOf,
  amendmentOf,
} from '../../../../shared/domain/registry-reconciliation/visit.ts';
import { type PollReason, shardOf } from '../../../../shared/domain/registry-records/stored.ts';
import type { SubscribedNpn } from '../../../../shared/domain/registry-records/subscriptions.ts';
import { collect } from '../../../../shared/platform/data/concurrently.ts';
import { recordingLogger } from '../../../support/recording-logger.ts';

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

describe('nights', () => {
  // Whom each night's jobs are of, among NPNs that wait in memory.

  const first = new Date('2026-06-01T21:00:00-04:00');
  const night = (number: number) => new Date(first.getTime() + number * 86_400_000);

  let waiting: Map<string, { reason: PollReason; since: string }>;
  let left: number[];
  let isKept: boolean;

  beforeEach(() => {
    [waiting, left, isKept] = [new Map(), [], true];
  });

  /** NPNs that were all polled in the evening before the first night. */
  function polledBefore(count: number): string[] {
    const npns = Array.from({ length: count }, (_, index) => String(1_000 + index));
    for (const npn of npns) waiting.set(npn, { reason: 'NPN', since: night(-1).toISOString() });
    return npns;
  }

  const name = (npn: string, number: number) =>
    waiting.set(npn, { reason: 'CHANGED', since: night(number).toISOString() });

  /** Makes the polls of a night, but those that fail; returns whom it asks about, in this order. */
  async function made(
    number: number,
    {
      mostCallsANight = 100_000,
      callsPerPoll = 1,
      fails = () => false,
    }: {
      readonly mostCallsANight?: number;
      readonly callsPerPoll?: number;
      readonly fails?: (npn: string) => boolean;
    } = {},
  ): Promise<string[]> {
    const deps: Parameters<typeof reconciliationJobs>[1] = {
      registry: {
        callsPerPoll,
        changesSince: async () => (isKept ? { npns: [], cursor: 'next' } : undefined),
      },
      changeLists: { read: async () => undefined, record: async () => 0 },
      npns: {
        async *waiting(reason, shard) {
          const found: SubscribedNpn[] = Array.from(waiting)
            .filter(([npn, one]) => one.reason === reason && shardOf(npn) === shard)
            .map(([npn, { since }]) => ({ npn, since }));
          yield found.sort((one, other) => (one.since < other.since ? -1 : 1));
        },
        async *atBoundaryOf() {},
      },
      sweepDays: { missed: async () => [] },
      mostCallsANight,
      now: () => night(number),
      log: { ...recordingLogger(), warn: (_message, { npns }) => left.push(Number(npns)) },
    } satisfies Omit<QueueDeps, 'polls' | 'onUnreadable'>;
    const jobs = (await collect(reconciliationJobs(night(number), deps))).flat();
    const polled = jobs.flatMap(({ npns }) => npns);
    for (const npn of polled.filter((one) => !fails(one))) {
      waiting.set(npn, { reason: 'NPN', since: night(number).toISOString() });
    }
    return polled;
  }

  test('each NPN is polled every 28 days, and about as many each night', async () => {
    const all = polledBefore(280);
    const last = new Map(all.map((npn) => [npn, -1]));
    for (let number = 0; number < 2 * pollEveryDays; number += 1) {
      const polled = await made(number);
      // A share of each of the 16 shards, rounded up.
      expect(polled.length).toBeLessThanOrEqual(10 + 16);
      for (const npn of polled) {
        expect(number - (last.get(npn) ?? -1)).toBeLessThanOrEqual(pollEveryDays);
        last.set(npn, number);
      }
    }
    expect(Math.min(...last.values())).toBeGreaterThanOrEqual(pollEveryDays - 1);
    expect(left).toEqual([]);
  });

  test('what changed comes first, then who was never polled, then the longest not polled', async () => {
    const [one = '', other = '', ...others] = polledBefore(40);
    waiting.set('77', { reason: 'NEW', since: night(-9).toISOString() });
    name(one, -1);
    name(other, -2);
    const polled = await made(0);
    expect(polled.slice(0, 3)).toEqual([other, one, '77']);
    expect(others).toEqual(expect.arrayContaining(polled.slice(3)));
    expect(polled.slice(3).length).toBeLessThanOrEqual(16);
  });

  test('calls win: what does not fit is said, and comes first in the nights after', async () => {
    polledBefore(10);
    for (let index = 0; index < 5; index += 1) name(String(index), -5 + index);
    expect(await made(0, { mostCallsANight: 4, callsPerPoll: 2 })).toEqual(['0', '1']);
    expect(left).toEqual([expect.any(Number)]);
    expect(await made(1, { mostCallsANight: 4, callsPerPoll: 2 })).toEqual(['2', '3']);
    expect((await made(2, { mostCallsANight: 4, callsPerPoll: 2 }))[0]).toBe('4');
  });

  test('few calls are shared out by age alone, so that nobody is left out for good', async () => {
    const all = polledBefore(100);
    const polled = new Set<string>();
    for (let number = 0; number < 60; number += 1) {
      for (const npn of await made(number, { mostCallsANight: 5 })) polled.add(npn);
    }
    expect(polled.size).toBe(all.length);
    expect(left.length).toBeGreaterThan(0);
  });

  test('after a week without the registry those who changed come first, and all others within their days or a week', async () => {
    const all = polledBefore(280);
    for (let number = 0; number < 7; number += 1) {
      name(all[number] ?? '', number);
      await made(number, { fails: () => true });
    }
    expect((await made(7)).slice(0, 7)).toEqual(all.slice(0, 7));
    for (let number = 8; number < pollEveryDays; number += 1) await made(number);
    expect(Array.from(waiting.values()).every(({ since }) => since >= night(0).toISOString())).toBe(true);
  });

  test('without lists of changes everybody comes every night, however few the calls', async () => {
    const all = polledBefore(30);
    isKept = false;
    expect((await made(0, { mostCallsANight: 1 })).sort()).toEqual(all.sort());
  });
});
