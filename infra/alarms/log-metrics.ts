import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { LogEvent } from '../../shared/log/events.ts';
import { type RouteClass, routeClasses } from '../../shared/request/route-class.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import { type Environment, resourceName } from '../environments.ts';
import { fiveMinutes, sum } from './alarm-set.ts';

/** A metric for each class of routes. */
export type Durations = Readonly<Record<RouteClass, IMetric>>;

interface Counted {
  /** `ERROR` by default. */
  readonly level?: 'ERROR' | 'WARN';
  /** A number in the line that is summed up; otherwise lines are counted. */
  readonly value?: `$.${string}`;
}

const isEvent = (event: LogEvent): JsonPattern => FilterPattern.stringValue('$.event', '=', event);

/**
 * Metrics of what only the functions' logs say. Several functions add to one metric: it costs as much as that of one, and
 * the saved queries say whose lines they are.
 */
export class LogMetrics extends Construct {
  readonly #namespace: string;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.#namespace = resourceName(environment.name, 'functions');
  }

  /** Counts the functions' log lines with this event, or sums a number in them. */
  logged(
    event: LogEvent,
    functions: readonly ServiceFunction[],
    { level = 'ERROR', value }: Counted = {},
  ): IMetric {
    const metricName = `${event}${value?.replace('$.', '-') ?? ''}`;
    const filterPattern = FilterPattern.all(isEvent(event), FilterPattern.stringValue('$.level', '=', level));
    return this.#published(metricName, functions, { filterPattern, metricValue: value ?? '1' });
  }

  /**
   * Milliseconds from the first to the last byte of a response, 99 of 100 requests of each class; of those that callers'
   * connections determine, too.
   */
  durations(functions: readonly ServiceFunction[]): Durations {
    const metricName = 'request-duration';
    for (const one of functions) {
      new MetricFilter(this, `${one.name}-${metricName}`, {
        logGroup: one.logGroup,
        filterPattern: isEvent('request'),
        metricNamespace: this.#namespace,
        metricName,
        metricValue: '$.durationMs',
        dimensions: { Class: '$.class' },
      });
    }
    return Object.fromEntries(
      routeClasses.map((name) => [name, this.#metric(metricName, 'p99', { Class: name })]),
    ) as Record<RouteClass, IMetric>;
  }

  /** Counts a function's log lines with this event by their outcomes. */
  outcomes<Outcome extends string>(
    event: LogEvent,
    logging: ServiceFunction,
    outcomes: readonly Outcome[],
  ): readonly { readonly outcome: Outcome; readonly metric: IMetric }[] {
    const metricName = `${event}-outcomes`;
    new MetricFilter(this, `${logging.name}-${metricName}`, {
      logGroup: logging.logGroup,
      filterPattern: isEvent(event),
      metricNamespace: this.#namespace,
      metricName,
      dimensions: { Outcome: '$.outcome' },
    });
    return outcomes.map((outcome) => ({
      outcome,
      metric: this.#metric(metricName, 'Sum', { Outcome: outcome }),
    }));
  }

  /** Seconds by which the turns of workers were late for deliveries to healthy receivers; the median turn. */
  lateness(delivery: ServiceFunction): IMetric {
    const filterPattern = FilterPattern.all(
      isEvent('webhook_drain'),
      FilterPattern.stringValue('$.queue', '=', 'healthy'),
    );
    const metricName = 'delivery-lateness';
    this.#published(metricName, [delivery], { filterPattern, metricValue: '$.lateSeconds' });
    return this.#metric(metricName, 'p50');
  }

  #published(
    metricName: string,
    functions: readonly ServiceFunction[],
    options: { readonly filterPattern: IFilterPattern; readonly metricValue: string },
  ): IMetric {
    const [metric] = functions.map(({ name, logGroup }) =>
      new MetricFilter(this, `${name}-${metricName}`, {
        logGroup,
        metricNamespace: this.#namespace,
        metricName,
        ...options,
      }).metric(sum),
    );
    if (metric === undefined) throw new Error(`No function logs what ${metricName} counts.`);
    return metric;
  }

  #metric(metricName: string, statistic: string, dimensionsMap: Record<string, string> = {}): IMetric {
    return new Metric({
      namespace: this.#namespace,
      metricName,
      statistic,
      dimensionsMap,
      period: fiveMinutes,
    });
  }
}
