import * as fc from 'fast-check';
import { boundaries, renewalDateAt } from '#domain/decision/renewal.ts';
import { jobName, jobsOf } from '#domain/license-sweep/store.ts';
import { addDays, daysBetween } from '#platform/dates/dates.ts';

const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('a license expires the day after its renewal date, and is told to 60 days before it', () => {
  expect(renewalDateAt('EXPIRED', '2028-03-01')).toBe('2028-02-29');
  expect(renewalDateAt('EXPIRED', '2027-03-01')).toBe('2027-02-28');
  expect(renewalDateAt('EXPIRING', '2027-12-31')).toBe('2028-02-29');
});

test('each day has its own renewal date at a boundary, leap years and all', () =>
  fc.assert(
    fc.property(day, fc.constantFrom(...boundaries), (one, boundary) => {
      expect(renewalDateAt(boundary, addDays(one, 1))).toBe(addDays(renewalDateAt(boundary, one), 1));
      expect(daysBetween(one, renewalDateAt(boundary, one))).toBe(boundary === 'EXPIRING' ? 60 : -1);
    }),
  ));

test('the jobs of a day have names of their own', () => {
  const names = jobsOf('2027-03-14', '2027-03-14').map(jobName);
  expect(new Set(names).size).toBe(names.length);
});
