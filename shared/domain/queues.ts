/**
 * The queues whose messages a function works on. Each is declared by the function that consumes it (`uses.ts`), and the
 * number of its workers by the environment (`infra/capacity.ts`).
 */
export const workedQueues = [
  'registry-sync',
  'webhook-fanout',
  'deliveries-healthy',
  'deliveries-failing',
  'compliance-changes',
  'license-sweep',
  'registry-reconciliation',
] as const;

export type WorkedQueue = (typeof workedQueues)[number];

/**
 * Deliveries of a message every few minutes for an hour or more: AWS outages usually end within that time, and the queue's age
 * raises an alarm before.
 */
export const hourOfRetries = 20;
