import type { SendMessage } from '../../shared/queue/send-message.ts';
import type { SyncJob } from '../../shared/registry/sync-job.ts';

/** Hands a job to the registry-sync queue; done when the queue has it. */
export type SendSyncJob = (job: SyncJob) => Promise<void>;

export const createSendSyncJob =
  (send: SendMessage): SendSyncJob =>
  (job) =>
    send(JSON.stringify(job));
