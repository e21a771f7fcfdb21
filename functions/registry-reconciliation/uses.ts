import { type FunctionUses, reconciliationHour, scheduledWorkSeconds, sweepHour } from '#function/uses.ts';

export const uses = {
  timeoutSeconds: scheduledWorkSeconds,
  // Its jobs are queued in the evening; what still waits at the hour of the license sweep comes too late for it.
  consumes: {
    'registry-reconciliation': {
      batchSize: 1,
      maxReceiveCount: 5,
      behindAfterHours: 24 + sweepHour - reconciliationHour,
    },
  },
  schedules: { dispatch: { dailyAtHour: reconciliationHour }, 'new-npns': { everyMinutes: 1 } },
  tables: {
    registryRecords: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      query: ['table', 'by-npn', 'by-renewal', 'by-poll'],
    },
    agents: { items: ['BatchGetItem'] },
    associations: { items: ['BatchGetItem'] },
    compliance: { items: ['GetItem', 'BatchGetItem', 'PutItem'], query: ['table'] },
    organizations: { items: ['GetItem'] },
    outbox: { items: ['PutItem'] },
  },
  registry: true,
  sends: ['registry-reconciliation'],
  settings: ['MOST_CALLS_A_NIGHT'],
  recursion: 'When its schedules call it, it sends the jobs that invoke it; a job sends no messages.',
} as const satisfies FunctionUses;
