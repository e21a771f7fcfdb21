import type { StoredMarket } from '../../shared/associations/stored.ts';
import { complianceOf, isActive, isExpired } from '../../shared/compliance/status.ts';
import type { ComplianceConfigs } from '../../shared/compliance/store.ts';
import { stateCodes } from '../../shared/contract/primitives.ts';
import { collect } from '../../shared/data/collect.ts';
import { mapConcurrently } from '../../shared/data/concurrently.ts';
import { sortText } from '../../shared/data/sort-text.ts';
import type { CalendarDate } from '../../shared/dates/calendar.ts';
import type { StoredDownstreamEntity } from '../../shared/downstream-entities/stored.ts';
import type { RegistryRecords } from '../../shared/registry-records/store.ts';
import type { Appointment } from '../../shared/resources/appointment.ts';
import type { ComplianceConfig } from '../../shared/resources/compliance.ts';
import type { License } from '../../shared/resources/license.ts';

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
  /** The carrier's own records of the entity, and the agency's that name the carrier. */
  readonly appointments: readonly Appointment[];
}

/**
 * Whether a registry record belongs to a market's carrier: the registry has the full legal name, which begins with the
 * carrier's trade name.
 */
export function namesCarrier(carrierName: string | null, upstreamEntityName: string): boolean {
  const [full, short] = [sortText(carrierName ?? ''), sortText(upstreamEntityName)];
  return full === short || full.startsWith(`${short} `) || full.startsWith(`${short},`);
}

/** The states in which an entity lacks the appointments that a market's carrier requires. */
export function missingAppointments(
  market: StoredMarket,
  npn: string,
  { configs, licenses, appointments }: MarketRecords,
  today: CalendarDate,
): MissingAppointment[] {
  const licensed = new Set(
    licenses.filter((one) => isActive(one) && !isExpired(one, today)).map(({ stateCode }) => stateCode),
  );
  return stateCodes
    .filter((stateCode) => licensed.has(stateCode))
    .map((stateCode) => ({
      market,
      npn,
      stateCode,
      products: configs
        .filter(
          (config) =>
            complianceOf({ config, stateCode, licenses, appointments, today }).appointmentStatus
              .statusName === 'Not Appointed',
        )
        .map(({ productId, productName }) => ({ productId, productName })),
    }))
    .filter(({ products }) => products.length > 0);
}

/** Partitions of the registry's records, and of configs, read at once. */
const concurrency = 8;

/** Reads each value once by its key, however many markets need it. */
async function readEach<Value>(
  keys: readonly string[],
  read: (key: string) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const once = [...new Set(keys)];
  const values = await mapConcurrently(once, concurrency, async (key) => [key, await read(key)] as const);
  return new Map(values);
}

/**
 * The missing appointments of all active markets whose carrier is on the platform. It takes a query for the configs of each
 * carrier, two for the licenses and appointments of each entity's NPN, and one for each carrier's appointments of it:
 * concurrently, eight of each kind at a time.
 */
export async function findMissingAppointments(
  owner: string,
  markets: readonly StoredMarket[],
  entities: readonly StoredDownstreamEntity[],
  today: CalendarDate,
  deps: { readonly configs: ComplianceConfigs; readonly records: RegistryRecords },
): Promise<MissingAppointment[]> {
  const npns = new Map(entities.map(({ _id, npn }) => [_id, npn]));
  const judged = markets.flatMap((market) => {
    const npn = npns.get(market.downstreamEntityId) ?? null;
    const carrier = market.upstreamEntityId;
    return carrier === undefined || npn === null || market.status !== 'active'
      ? []
      : [{ market, carrier, npn, pair: `${carrier}#${npn}` }];
  });
  const appointmentsOf = (pair: string): Promise<Appointment[]> => {
    const [holder = '', npn = ''] = pair.split('#');
    return collect(deps.records.appointmentsOf(holder, npn));
  };
  const [configs, licenses, own, carriers] = await Promise.all([
    readEach(
      judged.map(({ carrier }) => carrier),
      (carrier) => collect(deps.configs.all(carrier)),
    ),
    readEach(
      judged.map(({ npn }) => npn),
      (npn) => collect(deps.records.licensesOf(owner, npn)),
    ),
    readEach(
      judged.map(({ npn }) => npn),
      (npn) => collect(deps.records.appointmentsOf(owner, npn)),
    ),
    readEach(
      judged.map(({ pair }) => pair),
      appointmentsOf,
    ),
  ]);
  return judged.flatMap(({ market, carrier, npn, pair }) =>
    missingAppointments(
      market,
      npn,
      {
        configs: configs.get(carrier) ?? [],
        licenses: licenses.get(npn) ?? [],
        appointments: [
          ...(carriers.get(pair) ?? []),
          ...(own.get(npn) ?? []).filter(({ carrierName }) =>
            namesCarrier(carrierName, market.upstreamEntityName),
          ),
        ],
      },
      today,
    ),
  );
}
