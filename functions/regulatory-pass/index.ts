import { Logger } from '@aws-lambda-powertools/logger';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createEventSteps } from '../../shared/events/outbox.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { createParkMessage } from '../../shared/queue/park.ts';
import { scheduledWorker } from '../../shared/queue/scheduled-worker.ts';
import { createSendMessages } from '../../shared/queue/send-messages.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createRegistry } from '../../shared/registry/create.ts';
import { passJob } from '../../shared/regulatory-pass/jobs.ts';
import { type PassDeps, pass, passJobs } from '../../shared/regulatory-pass/pass.ts';
import { createPassStore } from '../../shared/regulatory-pass/store.ts';
import { regulatoryPassEnvironment } from './environment.ts';

const environment = readEnvironment(regulatoryPassEnvironment);
const log = new Logger({ serviceName: 'regulatory-pass', environment: environment.ENVIRONMENT });
const dynamo = createDynamoClient();
const sqs = createSqsClient();
const send = createSendMessages(sqs, environment.REGULATORY_PASS_QUEUE_URL);
const now = () => new Date();
const deps: PassDeps = {
  store: createPassStore(dynamo, environment.REGISTRY_RECORDS_TABLE),
  registry: createRegistry(environment, { dynamo, now }),
  holders: createNpnHolders(dynamo, {
    agents: environment.AGENTS_TABLE,
    associations: environment.ASSOCIATIONS_TABLE,
  }),
  events: createEventSteps(environment.OUTBOX_TABLE),
  now,
  onFailure: (subscription, error) =>
    log.error('A subscription was not passed over; its job is done again.', {
      event: 'subscription_not_passed',
      ...subscription,
      error: error instanceof Error ? error : new Error(String(error)),
    }),
};

const consume = queueConsumer({
  schema: passJob,
  work: async ({ message: job }) => {
    log.info('regulatory pass', { event: 'regulatory_pass', ...(await pass(job, deps)) });
    return 'done';
  },
  park: createParkMessage(sqs, environment.DEAD_LETTER_QUEUE_URL),
  maxReceiveCount: environment.MAX_RECEIVE_COUNT,
  log,
});

/** Called by its schedule once a day, queues what is to be passed over; called by the queue, does so. */
export const handler = scheduledWorker({
  jobs: (asOf) => passJobs(asOf, deps.store),
  send,
  consume,
  onQueued: (jobs) => log.info('regulatory pass queued', { event: 'regulatory_pass_queued', jobs }),
  now,
});
