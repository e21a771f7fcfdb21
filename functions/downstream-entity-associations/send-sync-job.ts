import type { SendMessages } from '../../shared/queue/send-messages.ts';
import type { SyncJob } from '../../shared/registry/sync-job.ts';

/** Sends a job to the registry-sync queue; resolves when the queue has it. */
export type SendSyncJob = (job: SyncJob) => Promise<void>;

export const createSendSyncJob =
  (send: SendMessages): SendSyncJob =>
  (job) =>
    send([job]);
