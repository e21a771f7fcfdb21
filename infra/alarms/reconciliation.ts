import type { WorkerFunction } from '../constructs/worker-function.ts';
import type { AlarmSet } from './alarm-set.ts';

/** Whether the registry reconciliation gets to every NPN. The function that queues first visits counts those it does not. */
export function watchReconciliation(alarms: AlarmSet, { name, logGroup }: WorkerFunction): void {
  alarms.add(`${name}-overdue-npns`, {
    runbook: 'Overdue NPNs',
    metric: alarms.logged('npns_overdue', name, logGroup, { level: 'WARN', value: '$.npns' }),
    above: 0,
    impact:
      'The registry was not visited for some NPNs for two days: their licenses and appointments may be out of date, and a renewed license may be reported as expired.',
  });
}
