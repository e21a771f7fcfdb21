import { Duration } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventBus } from '../constructs/event-bus.ts';
import type { StreamFunction } from '../constructs/stream-function.ts';
import { type AlarmSet, fiveMinutes } from './alarm-set.ts';
import type { LogMetrics } from './log-metrics.ts';
import { totalOf } from './total.ts';

/** Whether the stream of the outbox is read in time; a signal of late events. */
export const watchStream = (alarms: AlarmSet, { name, lambda }: StreamFunction): IAlarm =>
  alarms.signal(`${name}-lag`, {
    runbook: 'Late events',
    metric: lambda.metric('IteratorAge', { statistic: 'Maximum', period: fiveMinutes }),
    above: Duration.minutes(1).toMilliseconds(),
    periods: 3,
    impact: 'Events reach the bus, and so every receiver, more than a minute late.',
  });

/** The function that publishes events from the outbox's stream to the bus. */
export function watchPublisher(alarms: AlarmSet, logs: LogMetrics, publisher: StreamFunction): void {
  const { name } = publisher;
  // The schedule runs every five minutes for events older than five: those that fail again wait for more than ten.
  alarms.add(`${name}-unpublished-events`, {
    severity: 'page',
    runbook: 'Unpublished events',
    metric: logs.logged('events_republished', [publisher], { level: 'WARN', value: '$.failed' }),
    above: 0,
    periods: 2,
    impact: 'Events have been in the outbox for more than ten minutes, and the bus does not accept them.',
    worthANight: 'No receiver is told of anything, statuses are not computed, and the backlog grows.',
  });
  alarms.add(`${name}-late-deferred-events`, {
    severity: 'ticket',
    runbook: 'Late deferred events',
    metric: logs.logged('deferred_events_late', [publisher], { level: 'WARN' }),
    above: 0,
    impact: 'Events of an import have waited for their turn for more than two hours.',
  });
  alarms.add(`${name}-refused-events`, {
    severity: 'ticket',
    runbook: 'Refused events',
    metric: logs.logged('event_refused', [publisher]),
    above: 0,
    impact: 'The bus rejects an event because of its content; its receivers do not get it.',
  });
  alarms.add(`${name}-unreadable-events`, {
    severity: 'ticket',
    runbook: 'Unreadable events',
    metric: logs.logged('outbox_item_unreadable', [publisher]),
    above: 0,
    impact: 'An item of the outbox cannot be read as an event; its receivers do not get it.',
  });
}

/** The bus's rules, each of which sends events to a queue. */
export function watchBus(alarms: AlarmSet, bus: EventBus): void {
  alarms.add('unrouted-events', {
    severity: 'ticket',
    runbook: 'Unrouted events',
    metric: totalOf(
      bus.rules.map(({ failures }) => failures(fiveMinutes)),
      'Events that reached no queue',
    ),
    above: 0,
    impact: 'Events did not reach a queue from the bus and are not processed. They are kept.',
  });
}
