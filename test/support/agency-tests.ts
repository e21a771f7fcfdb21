// Shared by the tests of the agency. Each file that imports it gets its own tables before its first test.

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
import { filingsTable, licensingTable } from '#domain/tables.ts';
import type { Identity } from '#platform/contract/route.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import { organizationKeys } from '#platform/data/table-design.ts';
import { agencyFunction } from '../../functions/agency/function.ts';
import { agencyRoutes } from '../../functions/agency/routes.ts';
import { uses } from '../../functions/agency/uses.ts';
import { entityOf } from './agency-records.ts';
import { callerOf, type EventOptions, send } from './api-event.ts';
import { newConfigItems } from './config-items.ts';
import { testContext } from './context.ts';
import { category, checklistItem, escalation, filingOf, newId } from './filings.ts';
import { recordedItems } from './holders.ts';
import { createTables, dynamo, tablesUsedBy } from './tables.ts';

const at = '2026-03-01T14:05:09.123Z';

/** Builds the agency's function over new tables, and what puts records into them. */
async function newAgency(now: () => Date) {
  const tables = await createTables(tablesUsedBy(uses));
  const { downstreamEntities, agents, associations, registryRecords, compliance, licensing, filings } =
    tables;
  const pipeline = agencyFunction.compose({ dynamo, tables, context: testContext({ now }) });
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

export const { routes } = agencyRoutes;

/** The time of these tests: 4 a.m. UTC, when it is still the day before in New York. */
export let now = new Date('2026-11-21T04:00:00.000Z');
export const today = '2026-11-20';

export let agency: Awaited<ReturnType<typeof newAgency>>;
beforeAll(async () => {
  agency = await newAgency(() => now);
});
beforeEach(() => {
  now = new Date('2026-11-21T04:00:00.000Z');
});

/** A caller of this organization. */
const identityOf = (organizationId: string): Identity => callerOf(organizationId, 'downstreamEntity');

/** Sends an organization’s request through the group’s pipeline. */
export async function ask(
  organizationId: string,
  route: Parameters<typeof send>[1],
  options: EventOptions = {},
) {
  const answer = await send(agency.pipeline, route, { identity: identityOf(organizationId), ...options });
  return { ...answer, items: (answer.data['items'] ?? []) as Record<string, unknown>[] };
}

/** The routes that return a list. */
export const lists = Object.entries(routes).filter(([, { answer }]) => 'page' in answer);

/** An organization with one entity. */
export async function organization(
  fields: Partial<StoredDownstreamEntity> = {},
): Promise<{ readonly owner: string; readonly entity: StoredDownstreamEntity }> {
  const owner = newId();
  const entity = entityOf(owner, fields);
  await agency.put.entities(entity);
  return { owner, entity };
}

/** A filing of the agency, which waits for the agency or does not. */
export const filingFor = (owner: string, downstreamEntityId: string, waits: boolean) =>
  filingOf(newId(), {
    downstreamEntityId,
    recordOwner: owner,
    checklist: [
      category('signatures', [
        checklistItem('affidavit', {
          escalation: escalation({ status: waits ? 'waiting customer input' : 'resolved' }),
        }),
      ]),
    ],
  });

/** Moves the clock forward until the end of the test. */
export function advanceClock(ms: number): void {
  now = new Date(now.getTime() + ms);
}
