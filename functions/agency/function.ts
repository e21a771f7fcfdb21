import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createLicenseRequests } from '../../shared/domain/licensing/requests.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { createWaitingFilings } from './filings.ts';
import { getLicenseOverview } from './get-license-overview.ts';
import { cancelLicenseRequest, createLicenseRequest, getLicenseRequest } from './license-requests.ts';
import { listActionsRequired } from './list-actions-required.ts';
import { listMarketComplianceConfigs } from './list-market-compliance-configs.ts';
import {
  getEntity,
  listAgencyAppointments,
  listAgencyLicenses,
  listCorporateRegistrations,
  listEntities,
  listLicenseRequests,
  listMarkets,
  listProducers,
} from './lists-by-entity.ts';
import { createRegistryLists } from './registry-lists.ts';
import { createAgencyStore } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of an agency's own records. */
export const createAgencyFunction = apiFunction({
  uses,
  operations: {
    listActionsRequired,
    listAgencyAppointments,
    listMarketComplianceConfigs,
    listCorporateRegistrations,
    listEntities,
    getEntity,
    getLicenseOverview,
    listAgencyLicenses,
    listLicenseRequests,
    createLicenseRequest,
    getLicenseRequest,
    cancelLicenseRequest,
    listMarkets,
    listProducers,
  },
  guards: writeGuards,
  deps: ({ tables }: ApiParts<typeof uses>) => ({
    ownEntity: createOwnEntity(tables.downstreamEntities),
    movesOf: createMovesOf(tables.downstreamEntities),
    stillOwn: createStillOwn(tables.downstreamEntities),
    agency: createAgencyStore(tables),
    registry: createRegistryLists(tables.registryRecords),
    recordedFacts: createRecordedFacts(tables.registryRecords),
    configs: createComplianceConfigs(tables.compliance),
    carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
    requests: createLicenseRequests(tables.licensing),
    filings: createWaitingFilings(tables.filings),
  }),
});
