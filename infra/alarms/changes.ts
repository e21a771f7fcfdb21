import type { ServiceFunction } from '../constructs/service-function.ts';
import type { AlarmSet } from './alarm-set.ts';
import type { LogMetrics } from './log-metrics.ts';

/** Whether those who follow a list by `updatedSince` get every change. */
export function watchChanges(alarms: AlarmSet, logs: LogMetrics, indexLag: ServiceFunction): void {
  alarms.add('index-lag', {
    severity: 'page',
    runbook: 'Indexes of changes that lag',
    metric: logs.logged('index_lags', [indexLag]),
    above: 0,
    impact:
      'An index of changes is more than 45 seconds late. From two minutes on, callers who follow a list by `updatedSince` miss changes.',
    worthANight:
      'Nobody notices a change that was missed, and it stays missed until the record changes again; a larger `updatedUntilLagMs` prevents that.',
  });
}
