import { type RenewalStatus, renewalStatuses } from '../../shared/domain/decision/renewal.ts';
import { entityFilter } from '../../shared/domain/downstream-entities/own-entity.ts';
import type {
  LicenseCounts,
  StateLicenseOverview,
} from '../../shared/domain/registry-records/license-overview.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';
import { type CalendarDate, daysBetween, newYorkDate } from '../../shared/platform/dates/calendar.ts';
import type { AgencyOperation } from './function.ts';
import { type LicenseRenewal, renewalsAmong } from './renewals.ts';

/** The totals of one state's licenses. */
interface Tally {
  readonly counts: Record<RenewalStatus, number>;
  /** Soonest of those that are not inactive. */
  nextRenewalDate: CalendarDate | null;
  readonly licensed: Set<string>;
}

const noCounts = (): Tally['counts'] => ({ active: 0, expiring: 0, expired: 0, inactive: 0 });

const total = ({ active, expiring, expired, inactive }: Tally['counts']): number =>
  active + expiring + expired + inactive;

function tallies(renewals: readonly LicenseRenewal[]): Map<string, Tally> {
  const found = new Map<string, Tally>();
  for (const { key, renewal } of renewals) {
    const tally = found.get(key.stateCode) ?? {
      counts: noCounts(),
      nextRenewalDate: null,
      licensed: new Set(),
    };
    found.set(key.stateCode, tally);
    tally.counts[renewal.renewalStatus] += 1;
    // The license that ends soonest comes first.
    tally.nextRenewalDate ??= renewal.dueDate;
    if (renewal.isCurrent) tally.licensed.add(key.npn);
  }
  return found;
}

/**
 * Licenses by state, from their keys alone: however many there are, no license itself is read. The entities show which
 * NPNs belong to entities and which to producers; they are read at the same time.
 */
export const listAgencyLicenseOverview: AgencyOperation<'listAgencyLicenseOverview'> = async (
  { identity: { organizationId }, query, now },
  { ownEntity, movesOf, agency, registry },
) => {
  const today = newYorkDate(now);
  const entity = await entityFilter(ownEntity, organizationId, query.downstreamEntityId);
  const [renewals, entities] = await Promise.all([
    entity?.npn === null
      ? []
      : renewalsAmong(registry.licenseKeys(organizationId, { npn: entity?.npn }), today),
    entity === undefined ? agency.allEntities({ organizationId, moves: movesOf(organizationId) }) : [entity],
  ]);
  const byState = tallies(renewals);
  const entityNpns = new Set(entities.map(({ npn }) => npn));

  const counts: LicenseCounts = { total: 0, ...noCounts() };
  const rows: StateLicenseOverview[] = [];
  for (const stateCode of stateCodes.toSorted()) {
    const tally = byState.get(stateCode);
    if (tally === undefined) continue;
    const licenses = total(tally.counts);
    counts.total += licenses;
    for (const status of renewalStatuses) counts[status] += tally.counts[status];
    const entitiesThere = [...tally.licensed].filter((npn) => entityNpns.has(npn)).length;
    rows.push({
      stateCode,
      status: renewalStatuses.find((status) => tally.counts[status] > 0) ?? 'inactive',
      licenses,
      ...tally.counts,
      nextRenewalDate: tally.nextRenewalDate,
      daysLeft: tally.nextRenewalDate === null ? null : daysBetween(today, tally.nextRenewalDate),
      entities: entitiesThere,
      producers: tally.licensed.size - entitiesThere,
    });
  }
  const first = (query.page - 1) * query.limit;
  return { items: rows.slice(first, first + query.limit), total: rows.length, counts };
};
