// Operations of an agency's lists.
import type { StoredMarket } from '#domain/associations/stored.ts';
import type { DecisionSources } from '#domain/compliance/sources.ts';
import type { PresentConfig } from '#domain/compliance/store.ts';
import type { CarrierIdentity } from '#domain/decision/carrier.ts';
import type { ComplianceConfig } from '#domain/decision/compliance-config.ts';
import { type Coverage, rowsInForce } from '#domain/decision/coverage.ts';
import { decideParty } from '#domain/decision/decide.ts';
import { type Renewal, type RenewalStatus, renewalOf, renewalStatuses } from '#domain/decision/renewal.ts';
import type { AgencyEntity } from '#domain/downstream-entities/resource.ts';
import {
  entityFilter,
  type OwnEntities,
  ownPage,
  type StoredDownstreamEntity,
} from '#domain/downstream-entities/stored.ts';
import type { License } from '#domain/registry/resources.ts';
import type { LicenseCounts, StateLicenseOverview } from '#domain/registry-records/resources.ts';
import type { AppliedQuery } from '#platform/contract/list-queries.ts';
import { stateCodes } from '#platform/contract/primitives.ts';
import { collect, readEach } from '#platform/data/concurrently.ts';
import { type PageOf, pageAmong } from '#platform/data/table.ts';
import { type CalendarDate, daysBetween, newYorkDate } from '#platform/dates/dates.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import type { AppointmentFilters, LicenseKey } from './registry-lists.ts';
import { agencyRoutes } from './routes.ts';
import type { AgencySources, Page } from './store.ts';

/** A license, by its key. */
export interface LicenseRenewal {
  readonly key: LicenseKey;
  readonly renewal: Renewal;
}

/** The renewals of licenses on a day, the one that ends soonest first. */
export const renewalsAmong = async (
  keys: AsyncIterable<readonly LicenseKey[]>,
  day: CalendarDate,
): Promise<LicenseRenewal[]> => (await collect(keys)).map((key) => ({ key, renewal: renewalOf(key, day) }));

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
  const tallyOfState = new Map<string, Tally>();
  for (const { key, renewal } of renewals) {
    const tally = tallyOfState.get(key.stateCode) ?? {
      counts: noCounts(),
      nextRenewalDate: null,
      licensed: new Set(),
    };
    tallyOfState.set(key.stateCode, tally);
    tally.counts[renewal.renewalStatus] += 1;
    // The license that ends soonest comes first.
    tally.nextRenewalDate ??= renewal.dueDate;
    if (renewal.isCurrent) tally.licensed.add(key.npn);
  }
  return tallyOfState;
}

const view = ({
  isDeleted: _isDeleted,
  downstreamOrganizationId: _organization,
  move: _move,
  ...entity
}: StoredDownstreamEntity): AgencyEntity => entity;

type EntityPage = PageOf & { readonly downstreamEntityId?: string | undefined };

/** An entity's records are those of its NPN, which must be read first; an entity without an NPN has none. */
async function ofEntity<Filters extends AppointmentFilters, Query extends Filters & EntityPage, Item>(
  {
    identity: { organizationId },
    query,
    now,
  }: {
    readonly identity: { readonly organizationId: string };
    readonly query: AppliedQuery<Query, keyof Filters | keyof EntityPage>;
    readonly now: Date;
  },
  ownEntity: OwnEntities['ownEntity'],
  read: (owner: string, filters: Filters, page: PageOf, now: Date) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const entity = await entityFilter(ownEntity, organizationId, query.downstreamEntityId);
  const npn = query.npn ?? entity?.npn ?? undefined;
  if (entity !== undefined && entity.npn !== npn) return { items: [], total: 0 };
  return read(organizationId, { ...query, npn }, query, now);
}

/** A market whose carrier requires an appointment in a state where the entity is licensed and has none. */
export interface MissingAppointment {
  readonly market: StoredMarket;
  readonly npn: string;
  readonly stateCode: License['stateCode'];
  /** The products that require it. */
  readonly products: readonly Pick<ComplianceConfig, 'productId' | 'productName'>[];
}

