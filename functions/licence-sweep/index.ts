import { Logger } from '@aws-lambda-powertools/logger';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createEventSteps } from '../../shared/events/outbox.ts';
import { sweepJob } from '../../shared/licence-sweep/jobs.ts';
import { createSweepStore } from '../../shared/licence-sweep/store.ts';
import { type SweepDeps, sweep, sweepJobs } from '../../shared/licence-sweep/sweep.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { createParkMessage } from '../../shared/queue/park.ts';
import { scheduledWorker } from '../../shared/queue/scheduled-worker.ts';
import { createSendMessages } from '../../shared/queue/send-messages.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { licenceSweepEnvironment } from './environment.ts';

const environment = readEnvironment(licenceSweepEnvironment);
const log = new Logger({ serviceName: 'licence-sweep', environment: environment.ENVIRONMENT });
const dynamo = createDynamoClient();
const sqs = createSqsClient();
const send = createSendMessages(sqs, environment.LICENCE_SWEEP_QUEUE_URL);
const now = () => new Date();
const deps: SweepDeps = {
  store: createSweepStore(dynamo, environment.REGISTRY_RECORDS_TABLE),
  holders: createNpnHolders(dynamo, {
    agents: environment.AGENTS_TABLE,
    associations: environment.ASSOCIATIONS_TABLE,
  }),
  events: createEventSteps(environment.OUTBOX_TABLE),
  now,
  onFailure: (job, error) =>
    log.error('A licence was not swept; its job is done again.', {
      event: 'licence_not_swept',
      ...job,
      error: error instanceof Error ? error : new Error(String(error)),
    }),
};

const consume = queueConsumer({
  schema: sweepJob,
  work: async ({ message: job }) => {
    const { licences, events } = await sweep(job, deps);
    log.info('licence sweep', { event: 'licence_sweep', ...job, licences, events });
    return 'done';
  },
  park: createParkMessage(sqs, environment.DEAD_LETTER_QUEUE_URL),
  maxReceiveCount: environment.MAX_RECEIVE_COUNT,
  log,
});

/** Called by its schedule at 05:00 in New York, queues what is to be swept; called by the queue, sweeps. */
export const handler = scheduledWorker({
  jobs: (asOf) => sweepJobs(asOf, deps.store),
  send,
  consume,
  onQueued: (jobs) => log.info('licence sweep queued', { event: 'licence_sweep_queued', jobs }),
  now,
});
