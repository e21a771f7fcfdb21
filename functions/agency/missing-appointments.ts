import type { StoredMarket } from '../../shared/domain/associations/stored.ts';
import type { CarrierIdentity, CarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { isLive } from '../../shared/domain/compliance/renewal-status.ts';
import type { ComplianceConfig } from '../../shared/domain/compliance/resource.ts';
import { complianceOf } from '../../shared/domain/compliance/status.ts';
import type { ComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import type { StoredDownstreamEntity } from '../../shared/domain/downstream-entities/stored.ts';
import type { Appointment } from '../../shared/domain/registry-records/appointment.ts';
import type { HeldRecords } from '../../shared/domain/registry-records/held-records.ts';
import type { License } from '../../shared/domain/registry-records/license.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import type { CalendarDate } from '../../shared/platform/dates/calendar.ts';
import { readEach } from './read-each.ts';

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
  readonly configs: readonly ComplianceConfig[];
  readonly licenses: readonly License[];
  readonly carrier: CarrierIdentity;
  /** The carrier's records of the entity and the agency's, of any carriers. */
  readonly appointments: readonly Appointment[];
}

/** The states in which an entity lacks the appointments that a market's carrier requires. */
export function missingAppointments(
  market: StoredMarket,
  npn: string,
  { configs, carrier, licenses, appointments }: MarketRecords,
  today: CalendarDate,
): MissingAppointment[] {
  const licensed = new Set(licenses.filter((one) => isLive(one, today)).map(({ stateCode }) => stateCode));
  return stateCodes
    .filter((stateCode) => licensed.has(stateCode))
    .map((stateCode) => ({
      market,
      npn,
      stateCode,
      products: configs
        .filter(
          (config) =>
            complianceOf({ config, stateCode, licenses, appointments, carrier, today }).appointmentStatus
              .statusName === 'Not Appointed',
        )
        .map(({ productId, productName }) => ({ productId, productName })),
    }))
    .filter(({ products }) => products.length > 0);
}

/**
 * The missing appointments of all active markets whose carrier is on the platform. It takes a query for the configs of each
 * carrier and a read for its identity, two queries for the licenses and appointments of each entity's NPN, and one for each carrier's appointments of it:
 * concurrently, eight of each kind at a time.
 */
export async function findMissingAppointments(
  owner: string,
  markets: readonly StoredMarket[],
  entities: readonly StoredDownstreamEntity[],
  today: CalendarDate,
  deps: {
    readonly configs: ComplianceConfigs;
    readonly carrierIdentityOf: CarrierIdentityOf;
    readonly records: HeldRecords;
  },
): Promise<MissingAppointment[]> {
  const npns = new Map(entities.map(({ _id, npn }) => [_id, npn]));
  const judged = markets.flatMap((market) => {
    const npn = npns.get(market.downstreamEntityId) ?? null;
    const carrier = market.upstreamEntityId;
    return carrier === undefined || npn === null || market.status !== 'active'
      ? []
      : [{ market, carrier, npn, pair: `${carrier}#${npn}` }];
  });
  const [carriers, holders, ofCarriers] = await Promise.all([
    readEach(
      judged.map(({ carrier }) => carrier),
      (carrier) => Promise.all([collect(deps.configs.all(carrier)), deps.carrierIdentityOf(carrier)]),
    ),
    readEach(
      judged.map(({ npn }) => npn),
      (npn) =>
        Promise.all([
          collect(deps.records.licensesOf(owner, npn)),
          collect(deps.records.appointmentsOf(owner, npn)),
        ]),
    ),
    readEach(
      judged.map(({ pair }) => pair),
      (pair) => {
        const [carrier = '', npn = ''] = pair.split('#');
        return collect(deps.records.appointmentsOf(carrier, npn));
      },
    ),
  ]);
  return judged.flatMap(({ market, carrier: carrierId, npn, pair }) => {
    const [configs = [], carrier] = carriers.get(carrierId) ?? [];
    const [licenses = [], own = []] = holders.get(npn) ?? [];
    if (carrier === undefined) return [];
    const appointments = [...(ofCarriers.get(pair) ?? []), ...own];
    return missingAppointments(market, npn, { configs, carrier, licenses, appointments }, today);
  });
}
