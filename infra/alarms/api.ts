import type { ApiFunction } from '../constructs/api-function.ts';
import type { Gateway } from '../constructs/gateway.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import { type AlarmSet, fiveMinutes, sum } from './alarm-set.ts';

/** The gateway and the authorizer, which every request passes. */
export function watchGateway(alarms: AlarmSet, gateway: Gateway, authorizer: ServiceFunction): void {
  alarms.add('gateway-faults', {
    runbook: 'Gateway faults',
    metric: gateway.faultPercentage(fiveMinutes),
    above: 1,
    periods: 2,
    impact: 'More than one request in a hundred gets a 5xx.',
  });
  alarms.add('authorizer-errors', {
    runbook: 'Authorizer errors',
    metric: authorizer.lambda.metricErrors(sum),
    above: 0,
    impact: 'Callers with valid credentials get a 5xx on every route that requires one.',
  });
  alarms.add('authorizer-latency', {
    runbook: 'Authorizer latency',
    metric: authorizer.lambda.metricDuration({ statistic: 'p99', period: fiveMinutes }),
    above: 2000,
    periods: 3,
    impact:
      'Every request that requires a credential waits for seconds before it is handled; at five seconds it fails.',
  });
}

/** The function of a route group. */
export function watchApiFunction(alarms: AlarmSet, { name, group, lambda, logGroup }: ApiFunction): void {
  alarms.add(`${name}-errors`, {
    runbook: 'Function errors',
    metric: lambda.metricErrors(sum),
    above: 0,
    impact: `Requests to the routes of "${name}" are cut off or get a 5xx.`,
  });
  const routes = Object.values(group.routes);
  if (routes.length > 0) {
    alarms.add(`${name}-invalid-responses`, {
      runbook: 'Invalid responses',
      metric: alarms.logged('response_breaks_schema', name, logGroup),
      above: 0,
      impact: `Routes of "${name}" return responses that do not match the OpenAPI document.`,
    });
  }
  if (routes.some(({ answer }) => 'all' in answer)) {
    alarms.add(`${name}-too-large-responses`, {
      runbook: 'Responses that are too large',
      metric: alarms.logged('response_too_large', name, logGroup),
      above: 0,
      impact: `A list of "${name}" was cut off at 200 MB: its caller can't read it without narrower filters or gzip.`,
    });
  }
  if (routes.some(({ rate }) => rate !== 'none')) {
    alarms.add(`${name}-uncounted-requests`, {
      runbook: 'Uncounted requests',
      metric: alarms.logged('rate_counters_unreachable', name, logGroup),
      above: 0,
      impact: `Rate-limited routes of "${name}" accept every request: nothing limits floods or guessing of secrets.`,
    });
  }
}
