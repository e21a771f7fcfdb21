import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes } from '../alarms/alarm-set.ts';
import type { Monitoring, Watched } from '../alarms/alarms.ts';
import { labeled } from './metrics.ts';
import { heading, row } from './widgets.ts';

/** The way of an event from the outbox to its receivers, and the schedules that make up for what it lost. */
export function eventRows(
  { publisher, bus, schedules }: Watched,
  { logs, lateness }: Monitoring,
): IWidget[][] {
  const age = publisher.lambda.metric('IteratorAge', {
    statistic: 'Maximum',
    label: 'stream of the outbox',
    period: fiveMinutes,
  });
  const republished = logs.logged('events_republished', [publisher], {
    level: 'WARN',
    value: '$.republished',
  });
  return [
    heading(
      'Events',
      'From left to right as an event goes: outbox, bus, receivers, and the schedules behind them.',
    ),
    row(
      { title: 'Age of events in the outbox, milliseconds', runbook: ['Late events'], metrics: [age] },
      {
        title: 'Events that the stream missed, or the bus did not route',
        runbook: ['Late events', 'Unrouted events'],
        metrics: [
          labeled('published later by the schedule', republished),
          ...bus.rules.map(({ queueName, failures }) =>
            labeled(`not routed to ${queueName}`, failures(fiveMinutes)),
          ),
        ],
      },
      {
        title: 'Deliveries to healthy receivers: median lateness, seconds',
        runbook: ['Late deliveries'],
        metrics: [labeled('seconds', lateness)],
      },
      {
        title: 'Scheduled calls that failed',
        runbook: ['Failed schedules'],
        metrics: [labeled('calls', schedules.failed(fiveMinutes))],
      },
    ),
  ];
}
