import type { Schedules } from '../constructs/schedules.ts';
import { type AlarmSet, fiveMinutes } from './alarm-set.ts';

/** Whether the calls of the schedules reach their functions. */
export function watchSchedules(alarms: AlarmSet, schedules: Schedules): void {
  alarms.add('schedules-failed-calls', {
    runbook: 'Failed schedules',
    metric: schedules.failed(fiveMinutes),
    above: 0,
    impact: 'A function could not be called on schedule; the call is retried for an hour.',
  });
  alarms.add('schedules-dropped-calls', {
    runbook: 'Failed schedules',
    metric: schedules.dropped(fiveMinutes),
    above: 0,
    impact: 'What a schedule should have started did not start, and is not retried.',
  });
  alarms.add('schedules-dead-calls', {
    runbook: 'Failed schedules',
    metric: schedules.deadLetters.messages(fiveMinutes),
    above: 0,
    impact: 'Calls that a schedule gave up on are waiting for an operator to make them.',
  });
}
