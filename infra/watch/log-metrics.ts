import type { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Route, type RouteClass, routeClasses } from '../../shared/platform/contract/route.ts';
import type { LogEvent } from '../../shared/platform/log/log.ts';
import { addContributorRule, countOf } from '../constructs/contributor-rule.ts';
import {
  addLogFilter,
  errorFilter,
  isEvent,
  isLevel,
  type LogFilter,
  logMetric,
} from '../constructs/log-filter.ts';
import { resourceName } from '../environments.ts';
import { logGroupName } from '../log-groups.ts';
import { fiveMinutes, math } from './metrics.ts';
import type { Watched } from './watched.ts';

interface Counted {
  readonly level: 'WARN' | 'INFO';
  /** A number in the line that is summed up; otherwise lines are counted. */
  readonly value?: `$.${string}`;
}

/** Metrics of what the functions log. Whoever takes one has it published: `addFilters`, at the end. */
export class LogMetrics {
  readonly #watched: Watched;
  /** By the name of the function and that of the metric. */
  readonly #filters = new Map<string, readonly [functionName: string, filter: LogFilter]>();
  /** Errors that are counted, by the name of the function. */
  readonly #errors = new Map<string, Set<LogEvent>>();
  readonly #scope: Construct;

  constructor(scope: Construct, watched: Watched) {
    this.#scope = scope;
    this.#watched = watched;
  }

  /** Counts the errors that the functions log with this event, or its lines of another level, or sums a number in them. */
  logged(event: LogEvent, functions: readonly string[], counted?: Counted): Metric {
    if (counted === undefined) {
      for (const name of functions) {
        this.#errors.set(name, new Set([...(this.#errors.get(name) ?? []), event]));
      }
      return this.error(event);
    }
    const { level, value } = counted;
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
  attempts<Outcome extends string>(...outcomes: readonly Outcome[]): Readonly<Record<Outcome, Metric>> {
    const metricName = 'webhook_delivery-outcomes';
    this.#published(['webhook-delivery'], {
      metricName,
      pattern: isEvent('webhook_delivery'),
      dimensions: { Outcome: '$.outcome' },
    });
    const entries = outcomes.map((one) => [one, this.#metric(metricName, 'Sum', { Outcome: one })]);
    return Object.fromEntries(entries) as Record<Outcome, Metric>;
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
    const { name } = this.#watched.environment;
    const rule = addContributorRule(this.#scope, {
      ruleName: resourceName(name, 'failing-hosts'),
      logGroupName: logGroupName.function(name, 'webhook-delivery'),
      event: 'webhook_failing',
      member: '$.host',
    });
    return math(countOf(rule), 'Hosts at which webhooks began to fail', {});
  }

  /** Publishes every metric that was taken. */
  addFilters(): void {
    const { environment } = this.#watched;
    const errors = Array.from(this.#errors, ([name, events]) => [name, errorFilter(events)] as const);
    for (const [name, filter] of [...errors, ...this.#filters.values()]) {
      const logging = { functionName: name, logGroupName: logGroupName.function(environment.name, name) };
      addLogFilter(this.#scope, environment, logging, filter);
    }
  }

  #withRoutes(isWanted: (route: Route) => boolean): string[] {
    return this.#watched.functions.filter(({ routes }) => routes?.some(isWanted)).map(({ name }) => name);
  }

  #published(functions: readonly string[], filter: LogFilter): Metric {
    for (const name of functions) {
      this.#filters.set(`${name} ${filter.metricName}`, [name, filter]);
    }
    return this.#metric(filter.metricName, 'Sum');
  }

  #metric(metricName: string, statistic: string, dimensionsMap: Record<string, string> = {}): Metric {
    const options = { statistic, dimensionsMap, period: fiveMinutes };
    return logMetric(this.#watched.environment, metricName, options);
  }
}
