import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { routeClass } from '../../shared/platform/contract/route-class.ts';
import { addAlarm, notify } from '../constructs/alarm.ts';
import type { ApiFunction } from '../constructs/api-function.ts';
import { GradualDeployments, type NewVersion } from '../constructs/gradual-deployments.ts';
import { addLogFilter, errorFilter, isEvent, logMetric } from '../constructs/log-filter.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import type { Environment } from '../environments.ts';
import { slowAboveMs } from '../time-limits.ts';

interface RolledBack {
  readonly functions: readonly ApiFunction[];
  readonly canary: ServiceFunction;
}

/** Five minutes have to be enough: Lambda publishes metrics by the minute. */
const period = Duration.minutes(1);

/**
 * Deploys new versions gradually, where the environment does, with the alarms that roll them back. Those are part of the
 * release; all others are in the watch stack.
 */
export function createRollback(
  scope: Construct,
  environment: Environment,
  { functions, canary }: RolledBack,
) {
  const canaryRun = watchCanaryRun(scope, environment, canary);
  if (!environment.gradualDeployment) return;
  const versions = functions.flatMap((one) => watchNewVersion(scope, environment, one));
  new GradualDeployments(scope, 'Deployments', { environment, versions, rollbackAlarms: [canaryRun] });
}

/** The alarm that one failed run of the canary sets off: soon enough to roll a deployment back. */
function watchCanaryRun(scope: Construct, environment: Environment, { name, logGroup }: ServiceFunction) {
  const logging = { functionName: name, logGroupName: logGroup.logGroupName };
  addLogFilter(scope, environment, logging, errorFilter(['canary_failed']));
  const alarm = addAlarm(scope, environment, {
    name: 'canary-run-failed',
    runbook: 'Canary',
    metric: logMetric(environment, 'errors', {
      statistic: 'Sum',
      dimensionsMap: { Event: 'canary_failed' },
      period: Duration.minutes(5),
    }),
    impact: 'A run of the canary failed. If the next one does too, "canary-failing" pages.',
  });
  notify(alarm, environment, 'ticket');
  return alarm;
}

/** What rolls back the new version of a function; nobody is notified, since the deployment fails before their eyes. */
function watchNewVersion(scope: Construct, environment: Environment, target: ApiFunction): NewVersion[] {
  const { name, group, alias, logGroup } = target;
  if (alias === undefined) return [];
  const { version } = alias.version;
  const ofVersion = versionMetrics(target, version);
  const metricName = `${name}-new-version-faults`;
  const filter = addLogFilter(
    scope,
    environment,
    { functionName: name, logGroupName: logGroup.logGroupName },
    {
      metricName,
      pattern: FilterPattern.all(
        isEvent('request_failed'),
        FilterPattern.stringValue('$.version', '=', version),
      ),
    },
  );
  // From the version's first request on.
  alias.node.addDependency(filter);
  const faults = addAlarm(scope, environment, {
    name: `${name}-new-version-faults`,
    runbook: 'Failing new versions',
    // A single one may be DynamoDB's.
    metric: new MathExpression({
      expression: 'IF(errors + FILL(faults, 0) >= 2, 100 * (errors + FILL(faults, 0)) / requests, 0)',
      label: 'Requests to the new version that crashed or got a 5xx, percent',
      usingMetrics: {
        errors: ofVersion('Errors', 'Sum'),
        faults: logMetric(environment, metricName, { statistic: 'Sum', period }),
        requests: ofVersion('Invocations', 'Sum'),
      },
      period,
    }),
    above: 1,
    impact: `More than one in a hundred requests to the new version of "${name}" gets a 5xx or is cut off.`,
  });
  const limits = Object.values(group.routes).map((route) => slowAboveMs[routeClass(route)] ?? 0);
  const latency = addAlarm(scope, environment, {
    name: `${name}-new-version-latency`,
    runbook: 'Failing new versions',
    // The median, since a tenth of the requests can be few, and one list takes as long as its caller reads it.
    metric: ofVersion('Duration', 'p50'),
    above: Math.max(slowAboveMs.read, ...limits),
    periods: 2,
    impact: `Half of the requests to the new version of "${name}" take longer than one in a hundred may.`,
  });
  return [{ name, alias, alarms: [faults, latency] }];
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
