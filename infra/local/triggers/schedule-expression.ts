/** The next time after a moment at which a schedule fires, in Unix milliseconds. */
type NextFiring = (after: number) => number;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const units: Readonly<Record<string, number>> = { minute: minuteMs, hour: 60 * minuteMs, day: dayMs };

/**
 * Reads the expressions of EventBridge Scheduler that the templates use: `rate(5 minutes)` and `cron(0 5 * * ? *)`, a
 * time of every day in the schedule's time zone
 * (https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html).
 *
 * @throws Error for other expressions
 */
export function readScheduleExpression(expression: string, timeZone: string): NextFiring {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const interval = Number(count) * (units[unit] ?? 0);
  if (interval > 0) return (after) => after + interval;
  const [, minute, hour] = /^cron\((\d+) (\d+) \* \* \? \*\)$/.exec(expression) ?? [];
  if (Number(minute) < 60 && Number(hour) < 24) {
    return dailyAt((Number(hour) * 60 + Number(minute)) * minuteMs, timeZone);
  }
  throw new Error(`The local run does not support the schedule ${expression}.`);
}

/** Fires every day at a time, given in milliseconds after midnight. */
function dailyAt(timeOfDay: number, timeZone: string): NextFiring {
  const localTime = localClock(timeZone);

  /**
   * The moment of a local time: the first one if it occurs twice, none if it is skipped
   * (https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html, "Daylight savings time").
   */
  const momentOf = (local: number): number | undefined => {
    const offsets = [local - dayMs, local + dayMs].map((around) => localTime(around) - around);
    const moments = offsets.map((offset) => local - offset).filter((moment) => localTime(moment) === local);
    return moments.length === 0 ? undefined : Math.min(...moments);
  };

  return (after) => {
    for (let day = Math.floor(localTime(after) / dayMs) * dayMs; ; day += dayMs) {
      const moment = momentOf(day + timeOfDay);
      if (moment !== undefined && moment > after) return moment;
    }
  };
}

/** The local time of a moment, as the moment with the same time in UTC. */
function localClock(timeZone: string): (moment: number) => number {
  // The Swedish format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (moment) => Date.parse(`${format.format(moment).replace(' ', 'T')}Z`) + (moment % 1_000);
}