/** Everything that decides about one market. */
interface MarketRecords {
  readonly configs: readonly PresentConfig[];
  readonly carrier: CarrierIdentity;
  /** The entity's records, and the carrier's records of it, of which appointments count too. */
  readonly ownCoverage: Coverage;
  readonly ofCarrier: Coverage;
}

/** The states in which an entity lacks the appointments that a market's carrier requires. */
export function missingAppointments(
  market: StoredMarket,
  npn: string,
  { configs, carrier, ownCoverage, ofCarrier }: MarketRecords,
  { day, knownAt }: { readonly day: CalendarDate; readonly knownAt: string },
): MissingAppointment[] {
  const licensedStates = new Set(
    [...ownCoverage.values()]
      .flatMap(({ licenses }) => rowsInForce(licenses, day))
      .map(({ stateCode }) => stateCode),
  );
  const statusOf = (config: PresentConfig, stateCode: string, coverage: Coverage): string =>
    decideParty({ party: 'agency', stateCode, day, knownAt, coverage, configs: config.versions, carrier })
      .appointmentStatus.statusName;
  // The carrier alone knows what was sold: by the agency's records an appointment is never overdue.
  const isMissing = (config: PresentConfig, stateCode: string): boolean =>
    config.states.some((state) => state.stateCode === stateCode) &&
    statusOf(config, stateCode, ofCarrier) === 'Not Appointed' &&
    ['Not Appointed', 'Appointment on Binding'].includes(statusOf(config, stateCode, ownCoverage));
  return stateCodes
    .filter((stateCode) => licensedStates.has(stateCode))
    .map((stateCode) => ({
      market,
      npn,
      stateCode,
      products: configs
        .filter((config) => isMissing(config, stateCode))
        .map(({ productId, productName }) => ({ productId, productName })),
    }))
    .filter(({ products }) => products.length > 0);
}

/**
 * The missing appointments of all active markets whose carrier is on the platform. It takes a query for the configs of each
 * carrier and a read for its identity, for what is said of classes by each carrier and by the agency, what is known of each entity's
 * NPN, and of each carrier's about it: concurrently, eight of each kind at a time.
 */
export async function findMissingAppointments(
  owner: string,
  markets: readonly StoredMarket[],
  entities: readonly StoredDownstreamEntity[],
  now: Date,
  sources: DecisionSources,
): Promise<MissingAppointment[]> {
  const [day, knownAt] = [newYorkDate(now), now.toISOString()];
  const npns = new Map(entities.map(({ _id, npn }) => [_id, npn]));
  const judgedMarkets = markets.flatMap((market) => {
    const npn = npns.get(market.downstreamEntityId) ?? null;
    const carrier = market.upstreamEntityId;
    return carrier === undefined || npn === null || market.status !== 'active'
      ? []
      : [{ market, carrier, npn, pair: `${carrier}#${npn}` }];
  });
  const kinds = readEach(
    judgedMarkets.flatMap(({ carrier }) => [owner, carrier]),
    sources.classKindsOf,
  );
  const coverage = (holder: string, npn: string): Promise<Coverage> =>
    sources.recordedHolders.coverageOf(holder, npn, {
      classKinds: kinds.then((ofOwner) => ofOwner.get(holder) ?? []),
    });
  const [carriers, holders, ofCarriers] = await Promise.all([
    readEach(
      judgedMarkets.map(({ carrier }) => carrier),
      (carrier) =>
        Promise.all([sources.complianceConfigs.all(carrier, now), sources.carrierIdentityOf(carrier)]),
    ),
    readEach(
      judgedMarkets.map(({ npn }) => npn),
      (npn) => coverage(owner, npn),
    ),
    readEach(
      judgedMarkets.map(({ pair }) => pair),
      (pair) => {
        const [carrier = '', npn = ''] = pair.split('#');
        return coverage(carrier, npn);
      },
    ),
  ]);
  return judgedMarkets.flatMap(({ market, carrier: carrierId, npn, pair }) => {
    const [configs = [], carrier] = carriers.get(carrierId) ?? [];
    const [ownCoverage, ofCarrier] = [holders.get(npn), ofCarriers.get(pair)];
    return carrier === undefined || ownCoverage === undefined || ofCarrier === undefined
      ? []
      : missingAppointments(market, npn, { configs, carrier, ownCoverage, ofCarrier }, { day, knownAt });
  });
}

