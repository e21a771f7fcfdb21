import type { WorkerFunction } from '../constructs/worker-function.ts';
import { type AlarmSet, fiveMinutes, sum } from './alarm-set.ts';

/** A function that works on queues, and its queues. */
export function watchWorker(alarms: AlarmSet, { name, lambda, logGroup, queues }: WorkerFunction): void {
  const ofQueues = queues.map((queue) => `the queue "${queue.name}"`).join(' and ');
  alarms.add(`${name}-errors`, {
    runbook: 'Worker errors',
    metric: lambda.metricErrors(sum),
    above: 0,
    impact: `Messages of ${ofQueues} are delivered again and processed late.`,
  });
  alarms.add(`${name}-failed-messages`, {
    runbook: 'Failed messages',
    metric: alarms.logged('message_failed', name, logGroup),
    above: 0,
    impact: `Messages of ${ofQueues} failed for an unexpected reason, and are delivered again.`,
  });
  // For a function that allows recursion, the metric has data only if somebody changed that setting.
  alarms.add(`${name}-dropped-invocations`, {
    runbook: 'Dropped invocations',
    metric: lambda.metric('RecursiveInvocationsDropped', sum),
    above: 0,
    impact: `Lambda takes messages of ${ofQueues} for an infinite loop and drops their invocations.`,
  });
  for (const queue of queues) {
    alarms.add(`${queue.name}-dead-messages`, {
      runbook: 'Dead messages',
      metric: queue.deadMessages(fiveMinutes),
      above: 0,
      impact: `The work of messages in the queue "${queue.name}" was not done, and is not retried.`,
    });
    alarms.add(`${queue.name}-message-age`, {
      runbook: 'Old messages',
      metric: queue.oldestMessageAge(fiveMinutes),
      above: queue.behindAfter.toSeconds(),
      impact: `Messages in the queue "${queue.name}" wait longer than usual.`,
    });
  }
}
