import { type Renewal, renewalOf } from '../../shared/domain/decision/renewal.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import type { CalendarDate } from '../../shared/platform/dates/calendar.ts';
import type { LicenseKey } from './registry-lists.ts';

/** A license, by the key of the row that counts of its last term. */
export interface LicenseRenewal {
  readonly key: LicenseKey;
  readonly renewal: Renewal;
}

/**
 * The renewals of licenses on a day, each license once, the one that ends soonest first.
 * @param keys with the one of a license's last term, all that end before it.
 */
export async function renewalsAmong(
  keys: AsyncIterable<readonly LicenseKey[]>,
  day: CalendarDate,
): Promise<LicenseRenewal[]> {
  const all = await collect(keys);
  const rows = groupBy(all, ({ license }) => license);
  return all
    .filter(({ isLast }) => isLast)
    .map((key) => ({ key, renewal: renewalOf(key, rows.get(key.license) ?? [], day) }));
}
