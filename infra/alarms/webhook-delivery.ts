import type { WorkerFunction } from '../constructs/worker-function.ts';
import type { AlarmSet } from './alarm-set.ts';

/** What the worker that drains webhooks leaves out, in addition to what is watched of every worker. */
export function watchWebhookDelivery(alarms: AlarmSet, { name, logGroup }: WorkerFunction): void {
  alarms.add('deliveries-unreadable', {
    runbook: 'Unreadable deliveries',
    metric: alarms.logged('delivery_unreadable', name, logGroup),
    above: 0,
    impact: 'An event is not delivered to a webhook, because it or its delivery cannot be read.',
  });
}
