import * as fc from 'fast-check';
import { lastExpiringDay, renewalStatusOf } from '../../../../../shared/domain/compliance/renewal-status.ts';
import { renewalStatuses } from '../../../../../shared/domain/registry-records/license-overview.ts';

const today = '2026-11-20';

describe('the renewal status of a license on a day', () => {
  it.each([
    ['active', '2026-11-19', 'expired'],
    ['active', '2026-11-20', 'expiring'],
    ['active', '2027-01-19', 'expiring'],
    ['active', '2027-01-20', 'active'],
    ['Active ', '2027-01-20', 'active'],
    ['active', undefined, 'active'],
    ['inactive', '2027-01-20', 'inactive'],
    ['inactive', '2020-01-20', 'expired'],
    ['surrendered', undefined, 'inactive'],
    ['surrendered', null, 'inactive'],
    ['expired', '2020-01-20', 'expired'],
    ['expired', '2027-01-20', 'inactive'],
    // Still 19 November in New York.
    ['active', '2026-11-20T03:00:00Z', 'expired'],
    ['active', '2026-11-20T05:00:00Z', 'expiring'],
  ])('%s until %s is %s', (status, nextRenewalDate, expected) => {
    expect(renewalStatusOf({ status, nextRenewalDate }, today)).toBe(expected);
  });

  it('only becomes more urgent as days pass', async () => {
    const date = fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
      .map((instant) => instant.toISOString().slice(0, 10));
    await fc.assert(
      fc.property(date, date, date, (nextRenewalDate, one, other) => {
        const [earlier, later] = [one, other].toSorted();
        const rank = (day = ''): number =>
          renewalStatuses.indexOf(renewalStatusOf({ status: 'active', nextRenewalDate }, day));
        expect(rank(later)).toBeLessThanOrEqual(rank(earlier));
      }),
    );
  });

  it('counts 60 days, also across the end of daylight saving time', () => {
    expect(lastExpiringDay('2026-10-15')).toBe('2026-12-14');
  });
});
