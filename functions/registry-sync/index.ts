import { Logger } from '@aws-lambda-powertools/logger';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createEventSteps } from '../../shared/events/outbox.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { createParkMessage } from '../../shared/queue/park.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createRegistry } from '../../shared/registry/create.ts';
import { syncJob } from '../../shared/registry/sync-job.ts';
import { registrySyncEnvironment } from './environment.ts';
import { createSynchronizationStore } from './store.ts';
import { type SynchronizeDeps, synchronize } from './synchronize.ts';

const environment = readEnvironment(registrySyncEnvironment);
const log = new Logger({ serviceName: 'registry-sync', environment: environment.ENVIRONMENT });
const dynamo = createDynamoClient();
const now = () => new Date();
const deps: SynchronizeDeps = {
  registry: createRegistry(environment, { dynamo, now }),
  store: createSynchronizationStore(
    dynamo,
    environment.REGISTRY_RECORDS_TABLE,
    createEventSteps(environment.OUTBOX_TABLE),
    now,
  ),
  log,
};

export const handler = queueConsumer({
  schema: syncJob,
  work: (delivery) => synchronize(delivery, deps),
  park: createParkMessage(createSqsClient(), environment.DEAD_LETTER_QUEUE_URL),
  maxReceiveCount: environment.MAX_RECEIVE_COUNT,
  log,
});
