import { type FunctionUses, scheduledWorkSeconds, sweepHour } from '#function/uses.ts';

export const uses = {
  timeoutSeconds: scheduledWorkSeconds,
  // Its schedule queues all jobs at once.
  consumes: { 'license-sweep': { batchSize: 1, maxReceiveCount: 5, behindAfterHours: 2 } },
  // Expiring and expired licenses (OpenAPI, "Events").
  schedules: { dispatch: { dailyAtHour: sweepHour } },
  tables: {
    registryRecords: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      query: ['table', 'by-renewal'],
    },
    compliance: { query: ['by-start'] },
    agents: { items: ['BatchGetItem'] },
    associations: { items: ['BatchGetItem'] },
    organizations: { items: ['Scan'] },
    outbox: { items: ['PutItem'] },
  },
  sends: ['license-sweep'],
  recursion: 'When its schedule calls it, it sends the jobs that invoke it; a job sends no messages.',
} as const satisfies FunctionUses;
