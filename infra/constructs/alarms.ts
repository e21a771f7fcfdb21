import { Aws, Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { LogEvent } from '../../shared/log/events.ts';
import { type Environment, resourceName } from '../environments.ts';
import type { ApiFunction } from './api-function.ts';
import type { EventBus } from './event-bus.ts';
import type { Gateway } from './gateway.ts';
import type { Schedules } from './schedules.ts';
import type { ServiceFunction } from './service-function.ts';
import type { StreamFunction } from './stream-function.ts';
import type { Table } from './table.ts';
import type { WorkerFunction } from './worker-function.ts';

interface AlarmsProps {
  readonly environment: Environment;
  readonly gateway: Gateway;
  readonly authorizer: ServiceFunction;
  readonly apiFunctions: readonly ApiFunction[];
  readonly admin: ServiceFunction;
  readonly imports: ServiceFunction;
  readonly rotation: ServiceFunction;
  readonly publisher: StreamFunction;
  readonly bus: EventBus;
  readonly schedules: Schedules;
  readonly workers: readonly WorkerFunction[];
  readonly tables: readonly Table[];
}

interface Alert {
  /** Heading of `infra/runbook.md` that says what to do. */
  readonly runbook: string;
  readonly metric: cloudwatch.IMetric;
  /** The alarm goes off when the metric is above this ... */
  readonly above: number;
  /** ... in every one of so many periods; 1 unless told. */
  readonly periods?: number;
  /** What the callers or the operators notice. */
  readonly impact: string;
}

const fiveMinutes = Duration.minutes(5);
const sum = { statistic: 'Sum', period: fiveMinutes } as const;

/** Everything that calls somebody. */
export class Alarms extends Construct {
  readonly #environment: Environment;
  readonly #action: SnsAction;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { environment, gateway, authorizer, apiFunctions, admin, imports, rotation, tables } = props;
    const { publisher, bus, schedules, workers } = props;
    this.#environment = environment;

    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A topic's own policy, which `enforceSSL` makes, replaces the one with which SNS would have let CloudWatch publish.
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
    topic.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    if (environment.alarmAddress !== undefined) {
      topic.addSubscription(new EmailSubscription(environment.alarmAddress));
    }
    this.#action = new SnsAction(topic);

    this.#alarm('gateway-faults', {
      runbook: 'Gateway faults',
      metric: gateway.faultPercentage(fiveMinutes),
      above: 1,
      periods: 2,
      impact: 'More than one request in a hundred gets a 5xx.',
    });
    this.#alarm('authorizer-errors', {
      runbook: 'Authorizer errors',
      metric: authorizer.lambda.metricErrors(sum),
      above: 0,
      impact: 'Callers with good credentials get a 500 on every route that requires one.',
    });
    this.#alarm('authorizer-latency', {
      runbook: 'Authorizer latency',
      metric: authorizer.lambda.metricDuration({ statistic: 'p99', period: fiveMinutes }),
      above: 2000,
      periods: 3,
      impact:
        'Every request that requires a credential waits for seconds before it is handled; at five seconds it fails.',
    });
    for (const { name, group, lambda, logGroup } of apiFunctions) {
      this.#alarm(`${name}-errors`, {
        runbook: 'Function errors',
        metric: lambda.metricErrors(sum),
        above: 0,
        impact: `Requests to the routes of "${name}" break off or get a 5xx.`,
      });
      const routes = Object.values(group.routes);
      if (routes.length > 0) {
        this.#alarm(`${name}-broken-answers`, {
          runbook: 'Answers that break their schema',
          metric: this.#logged('response_breaks_schema', name, logGroup),
          above: 0,
          impact: `Routes of "${name}" return something other than what the OpenAPI document promises.`,
        });
      }
      if (routes.some(({ answer }) => 'all' in answer)) {
        this.#alarm(`${name}-too-large-answers`, {
          runbook: 'Answers that are too large',
          metric: this.#logged('response_too_large', name, logGroup),
          above: 0,
          impact: `A list of "${name}" broke off at 200 MB: its caller can't read it until it asks for less or for gzip.`,
        });
      }
      if (routes.some(({ rate }) => rate !== 'none')) {
        this.#alarm(`${name}-uncounted-requests`, {
          runbook: 'Uncounted requests',
          metric: this.#logged('rate_counters_unreachable', name, logGroup),
          above: 0,
          impact: `Limited routes of "${name}" accept every request: nothing limits a flood or the guessing of secrets.`,
        });
      }
    }
    this.#alarm('admin-errors', {
      runbook: 'Function errors',
      metric: admin.lambda.metricErrors(sum),
      above: 0,
      impact: 'An operator command failed.',
    });
    this.#alarm('import-errors', {
      runbook: 'Function errors',
      metric: imports.lambda.metricErrors(sum),
      above: 0,
      impact: 'An operator’s import stopped halfway.',
    });
    const others = [admin, imports, rotation, publisher, ...workers];
    for (const { name, lambda } of [authorizer, ...apiFunctions, ...others]) {
      this.#alarm(`${name}-throttles`, {
        runbook: 'Function throttles',
        metric: lambda.metricThrottles(sum),
        above: 0,
        impact: `Calls of "${name}" are rejected before it runs: what depends on it fails or waits.`,
      });
    }
    this.#alarm('signing-secret-rotation-failed', {
      runbook: 'Signing secret rotation failed',
      metric: rotation.lambda.metricErrors(sum),
      above: 0,
      impact:
        'No effect on callers yet: tokens are signed with the old secret, which gets older than 90 days.',
    });
    this.#watchPublisher(publisher);
    for (const { queueName, failures } of bus.carried) {
      this.#alarm(`${queueName}-uncarried-events`, {
        runbook: 'Uncarried events',
        metric: failures(fiveMinutes),
        above: 0,
        impact: `Events did not get from the bus into the queue "${queueName}"; what should follow from them does not happen.`,
      });
    }
    this.#alarm('schedules-failed-calls', {
      runbook: 'Failed schedules',
      metric: schedules.failed(fiveMinutes),
      above: 0,
      impact: 'A function could not be called on schedule; the call is retried for an hour.',
    });
    this.#alarm('schedules-dropped-calls', {
      runbook: 'Failed schedules',
      metric: schedules.dropped(fiveMinutes),
      above: 0,
      impact: 'What a schedule should have started did not start, and is not retried.',
    });
    this.#alarm('schedules-dead-calls', {
      runbook: 'Failed schedules',
      metric: schedules.deadLetters.messages(fiveMinutes),
      above: 0,
      impact: 'Calls that a schedule gave up on are waiting for an operator to make them.',
    });
    for (const worker of workers) this.#watchWorker(worker);
    for (const table of tables) {
      this.#alarm(`${table.design.name}-table-throttles`, {
        runbook: 'Table throttles',
        metric: table.throttledRequests(fiveMinutes),
        above: 0,
        periods: 2,
        impact: `Requests that need the table "${table.design.name}" are slow, and some get a 5xx.`,
      });
      this.#alarm(`${table.design.name}-table-errors`, {
        runbook: 'Table errors',
        metric: table.systemErrors(fiveMinutes),
        above: 0,
        periods: 2,
        impact: `DynamoDB itself fails on the table "${table.design.name}": requests are slow or get a 5xx.`,
      });
    }
  }

  #watchPublisher({ name, lambda, logGroup, deadLetters }: StreamFunction): void {
    this.#alarm(`${name}-errors`, {
      runbook: 'Publisher errors',
      metric: lambda.metricErrors(sum),
      above: 0,
      impact: 'Events wait in the outbox; receivers get them minutes late.',
    });
    this.#alarm(`${name}-lag`, {
      runbook: 'Late events',
      metric: lambda.metric('IteratorAge', { statistic: 'Maximum', period: fiveMinutes }),
      above: Duration.minutes(1).toMilliseconds(),
      impact: 'Events reach the bus, and so every receiver, more than a minute late.',
    });
    this.#alarm(`${name}-late-events`, {
      runbook: 'Late events',
      metric: this.#logged('events_republished', name, logGroup, { level: 'WARN', value: '$.republished' }),
      above: 0,
      impact: 'Events that the stream missed were published more than five minutes late.',
    });
    // The schedule looks every five minutes at what is older than five: what fails then waits for over ten.
    this.#alarm(`${name}-unpublished-events`, {
      runbook: 'Unpublished events',
      metric: this.#logged('events_republished', name, logGroup, { level: 'WARN', value: '$.failed' }),
      above: 0,
      impact: 'Events have been in the outbox for more than ten minutes, and the bus does not accept them.',
    });
    this.#alarm(`${name}-refused-events`, {
      runbook: 'Refused events',
      metric: this.#logged('event_refused', name, logGroup),
      above: 0,
      impact: 'The bus can never take an event as it is; its receivers do not hear of the change.',
    });
    this.#alarm(`${name}-unreadable-events`, {
      runbook: 'Unreadable events',
      metric: this.#logged('outbox_item_unreadable', name, logGroup),
      above: 0,
      impact: 'An event can never be published as it is; its receivers never get it.',
    });
    this.#alarm(`${name}-dead-batches`, {
      runbook: 'Unpublished events',
      metric: deadLetters.messages(fiveMinutes),
      above: 0,
      impact: 'The stream skipped a batch of events; the schedule publishes them if they can be published.',
    });
  }

  #watchWorker({ name, lambda, logGroup, queues }: WorkerFunction): void {
    const ofQueues = queues.map((queue) => `the queue "${queue.name}"`).join(' and ');
    this.#alarm(`${name}-errors`, {
      runbook: 'Worker errors',
      metric: lambda.metricErrors(sum),
      above: 0,
      impact: `Messages of ${ofQueues} are delivered again, and handled later if they can be.`,
    });
    this.#alarm(`${name}-failed-messages`, {
      runbook: 'Failed messages',
      metric: this.#logged('message_failed', name, logGroup),
      above: 0,
      impact: `Messages of ${ofQueues} failed for an unexpected reason, and are delivered again.`,
    });
    // Of a function that allows recursion Lambda counts nothing, so there it tells that somebody took the permission away.
    this.#alarm(`${name}-dropped-invocations`, {
      runbook: 'Dropped invocations',
      metric: lambda.metric('RecursiveInvocationsDropped', sum),
      above: 0,
      impact: `Lambda takes messages of ${ofQueues} for an infinite loop and does not hand them out any more.`,
    });
    for (const queue of queues) {
      this.#alarm(`${queue.name}-dead-messages`, {
        runbook: 'Dead messages',
        metric: queue.deadMessages(fiveMinutes),
        above: 0,
        impact: `The work of messages in the queue "${queue.name}" was not done, and is not retried.`,
      });
      this.#alarm(`${queue.name}-message-age`, {
        runbook: 'Old messages',
        metric: queue.oldestMessageAge(fiveMinutes),
        above: queue.behindAfter.toSeconds(),
        impact: `Messages in the queue "${queue.name}" wait longer than usual.`,
      });
    }
  }

  #alarm(name: string, alert: Alert): void {
    const { runbook, metric, above, periods = 1, impact } = alert;
    const alarm = new cloudwatch.Alarm(this, name, {
      alarmName: resourceName(this.#environment.name, name),
      alarmDescription: `${impact} What to do: infra/runbook.md, "${runbook}".`,
      metric,
      threshold: above,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      // Every metric here counts or times what was called, so none means that nothing was called, and at night that
      // is usual. No alarm here tells that the service can't be reached: that is seen from outside only.
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(this.#action);
    alarm.addOkAction(this.#action);
  }

  /** Counts what a function logged under this event name, as an error unless told, or adds up a number that it logged. */
  #logged(
    event: LogEvent,
    name: string,
    logGroup: ILogGroup,
    { level = 'ERROR', value }: { readonly level?: 'ERROR' | 'WARN'; readonly value?: `$.${string}` } = {},
  ): cloudwatch.IMetric {
    const metricName = `${name}-${event}${value?.replace('$.', '-') ?? ''}`;
    return new MetricFilter(this, metricName, {
      logGroup,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue('$.event', '=', event),
        FilterPattern.stringValue('$.level', '=', level),
      ),
      metricNamespace: resourceName(this.#environment.name, 'functions'),
      metricName,
      ...(value === undefined ? {} : { metricValue: value }),
    }).metric(sum);
  }
}