/** Reads of an agency’s own records. */
export const agencyLists = operationsOf(agencyRoutes, (sources: AgencySources) => ({
  /**
   * Licenses by state, from their keys alone: however many there are, no license itself is read. The entities show which
   * NPNs belong to entities and which to producers; they are read at the same time.
   */
  async listAgencyLicenseOverview({ identity: { organizationId }, query, now }) {
    const today = newYorkDate(now);
    const entity = await entityFilter(sources.ownEntity, organizationId, query.downstreamEntityId);
    const [renewals, entities] = await Promise.all([
      entity?.npn === null
        ? []
        : renewalsAmong(sources.lists.licenseKeys(organizationId, { npn: entity?.npn }), today),
      entity === undefined ? sources.agency.allEntities(organizationId) : [entity],
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
    return { items: pageAmong(rows, query), total: rows.length, counts };
  },

  /** A page of the organization's entities; the filter selects one of them. */
  async listAgencyEntities({ identity, query }) {
    const entity = await entityFilter(sources.ownEntity, identity.organizationId, query.downstreamEntityId);
    if (entity !== undefined) return { items: query.page === 1 ? [view(entity)] : [], total: 1 };
    const { items, total } = await sources.agency.entities(identity.organizationId, query);
    return { items: items.map(view), total };
  },

  /** @throws ApiError `not_found` for an unknown, foreign or soft-deleted entity. */
  async getAgencyEntity({ identity, params }) {
    return view(await sources.ownEntity(identity.organizationId, params.downstreamEntityId));
  },

  /** A page of the organization's markets. */
  async listAgencyMarkets(request) {
    const { items, total } = await ownPage(request, sources, sources.agency.markets);
    return { items: items.map(({ upstreamEntityId: _, ...market }) => market), total };
  },

  /** A page of the organization's producers. */
  listAgencyProducers(request) {
    return ownPage(request, sources, sources.agency.producers);
  },

  /** A page of the registrations of the organization's entities. */
  listAgencyCorporateRegistrations(request) {
    return ownPage(request, sources, sources.agency.registrations);
  },

  /** A page of the organization's license requests. */
  listAgencyLicenseRequests(request) {
    return ownPage(request, sources, sources.requests.page);
  },

  /** A page of the organization's licenses. */
  listAgencyLicenses(request) {
    return ofEntity(request, sources.ownEntity, sources.lists.licenses);
  },

  /** A page of the organization's appointments. */
  listAgencyAppointments(request) {
    return ofEntity(request, sources.ownEntity, sources.lists.appointments);
  },

  /**
   * A page of the requirements of the carriers behind the organization's markets. There are some dozens of each: markets, then the
   * configs of each carrier are read whole, three reads in sequence, and the page is cut out of them.
   */
  async listAgencyComplianceConfigs(request) {
    const { query, now } = request;
    const markets = await ownPage(request, sources, sources.agency.allMarkets);
    const onPlatform = markets.flatMap((market) =>
      market.upstreamEntityId === undefined || market.status === 'inactive'
        ? []
        : [{ market, carrier: market.upstreamEntityId }],
    );
    const configsOf = await readEach(
      onPlatform.map(({ carrier }) => carrier),
      (carrier) => sources.complianceConfigs.all(carrier, now),
    );
    const allConfigs = onPlatform.flatMap(({ market, carrier }) =>
      (configsOf.get(carrier) ?? []).map(({ versions: _versions, ...config }) => ({
        upstreamDownstreamAssociationId: market.upstreamDownstreamAssociationId,
        downstreamEntityId: market.downstreamEntityId,
        upstreamEntityName: market.upstreamEntityName,
        ...config,
      })),
    );
    return { items: pageAmong(allConfigs, query), total: allConfigs.length };
  },
}));
