import { createNightlyRuns } from '#domain/sandbox/nightly-runs.ts';
import { apiFunction } from '#function/api-function.ts';
import { createSendMessages } from '#platform/queue/send.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { createOwnRecords, sandboxOperations } from './operations.ts';
import { uses } from './uses.ts';

/** Serves the routes of a sandbox. */
export const sandboxFunction = apiFunction({
  uses,
  resources: ({ queues }) => ({ send: createSendMessages(queues['sandbox-nightly-run']) }),
  operations: ({ tables: { registryRecords }, send }) =>
    sandboxOperations(createOwnRecords(registryRecords), createNightlyRuns(registryRecords), (job) =>
      send([job]),
    ),
  services: writeServices,
});
