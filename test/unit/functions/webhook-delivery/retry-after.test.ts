import { retryAfterMs } from '../../../../functions/webhook-delivery/attempt.ts';

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

test.each([
  null,
  '',
  ' ',
  'soon',
  '3600.5',
  '120.5',
  '-3600',
  '+60',
  '3600;',
  '1e3',
  'wait 4000',
  '120 seconds',
  '2026-07-01T12:01:30Z',
  'Wed, 01 Jul 2026 12:01:30',
  'Wed, 01 Jul 2026 12:01:30 UTC',
  'Wed, 01 Jul 2026 12:01:30 +0000',
  'Wed, 1 Jul 2026 12:01:30 GMT',
  'Wednesday, 01-Jul-26 12:01:30 GMT',
  'Wed Jul  1 12:01:30 2026',
  'Invalid Date',
  'Thu, 31 Sep 2026 12:01:30 GMT',
  'Wed, 01 Jul 2026 25:01:30 GMT',
  'Wed, 01 Xyz 2026 12:01:30 GMT',
  'Wed, 01 Jul 2026 12:01:30 GMT, 60',
])('%j asks for nothing', (header) => {
  expect(retryAfterMs(header, now)).toBeUndefined();
});
