import { Duration } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { WorkedQueue } from '../../shared/domain/queues.ts';
import { queueRetentionSeconds } from '../../shared/platform/aws/limits.ts';
import type { QueueWithDlq } from '../constructs/queue-with-dlq.ts';
import type { WorkerFunction } from '../constructs/worker-function.ts';
import { type AlarmSet, fiveMinutes, sum } from './alarm-set.ts';
import type { LogMetrics } from './log-metrics.ts';
import { totalOf } from './total.ts';

/** The queues between an event and its receivers. Whoever waits for the others waits for minutes or hours anyway. */
const onTheWayToReceivers: readonly WorkedQueue[] = ['webhook-fanout', 'deliveries-healthy'];

/**
 * The functions that work on queues, and their queues.
 *
 * @param stream the signal that events reach the bus late: it has the same effect for receivers as a queue that waits
 */
export function watchWorkers(
  alarms: AlarmSet,
  logs: LogMetrics,
  workers: readonly WorkerFunction[],
  stream: IAlarm,
): void {
  alarms.add('failed-messages', {
    severity: 'ticket',
    runbook: 'Failed messages',
    metric: logs.logged('message_failed', workers),
    above: 0,
    periods: 3,
    impact:
      'Messages have failed for an unexpected reason for a quarter of an hour, and are delivered again.',
  });
  alarms.add('dropped-invocations', {
    severity: 'ticket',
    runbook: 'Dropped invocations',
    // That of a function that allows recursion has data only if somebody changed the setting.
    metric: totalOf(
      workers.map(({ lambda }) => lambda.metric('RecursiveInvocationsDropped', sum)),
      'Invocations dropped as a loop',
    ),
    above: 0,
    impact: 'Lambda took messages for an infinite loop, and drops the invocations that they ask for.',
  });
  const queues = workers.flatMap((worker) => worker.queues);
  watchDeadLetters(alarms, queues);
  const late = queues.filter(({ name }) => onTheWayToReceivers.includes(name));
  for (const queue of queues.filter((one) => !late.includes(one))) {
    alarms.add(`${queue.name}-message-age`, { severity: 'ticket', ...oldMessages(queue) });
  }
  // One message that fails twice is old for a few minutes, which is worth no night.
  const waiting = late.map((queue) =>
    alarms.signal(`${queue.name}-message-age`, { ...oldMessages(queue), periods: 3 }),
  );
  alarms.any('events-late', [stream, ...waiting], {
    severity: 'page',
    runbook: 'Late events',
    impact: 'Receivers get events late.',
    worthANight: 'It concerns every carrier, and what waits grows for as long as nobody acts.',
  });
}

function watchDeadLetters(alarms: AlarmSet, queues: readonly QueueWithDlq[]): void {
  const signals = queues.map((queue) =>
    alarms.signal(`${queue.name}-dead-messages`, {
      runbook: 'Dead messages',
      metric: queue.deadMessages(fiveMinutes),
      above: 0,
      impact: `The work of messages in the queue "${queue.name}" was not done, and is not retried.`,
    }),
  );
  alarms.any('dead-messages', signals, {
    severity: 'ticket',
    runbook: 'Dead messages',
    impact: `The work of some messages was not done. They are kept for ${Duration.seconds(queueRetentionSeconds).toDays()} days and can be redriven.`,
  });
}

const oldMessages = (queue: QueueWithDlq) => ({
  runbook: 'Old messages',
  metric: queue.oldestMessageAge(fiveMinutes),
  above: queue.behindAfter.toSeconds(),
  impact: `Messages in the queue "${queue.name}" are not processed in time: they wait for a worker, or fail.`,
});
