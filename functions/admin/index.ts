import { lambdaObjectStore } from '../../shared/domain/file-documents/lambda-object-store.ts';
import { createRegistry } from '../../shared/domain/registry/create.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { adminEnvironment } from './environment.ts';
import { createAdminFunction } from './function.ts';

const environment = readEnvironment(adminEnvironment);
const context = functionContext('admin', environment);
const dynamo = createDynamoClient();

export const handler = createAdminFunction({
  clients: {
    dynamo,
    objectStore: lambdaObjectStore(environment.FILES_BUCKET, environment.MALWARE_SCAN),
    registry: createRegistry(environment, { dynamo, now: context.now }),
    sqs: createSqsClient(),
  },
  tables: {
    agents: environment.AGENTS_TABLE,
    associations: environment.ASSOCIATIONS_TABLE,
    contacts: environment.CONTACTS_TABLE,
    downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
    fileDocuments: environment.FILE_DOCUMENTS_TABLE,
    filings: environment.FILINGS_TABLE,
    licensing: environment.LICENSING_TABLE,
    oneTimeLinks: environment.ONE_TIME_LINKS_TABLE,
    organizations: environment.ORGANIZATIONS_TABLE,
    outbox: environment.OUTBOX_TABLE,
    registryRecords: environment.REGISTRY_RECORDS_TABLE,
  },
  registryAddress: environment.REGISTRY_ADDRESS,
  queues: environment.QUEUES,
  visitsPerSecond: environment.REGISTRY_VISITS_PER_SECOND,
  allowsFutureAsOf: environment.ALLOW_FUTURE_AS_OF === 'yes',
  context,
});
