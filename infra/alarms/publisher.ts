import { Duration } from 'aws-cdk-lib';
import type { EventBus } from '../constructs/event-bus.ts';
import type { StreamFunction } from '../constructs/stream-function.ts';
import { type AlarmSet, fiveMinutes, sum } from './alarm-set.ts';

/** The function that publishes events from the outbox's stream to the bus. */
export function watchPublisher(alarms: AlarmSet, publisher: StreamFunction): void {
  const { name, lambda, logGroup, deadLetters } = publisher;
  alarms.add(`${name}-errors`, {
    runbook: 'Publisher errors',
    metric: lambda.metricErrors(sum),
    above: 0,
    impact: 'Events wait in the outbox; receivers get them minutes late.',
  });
  alarms.add(`${name}-lag`, {
    runbook: 'Late events',
    metric: lambda.metric('IteratorAge', { statistic: 'Maximum', period: fiveMinutes }),
    above: Duration.minutes(1).toMilliseconds(),
    impact: 'Events reach the bus, and so every receiver, more than a minute late.',
  });
  alarms.add(`${name}-late-events`, {
    runbook: 'Late events',
    metric: alarms.logged('events_republished', name, logGroup, { level: 'WARN', value: '$.republished' }),
    above: 0,
    impact: 'Events that the stream missed were published more than five minutes late.',
  });
  // The schedule runs every five minutes for events older than five: those that fail again wait for more than ten.
  alarms.add(`${name}-unpublished-events`, {
    runbook: 'Unpublished events',
    metric: alarms.logged('events_republished', name, logGroup, { level: 'WARN', value: '$.failed' }),
    above: 0,
    impact: 'Events have been in the outbox for more than ten minutes, and the bus does not accept them.',
  });
  alarms.add(`${name}-late-deferred-events`, {
    runbook: 'Late deferred events',
    metric: alarms.logged('deferred_events_late', name, logGroup, { level: 'WARN' }),
    above: 0,
    impact: 'Events of an import have waited for their turn for more than two hours.',
  });
  alarms.add(`${name}-refused-events`, {
    runbook: 'Refused events',
    metric: alarms.logged('event_refused', name, logGroup),
    above: 0,
    impact: 'The bus rejects an event because of its content; its receivers do not get it.',
  });
  alarms.add(`${name}-unreadable-events`, {
    runbook: 'Unreadable events',
    metric: alarms.logged('outbox_item_unreadable', name, logGroup),
    above: 0,
    impact: 'An item of the outbox cannot be read as an event; its receivers do not get it.',
  });
  alarms.add(`${name}-dead-batches`, {
    runbook: 'Unpublished events',
    metric: deadLetters.messages(fiveMinutes),
    above: 0,
    impact: 'The stream skipped a batch of events after its last attempt; the schedule retries them.',
  });
}

/** The bus's rules, each of which sends events to a queue. */
export function watchBus(alarms: AlarmSet, bus: EventBus): void {
  for (const { queueName, failures } of bus.rules) {
    alarms.add(`${queueName}-unrouted-events`, {
      runbook: 'Unrouted events',
      metric: failures(fiveMinutes),
      above: 0,
      impact: `Events did not reach the queue "${queueName}" from the bus and are not processed.`,
    });
  }
}
