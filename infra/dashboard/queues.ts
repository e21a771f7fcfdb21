import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes } from '../alarms/alarm-set.ts';
import type { Watched } from '../alarms/alarms.ts';
import { labeled } from './metrics.ts';
import { heading, row } from './widgets.ts';

/** Every queue and dead-letter queue. */
export function queueRows({ workers, publisher, schedules }: Watched): IWidget[][] {
  const queues = workers.flatMap((worker) => worker.queues);
  const others = [publisher.deadLetters, schedules.deadLetters];
  return [
    heading(
      'Queues',
      'Age is what callers and receivers feel. Many messages that are young are a burst; few that are old are stuck.',
    ),
    row(
      {
        title: 'Age of the oldest message, seconds',
        runbook: ['Old messages'],
        metrics: queues.map((queue) => labeled(queue.name, queue.oldestMessageAge(fiveMinutes))),
      },
      {
        title: 'Messages that wait',
        metrics: queues.map((queue) => labeled(queue.name, queue.waitingMessages(fiveMinutes))),
      },
      {
        title: 'Dead letters',
        runbook: ['Dead messages', 'Failed schedules', 'Unpublished events'],
        metrics: [
          ...queues.map((queue) => labeled(queue.name, queue.deadMessages(fiveMinutes))),
          ...others.map((one) => labeled(one.name, one.messages(fiveMinutes))),
        ],
      },
    ),
  ];
}
