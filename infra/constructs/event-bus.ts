import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import { eventSource } from '../../shared/domain/events/event.ts';
import type { OutboxType } from '../../shared/domain/events/stored.ts';
import { type Environment, resourceName } from '../environments.ts';
import { type Binding, granting } from './binding.ts';
import type { QueueWithDlq } from './queue-with-dlq.ts';

/** As long as an event can be delivered again (OpenAPI, "Webhooks"). */
const archiveRetention = Duration.days(30);

/** Routes events from the publisher to queues. On-call can replay the events of the last 30 days. */
export class EventBus extends Construct {
  readonly #deployment: Environment;
  readonly #bus: events.EventBus;

  constructor(scope: Construct, id: string, deployment: Environment) {
    super(scope, id);
    this.#deployment = deployment;
    this.#bus = new events.EventBus(this, 'Bus', { eventBusName: resourceName(deployment.name, id) });
    this.#bus.archive('Archive', {
      archiveName: resourceName(deployment.name, id),
      description: 'All events of the bus. A replay goes to the rule that it names.',
      eventPattern: { source: [eventSource] },
      retention: archiveRetention,
    });
  }

  /** The bus's name, with the permission to put events on it. */
  puts(): Binding {
    const { eventBusArn, eventBusName } = this.#bus;
    return granting(eventBusName, { actions: ['events:PutEvents'], resources: [eventBusArn] });
  }

  /** Sends events of these types to a queue, each as one message with the bus's envelope. */
  routes(types: readonly OutboxType[], queue: QueueWithDlq): void {
    new events.Rule(this, queue.name, {
      ruleName: resourceName(this.#deployment.name, queue.name),
      eventBus: this.#bus,
      eventPattern: { source: [eventSource], detailType: [...types] },
      targets: [queue.ruleTarget()],
    });
  }
}
