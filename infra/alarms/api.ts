import { MB, streamedAnswerBytes } from '../../shared/platform/aws/limits.ts';
import { type RouteClass, routeClasses } from '../../shared/platform/contract/route-class.ts';
import type { ApiFunction } from '../constructs/api-function.ts';
import type { Gateway } from '../constructs/gateway.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import { type AlarmSet, fiveMinutes, sum } from './alarm-set.ts';
import type { Durations, LogMetrics } from './log-metrics.ts';

/** What every request passes, and the functions of the route groups. */
interface Api {
  readonly gateway: Gateway;
  readonly authorizer: ServiceFunction;
  readonly functions: readonly ApiFunction[];
}

/** The function of the token exchange. */
const signIn = 'auth';

/** Whether callers get responses, and not too many refusals. */
export function watchGateway(alarms: AlarmSet, { gateway, authorizer, functions }: Api): void {
  alarms.add('gateway-faults', {
    severity: 'page',
    runbook: 'Gateway faults',
    metric: gateway.faultPercentage(fiveMinutes),
    above: 1,
    periods: 2,
    impact: 'More than one request in a hundred gets a 5xx.',
    worthANight: 'Callers are failing, and no retry of theirs helps for as long as it lasts.',
  });
  alarms.add('gateway-refusals', {
    severity: 'page',
    runbook: 'Refused requests',
    metric: gateway.refusalPercentage(fiveMinutes),
    above: 50,
    periods: 3,
    impact: 'More than half of all requests get a 4xx.',
    worthANight: 'A defect that refuses valid requests is as bad as an outage, and no 5xx shows it.',
  });
  alarms.add('authorizer-errors', {
    severity: 'ticket',
    runbook: 'Authorizer errors',
    metric: authorizer.lambda.metricErrors(sum),
    above: 0,
    impact: 'A caller with a valid credential got a 5xx. If many do, "gateway-faults" pages.',
  });
  for (const one of [authorizer, ...functions.filter(({ name }) => name === signIn)]) {
    alarms.add(`${one.name}-throttles`, {
      severity: 'page',
      runbook: 'Function throttles',
      metric: one.lambda.metricThrottles(sum),
      above: 0,
      periods: 2,
      impact: `Lambda rejects invocations of "${one.name}": callers cannot sign in.`,
      worthANight: 'Everybody needs it, and its executions are reserved: a flood or a defect used them up.',
    });
  }
}

/** Milliseconds that 99 of 100 requests of a class may take; callers determine how long the other classes take. */
export const slowAboveMs = {
  token: 2_000,
  read: 2_000,
  page: 3_000,
  write: 3_000,
  list: undefined,
  upload: undefined,
} as const satisfies Readonly<Record<RouteClass, number | undefined>>;

/** Whether responses come in time. */
export function watchLatency(alarms: AlarmSet, durations: Durations, { authorizer }: Api): void {
  const ofClasses = routeClasses.flatMap((name) => {
    const { [name]: above } = slowAboveMs;
    if (above === undefined) return [];
    return alarms.signal(`${name}-latency`, {
      runbook: 'Slow requests',
      metric: durations[name],
      above,
      periods: 3,
      impact: `One in a hundred requests of the class "${name}" takes more than ${above / 1_000} seconds.`,
    });
  });
  const ofAuthorizer = alarms.signal('authorizer-latency', {
    runbook: 'Authorizer latency',
    metric: authorizer.lambda.metricDuration({ statistic: 'p99', period: fiveMinutes }),
    above: 2000,
    periods: 3,
    impact: 'Requests that require a credential wait for seconds before they are handled; at five they fail.',
  });
  alarms.any('latency', [...ofClasses, ofAuthorizer], {
    severity: 'page',
    runbook: 'Slow requests',
    impact: 'Requests have been slow for a quarter of an hour.',
    worthANight: 'Callers time out and repeat what they sent, which makes it slower still.',
  });
}

/** What the functions of the route groups log, or fail to. */
export function watchApiFunctions(
  alarms: AlarmSet,
  logs: LogMetrics,
  functions: readonly ApiFunction[],
): void {
  const routesOf = ({ group }: ApiFunction) => Object.values(group.routes);
  alarms.add('invalid-responses', {
    severity: 'ticket',
    runbook: 'Invalid responses',
    metric: logs.logged(
      'response_breaks_schema',
      functions.filter((one) => routesOf(one).length > 0),
    ),
    above: 0,
    impact: 'Responses do not match the OpenAPI document.',
  });
  alarms.add('too-large-responses', {
    severity: 'ticket',
    runbook: 'Responses that are too large',
    metric: logs.logged(
      'response_too_large',
      functions.filter((one) => routesOf(one).some(({ answer }) => 'all' in answer)),
    ),
    above: 0,
    impact: `A list was cut off at ${streamedAnswerBytes / MB} MB: its caller can’t read it without narrower filters or gzip.`,
  });
  alarms.add('uncounted-requests', {
    severity: 'ticket',
    runbook: 'Uncounted requests',
    metric: logs.logged(
      'rate_counters_unreachable',
      functions.filter((one) => routesOf(one).some(({ rate }) => rate !== 'none')),
    ),
    above: 0,
    impact: 'Rate-limited routes accept every request: nothing limits floods or guessing of secrets.',
  });
  alarms.add('stopped-feeds', {
    severity: 'ticket',
    runbook: 'Stopped feeds',
    metric: logs.logged(
      'feed_stopped',
      functions.filter((one) => routesOf(one).some(({ answer }) => 'cursor' in answer)),
    ),
    above: 0,
    impact: 'An organization that reads its feed of events gets no more of them.',
  });
}
