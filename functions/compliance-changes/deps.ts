import { reportDeps } from '../../shared/domain/compliance-changes/dependencies.ts';
import type { WorkerDependencies } from '../../shared/domain/dependencies.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import type { uses } from './uses.ts';
import { createWalkStore } from './walk-store.ts';

/** `send` sends to the worker's own queue. */
export type ComplianceChangesDependencies = WorkerDependencies<typeof uses, { readonly send: SendMessages }>;

/** What work on changes works with. */
export const changeDeps = ({
  clients: { send },
  tables,
  context: { now, logger: log },
}: ComplianceChangesDependencies) => ({
  ...reportDeps({ tables, now, log }),
  walks: createWalkStore(tables),
  send,
});

export type ChangeDeps = ReturnType<typeof changeDeps>;
