import { Duration } from 'aws-cdk-lib';
import type { EventBus } from '../constructs/event-bus.ts';
import type { StreamFunction } from '../constructs/stream-function.ts';
import { type AlarmSet, fiveMinutes, sum } from './alarm-set.ts';

/** The way of an event from the outbox's stream to the bus. */
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
  // The schedule looks every five minutes at what is older than five: what fails then waits for over ten.
  alarms.add(`${name}-unpublished-events`, {
    runbook: 'Unpublished events',
    metric: alarms.logged('events_republished', name, logGroup, { level: 'WARN', value: '$.failed' }),
    above: 0,
    impact: 'Events have been in the outbox for more than ten minutes, and the bus does not accept them.',
  });
  alarms.add(`${name}-refused-events`, {
    runbook: 'Refused events',
    metric: alarms.logged('event_refused', name, logGroup),
    above: 0,
    impact: 'The bus can never take an event as it is; its receivers do not hear of the change.',
  });
  alarms.add(`${name}-unreadable-events`, {
    runbook: 'Unreadable events',
    metric: alarms.logged('outbox_item_unreadable', name, logGroup),
    above: 0,
    impact: 'An event can never be published as it is; its receivers never get it.',
  });
  alarms.add(`${name}-dead-batches`, {
    runbook: 'Unpublished events',
    metric: deadLetters.messages(fiveMinutes),
    above: 0,
    impact: 'The stream skipped a batch of events; the schedule publishes them if they can be published.',
  });
}

/** The bus's rules, each of which puts events into a queue. */
export function watchBus(alarms: AlarmSet, bus: EventBus): void {
  for (const { queueName, failures } of bus.carried) {
    alarms.add(`${queueName}-uncarried-events`, {
      runbook: 'Uncarried events',
      metric: failures(fiveMinutes),
      above: 0,
      impact: `Events did not get from the bus into the queue "${queueName}"; what should follow from them does not happen.`,
    });
  }
}
