import type { ApiParts } from '../../shared/domain/api-function.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { createPresentConfigs } from '../../shared/domain/compliance/store.ts';
import { createOwnEntities } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createLicenseRequests } from '../../shared/domain/licensing/requests.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { createWaitingFilings } from './filings.ts';
import { createRegistryLists } from './registry-lists.ts';
import { createAgencyStore } from './store.ts';
import type { uses } from './uses.ts';

/** What the operations of an agency’s own records work with. */
export const agencyDeps = ({ tables }: ApiParts<typeof uses>) => ({
  ...createOwnEntities(tables.downstreamEntities),
  agency: createAgencyStore(tables),
  registry: createRegistryLists(tables.registryRecords),
  recordedFacts: createRecordedFacts(tables.registryRecords),
  configs: createPresentConfigs(tables.compliance),
  classKindsOf: createClassKindsOf(tables.compliance),
  carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
  requests: createLicenseRequests(tables.licensing),
  filings: createWaitingFilings(tables.filings),
});

export type AgencyDeps = ReturnType<typeof agencyDeps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type AgencyOperation<Id extends keyof Routes> = Operation<Routes[Id], AgencyDeps>;
