import { type FunctionUses, hourOfRetries } from '#function/uses.ts';

/** The function's time limit, so that a lease ends when its worker must have ended; it is never renewed. */
export const leaseSeconds = 75;

export const uses = {
  timeoutSeconds: leaseSeconds,
  // It mostly waits for receivers, up to 15 seconds each; with the processor time of half of it, fifty attempts that begin at once
  // would take as long as a receiver's answer.
  memoryMB: 512,
  consumes: {
    // One at a time, so that no webhook waits for another's slow receiver.
    'deliveries-healthy': { batchSize: 1, maxReceiveCount: hourOfRetries },
    // Failing ones wait for their receivers together, which takes a tenth of the workers.
    'deliveries-failing': { batchSize: 10, maxReceiveCount: hourOfRetries },
  },
  // Retries, and whatever a crash left behind.
  schedules: { 'wake-overdue': { everyMinutes: 1 } },
  tables: {
    webhooks: {
      items: ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'UpdateItem', 'PartiQLUpdate'],
      query: ['table', 'by-next-drain'],
    },
    outbox: { items: ['BatchGetItem', 'PutItem'] },
  },
  webhookKey: 'decrypts',
  sends: ['deliveries-healthy', 'deliveries-failing'],
  settings: ['ALLOW_LOOPBACK_RECEIVERS'],
  recursion:
    'It hands a webhook over to its other queue, or to itself after a pause or when its time is up; a webhook without due deliveries ends the chain.',
} as const satisfies FunctionUses;
