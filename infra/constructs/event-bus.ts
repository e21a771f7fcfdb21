import { Duration } from 'aws-cdk-lib';
import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import * as events from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { eventSource } from '../../shared/events/event.ts';
import type { OutboxType } from '../../shared/events/stored.ts';
import { type Environment, resourceName } from '../environments.ts';
import type { Binding } from './binding.ts';
import type { QueueWithDlq } from './queue-with-dlq.ts';

/** As long as an event can be delivered again (OpenAPI, "Webhooks"). */
const archived = Duration.days(30);

/** A rule of the bus, as alarms see it. */
interface Carried {
  readonly queueName: string;
  /** Events that the bus gave up to put into the queue. */
  failures(period: Duration): IMetric;
}

/** Carries what the publisher puts on it to the queues that wait for it. On-call can replay what it carried in 30 days. */
export class EventBus extends Construct {
  readonly #deployment: Environment;
  readonly #bus: events.EventBus;
  readonly #carried: Carried[] = [];

  constructor(scope: Construct, id: string, deployment: Environment) {
    super(scope, id);
    this.#deployment = deployment;
    this.#bus = new events.EventBus(this, 'Bus', { eventBusName: resourceName(deployment.name, id) });
    this.#bus.archive('Archive', {
      archiveName: resourceName(deployment.name, id),
      description: 'What the bus carried; a replay goes to the rule that it names.',
      eventPattern: { source: [eventSource] },
      retention: archived,
    });
  }

  /** The bus's name together with the permission to put events on it. */
  puts(): Binding {
    const { eventBusArn, eventBusName } = this.#bus;
    return {
      value: eventBusName,
      grant: (role) =>
        role.addToPrincipalPolicy(
          new PolicyStatement({ actions: ['events:PutEvents'], resources: [eventBusArn] }),
        ),
    };
  }

  /** Has events of these types put into a queue, each as one message that holds the bus's envelope. */
  carries(types: readonly OutboxType[], queue: QueueWithDlq): void {
    const ruleName = resourceName(this.#deployment.name, queue.name);
    new events.Rule(this, queue.name, {
      ruleName,
      eventBus: this.#bus,
      eventPattern: { source: [eventSource], detailType: [...types] },
      targets: [queue.ruleTarget()],
    });
    // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html: both dimensions, for a bus of one's own.
    const dimensionsMap = {
      EventBusName: resourceName(this.#deployment.name, this.node.id),
      RuleName: ruleName,
    };
    this.#carried.push({
      queueName: queue.name,
      failures: (period) =>
        new Metric({
          namespace: 'AWS/Events',
          metricName: 'FailedInvocations',
          dimensionsMap,
          statistic: 'Sum',
          period,
        }),
    });
  }

  get carried(): readonly Carried[] {
    return this.#carried;
  }
}
