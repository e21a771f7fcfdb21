import * as fc from 'fast-check';
import { addDays, daysBetween, expiresAfterDays, isInCalendar, newYorkDate } from '#platform/dates/dates.ts';

describe('a calendar date in New York', () => {
  it.each([
    ['2026-01-01T04:59:59.999Z', '2025-12-31'],
    ['2026-01-01T05:00:00.000Z', '2026-01-01'],
    ['2026-07-01T03:59:59.999Z', '2026-06-30'],
    ['2026-07-01T04:00:00.000Z', '2026-07-01'],
    // The day on which the clock is put forward.
    ['2026-03-08T06:59:59.000Z', '2026-03-08'],
    ['2026-03-09T03:59:59.000Z', '2026-03-08'],
    ['2026-03-09T04:00:00.000Z', '2026-03-09'],
    // Years of less than four digits, as dates of New York are in the first hours of the calendar.
    ['1000-01-01T00:00:00.000Z', '0999-12-31'],
  ])('of %s is %s', (instant, date) => {
    expect(newYorkDate(new Date(instant))).toBe(date);
  });
});

it.each([
  ['0999-12-31T23:59:59.999Z', false],
  ['1000-01-01T00:00:00.000Z', true],
  ['9999-12-31T23:59:59.999Z', true],
  ['9999-12-31T23:59:59.999-00:01', false],
])('that %s is an instant of the calendar is %s', (dateTime, expected) => {
  expect(isInCalendar(dateTime)).toBe(expected);
});

describe('days', () => {
  it('are counted over leap days and changes of the clock', () => {
    expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
    expect(daysBetween('2026-03-07', '2026-03-09')).toBe(2);
    expect(addDays('2026-12-31', 60)).toBe('2027-03-01');
  });

  it('end with the dates that have four digits', () => {
    expect(addDays('9999-12-30', 1)).toBe('9999-12-31');
    expect(addDays('9999-12-31', 60)).toBe('9999-12-31');
    expect(addDays('0000-01-01', -60)).toBe('0000-01-01');
  });

  it('are counted as they are added', async () => {
    const days = fc.integer({ min: -20_000, max: 20_000 });
    await fc.assert(
      fc.property(days, days, (start, count) => {
        const from = addDays('2026-01-01', start);
        const to = addDays(from, count);
        expect(daysBetween(from, to)).toBe(count);
        expect(to > from).toBe(count > 0);
      }),
    );
  });
});

describe('expiry', () => {
  test('an item expires days later, in whole seconds', () => {
    const from = new Date('2026-07-01T12:00:00.900Z');
    expect(expiresAfterDays(from, 2)).toBe(Date.parse('2026-07-03T12:00:00Z') / 1_000);
  });
});
