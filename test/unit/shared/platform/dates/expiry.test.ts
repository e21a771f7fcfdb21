import { expiresAfterDays } from '../../../../../shared/platform/dates/expiry.ts';

test('an item expires days later, in whole seconds', () => {
  const from = new Date('2026-07-01T12:00:00.900Z');
  expect(expiresAfterDays(from, 2)).toBe(Date.parse('2026-07-03T12:00:00Z') / 1_000);
});
