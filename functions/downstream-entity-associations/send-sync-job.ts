import type { SyncJob } from '../../shared/domain/registry/sync-job.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';

/** Sends a job to the registry-sync queue; resolves when the queue has it. */
export type SendSyncJob = (job: SyncJob) => Promise<void>;

export const createSendSyncJob =
  (send: SendMessages): SendSyncJob =>
  (job) =>
    send([job]);
