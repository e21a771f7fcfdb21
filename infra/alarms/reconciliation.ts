import type { WorkerFunction } from '../constructs/worker-function.ts';
import type { AlarmSet } from './alarm-set.ts';
import type { LogMetrics } from './log-metrics.ts';

/** Whether the registry reconciliation gets to every NPN. The function that queues first visits counts those it does not. */
export function watchReconciliation(
  alarms: AlarmSet,
  logs: LogMetrics,
  reconciliation: WorkerFunction,
): void {
  alarms.add(`${reconciliation.name}-overdue-npns`, {
    severity: 'ticket',
    runbook: 'Overdue NPNs',
    metric: logs.logged('npns_overdue', [reconciliation], { level: 'WARN', value: '$.npns' }),
    above: 0,
    impact:
      'The registry was not visited for some NPNs for two days: their licenses and appointments may be out of date, and a renewed license may be reported as expired.',
  });
}
