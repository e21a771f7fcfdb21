import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createLicenseRequests } from '../../shared/domain/licensing/requests.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { createWaitingFilings } from './filings.ts';
import { agencyOperations } from './operations.ts';
import { createRegistryLists } from './registry-lists.ts';
import { agencyRoutes } from './routes.ts';
import { createAgencyStore } from './store.ts';
import type { uses } from './uses.ts';

/** Serves the routes of an agency's own records. */
export const createAgencyFunction = ({
  clients: { dynamo },
  tables,
  context,
}: ApiDependencies<typeof uses>): Pipeline =>
  createPipeline({
    ...context,
    group: agencyRoutes,
    operations: agencyOperations,
    deps: {
      ownEntity: createOwnEntity(dynamo, tables.downstreamEntities),
      movesOf: createMovesOf(dynamo, tables.downstreamEntities),
      stillOwn: createStillOwn(tables.downstreamEntities),
      agency: createAgencyStore(dynamo, tables),
      registry: createRegistryLists(dynamo, tables.registryRecords),
      recordedFacts: createRecordedFacts(dynamo, tables.registryRecords),
      configs: createComplianceConfigs(dynamo, tables.compliance),
      carrierIdentityOf: createCarrierIdentityOf(dynamo, tables.organizations),
      requests: createLicenseRequests(dynamo, tables.licensing),
      filings: createWaitingFilings(dynamo, tables.filings),
    },
    ...writeGuards(dynamo, tables),
  });
