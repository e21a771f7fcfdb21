import { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type Environment, resourceName } from '../environments.ts';
import { sentenceCase } from '../text.ts';

/**
 * Whom an alarm notifies. What nobody has to know of before they look is on the dashboard and has no alarm, since each
 * metric of an alarm costs as much as a day of a function.
 * - `page` wakes somebody: callers are harmed now, it does not end by itself, and there is something to do.
 * - `ticket` is read in the morning: nothing is lost by then, but it does not end by itself either.
 */
export type Severity = 'page' | 'ticket';

/** What every alarm says. */
export interface Explanation {
  /** The alarm is `<environment's prefix>-<name>`. */
  readonly name: string;
  /** Heading of the section in `infra/runbook.md`, without the severity at its end, unless it is the name. */
  readonly runbook?: string;
  /** What callers or operators notice. */
  readonly impact: string;
  /** Of a page: why it cannot wait until the morning. */
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
