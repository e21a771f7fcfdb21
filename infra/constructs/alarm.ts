import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnMetricFilter, FilterPattern, type IFilterPattern, type JsonPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { LogEvent } from '#platform/log/log.ts';
import { type Environment, resourceName } from '../environments.ts';
import { sentenceCase } from '../text.ts';

/**
 * The address that an alarm notifies. What nobody has to know of before they look is on the dashboard and has no alarm, since each
 * metric of an alarm costs as much as a day of a function.
 * - `page` wakes somebody: callers are harmed now, it does not end by itself, and there is something to do.
 * - `ticket` is read in the morning: nothing is lost by then, but it does not end by itself either.
 */
export type Severity = 'page' | 'ticket';

/** Fields of every alarm. */
export interface Explanation {
  /** The alarm is `<environment's prefix>-<name>`. */
  readonly name: string;
  /** Heading of the section in `infra/runbook.md`, without the severity at its end, unless it is the name. */
  readonly runbook?: string;
  /** Impact that callers or operators notice. */
  readonly impact: string;
  /** Reason why a page cannot wait until the morning. */
  readonly worthANight?: string;
}

/** An alarm, and when it goes off. */
export interface Alarm extends Explanation {
  readonly metric: cloudwatch.IMetric;
  /** The alarm goes off if the metric is above this, 0 by default, ... */
  readonly above?: number;
  /** ... in each of this many periods; 1 by default ... */
  readonly periods?: number;
  /** ... of the last this many, as many by default. More are for metrics that arrive late. */
  readonly within?: number;
  /** Whether a period without data counts as if the metric were above it; by default it does not. */
  readonly isMissingBad?: boolean;
}

/** Adds an alarm that notifies nobody by itself. */
export function addAlarm(scope: Construct, environment: Environment, alarm: Alarm): cloudwatch.Alarm {
  const { name, metric, above = 0, periods = 1, within = periods, isMissingBad = false } = alarm;
  return new cloudwatch.Alarm(scope, `${name}-alarm`, {
    alarmName: resourceName(environment.name, name),
    alarmDescription: descriptionOf(alarm),
    metric,
    threshold: above,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: within,
    ...(within === periods ? {} : { datapointsToAlarm: periods }),
    // Nearly every metric here counts or times calls, so missing data means that there were none, which is normal at
    // night. That the service is unreachable only the canary detects.
    treatMissingData: isMissingBad
      ? cloudwatch.TreatMissingData.BREACHING
      : cloudwatch.TreatMissingData.NOT_BREACHING,
  });
}

/** Adds an alarm that goes off while any of these does: one cause sets off many of them, and notifies once. */
export const addAnyAlarm = (
  scope: Construct,
  environment: Environment,
  explanation: Explanation,
  signals: readonly cloudwatch.IAlarm[],
): cloudwatch.CompositeAlarm =>
  new cloudwatch.CompositeAlarm(scope, `${explanation.name}-alarm`, {
    compositeAlarmName: resourceName(environment.name, explanation.name),
    alarmDescription: descriptionOf(explanation),
    alarmRule: cloudwatch.AlarmRule.anyOf(
      ...signals.map((signal) => cloudwatch.AlarmRule.fromAlarm(signal, cloudwatch.AlarmState.ALARM)),
    ),
  });

/** Name of the topic to which alarms of a severity are published. */
export const topicName = (environment: Environment, severity: Severity): string =>
  resourceName(environment.name, `${severity}s`);

/**
 * Has an alarm notify when it goes off, and a page also when it is over: somebody waits for that. The topics are in the watch
 * stack, and alarms of the service stack know them by name: CloudWatch does not require that what it notifies exists.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/AlarmThatSendsEmail.html
 */
