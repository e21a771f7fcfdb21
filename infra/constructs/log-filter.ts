import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnMetricFilter, FilterPattern, type IFilterPattern, type JsonPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { LogEvent } from '../../shared/platform/log/log.ts';
import { type Environment, resourceName } from '../environments.ts';

/** What is counted of the lines of a function's log, or summed up. */
export interface LogFilter {
  readonly metricName: string;
  readonly pattern: IFilterPattern;
  /** A number in the line that is summed up; otherwise lines are counted. */
  readonly value?: `$.${string}`;
  /** What a line counts that does not match. Without it a metric has no data where nothing matches, and no dimensions with it. */
  readonly otherwise?: number;
  /** Members of the line by dimension of the metric. */
  readonly dimensions?: Readonly<Record<string, `$.${string}`>>;
}

/** A line's event. */
export const isEvent = (event: LogEvent): JsonPattern => FilterPattern.stringValue('$.event', '=', event);

/** A line's level. */
export const isLevel = (level: 'ERROR' | 'WARN' | 'INFO'): JsonPattern =>
  FilterPattern.stringValue('$.level', '=', level);

/** Counts errors by event, all of a function in one filter: a stack has room for 500 resources. */
export const errorFilter = (events: Iterable<LogEvent>): LogFilter => ({
  metricName: 'errors',
  pattern: FilterPattern.all(isLevel('ERROR'), FilterPattern.any(...Array.from(events, isEvent))),
  dimensions: { Event: '$.event' },
});

const namespaceOf = (environment: Environment): string => resourceName(environment.name, 'functions');

/**
 * A metric of what only the functions' logs say. Several functions add to one metric: it costs as much as that of one, and
 * the saved queries say whose lines they are.
 */
export const logMetric = (environment: Environment, metricName: string, options: MetricOptions): Metric =>
  new Metric({ namespace: namespaceOf(environment), metricName, ...options });

/** Publishes a metric of the lines of a function's log, whose log group must exist. */
export const addLogFilter = (
  scope: Construct,
  environment: Environment,
  { functionName, logGroupName }: Readonly<Record<'functionName' | 'logGroupName', string>>,
  { metricName, pattern, value, otherwise, dimensions }: LogFilter,
): CfnMetricFilter =>
  new CfnMetricFilter(scope, `${functionName}-${metricName}-filter`, {
    logGroupName,
    filterPattern: pattern.logPatternString,
    metricTransformations: [
      {
        metricNamespace: namespaceOf(environment),
        metricName,
        metricValue: value ?? '1',
        ...(otherwise === undefined ? {} : { defaultValue: otherwise }),
        ...(dimensions === undefined
          ? {}
          : { dimensions: Object.entries(dimensions).map(([key, member]) => ({ key, value: member })) }),
      },
    ],
  });
