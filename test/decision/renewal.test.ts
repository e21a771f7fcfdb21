import * as fc from 'fast-check';
import type { LicenseRow } from '#domain/decision/records.ts';
import {
  expiredOn,
  expiringOn,
  isAtBoundary,
  lastExpiringDay,
  leftOut,
  nextSweepDay,
  type Renewal,
  renewalDateAt,
  renewalDateOf,
  renewalOf,
  renewalRowOf,
  sweptBy,
} from '#domain/decision/renewal.ts';
import { license } from './case-rows.ts';

const today = '2026-11-20';

const renewal = (day: string, row: LicenseRow): Renewal => renewalOf(renewalRowOf(row), day);

const day = fc
  .integer({ min: 0, max: 1_500 })
  .map((days) => new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10));

describe('the renewal of a license on a day', () => {
  it.each<[status: string, nextRenewalDate: string | null, expected: string, isToBeRenewed: boolean]>([
    ['active', '2026-11-19', 'expired', true],
    ['active', '2026-11-20', 'expiring', true],
    ['active', '2027-01-19', 'expiring', true],
    ['active', '2027-01-20', 'active', false],
    ['Active ', '2027-01-20', 'active', false],
    ['active', null, 'active', false],
    ['inactive', '2027-01-20', 'inactive', false],
    ['inactive', '2026-12-20', 'inactive', false],
    ['inactive', '2020-01-20', 'expired', false],
    ['surrendered', null, 'inactive', false],
    ['Expired', '2020-01-20', 'expired', true],
    ['expired', '2027-01-20', 'inactive', false],
    // The date that is written counts.
    ['active', '2026-11-20T03:00:00Z', 'expiring', true],
  ])('%s until %s is %s', (status, nextRenewalDate, expected, isToBeRenewed) => {
    const { renewalStatus, ...rest } = renewal(today, license({ status, nextRenewalDate }));
    expect(renewalStatus).toBe(expected);
    const dueDate = expected === 'inactive' ? null : (nextRenewalDate?.slice(0, 10) ?? null);
    expect(rest).toEqual({ isCurrent: ['active', 'expiring'].includes(expected), dueDate, isToBeRenewed });
  });

  it('ends on the earlier of its two dates', () => {
    const ended = { nextRenewalDate: '2027-12-31', expirationDate: '2026-11-19' };
    expect(renewal(today, license(ended))).toMatchObject({ renewalStatus: 'expired', dueDate: '2026-11-19' });
    const other = { nextRenewalDate: null, expirationDate: '2026-12-31' };
    const expiring = { renewalStatus: 'expiring', dueDate: '2026-12-31' };
    expect(renewal(today, license(other))).toMatchObject(expiring);
  });

  it('is inactive before it has begun', () => {
    const coming = license({ issueDate: '2026-11-21', nextRenewalDate: '2028-11-20' });
    const inactive = { renewalStatus: 'inactive', isCurrent: false, dueDate: null };
    expect(renewal(today, coming)).toMatchObject(inactive);
    expect(renewal('2026-11-21', coming)).toMatchObject({ renewalStatus: 'active', isCurrent: true });
  });

  it('is that of its last term where it was renewed early, though it is in force by the former one', () => {
    const former = license({ issueDate: '2024-12-16', nextRenewalDate: '2026-12-15' });
    const renewed = license({ issueDate: '2026-12-16', nextRenewalDate: '2028-12-15' });
    expect(renewalOf(renewalRowOf(former, renewed), today)).toEqual({
      renewalStatus: 'active',
      isCurrent: true,
      dueDate: '2028-12-15',
      isToBeRenewed: false,
    });
  });

  it('is that of no license that is in force once the registry leaves it out', () => {
    const row = { ...renewalRowOf(license({ nextRenewalDate: '2027-12-15' })), status: leftOut };
    expect(renewalOf(row, today)).toMatchObject({ renewalStatus: 'inactive', isCurrent: false });
    expect(renewalOf(row, '2027-12-16')).toMatchObject({ renewalStatus: 'expired', isToBeRenewed: false });
  });

  it('never becomes less urgent as days pass, once it has begun', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('active', 'inactive', 'expired', 'pending', 'Nullified'),
        fc.option(day),
        day,
        day,
        (status, nextRenewalDate, one, other) => {
          const row = license({ issueDate: null, status, nextRenewalDate });
          const [earlier = '', later = ''] = [one, other].toSorted();
          const rank = (on: string): number =>
            ['active', 'expiring', 'inactive', 'expired'].indexOf(renewal(on, row).renewalStatus);
          expect(rank(later)).toBeGreaterThanOrEqual(rank(earlier));
        },
      ),
    ));
});

