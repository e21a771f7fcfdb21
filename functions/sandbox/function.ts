import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import type { Resources } from '#domain/function.ts';
import { createNightlyRuns, type NightlyRunJob } from '#domain/sandbox/nightly-runs.ts';
import { createSendMessages, type SendMessages } from '#platform/queue/send.ts';
import { writeServices } from '#platform/request/write-services.ts';
import * as operations from './operations.ts';
import { createOwnRecords } from './operations.ts';
import { uses } from './uses.ts';

interface OwnResources {
  /** Sends to the sandbox-nightly-run queue. */
  readonly send: SendMessages;
}

/** Dependencies of the operations of a sandbox. */
const deps = ({ tables, send }: Resources<typeof uses, OwnResources>) => ({
  records: createOwnRecords(tables.registryRecords),
  runs: createNightlyRuns(tables.registryRecords),
  /** Resolves when the queue has the run. */
  sendNightlyRun: (job: NightlyRunJob) => send([job]),
});

type Routes = typeof uses.routes.routes;

/** The operation of a row. */
export type SandboxOperation<Id extends keyof Routes> = OperationWith<Routes[Id], ReturnType<typeof deps>>;

/** Serves the routes of a sandbox. */
export const sandboxFunction = apiFunctionWithDeps({
  uses,
  operations: { ...operations },
  deps,
  services: writeServices,
  resources: ({ queues }) => ({ send: createSendMessages(queues['sandbox-nightly-run']) }),
});
