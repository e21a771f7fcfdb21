import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import { eventSource } from '../../shared/domain/events/event.ts';
import type { OutboxType } from '../../shared/domain/events/stored.ts';
import { type Environment, resourceName } from '../environments.ts';
import { granting } from './binding.ts';
import type { QueueWithDlq } from './queue-with-dlq.ts';

/** As long as an event can be delivered again (OpenAPI, "Webhooks"). */
const archiveRetention = Duration.days(30);

/** Routes events from the publisher to queues. On-call can replay the events of the last 30 days. */
export function eventBus(parent: Construct, id: string, deployment: Environment) {
  const scope = new Construct(parent, id);
  const bus = new events.EventBus(scope, 'Bus', { eventBusName: resourceName(deployment.name, id) });
  bus.archive('Archive', {
    archiveName: resourceName(deployment.name, id),
    description: 'All events of the bus. A replay goes to the rule that it names.',
    eventPattern: { source: [eventSource] },
    retention: archiveRetention,
  });
  return {
    /** The bus's name, with the permission to put events on it. */
    puts: granting(bus.eventBusName, { actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
    /** Sends events of these types to a queue, each as one message with the bus's envelope. */
    routes: (types: readonly OutboxType[], queue: QueueWithDlq) =>
      new events.Rule(scope, queue.name, {
        ruleName: resourceName(deployment.name, queue.name),
        eventBus: bus,
        eventPattern: { source: [eventSource], detailType: [...types] },
        targets: [queue.ruleTarget],
      }),
  };
}
