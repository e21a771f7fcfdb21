import type { Schedules } from '../constructs/schedules.ts';
import { type AlarmSet, fiveMinutes } from './alarm-set.ts';

/** Whether the schedules can invoke their functions. */
export function watchSchedules(alarms: AlarmSet, schedules: Schedules): void {
  alarms.add('schedules-failed-calls', {
    runbook: 'Failed schedules',
    metric: schedules.failed(fiveMinutes),
    above: 0,
    impact: 'A function could not be invoked on schedule; the call is retried for an hour.',
  });
  alarms.add('schedules-dropped-calls', {
    runbook: 'Failed schedules',
    metric: schedules.dropped(fiveMinutes),
    above: 0,
    impact: 'A scheduled task did not start and is not retried.',
  });
  alarms.add('schedules-dead-calls', {
    runbook: 'Failed schedules',
    metric: schedules.deadLetters.messages(fiveMinutes),
    above: 0,
    impact: 'Scheduled calls failed for good; an operator has to make up for them.',
  });
}
