import { Aws, Duration, Validations } from 'aws-cdk-lib';
import { type IAlarm, type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
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
import type { ApiFunction, ServiceFunction } from '../constructs/service-function.ts';
import { type Environment, resourceName } from '../environments.ts';
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

/** A function's new version, and the alarms on it alone. */
interface NewVersion {
  readonly name: string;
  readonly alias: Alias;
  readonly alarms: readonly IAlarm[];
}

interface GradualDeploymentsProps {
  readonly environment: Environment;
  readonly versions: readonly NewVersion[];
  /** Alarms that roll back every new version, whichever it was that set them off. */
  readonly rollbackAlarms: readonly IAlarm[];
}

/**
 * A third of the functions at a time: where many are under way when one fails, rollbacks of stacks have failed, and CodeDeploy
 * has reached the limit of its requests to Lambda. https://github.com/aws/serverless-application-model/issues/351
 */
const waves = 3;

/**
 * Gives each new version a tenth of its function's requests for five minutes, one wave of functions after the other. If one
 * of the alarms goes off meanwhile, CodeDeploy points the alias at the previous version again, and CloudFormation rolls back the
 * rest of the release. A deployment does not begin while one of them is on: `--context rollout=at-once` replaces all versions
 * at once, whatever the alarms and wherever the aliases point.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatepolicy.html#cfn-attributes-updatepolicy-codedeploylambdaaliasupdate
 */
export function deployGradually(
  scope: Construct,
  { environment, versions, rollbackAlarms }: GradualDeploymentsProps,
): void {
  const rollout: unknown = scope.node.tryGetContext('rollout');
  if (rollout !== undefined && rollout !== 'at-once') {
    throw new Error(`The context "rollout" can only be "at-once", not "${String(rollout)}".`);
  }
  const application = new LambdaApplication(scope, 'Application', {
    applicationName: resourceName(environment.name, 'functions'),
  });
  // https://docs.aws.amazon.com/codedeploy/latest/userguide/security_confused_deputy.html
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason: 'What CodeDeploy needs is up to CodeDeploy; this is the policy that it documents for functions.',
  });
  const waveOf = (index: number): number => Math.floor((index * waves) / versions.length);
  for (const [index, { name, alias, alarms }] of versions.entries()) {
    const group = new LambdaDeploymentGroup(scope, name, {
      application,
      deploymentGroupName: resourceName(environment.name, name),
      alias,
      role,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...alarms, ...rollbackAlarms],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    const previousWave = versions.filter((_, otherIndex) => waveOf(otherIndex) === waveOf(index) - 1);
    // The alarms are on the new version before it gets requests.
    alias.node.addDependency(group, ...previousWave.map((version) => version.alias));
    // Without its policy, CloudFormation moves the alias itself.
    if (rollout === 'at-once' && alias.node.defaultChild instanceof CfnAlias) {
      delete alias.node.defaultChild.cfnOptions.updatePolicy;
    }
  }
}