it('a license is expiring 60 days before its end, across the end of daylight saving time, and expired the day after', () => {
  expect(lastExpiringDay('2026-10-15')).toBe('2026-12-14');
  expect(expiringOn('2026-12-14')).toBe('2026-10-15');
  expect(expiredOn('2026-12-31')).toBe('2027-01-01');
});

describe('the sweep', () => {
  const until = (renewalDate: string | null, found?: string) => ({ renewalDate, sweptBy: found });

  it('finds a license by its renewal date, else by its end', () => {
    const dates = { nextRenewalDate: '2026-12-31T05:00:00Z', expirationDate: '2027-01-31' };
    expect(renewalDateOf(dates)).toBe('2026-12-31');
    expect(renewalDateOf({ ...dates, nextRenewalDate: null })).toBe('2027-01-31');
    expect(renewalDateOf({ nextRenewalDate: null, expirationDate: null })).toBeNull();
  });

  type Before = ReturnType<typeof until> | undefined;
  it.each<[which: string, own: string | null, Before, foundBy: string | null, isSilent?: boolean]>([
    ['that has no date, by none', null, until('2026-12-31'), null],
    ['that has not expired, by its own date', '2026-12-01', until('2026-12-31', '2026-12-31'), '2026-12-01'],
    ['first seen, by its own date', '2026-11-01', undefined, '2026-11-01'],
    ['corrected past its end, by what expires next', '2026-11-01', until('2026-11-19'), '2026-11-19'],
    ['that had no date, likewise', '2026-11-01', until(null), '2026-11-19'],
    ['that had expired before, by its own date', '2026-11-01', until('2026-11-18'), '2026-11-01'],
    ['corrected silently, by its own date', '2026-11-01', until('2026-12-31'), '2026-11-01', true],
    ['corrected again, by the same', '2026-10-15', until('2026-11-01', '2026-11-19'), '2026-11-19', true],
    ['of another date, by that one', '2026-11-01', until('2026-11-01', '2026-11-15'), '2026-11-15', true],
  ])('finds a license %s', (_, own, before, foundBy, isSilent = false) => {
    expect(sweptBy(own, before, { next: '2026-11-19', isSilent })).toBe(foundBy);
  });

  it.each<['EXPIRING' | 'EXPIRED', string, boolean]>([
    ['EXPIRING', '2026-11-19', true],
    ['EXPIRING', '2026-11-18', false],
    ['EXPIRED', '2026-11-19', true],
    ['EXPIRED', '2026-11-18', true],
    ['EXPIRED', '2026-11-20', false],
  ])('reports as %s of 2026-11-19 a license until %s: %s', (boundary, own, expected) => {
    expect(isAtBoundary(boundary, own, '2026-11-19')).toBe(expected);
  });

  it('asks for the licenses that expire in 60 days, and for those that expired the day before', () => {
    expect(renewalDateAt('EXPIRING', today)).toBe('2027-01-19');
    expect(renewalDateAt('EXPIRED', today)).toBe('2026-11-19');
  });

  it('runs at five in the morning in New York', () => {
    expect(nextSweepDay(new Date('2026-11-20T09:59:59.999Z'))).toBe('2026-11-20');
    expect(nextSweepDay(new Date('2026-11-20T10:00:00.000Z'))).toBe('2026-11-21');
  });
});
