import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { LogEvent } from '../../shared/log/events.ts';
import type { ApiFunction } from '../constructs/api-function.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import { type Environment, resourceName } from '../environments.ts';
import { fiveMinutes, sum } from './alarm-set.ts';
import { type RouteClass, routeClass, routeClasses } from './route-class.ts';

/** A metric for each class of routes. */
export type Durations = Readonly<Record<RouteClass, IMetric>>;

interface Counted {
  /** `ERROR` by default. */
  readonly level?: 'ERROR' | 'WARN';
  /** A number in the line that is summed up; otherwise lines are counted. */
  readonly value?: `$.${string}`;
}

const durationOf = (name: RouteClass): string => `request-duration-${name}`;

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

  /** Milliseconds from a request to the last byte of its response, for 99 of 100 requests of each class. */
  durations(functions: readonly ApiFunction[]): Durations {
    for (const one of functions) {
      const operations = Object.entries(one.group.routes);
      for (const name of routeClasses) {
        const ids = operations.flatMap(([id, route]) => (routeClass(route) === name ? [id] : []));
        if (ids.length > 0) this.#countDurations(one, name, ids);
      }
    }
    return Object.fromEntries(
      routeClasses.map((name) => [name, this.#metric(durationOf(name), 'p99')]),
    ) as Record<RouteClass, IMetric>;
  }

  #countDurations(
    { name, logGroup }: ApiFunction,
    ofClass: RouteClass,
    operationIds: readonly string[],
  ): void {
    new MetricFilter(this, `${name}-${durationOf(ofClass)}`, {
      logGroup,
      filterPattern: FilterPattern.all(
        isEvent('request'),
        FilterPattern.any(...operationIds.map((id) => FilterPattern.stringValue('$.operationId', '=', id))),
      ),
      metricNamespace: this.#namespace,
      metricName: durationOf(ofClass),
      metricValue: '$.durationMs',
    });
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
