import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Capacity } from '../capacity/division.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import { type AlarmSet, sum } from './alarm-set.ts';

/** The functions whose crashes nobody else notices: of others, the queue's age or an operator's command tells. */
export function watchFunctions(alarms: AlarmSet, functions: readonly ServiceFunction[]): void {
  const signals = functions.map(({ name, lambda }) =>
    alarms.signal(`${name}-errors`, {
      runbook: 'Function errors',
      metric: lambda.metricErrors(sum),
      above: 0,
      impact: `Calls of "${name}" are cut off or get a 5xx.`,
    }),
  );
  alarms.any('function-errors', signals, {
    severity: 'ticket',
    runbook: 'Function errors',
    impact: 'A function crashed, or ran out of time or memory. If many calls fail, "gateway-faults" pages.',
  });
}

/** The function with which Secrets Manager rotates the signing secret. */
export function watchRotation(alarms: AlarmSet, rotation: ServiceFunction): void {
  alarms.add('signing-secret-rotation-failed', {
    severity: 'ticket',
    runbook: 'Signing secret rotation failed',
    metric: rotation.lambda.metricErrors(sum),
    above: 0,
    impact:
      'No effect on callers yet: tokens are still signed with the old secret, which is due for rotation.',
  });
}

/** Executions of the account that are not of functions with reserved concurrency. */
export const unreservedExecutions = new Metric({
  namespace: 'AWS/Lambda',
  metricName: 'UnreservedConcurrentExecutions',
  statistic: 'Maximum',
  period: Duration.minutes(5),
});

/** The functions that share what is left of the account's concurrency. */
export function watchConcurrency(alarms: AlarmSet, { account, reserved }: Capacity): void {
  const shared = account - Object.values(reserved).reduce((total, one) => total + one, 0);
  alarms.add('shared-concurrency', {
    severity: 'ticket',
    runbook: 'Concurrency near its quota',
    metric: new MathExpression({
      expression: `100 * executions / ${shared}`,
      label: 'Executions of functions without reserved concurrency, percent of the quota',
      usingMetrics: { executions: unreservedExecutions },
      period: sum.period,
    }),
    above: 80,
    periods: 3,
    impact: 'Functions without reserved concurrency use four fifths of what the account has for them.',
  });
}
