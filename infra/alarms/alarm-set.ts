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

interface Alert {
  /** Heading of the section in `infra/runbook.md`. */
  readonly runbook: string;
  readonly metric: cloudwatch.IMetric;
  /** The alarm goes off if the metric is above this ... */
  readonly above: number;
  /** ... in each of this many periods; 1 by default. */
  readonly periods?: number;
  /** What callers or operators notice. */
  readonly impact: string;
}

/** The usual period of alarms. */
export const fiveMinutes = Duration.minutes(5);

/** The sum of a metric over the usual period. */
export const sum = { statistic: 'Sum', period: fiveMinutes } as const;

/** The environment's alarms, all of which notify the same topic. */
export class AlarmSet extends Construct {
  readonly #environment: Environment;
  readonly #action: SnsAction;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.#environment = environment;

    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    // `enforceSSL` creates a topic policy, which replaces the default one that lets CloudWatch publish.
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
  }

  /** Adds the alarm `<environment's prefix>-<name>`. */
  add(name: string, alert: Alert): void {
    const { runbook, metric, above, periods = 1, impact } = alert;
    const alarm = new cloudwatch.Alarm(this, name, {
      alarmName: resourceName(this.#environment.name, name),
      alarmDescription: `${impact} What to do: infra/runbook.md, "${runbook}".`,
      metric,
      threshold: above,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      // Every metric here counts or times calls, so missing data means that there were none, which is normal at night.
      // None of these alarms detects that the service is unreachable: that takes a check from outside.
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(this.#action);
    alarm.addOkAction(this.#action);
  }

  /** Counts a function's log lines with this event, at level ERROR by default, or sums a number in them. */
  logged(
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
