import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes } from '../alarms/alarm-set.ts';
import type { Monitoring, Watched } from '../alarms/alarms.ts';
import { labeled } from './metrics.ts';
import { heading, row } from './widgets.ts';

/** How much is asked, and how long responses take. */
export function trafficRows(
  { gateway, firewall, authorizer }: Watched,
  { durations }: Monitoring,
): IWidget[][] {
  const signIn = authorizer.lambda.metricDuration({
    statistic: 'p99',
    label: 'authorizer',
    period: fiveMinutes,
  });
  return [
    heading(
      'Traffic and latency',
      'The class of a route says what its duration depends on; callers determine that of `list` and `upload`.',
    ),
    row(
      {
        title: 'Requests',
        metrics: gateway.traffic(fiveMinutes),
        right: firewall === undefined ? [] : [firewall.blockedRequests(fiveMinutes)],
      },
      {
        title: 'p99 by class, milliseconds',
        runbook: ['Slow requests', 'Authorizer latency'],
        metrics: [...Object.entries(durations).map(([name, metric]) => labeled(name, metric)), signIn],
      },
      {
        title: 'Gateway, milliseconds',
        metrics: [...gateway.latency('p50', fiveMinutes), ...gateway.latency('p99', fiveMinutes)],
      },
    ),
  ];
}
