import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createAgencyFunction } from '../../functions/agency/function.ts';
import { agentLinks, itemOfAgent, type StoredAgent } from '../../shared/agents/stored.ts';
import { marketItem, type StoredMarket } from '../../shared/associations/stored.ts';
import type { CarrierIdentity } from '../../shared/compliance/carrier-identity.ts';
import { complianceKeys } from '../../shared/compliance/stored.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import {
  agentsTable,
  associationsTable,
  complianceTable,
  downstreamEntitiesTable,
  filingsTable,
  idempotencyTable,
  licensingTable,
  organizationsTable,
  rateCountersTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import {
  downstreamEntityIndexes,
  downstreamEntityKeys,
  type StoredDownstreamEntity,
} from '../../shared/downstream-entities/stored.ts';
import { createFilingStore } from '../../shared/filings/store.ts';
import type { StoredFiling } from '../../shared/filings/stored.ts';
import { organizationKeys } from '../../shared/identity/organization-keys.ts';
import { createLicenseRequests } from '../../shared/licensing/requests.ts';
import { licensingKeys, registrationIndexes } from '../../shared/licensing/stored.ts';
import { appointmentItem, licenseItem } from '../../shared/registry-records/stored.ts';
import type { Appointment } from '../../shared/resources/appointment.ts';
import type { ComplianceConfig } from '../../shared/resources/compliance.ts';
import type { CorporateRegistration } from '../../shared/resources/corporate-registration.ts';
import type { License } from '../../shared/resources/license.ts';
import { testContext } from './context.ts';
import { createTables, dynamo } from './tables.ts';

const at = '2026-03-01T14:05:09.123Z';

/** Builds the agency's function over new tables, and what puts records into them. */
export async function agencyFunction(now: () => Date) {
  const tables = await createTables({
    downstreamEntities: downstreamEntitiesTable,
    agents: agentsTable,
    associations: associationsTable,
    registryRecords: registryRecordsTable,
    compliance: complianceTable,
    licensing: licensingTable,
    organizations: organizationsTable,
    filings: filingsTable,
    idempotency: idempotencyTable,
    rateCounters: rateCountersTable,
  });
  const { downstreamEntities, agents, associations, registryRecords, compliance, licensing, filings } =
    tables;
  const pipeline = createAgencyFunction({ clients: { dynamo }, tables, context: testContext({ now }) });
  const put = async (TableName: string, ...items: Record<string, unknown>[]): Promise<void> => {
    await Promise.all(
      items.map((item) => dynamo.send(new PutItemCommand({ TableName, Item: toItem(item) }))),
    );
  };
  const filingStore = createFilingStore(dynamo, filings);
  return {
    pipeline,
    requests: createLicenseRequests(dynamo, licensing),
    tables: { downstreamEntities, associations, licensing },
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
      licenses: (owner: string, ...licenses: License[]) =>
        put(registryRecords, ...licenses.map((license) => licenseItem(owner, license))),
      appointments: (owner: string, ...appointments: Appointment[]) =>
        put(registryRecords, ...appointments.map((appointment) => appointmentItem(owner, appointment))),
      configs: (owner: string, ...configs: ComplianceConfig[]) =>
        put(
          compliance,
          ...configs.map((config) => ({
            ...complianceKeys.config(owner, config.productId),
            ...config,
            isDeleted: false,
            createdAt: at,
            updatedAt: at,
          })),
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
