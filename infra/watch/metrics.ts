import { Aws, Duration } from 'aws-cdk-lib';
import { CfnInsightRule, type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type JsonPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Consumption, FunctionUses, WorkedQueue } from '#function/uses.ts';
import { visibilityTimeouts } from '#platform/aws/limits.ts';
import { type Route, type RouteClass, routeClasses } from '#platform/contract/route.ts';
import { StoredItemError } from '#platform/data/stored.ts';
import type { LogEvent, LogOutcome } from '#platform/log/log.ts';
import type { Release } from '../commit.ts';
import {
  addLogFilter,
  errorFilter,
  isEvent,
  isLevel,
  type LogFilter,
  logMetric,
} from '../constructs/alarm.ts';
import type { Table } from '../constructs/table.ts';
import type { DataStack } from '../data-stack.ts';
import { type Environment, resourceName } from '../environments.ts';
import { functionsOf, logGroupName } from '../function-uses.ts';

/** The usual period of alarms. */
export const fiveMinutes = Duration.minutes(5);

/** Executions of the account that are not of functions with reserved concurrency. */
export const unreservedExecutions = new Metric({
  namespace: 'AWS/Lambda',
  metricName: 'UnreservedConcurrentExecutions',
  statistic: 'Maximum',
  period: fiveMinutes,
});

/** Metrics of AWS over the usual period, each by the name of its resource without the environment's prefix. */
export function metricsOf(environment: string) {
  const metricsNamed =
    (namespace: string, dimensionsOf: (name: string) => Record<string, string>) =>
    (name: string, metricName: string, statistic = 'Sum'): Metric =>
      new Metric({
        namespace,
        metricName,
        statistic,
        dimensionsMap: dimensionsOf(resourceName(environment, name)),
        period: fiveMinutes,
      });
  const ofStage = metricsNamed('AWS/ApiGateway', (ApiName) => ({ ApiName, Stage: environment }));
  return {
    lambda: metricsNamed('AWS/Lambda', (FunctionName) => ({ FunctionName })),
    /** All requests have a sample of `Count`. */
    gateway: (metricName: string, statistic?: string) => ofStage('api', metricName, statistic),
    queue: metricsNamed('AWS/SQS', (QueueName) => ({ QueueName })),
    schedules: metricsNamed('AWS/Scheduler', (ScheduleGroup) => ({ ScheduleGroup })),
    /** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html: both dimensions, for a custom bus. */
    rule: metricsNamed('AWS/Events', (RuleName) => ({
      EventBusName: resourceName(environment, 'events'),
      RuleName,
    })),
    /** https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html */
    firewall: metricsNamed('AWS/WAFV2', (WebACL) => ({ WebACL, Region: Aws.REGION, Rule: 'ALL' })),
    logBytes: (LogGroupName: string) =>
      new Metric({
        namespace: 'AWS/Logs',
        metricName: 'IncomingBytes',
        statistic: 'Sum',
        dimensionsMap: { LogGroupName },
        period: fiveMinutes,
      }),
  };
}

export type Metrics = ReturnType<typeof metricsOf>;

/** Expression over metrics. */
export const math = (
  expression: string,
  label: string,
  usingMetrics: Record<string, IMetric>,
): MathExpression => new MathExpression({ expression, label, usingMetrics, period: fiveMinutes });

/** Several metrics added up, of which those without data count as 0: up to `alarmMetrics`, for an alarm. */
export const totalOf = (metrics: readonly IMetric[], label: string): MathExpression =>
  math(
    metrics.map((_, index) => `FILL(m${index}, 0)`).join(' + '),
    label,
    Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
  );

/** Percentage of requests with a 5xx response; 0 if there are fewer than three of them. */
export const faultPercentage = ({ gateway }: Metrics): MathExpression =>
  math('IF(faults >= 3, 100 * faults / requests, 0)', 'Requests with a 5xx response, percent', {
    faults: gateway('5XXError'),
    requests: gateway('Count', 'SampleCount'),
  });

/** Percentage of requests with a 4xx response; 0 if there are fewer than 100 requests. */
const refusalsAmong = (usingMetrics: Readonly<Record<'refusals' | 'requests', IMetric>>): MathExpression =>
  math(
    'IF(requests >= 100, 100 * refusals / requests, 0)',
    'Requests with a 4xx response, percent',
    usingMetrics,
  );

/** The percentage among all requests, of strangers too. */
export const refusalPercentage = ({ gateway }: Metrics): MathExpression =>
  refusalsAmong({ refusals: gateway('4XXError'), requests: gateway('Count', 'SampleCount') });

/** A queue of the service stack, with the dead-letter queue `<name>-dead`. */
export type WatchedQueue = WatchedResources['queues'][number];

/** Resources of the other stacks, as the watch stack knows them: of the service stack names and numbers only, nothing that is exported. */
export type WatchedResources = ReturnType<typeof watchedResourcesOf>;

/** Names of the functions of a kind. */
export const namesOf = ({ functions }: WatchedResources, kind: 'api' | 'worker'): string[] =>
  functions.filter((member) => member.kind === kind).map(({ name }) => name);

