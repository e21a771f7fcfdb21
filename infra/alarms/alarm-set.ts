import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type Environment, resourceName } from '../environments.ts';
import { Notifications } from './notifications.ts';

/** What every alarm says. */
interface Explanation {
  /** Heading of the section in `infra/runbook.md`, without the severity at its end. */
  readonly runbook: string;
  /** What callers or operators notice. */
  readonly impact: string;
}

/** When an alarm goes off. */
interface Condition {
  readonly metric: cloudwatch.IMetric;
  /** The alarm goes off if the metric is above this ... */
  readonly above: number;
  /** ... in each of this many periods; 1 by default. */
  readonly periods?: number;
  /** Whether a period without data counts as if the metric were above it; by default it does not. */
  readonly isMissingBad?: boolean;
}

/**
 * Whom an alarm notifies. What nobody has to know of before they look is on the dashboard and has no alarm, since each
 * metric of an alarm costs as much as a day of a function.
 * - `page` wakes somebody: callers are harmed now, it does not end by itself, and there is something to do.
 * - `ticket` is read in the morning: nothing is lost by then, but it does not end by itself either.
 */
type Urgency =
  | {
      readonly severity: 'page';
      /** Why it cannot wait until the morning. */
      readonly worthANight: string;
    }
  | { readonly severity: 'ticket' };

/** The usual period of alarms. */
export const fiveMinutes = Duration.minutes(5);

/** The sum of a metric over the usual period. */
export const sum = { statistic: 'Sum', period: fiveMinutes } as const;

/** The environment's alarms. */
export class AlarmSet extends Construct {
  /** The alarms that page. */
  readonly pages: cloudwatch.AlarmBase[] = [];
  readonly #environment: Environment;
  readonly #notifications: Notifications;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.#environment = environment;
    this.#notifications = new Notifications(this, environment);
  }

  /** Adds the alarm `<environment's prefix>-<name>`. */
  add(name: string, alert: Explanation & Condition & Urgency): cloudwatch.IAlarm {
    const alarm = this.#alarm(name, alert, description(alert));
    this.#notify(alarm, alert);
    return alarm;
  }

  /** An alarm that notifies nobody by itself, as one of those of `any`, or of those that roll back a deployment. */
  signal(name: string, signal: Explanation & Condition): cloudwatch.IAlarm {
    return this.#alarm(name, signal, description(signal));
  }

  /**
   * Adds an alarm that goes off while any of these signals does: one cause sets off many of them, and notifies once. The
   * console and the notification name the signals.
   */
  any(name: string, signals: readonly cloudwatch.IAlarm[], alert: Explanation & Urgency): void {
    const alarm = new cloudwatch.CompositeAlarm(this, name, {
      compositeAlarmName: resourceName(this.#environment.name, name),
      alarmDescription: description(alert),
      alarmRule: cloudwatch.AlarmRule.anyOf(
        ...signals.map((signal) => cloudwatch.AlarmRule.fromAlarm(signal, cloudwatch.AlarmState.ALARM)),
      ),
    });
    this.#notify(alarm, alert);
  }

  #notify(alarm: cloudwatch.AlarmBase, { severity }: Urgency): void {
    this.#notifications.of(severity, alarm);
    if (severity === 'page') this.pages.push(alarm);
  }

  #alarm(
    name: string,
    { metric, above, periods = 1, isMissingBad = false }: Condition,
    alarmDescription: string,
  ): cloudwatch.Alarm {
    return new cloudwatch.Alarm(this, name, {
      alarmName: resourceName(this.#environment.name, name),
      alarmDescription,
      metric,
      threshold: above,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      // Nearly every metric here counts or times calls, so missing data means that there were none, which is normal at
      // night. That the service is unreachable only the canary detects.
      treatMissingData: isMissingBad
        ? cloudwatch.TreatMissingData.BREACHING
        : cloudwatch.TreatMissingData.NOT_BREACHING,
    });
  }
}

function description(alert: Explanation & Partial<Urgency>): string {
  const reason = 'worthANight' in alert ? ` Why now: ${alert.worthANight}` : '';
  return `${alert.impact}${reason} What to do: infra/runbook.md, "${alert.runbook}".`;
}
