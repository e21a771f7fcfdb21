import type { StoredMarket } from '../../shared/domain/associations/stored.ts';
import type { CarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import type { ClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import type { PresentConfigs, ProductConfig } from '../../shared/domain/compliance/store.ts';
import type { CarrierIdentity } from '../../shared/domain/decision/carrier.ts';
import type { ComplianceConfig } from '../../shared/domain/decision/compliance-config.ts';
import { type Coverage, coverageOf, coveringOn } from '../../shared/domain/decision/coverage.ts';
import { decideParty } from '../../shared/domain/decision/decide.ts';
import type { StoredDownstreamEntity } from '../../shared/domain/downstream-entities/stored.ts';
import type { License } from '../../shared/domain/registry/license.ts';
import type { RecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';
import { readEach } from '../../shared/platform/data/concurrently.ts';
import { leftOut } from '../../shared/platform/data/left-out.ts';
import { type CalendarDate, newYorkDate } from '../../shared/platform/dates/calendar.ts';

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
  readonly configs: readonly ProductConfig[];
  readonly carrier: CarrierIdentity;
  /** What the entity's records come to, and the carrier's records of it, of which appointments count too. */
  readonly own: Coverage;
  readonly ofCarrier: Coverage;
}

/** Keys of each kind that are read at once. */
const concurrency = 8;

/** The states in which an entity lacks the appointments that a market's carrier requires. */
export function missingAppointments(
  market: StoredMarket,
  npn: string,
  { configs, carrier, own, ofCarrier }: MarketRecords,
  { day, knownAt }: { readonly day: CalendarDate; readonly knownAt: string },
): MissingAppointment[] {
  const licensed = new Set(coveringOn(own, day).licenses.map(({ stateCode }) => stateCode));
  const isMissing = (config: ProductConfig, stateCode: string, coverage: Coverage): boolean =>
    decideParty({ party: 'agency', stateCode, day, knownAt, coverage, configs: config.versions, carrier })
      .appointmentStatus.statusName === 'Not Appointed';
  return stateCodes
    .filter((stateCode) => licensed.has(stateCode))
    .map((stateCode) => ({
      market,
      npn,
      stateCode,
      products: configs
        .filter((config) => isMissing(config, stateCode, own) && isMissing(config, stateCode, ofCarrier))
        .map(({ productId, productName }) => ({ productId, productName })),
    }))
    .filter(({ products }) => products.length > 0);
}

/**
 * The missing appointments of all active markets whose carrier is on the platform. It takes a query for the configs of each
 * carrier and a read for its identity, for what is said of classes by each carrier and by the agency, the facts of each entity's
 * NPN, and of each carrier's about it: concurrently, eight of each kind at a time.
 */
export async function findMissingAppointments(
  owner: string,
  markets: readonly StoredMarket[],
  entities: readonly StoredDownstreamEntity[],
  now: Date,
  deps: {
    readonly configs: PresentConfigs;
    readonly carrierIdentityOf: CarrierIdentityOf;
    readonly recordedFacts: RecordedFacts;
    readonly classKindsOf: ClassKindsOf;
  },
): Promise<MissingAppointment[]> {
  const [day, knownAt] = [newYorkDate(now), now.toISOString()];
  const npns = new Map(entities.map(({ _id, npn }) => [_id, npn]));
  const judged = markets.flatMap((market) => {
    const npn = npns.get(market.downstreamEntityId) ?? null;
    const carrier = market.upstreamEntityId;
    return carrier === undefined || npn === null || market.status !== 'active'
      ? []
      : [{ market, carrier, npn, pair: `${carrier}#${npn}` }];
  });
  const kinds = readEach(
    judged.flatMap(({ carrier }) => [owner, carrier]),
    concurrency,
    (holder) => deps.classKindsOf(holder).catch(leftOut),
  );
  const coverage = async (holder: string, npn: string): Promise<Coverage | undefined> => {
    const [facts, ofOwner] = await Promise.all([
      deps.recordedFacts.factsOf(holder, npn).catch(leftOut),
      kinds,
    ]);
    const classKinds = ofOwner.get(holder);
    return facts && classKinds && coverageOf(facts, knownAt, classKinds);
  };
  const [carriers, holders, ofCarriers] = await Promise.all([
    readEach(
      judged.map(({ carrier }) => carrier),
      concurrency,
      (carrier) =>
        Promise.all([deps.configs.all(carrier, now), deps.carrierIdentityOf(carrier)]).catch(leftOut),
    ),
    readEach(
      judged.map(({ npn }) => npn),
      concurrency,
      (npn) => coverage(owner, npn),
    ),
    readEach(
      judged.map(({ pair }) => pair),
      concurrency,
      (pair) => {
        const [carrier = '', npn = ''] = pair.split('#');
        return coverage(carrier, npn);
      },
    ),
  ]);
  return judged.flatMap(({ market, carrier: carrierId, npn, pair }) => {
    const [configs = [], carrier] = carriers.get(carrierId) ?? [];
    const [own, ofCarrier] = [holders.get(npn), ofCarriers.get(pair)];
    return carrier === undefined || own === undefined || ofCarrier === undefined
      ? []
      : missingAppointments(market, npn, { configs, carrier, own, ofCarrier }, { day, knownAt });
  });
}