export function notify(alarm: cloudwatch.AlarmBase, environment: Environment, severity: Severity): void {
  const resource = topicName(environment, severity);
  const action = {
    bind: () => ({ alarmActionArn: Stack.of(alarm).formatArn({ service: 'sns', resource }) }),
  };
  alarm.addAlarmAction(action);
  if (severity === 'page') alarm.addOkAction(action);
}

const descriptionOf = ({
  name,
  impact,
  worthANight,
  runbook = sentenceCase(name.replaceAll('-', ' ')),
}: Explanation): string =>
  `${impact}${worthANight === undefined ? '' : ` Why now: ${worthANight}`} What to do: infra/runbook.md, "${runbook}".`;

/** Count of log lines, or sum of a number in them. */
export interface LogFilter {
  readonly metricName: string;
  readonly pattern: IFilterPattern;
  /** A number in the line that is summed up; otherwise lines are counted. */
  readonly value?: `$.${string}`;
  /** Value of a line that does not match. Without it a metric has no data where nothing matches, and no dimensions with it. */
  readonly otherwise?: number;
  /** Members of the line by dimension of the metric. */
  readonly dimensions?: Readonly<Record<string, `$.${string}`>>;
}

/** A line's event. */
export const isEvent = (event: LogEvent): JsonPattern => FilterPattern.stringValue('$.event', '=', event);

/** A line's level. */
export const isLevel = (level: 'ERROR' | 'WARN' | 'INFO'): JsonPattern =>
  FilterPattern.stringValue('$.level', '=', level);

/** Counts errors by event, all of a function in one filter: a stack has room for 500 resources. */
export const errorFilter = (events: Iterable<LogEvent>): LogFilter => ({
  metricName: 'errors',
  pattern: FilterPattern.all(isLevel('ERROR'), FilterPattern.any(...Array.from(events, isEvent))),
  dimensions: { Event: '$.event' },
});

const namespaceOf = (environment: Environment): string => resourceName(environment.name, 'functions');

/**
 * A metric of what only the functions' logs say. Several functions add to one metric: it costs as much as that of one, and
 * the saved queries say whose lines they are.
 */
export const logMetric = (environment: Environment, metricName: string, options: MetricOptions): Metric =>
  new Metric({ namespace: namespaceOf(environment), metricName, ...options });

/** Publishes a metric of the lines of a function's log, whose log group must exist. */
export const addLogFilter = (
  scope: Construct,
  environment: Environment,
  { functionName, logGroupName }: Readonly<Record<'functionName' | 'logGroupName', string>>,
  { metricName, pattern, value, otherwise, dimensions }: LogFilter,
): CfnMetricFilter =>
  new CfnMetricFilter(scope, `${functionName}-${metricName}-filter`, {
    logGroupName,
    filterPattern: pattern.logPatternString,
    metricTransformations: [
      {
        metricNamespace: namespaceOf(environment),
        metricName,
        metricValue: value ?? '1',
        ...(otherwise === undefined ? {} : { defaultValue: otherwise }),
        ...(dimensions === undefined
          ? {}
          : { dimensions: Object.entries(dimensions).map(([key, member]) => ({ key, value: member })) }),
      },
    ],
  });

/**
 * Monthly budget of the environment's account. It has no filter: those by tag count nothing until somebody activates
 * the tag for billing, and would not count what has no tags, so an environment that shares its account sees the sum.
 */
export function createBudget(scope: Construct, environment: Environment): void {
  const { monthlyBudgetInUSD, ticketAddress } = environment;
  const notificationOf = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers: [{ subscriptionType: 'EMAIL', address: ticketAddress ?? '' }],
  });
  new CfnBudget(scope, 'Budget', {
    // Without a name, AWS generates one: another address replaces the budget, and two can't have one name.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-budgets-budget.html
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetInUSD, unit: 'USD' },
    },
    // A notification needs a subscriber.
    ...(ticketAddress === undefined
      ? {}
      : { notificationsWithSubscribers: [notificationOf('ACTUAL', 80), notificationOf('FORECASTED', 100)] }),
  });
}
