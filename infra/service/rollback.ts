import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type JsonPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { routeClass } from '#platform/contract/route.ts';
import type { LogEvent } from '#platform/log/log.ts';
import {
  addAlarm,
  addLogFilter,
  errorFilter,
  isEvent,
  type LogFilter,
  logMetric,
  notify,
} from '../constructs/alarm.ts';
import { deployGradually, type NewVersion } from '../constructs/gradual-deployments.ts';
import type { ApiFunction, ServiceFunction } from '../constructs/service-function.ts';
import type { Environment } from '../environments.ts';
import { slowAboveMs } from '../function-uses.ts';
import { faultPercentage, metricsOf } from '../watch/metrics.ts';

interface RolledBack {
  readonly functions: readonly ApiFunction[];
  readonly canary: ServiceFunction;
}

/**
 * A metric of log lines arrives a minute or two after those of Lambda. An expression of both has no value until then, so that
 * periods are judged when they are complete: filled with 0, they would be judged by what has arrived.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
const arrivalPeriods = 3;

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
  const versions = functions.flatMap((member) => watchNewVersion(scope, environment, member));
  const rollbackAlarms = [canaryRun, watchRelease(scope, environment)];
  deployGradually(new Construct(scope, 'Deployments'), { environment, versions, rollbackAlarms });
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
      period,
    }),
    within: arrivalPeriods,
    impact: 'A run of the canary failed. If the next one does too, "canary-failing" pages.',
  });
  notify(alarm, environment, 'ticket');
  return alarm;
}

/** Alarms that roll back a release for failures of the authorizer or of the gateway itself. */
const watchRelease = (scope: Construct, environment: Environment) =>
  addAlarm(scope, environment, {
    name: 'release-faults',
    runbook: 'Failing new versions',
    metric: faultPercentage(metricsOf(environment.name)).with({ period }),
    above: 1,
    within: arrivalPeriods,
    impact: 'More than one request in a hundred gets a 5xx, from whatever part of the release.',
  });

/** Alarms that roll back the new version of a function; nobody is notified, since the deployment fails before their eyes. */
function watchNewVersion(scope: Construct, environment: Environment, target: ApiFunction): NewVersion[] {
  const { name, group, alias, logGroup } = target;
  if (alias === undefined) return [];
  const { version } = alias.version;
  const ofVersion = versionMetrics(target, version);
  /** A metric of the version's lines with an event, from its first request on. */
  const metricOfLines = (
    event: LogEvent,
    statistic: string,
    filter: Omit<LogFilter, 'pattern'>,
    ...patterns: readonly JsonPattern[]
  ): Metric => {
    const isOfVersion = FilterPattern.stringValue('$.version', '=', version);
    const logFilter = addLogFilter(
      scope,
      environment,
      { functionName: name, logGroupName: logGroup.logGroupName },
      {
        ...filter,
        pattern: FilterPattern.all(isEvent(event), isOfVersion, ...patterns),
      },
    );
    alias.node.addDependency(logFilter);
    return logMetric(environment, filter.metricName, { statistic, period });
  };
  const faults = addAlarm(scope, environment, {
    name: `${name}-new-version-faults`,
    runbook: 'Failing new versions',
    // A single one may be DynamoDB's.
    metric: new MathExpression({
      expression: 'IF(errors + faults >= 2, 100 * (errors + faults) / requests, 0)',
      label: 'Requests to the new version that crashed or got a 5xx, percent',
      usingMetrics: {
        errors: ofVersion('Errors', 'Sum'),
        // Lambda logs each invocation: where there were requests, no data means that the lines have not arrived yet.
        faults: metricOfLines('request_failed', 'Sum', {
          metricName: `${name}-new-version-faults`,
          otherwise: 0,
        }),
        requests: ofVersion('Invocations', 'Sum'),
      },
      period,
    }),
    above: 1,
    within: arrivalPeriods,
    impact: `More than one in a hundred requests to the new version of "${name}" gets a 5xx or is cut off.`,
  });
  const classes = [...new Set(Object.values(group.routes).map(routeClass))];
  const timedClasses = classes.filter((routeClass) => slowAboveMs[routeClass] !== undefined);
  // A list or an upload takes as long as its caller, and only the log tells it from other requests.
  const inLog = timedClasses.length < classes.length;
  const periods = 2;
  const latency = addAlarm(scope, environment, {
    name: `${name}-new-version-latency`,
    runbook: 'Failing new versions',
    // The median, since a tenth of the requests can be few.
    metric: inLog
      ? metricOfLines(
          'request',
          'p50',
          { metricName: `${name}-new-version-duration`, value: '$.durationMs' },
          FilterPattern.any(
            ...timedClasses.map((routeClass) => FilterPattern.stringValue('$.routeClass', '=', routeClass)),
          ),
        )
      : ofVersion('Duration', 'p50'),
    above: Math.max(slowAboveMs.read, ...timedClasses.map((routeClass) => slowAboveMs[routeClass] ?? 0)),
    periods,
    within: inLog ? periods + arrivalPeriods - 1 : periods,
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
