import { Aws, Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { resourceName } from '../environments.ts';

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
  const named =
    (namespace: string, dimensionsOf: (name: string) => Record<string, string>) =>
    (name: string, metricName: string, statistic = 'Sum'): Metric =>
      new Metric({
        namespace,
        metricName,
        statistic,
        dimensionsMap: dimensionsOf(resourceName(environment, name)),
        period: fiveMinutes,
      });
  const ofStage = named('AWS/ApiGateway', (ApiName) => ({ ApiName, Stage: environment }));
  return {
    lambda: named('AWS/Lambda', (FunctionName) => ({ FunctionName })),
    /** All requests have a sample of `Count`. */
    gateway: (metricName: string, statistic?: string) => ofStage('api', metricName, statistic),
    queue: named('AWS/SQS', (QueueName) => ({ QueueName })),
    schedules: named('AWS/Scheduler', (ScheduleGroup) => ({ ScheduleGroup })),
    /** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-monitoring.html: both dimensions, for a custom bus. */
    rule: named('AWS/Events', (RuleName) => ({
      EventBusName: resourceName(environment, 'events'),
      RuleName,
    })),
    /** https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html */
    firewall: named('AWS/WAFV2', (WebACL) => ({ WebACL, Region: Aws.REGION, Rule: 'ALL' })),
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

/** What an expression makes of metrics. */
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
export const refusalPercentage = ({ gateway }: Metrics): MathExpression =>
  math('IF(requests >= 100, 100 * refusals / requests, 0)', 'Requests with a 4xx response, percent', {
    refusals: gateway('4XXError'),
    requests: gateway('Count', 'SampleCount'),
  });