/** Functions of route groups have a class of requests, those of queues have messages; others are known by name. */
const kindOf = ({ routes, consumes }: FunctionUses) => {
  if (routes !== undefined) return 'api';
  return consumes === undefined ? 'other' : 'worker';
};

/**
 * Age of one and a half visibility timeouts, so that it is reached while all deliveries fail: a message that was delivered
 * three times is not counted any more.
 */
const usuallyBehindAfter = (timeoutSeconds: number): number => 1.5 * visibilityTimeouts * timeoutSeconds;

/** Lists the watched resources of an environment. */
export function watchedResourcesOf(environment: Environment, data: DataStack, release?: Release) {
  const functions = [...functionsOf(environment)];
  const consumedQueues = functions.flatMap(([, { consumes = {}, timeoutSeconds = 0 }]) =>
    (Object.entries(consumes) as [WorkedQueue, Consumption][]).map(([name, consumption]) => ({
      name,
      ...consumption,
      timeoutSeconds,
    })),
  );
  return {
    environment,
    release,
    /** Every function of the service stack, with the routes of its group, in the order of the dashboard's legends. */
    functions: functions.map(([name, uses]) => ({
      name,
      kind: kindOf(uses),
      routes: uses.routes && Object.values<Route>(uses.routes.routes),
    })),
    queues: consumedQueues.map(({ name, behindAfterHours, timeoutSeconds }) => ({
      name,
      /** Age of the oldest message above which the alarm goes off. */
      behindAfterSeconds:
        behindAfterHours === undefined ? usuallyBehindAfter(timeoutSeconds) : behindAfterHours * 3_600,
    })),
    /** Names of rules of the bus, which are those of the queues to which they send events. */
    rules: consumedQueues.flatMap(({ name, events }) => (events === undefined ? [] : [name])),
    /** Names whose dead-letter queue `<name>-dead` belongs to no queue: of a stream, and of the schedules. */
    deadLetters: [...functions.flatMap(([name, { stream }]) => (stream ? [name] : [])), 'schedules'],
    /** Tables of the data stack, which always exports the names. */
    tables: Object.values<Table>(data.tables),
    malwareScan: data.files.malwareScan,
    auditLogGroup: data.auditLog.logGroupName,
  };
}

/** A number of a rule that counts values. An alarm on it is created after the rule. */
const ofRule = (
  { attrRuleName }: CfnInsightRule,
  metric: 'UniqueContributors' | 'MaxContributorValue',
  label: string,
): MathExpression => math(`INSIGHT_RULE_METRIC("${attrRuleName}", ${metric})`, label, {});

interface CountedLines {
  readonly level: 'WARN' | 'INFO';
  /** A number in the line that is summed up; otherwise lines are counted. */
  readonly value?: `$.${string}`;
}

/** Stands for the gateway among the functions whose lines are counted. */
const accessLog = 'access-log';

/** Metrics of what the functions and the gateway log. A metric that is used is published: `addFilters`, at the end. */
export class LogMetrics {
  readonly #watchedResources: WatchedResources;
  /** Metrics by the name of the function and that of the metric. */
  readonly #filters = new Map<string, readonly [functionName: string, filter: LogFilter]>();
  /** Errors that are counted, by the name of the function. */
  readonly #errors = new Map<string, Set<LogEvent>>();
  readonly #scope: Construct;

  constructor(scope: Construct, watchedResources: WatchedResources) {
    this.#scope = scope;
    this.#watchedResources = watchedResources;
  }

