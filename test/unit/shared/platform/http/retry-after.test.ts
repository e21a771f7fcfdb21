import { retryAfterMs } from '../../../../../shared/platform/http/retry-after.ts';

const now = new Date('2026-07-01T12:00:00Z');

test.each([
  ['120', 120_000],
  [' 120 ', 120_000],
  ['0', 0],
  ['Wed, 01 Jul 2026 12:01:30 GMT', 90_000],
  ['Mon, 01 Jun 2020 00:00:00 GMT', 0],
])('%j asks for %d milliseconds', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});

test.each([null, '', ' ', 'soon'])('%j asks for nothing', (header) => {
  expect(retryAfterMs(header, now)).toBeUndefined();
});
