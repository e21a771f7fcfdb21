import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import { createClassKindsOf } from '#domain/compliance/class-kinds.ts';
import { createCarrierIdentityOf, createComplianceConfigs } from '#domain/compliance/store.ts';
import { createOwnEntities } from '#domain/downstream-entities/own-entities.ts';
import type { Resources } from '#domain/function.ts';
import { createLicenseRequests } from '#domain/licensing/requests.ts';
import { createRecordedHolders, createRegistryRecords } from '#domain/registry-records/store.ts';
import { writeServices } from '#platform/request/write-services.ts';
import * as licenseRequests from './license-requests.ts';
import * as actionsRequired from './list-actions-required.ts';
import * as lists from './lists.ts';
import { createRegistryLists } from './registry-lists.ts';
import { createAgencyStore, createWaitingFilings } from './store.ts';
import { uses } from './uses.ts';

/** Dependencies of the operations of an agency’s own records. */
const deps = ({ tables }: Resources<typeof uses>) => ({
  ...createOwnEntities(tables.downstreamEntities),
  agency: createAgencyStore(tables),
  lists: createRegistryLists(tables.registryRecords, createRecordedHolders(tables.registryRecords)),
  registry: createRegistryRecords(tables.registryRecords),
  recordedHolders: createRecordedHolders(tables.registryRecords),
  configs: createComplianceConfigs(tables.compliance),
  classKindsOf: createClassKindsOf(tables.compliance),
  carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
  requests: createLicenseRequests(tables.licensing),
  filings: createWaitingFilings(tables.filings),
});

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type AgencyOperation<Id extends keyof Routes> = OperationWith<Routes[Id], Deps>;

/** Serves the routes of an agency's own records. */
export const agencyFunction = apiFunctionWithDeps({
  uses,
  operations: {
    ...actionsRequired,
    ...lists,
    ...licenseRequests,
  },
  deps,
  services: writeServices,
});