  /** Counts the errors that the functions log with this event, or its lines of another level, or sums a number in them. */
  logged(event: LogEvent, functions: readonly string[], countedLines?: CountedLines): Metric {
    if (countedLines === undefined) {
      for (const name of functions) {
        this.#errors.set(name, new Set([...(this.#errors.get(name) ?? []), event]));
      }
      return this.error(event);
    }
    const { level, value } = countedLines;
    return this.#published(functions, {
      metricName: `${event}${value?.replace('$.', '-') ?? ''}`,
      pattern: FilterPattern.all(isEvent(event), isLevel(level)),
      ...(value === undefined ? {} : { value }),
    });
  }

  /** An error that the functions of some routes log. */
  ofRoutes(event: LogEvent, isLogging: (route: Route) => boolean): Metric {
    return this.logged(event, this.#withRoutes(isLogging));
  }

  /** An error that is counted elsewhere. */
  error(event: LogEvent): Metric {
    return this.#metric('errors', 'Sum', { Event: event });
  }

  /** Counts the lines in which any function names a stored item that breaks its schema, whatever it was doing. */
  unreadableItems(): Metric {
    return this.#published(
      this.#watchedResources.functions.map(({ name }) => name),
      {
        metricName: 'unreadable-items',
        pattern: FilterPattern.stringValue('$.error.name', '=', StoredItemError.name),
      },
    );
  }

  /** The percentage of refused requests among those with a valid credential, which the gateway's access log names. */
  callersRefusals(): MathExpression {
    const hasCredential = FilterPattern.stringValue('$.credentialId', '!=', '-');
    const isRefused = FilterPattern.stringValue('$.status', '=', '4*');
    const countedLines = (metricName: string, ...patterns: readonly JsonPattern[]) =>
      this.#published([accessLog], { metricName, pattern: FilterPattern.all(hasCredential, ...patterns) });
    return refusalsAmong({
      refusals: countedLines('callers-refusals', isRefused),
      requests: countedLines('callers-requests'),
    });
  }

  /** Milliseconds from a request to the last byte of its response, for 99 of 100 requests of each class. */
  durations(): Readonly<Record<RouteClass, Metric>> {
    const metricName = 'request-duration';
    this.#published(
      this.#withRoutes(() => true),
      {
        metricName,
        // A path that is no route has no class.
        pattern: FilterPattern.all(isEvent('request'), FilterPattern.exists('$.routeClass')),
        value: '$.durationMs',
        dimensions: { Class: '$.routeClass' },
      },
    );
    const entries = routeClasses.map((name) => [name, this.#metric(metricName, 'p99', { Class: name })]);
    return Object.fromEntries(entries) as Record<RouteClass, Metric>;
  }

  /** Counts the attempts to deliver by their outcomes. */
  attempts(...outcomes: readonly LogOutcome<'webhook_delivery'>[]): Readonly<Record<string, Metric>> {
    const metricName = 'webhook_delivery-outcomes';
    this.#published(['webhook-delivery'], {
      metricName,
      pattern: isEvent('webhook_delivery'),
      dimensions: { Outcome: '$.outcome' },
    });
    return Object.fromEntries(
      outcomes.map((outcome) => [outcome, this.#metric(metricName, 'Sum', { Outcome: outcome })]),
    );
  }

  /** Seconds by which workers were late for deliveries to healthy receivers; the median lease. */
  lateness(): Metric {
    const metricName = 'delivery-lateness';
    const isHealthy = FilterPattern.stringValue('$.queue', '=', 'healthy');
    this.#published(['webhook-delivery'], {
      metricName,
      pattern: FilterPattern.all(isEvent('webhook_drain'), isHealthy),
      value: '$.lateSeconds',
    });
    return this.#metric(metricName, 'p50');
  }

  /** Counts the hosts at which webhooks begin to fail: one owner can have many webhooks at a host. */
  failingHosts(): MathExpression {
    const rule = this.#contributorRule('failing-hosts', 'webhook-delivery', 'webhook_failing', '$.host');
    return ofRule(rule, 'UniqueContributors', 'Hosts at which webhooks began to fail');
  }

  /** The bytes of the organization that uploads most. */
  mostUploaded(): MathExpression {
    const keys = ['$.organizationId', '$.bytes'] as const;
    const rule = this.#contributorRule('uploaded-bytes', 'file-documents', 'file_uploaded', ...keys);
    return ofRule(rule, 'MaxContributorValue', 'Bytes of the organization that uploads most');
  }

  /**
   * Has CloudWatch count the lines of a function with an event by the values of a member, or sum another member of theirs, which
   * metric filters cannot. It costs half a dollar a month, and two cents for a million lines that match.
   * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/ContributorInsights-RuleSyntax.html
   */
  #contributorRule(
    name: string,
    functionName: string,
    event: LogEvent,
    member: `$.${string}`,
    summed?: `$.${string}`,
  ): CfnInsightRule {
    const { name: environment } = this.#watchedResources.environment;
    return new CfnInsightRule(this.#scope, `${event}-contributors`, {
      ruleName: resourceName(environment, name),
      ruleState: 'ENABLED',
      ruleBody: JSON.stringify({
        Schema: { Name: 'CloudWatchLogRule', Version: 1 },
        AggregateOn: summed === undefined ? 'Count' : 'Sum',
        LogFormat: 'JSON',
        LogGroupNames: [logGroupName.function(environment, functionName)],
        Contribution: { Keys: [member], ValueOf: summed, Filters: [{ Match: '$.event', In: [event] }] },
      }),
    });
  }

  /** Publishes every metric that was taken. */
  addFilters(): void {
    const { environment } = this.#watchedResources;
    const errors = Array.from(this.#errors, ([name, events]) => [name, errorFilter(events)] as const);
    for (const [name, filter] of [...errors, ...this.#filters.values()]) {
      const logGroup =
        name === accessLog
          ? logGroupName.accessLog(environment.name)
          : logGroupName.function(environment.name, name);
      const logging = { functionName: name, logGroupName: logGroup };
      addLogFilter(this.#scope, environment, logging, filter);
    }
  }

  #withRoutes(isWanted: (route: Route) => boolean): string[] {
    return this.#watchedResources.functions
      .filter(({ routes }) => routes?.some(isWanted))
      .map(({ name }) => name);
  }

  #published(functions: readonly string[], filter: LogFilter): Metric {
    for (const name of functions) {
      this.#filters.set(`${name} ${filter.metricName}`, [name, filter]);
    }
    return this.#metric(filter.metricName, 'Sum');
  }

  #metric(metricName: string, statistic: string, dimensionsMap: Record<string, string> = {}): Metric {
    const options = { statistic, dimensionsMap, period: fiveMinutes };
    return logMetric(this.#watchedResources.environment, metricName, options);
  }
}
