import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { routeClass } from '../../shared/platform/contract/route-class.ts';
import type { ApiFunction } from '../constructs/api-function.ts';
import type { NewVersion } from '../constructs/gradual-deployments.ts';
import type { AlarmSet } from './alarm-set.ts';
import { slowAboveMs } from './api.ts';
import type { LogMetrics } from './log-metrics.ts';

/** Five minutes have to be enough: Lambda publishes metrics by the minute. */
const period = Duration.minutes(1);

/** What rolls back the new versions of functions; nobody is notified, since the deployment fails before their eyes. */
export function watchNewVersions(
  alarms: AlarmSet,
  logs: LogMetrics,
  functions: readonly ApiFunction[],
): readonly NewVersion[] {
  return functions.flatMap((target) => {
    const { name, group, alias } = target;
    if (alias === undefined) return [];
    const { version } = alias.version;
    const ofVersion = versionMetrics(target, version);
    const faults = alarms.signal(`${name}-new-version-faults`, {
      runbook: 'Failing new versions',
      // A single one may be DynamoDB's.
      metric: new MathExpression({
        expression: 'IF(errors + FILL(faults, 0) >= 2, 100 * (errors + FILL(faults, 0)) / requests, 0)',
        label: 'Requests to the new version that crashed or got a 5xx, percent',
        usingMetrics: {
          errors: ofVersion('Errors', 'Sum'),
          faults: logs.faultsOfVersion(target, version, period),
          requests: ofVersion('Invocations', 'Sum'),
        },
        period,
      }),
      above: 1,
      impact: `More than one in a hundred requests to the new version of "${name}" gets a 5xx or is cut off.`,
    });
    const limits = Object.values(group.routes).map((route) => slowAboveMs[routeClass(route)] ?? 0);
    const latency = alarms.signal(`${name}-new-version-latency`, {
      runbook: 'Failing new versions',
      // The median, since a tenth of the requests can be few, and one list takes as long as its caller reads it.
      metric: ofVersion('Duration', 'p50'),
      above: Math.max(slowAboveMs.read, ...limits),
      periods: 2,
      impact: `Half of the requests to the new version of "${name}" take longer than one in a hundred may.`,
    });
    return [{ name, alias, alarms: [faults, latency] }];
  });
}

/**
 * Metrics of one version behind its alias.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
 */
const versionMetrics =
  ({ lambda, alias }: ApiFunction, ExecutedVersion: string) =>
  (metricName: string, statistic: string): IMetric =>
    lambda.metric(metricName, {
      statistic,
      period,
      dimensionsMap: {
        FunctionName: lambda.functionName,
        Resource: `${lambda.functionName}:${alias?.aliasName}`,
        ExecutedVersion,
      },
    });
