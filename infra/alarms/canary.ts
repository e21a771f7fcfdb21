import { type IAlarm, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../constructs/service-function.ts';
import { type AlarmSet, fiveMinutes } from './alarm-set.ts';
import type { LogMetrics } from './log-metrics.ts';

/** The canary's runs, and the alarm that one failed run sets off: soon enough to roll a deployment back. */
export interface CanaryRuns {
  readonly passed: IMetric;
  readonly failed: IMetric;
  readonly runFailed: IAlarm;
}

/** Whether the service works for its callers, seen from outside. */
export function watchCanary(alarms: AlarmSet, logs: LogMetrics, canary: ServiceFunction): CanaryRuns {
  const passed = logs.logged('canary_passed', [canary], { level: 'INFO' });
  const failed = logs.logged('canary_failed', [canary]);
  alarms.add('canary-failing', {
    severity: 'page',
    runbook: 'Canary',
    // CloudWatch waits for several periods without data before they count as missing, so here they count as none passed.
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
    metric: new MathExpression({
      expression: 'FILL(passed, 0) < 1',
      label: 'Whether no run of the canary passed',
      usingMetrics: { passed },
      period: fiveMinutes,
    }),
    above: 0,
    periods: 2,
    // A canary that does not run proves nothing, and whatever stops it may stop callers too.
    isMissingBad: true,
    impact: 'Two runs of the canary in a row failed, or were not made: callers cannot do what it does.',
    worthANight:
      'It does what every caller does, and at night it may be the only one: other alarms need traffic.',
  });
  const runFailed = alarms.add('canary-run-failed', {
    severity: 'ticket',
    runbook: 'Canary',
    metric: failed,
    above: 0,
    impact: 'A run of the canary failed. If the next one does too, "canary-failing" pages.',
  });
  return { passed, failed, runFailed };
}
