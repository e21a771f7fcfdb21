import { agentLinks, itemOfAgent, type StoredAgent } from '#domain/agents/stored.ts';
import { marketItem, type StoredMarket } from '#domain/associations/stored.ts';
import type { CarrierIdentity } from '#domain/decision/carrier.ts';
import type { ComplianceConfig } from '#domain/decision/compliance-config.ts';
import {
  downstreamEntityIndexes,
  downstreamEntityKeys,
  type StoredDownstreamEntity,
} from '#domain/downstream-entities/stored.ts';
import { createFilingStore } from '#domain/filings/store.ts';
import type { StoredFiling } from '#domain/filings/stored.ts';
import {
  type CorporateRegistration,
  createLicenseRequests,
  licensingKeys,
  registrationIndexes,
} from '#domain/licensing/requests.ts';
import type { Appointment, License } from '#domain/registry/resources.ts';
import { filingsTable, licensingTable } from '#domain/table-designs.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import { organizationKeys } from '#platform/data/table-design.ts';
import { agencyFunction as agency } from '../../functions/agency/function.ts';
import { uses } from '../../functions/agency/uses.ts';
import { newConfigItems } from './config-items.ts';
import { testContext } from './context.ts';
import { recordedItems } from './holders.ts';
import { createTables, dynamo, tablesUsedBy } from './tables.ts';

const at = '2026-03-01T14:05:09.123Z';

/** Builds the agency's function over new tables, and what puts records into them. */
export async function agencyFunction(now: () => Date) {
  const tables = await createTables(tablesUsedBy(uses));
  const { downstreamEntities, agents, associations, registryRecords, compliance, licensing, filings } =
    tables;
  const pipeline = agency.compose({ dynamo, tables, context: testContext({ now }) });
  const put = (table: string, ...items: Record<string, unknown>[]): Promise<void> =>
    writesOf(dynamo, table).putAll(items);
  const filingStore = createFilingStore(tableOf(filingsTable, dynamo, filings), now);
  const recorded = new Map<string, { readonly licenses: License[]; readonly appointments: Appointment[] }>();
  let written = Promise.resolve();
  /** Records more of what an organization holds: what is known of a holder is written as a whole, one after another. */
  const record = (owner: string, licenses: readonly License[], appointments: readonly Appointment[]) => {
    const all = recorded.get(owner) ?? { licenses: [], appointments: [] };
    recorded.set(owner, all);
    all.licenses.push(...licenses);
    all.appointments.push(...appointments);
    written = written.then(() => put(registryRecords, ...recordedItems(owner, all)));
    return written;
  };
  return {
    pipeline,
    requests: createLicenseRequests(tableOf(licensingTable, dynamo, licensing)),
    tables: { downstreamEntities, associations, licensing, compliance },
    put: {
      /** A carrier, as its organization names it. */
      carriers: (...carriers: (CarrierIdentity & { readonly organizationId: string })[]) =>
        put(
          tables.organizations,
          ...carriers.map((carrier) => ({
            ...organizationKeys.organization(carrier.organizationId),
            ...carrier,
          })),
        ),
      entities: (...entities: StoredDownstreamEntity[]) =>
        put(
          downstreamEntities,
          ...entities.map((entity) => ({
            ...downstreamEntityKeys.entity(entity._id),
            ...(entity.isDeleted ? {} : downstreamEntityIndexes(entity)),
            ...entity,
          })),
        ),
      producers: (owner: string, ...producers: StoredAgent[]) =>
        put(
          agents,
          ...producers.flatMap((producer) => [
            itemOfAgent(owner, producer, new Date()),
            ...agentLinks(owner, producer),
          ]),
        ),
      markets: (owner: string, ...markets: StoredMarket[]) =>
        put(associations, ...markets.map((market) => marketItem(owner, market))),
      licenses: (owner: string, ...licenses: License[]) => record(owner, licenses, []),
      appointments: (owner: string, ...appointments: Appointment[]) => record(owner, [], appointments),
      configs: (owner: string, ...configs: ComplianceConfig[]) =>
        put(
          compliance,
          ...configs.flatMap((config) =>
            newConfigItems(owner, { ...config, recordedAt: at, isSilent: false }),
          ),
        ),
      registrations: (owner: string, ...registrations: CorporateRegistration[]) =>
        put(
          licensing,
          ...registrations.map((registration) => ({
            ...licensingKeys.registration(owner, registration._id),
            ...registrationIndexes(owner, registration),
            ...registration,
          })),
        ),
      filing: (filing: StoredFiling) => filingStore.save(undefined, { filing }, []),
    },
  };
}
