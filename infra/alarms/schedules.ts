import type { Schedules } from '../constructs/schedules.ts';
import { type AlarmSet, fiveMinutes } from './alarm-set.ts';

/** Whether the schedules can invoke their functions, and whether those do what they are called for. */
export function watchSchedules(alarms: AlarmSet, schedules: Schedules): void {
  alarms.add('schedules-failed-calls', {
    severity: 'page',
    runbook: 'Failed schedules',
    metric: schedules.failed(fiveMinutes),
    above: 0,
    periods: 3,
    impact: 'Functions could not be invoked on schedule for a quarter of an hour.',
    worthANight:
      'Retries of deliveries stand still, as does whatever a crash left behind; after an hour calls are dropped.',
  });
  alarms.add('schedules-dead-calls', {
    severity: 'ticket',
    runbook: 'Failed schedules',
    metric: schedules.deadLetters.messages(fiveMinutes),
    above: 0,
    impact: 'Scheduled calls failed for good; an operator has to make up for them.',
  });
}
