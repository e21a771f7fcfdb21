import { type Duration, Lazy } from 'aws-cdk-lib';
import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type RouteClass, routeClasses } from '../../shared/platform/contract/route-class.ts';
import type { LogEvent } from '../../shared/platform/log/events.ts';
import type { ApiFunction } from '../constructs/api-function.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import { type Environment, resourceName } from '../environments.ts';
import { fiveMinutes, sum } from './alarm-set.ts';

/** A metric for each class of routes. */
export type Durations = Readonly<Record<RouteClass, IMetric>>;

interface Counted {
  /** `ERROR` by default. */
  readonly level?: 'ERROR' | 'WARN' | 'INFO';
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
  /** Events that are counted, by the name of the function. */
  readonly #errorsOf = new Map<string, Set<LogEvent>>();

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
    if (level === 'ERROR' && value === undefined) return this.#errors(event, functions);
    const metricName = `${event}${value?.replace('$.', '-') ?? ''}`;
    const filterPattern = FilterPattern.all(isEvent(event), FilterPattern.stringValue('$.level', '=', level));
    return this.#published(metricName, functions, { filterPattern, metricValue: value ?? '1' });
  }

  /** Of errors, a function has one filter with all events that are counted: a stack has room for 500 resources. */
  #errors(event: LogEvent, functions: readonly ServiceFunction[]): IMetric {
    for (const { name, logGroup } of functions) {
      const counted = this.#errorsOf.get(name);
      if (counted !== undefined) {
        counted.add(event);
        continue;
      }
      const events = new Set([event]);
      this.#errorsOf.set(name, events);
      new MetricFilter(this, `${name}-errors`, {
        logGroup,
        filterPattern: {
          logPatternString: Lazy.string({
            produce: () =>
              FilterPattern.all(
                FilterPattern.stringValue('$.level', '=', 'ERROR'),
                FilterPattern.any(...Array.from(events, isEvent)),
              ).logPatternString,
          }),
        },
        metricNamespace: this.#namespace,
        metricName: 'errors',
        dimensions: { Event: '$.event' },
      });
    }
    return this.#metric('errors', 'Sum', { Event: event });
  }

  /** Milliseconds from a request to the last byte of its response, for 99 of 100 requests of each class. */
  durations(functions: readonly ApiFunction[]): Durations {
    const metricName = 'request-duration';
    for (const { name, logGroup, group } of functions) {
      if (Object.keys(group.routes).length === 0) continue;
      new MetricFilter(this, `${name}-${metricName}`, {
        logGroup,
        // A path that is no route has no class.
        filterPattern: FilterPattern.all(isEvent('request'), FilterPattern.exists('$.routeClass')),
        metricNamespace: this.#namespace,
        metricName,
        metricValue: '$.durationMs',
        dimensions: { Class: '$.routeClass' },
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

  /** Counts the requests that one version of a function answered with a 5xx. */
  faultsOfVersion(one: ApiFunction, version: string, period: Duration): IMetric {
    const filter = new MetricFilter(this, `${one.name}-new-version-faults`, {
      logGroup: one.logGroup,
      filterPattern: FilterPattern.all(
        isEvent('request_failed'),
        FilterPattern.stringValue('$.version', '=', version),
      ),
      metricNamespace: this.#namespace,
      metricName: `${one.name}-new-version-faults`,
    });
    // From the version's first request on.
    one.alias?.node.addDependency(filter);
    return filter.metric({ statistic: 'Sum', period });
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
