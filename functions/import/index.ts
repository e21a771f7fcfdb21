import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { importEnvironment } from './environment.ts';
import { createImportFunction } from './function.ts';

const environment = readEnvironment(importEnvironment);

export const handler = createImportFunction({
  clients: { dynamo: createDynamoClient() },
  tables: {
    agents: environment.AGENTS_TABLE,
    associations: environment.ASSOCIATIONS_TABLE,
    carriers: environment.CARRIERS_TABLE,
    compliance: environment.COMPLIANCE_TABLE,
    contacts: environment.CONTACTS_TABLE,
    downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
    filings: environment.FILINGS_TABLE,
    licensing: environment.LICENSING_TABLE,
    organizations: environment.ORGANIZATIONS_TABLE,
    outbox: environment.OUTBOX_TABLE,
    policies: environment.POLICIES_TABLE,
    registryRecords: environment.REGISTRY_RECORDS_TABLE,
  },
  context: functionContext('import', environment),
});
