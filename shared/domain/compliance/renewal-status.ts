import { addDays, type CalendarDate, calendarDate } from '../../platform/dates/calendar.ts';
import { isActive } from '../decision/license-history.ts';
import { expiringWindowDays, type RenewalStatus } from '../registry-records/license-overview.ts';

/** Last day of the window in which a license counts as expiring. */
export const lastExpiringDay = (today: CalendarDate): CalendarDate => addDays(today, expiringWindowDays);

/** The members of a license that decide its status; the date may be a time, as the registry reports it. */
interface RenewableLicense {
  readonly status: string;
  readonly nextRenewalDate: string | null | undefined;
}

/**
 * The renewal status of a license on a day, for overviews (OpenAPI, "getLicenseOverview"). A passed
 * date decides, whatever the registry calls the license; a license without a date does not expire.
 */
export function renewalStatusOf(
  { status, nextRenewalDate }: RenewableLicense,
  today: CalendarDate,
): RenewalStatus {
  const lastDay = typeof nextRenewalDate === 'string' ? calendarDate(nextRenewalDate) : '9999';
  if (lastDay < today) return 'expired';
  if (!isActive({ status })) return 'inactive';
  return lastDay <= lastExpiringDay(today) ? 'expiring' : 'active';
}
