import fc from 'fast-check';
import { jitter, retryDelays } from '#domain/webhooks/schedule.ts';
import { failingAfter } from '#domain/webhooks/stored.ts';
import {
  failingFor,
  healthAfter,
  isDelivered,
  longestRetryAfter,
  outcomeOf,
  type ReceiverAnswer,
} from '../../../../functions/webhook-delivery/attempt.ts';

describe('schedule', () => {
  const at = new Date('2026-06-01T09:00:00.000Z');
  const failure: ReceiverAnswer = { statusCode: 500, error: null, retryAfter: null };
  const circumstances = { retry: 0, endedAt: at, firstFailureAt: undefined, random: 0 };
  const waitOf = (answered: ReceiverAnswer, given: Partial<typeof circumstances> = {}): number => {
    const { nextAttemptAt } = outcomeOf(answered, { ...circumstances, ...given });
    return (nextAttemptAt?.getTime() ?? Number.NaN) - at.getTime();
  };

  test('the schedule is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
    const minutes = retryDelays.map((_, retry) => waitOf(failure, { retry }) / 60_000);
    expect(minutes).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440]);
    expect(outcomeOf(failure, circumstances)).toMatchObject({ status: 'pending', disable: null });
  });

  test('after the last retry a delivery has failed', () => {
    const last = outcomeOf(failure, { ...circumstances, retry: retryDelays.length });
    expect(last).toEqual({ status: 'failed', nextAttemptAt: null, disable: null });
  });

  test('a retry is never earlier than its delay, and at most a tenth later', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.nat(retryDelays.length - 1), random, (retry, drawn) => {
        const delay = retryDelays[retry] ?? Number.NaN;
        const wait = waitOf(failure, { retry, random: drawn });
        expect(wait).toBeGreaterThanOrEqual(delay);
        expect(wait).toBeLessThanOrEqual(delay * (1 + jitter) + 1);
      }),
    );
  });

  test('2xx is success and nothing else is: a redirect is a failure, and so is an answer that broke off', () => {
    for (let statusCode = 100; statusCode < 600; statusCode += 1) {
      const isSuccess = statusCode >= 200 && statusCode < 300;
      expect(isDelivered({ statusCode, error: null, retryAfter: null })).toBe(isSuccess);
      expect(isDelivered({ statusCode, error: 'timeout', retryAfter: null })).toBe(false);
    }
    expect(isDelivered({ statusCode: null, error: null, retryAfter: null })).toBe(false);
    const delivered = outcomeOf({ statusCode: 204, error: null, retryAfter: null }, circumstances);
    expect(delivered).toEqual({ status: 'succeeded', nextAttemptAt: null, disable: null });
  });

  test('Retry-After of 429 and 503 is never undercut, and is honored up to a day', () => {
    const asked = fc.oneof(fc.nat(10 * 24 * 3_600), fc.bigInt({ min: 0n, max: 10n ** 400n }));
    fc.assert(
      fc.property(
        fc.constantFrom(429, 503),
        fc.nat(retryDelays.length - 1),
        asked,
        fc.boolean(),
        (statusCode, retry, seconds, asDate) => {
          const when = new Date(at.getTime() + Math.min(Number(seconds), 1e9) * 1_000);
          const retryAfter = asDate ? when.toUTCString() : String(seconds);
          const wait = waitOf({ statusCode, error: null, retryAfter }, { retry });
          const wished = Math.min(Number(seconds) * 1_000, longestRetryAfter);
          expect(wait).toBe(Math.max(retryDelays[retry] ?? 0, wished));
        },
      ),
    );
  });

  test('Retry-After of another status, in the past, or invalid changes nothing', () => {
    for (const retryAfter of ['soon', '-5', '', '1.5', 'Mon, 01 Jun 2020 00:00:00 GMT']) {
      expect(waitOf({ statusCode: 429, error: null, retryAfter })).toBe(5_000);
    }
    expect(waitOf({ statusCode: 500, error: null, retryAfter: '3600' })).toBe(5_000);
  });

  test('a success ends the failures in a row, and a timeout is as many as make a receiver fail', () => {
    const before = { failures: 2, firstFailureAt: '2026-05-01T09:00:00.000Z' };
    expect(healthAfter(before, { fault: undefined, endedAt: at })).toEqual({});
    expect(healthAfter(before, { fault: 'status 500', endedAt: at })).toEqual({ ...before, failures: 3 });
    expect(healthAfter({}, { fault: 'timeout', endedAt: at })).toEqual({
      failures: failingAfter,
      firstFailureAt: at.toISOString(),
    });
  });

  test('410 disables the webhook at once', () => {
    expect(outcomeOf({ statusCode: 410, error: null, retryAfter: null }, circumstances)).toEqual({
      status: 'failed',
      nextAttemptAt: null,
      disable: 'The receiver responded with 410.',
    });
  });

  test('five days of only failures disable the webhook, and a moment less does not', () => {
    fc.assert(
      fc.property(fc.constantFrom(-5_000, -1, 0, 5_000), fc.nat(retryDelays.length), (offset, retry) => {
        const firstFailureAt = new Date(at.getTime() - failingFor - offset);
        const { disable } = outcomeOf(failure, { ...circumstances, firstFailureAt, retry });
        expect(disable).toBe(offset < 0 ? null : 'Every attempt of the last 5 days failed.');
        const delivered = { statusCode: 204, error: null, retryAfter: null };
        expect(outcomeOf(delivered, { ...circumstances, firstFailureAt, retry }).disable).toBeNull();
      }),
    );
  });
});
