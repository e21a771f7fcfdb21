import { isActive } from '../../shared/compliance/status.ts';
import { addDays, type CalendarDate } from '../../shared/dates/calendar.ts';
import type { LicenseSort } from '../../shared/registry-records/stored.ts';
import { expiringWindowDays, type RenewalStatus } from '../../shared/resources/license-overview.ts';

/** Last day of the window in which a license counts as expiring. */
export const lastExpiringDay = (today: CalendarDate): CalendarDate => addDays(today, expiringWindowDays);

/**
 * The renewal status of a license on a day. Its date decides, since an expired one normally still shows `active`
 * (OpenAPI, "getLicenseOverview"); one that the registry calls anything else was surrendered or revoked.
 */
export function renewalStatusOf(
  { status, nextRenewalDate }: Pick<LicenseSort, 'status' | 'nextRenewalDate'>,
  today: CalendarDate,
): RenewalStatus {
  if (!isActive({ status })) return status.trim().toLowerCase() === 'expired' ? 'expired' : 'inactive';
  if (nextRenewalDate === undefined || nextRenewalDate > lastExpiringDay(today)) return 'active';
  return nextRenewalDate < today ? 'expired' : 'expiring';
}
