import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { WorkerFunction } from '../constructs/worker-function.ts';
import type { AlarmSet } from './alarm-set.ts';
import type { LogMetrics } from './log-metrics.ts';

/** What the worker that drains webhooks leaves out or does late, in addition to what is watched of every worker. */
export function watchWebhookDelivery(
  alarms: AlarmSet,
  logs: LogMetrics,
  lateness: IMetric,
  delivery: WorkerFunction,
): void {
  alarms.add('deliveries-late', {
    severity: 'ticket',
    runbook: 'Late deliveries',
    metric: lateness,
    above: 300,
    periods: 3,
    impact: 'Half of the turns at healthy receivers find deliveries that have been due for five minutes.',
  });
  // Attempts do not show it: a failing receiver gets a few a minute, and the others all of theirs.
  alarms.add('receivers-failing', {
    severity: 'ticket',
    runbook: 'Failing receivers',
    metric: logs.logged('webhook_failing', [delivery], { level: 'WARN' }),
    above: 2,
    impact:
      'Three or more receivers began to fail within five minutes, so they have something in common. They get their events when they answer again.',
  });
  alarms.add('deliveries-unreadable', {
    severity: 'ticket',
    runbook: 'Unreadable deliveries',
    metric: logs.logged('delivery_unreadable', [delivery]),
    above: 0,
    impact: 'An event is not delivered to a webhook, because it or its delivery cannot be read.',
  });
}
