/**
 * Expressions of EventBridge Scheduler: `rate(5 minutes)` and `cron(0 5 * * ? *)`, the latter in the schedule's time
 * zone. https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */

/** The next time after a moment at which a schedule fires, in Unix milliseconds; undefined for never. */
export type NextFiring = (after: number) => number | undefined;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const units: Readonly<Record<string, number>> = { minute: minuteMs, hour: 60 * minuteMs, day: dayMs };

/** @throws Error when the expression has parts that are not supported */
export function readScheduleExpression(expression: string, timeZone: string): NextFiring {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (rate !== null) {
    const interval = Number(rate[1]) * (units[rate[2] ?? ''] ?? 0);
    if (interval > 0) return (after) => after + interval;
  }
  const cron = /^cron\(([^)]+)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (cron?.length !== 6) throw new Error(`The local run does not understand the schedule ${expression}.`);
  return cronFirings(cron, timeZone);
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface Field {
  readonly from: number;
  readonly to: number;
  /** Names of the numbers, starting with `from`. */
  readonly names?: readonly string[];
}

/** In the order of the expression. */
const fields = {
  minute: { from: 0, to: 59 },
  hour: { from: 0, to: 23 },
  dayOfMonth: { from: 1, to: 31 },
  month: { from: 1, to: 12, names: months },
  dayOfWeek: { from: 1, to: 7, names: weekdays },
  year: { from: 1_970, to: 2_199 },
} as const satisfies Record<string, Field>;

/** The numbers that a field matches, ascending. `L`, `W` and `#` are not supported. */
function readField(text: string, { from, to, names = [] }: Field): ReadonlySet<number> {
  const number = (word: string): number => {
    const named = names.indexOf(word.toUpperCase());
    const value = named >= 0 ? from + named : /^\d+$/.test(word) ? Number(word) : Number.NaN;
    if (value >= from && value <= to) return value;
    throw new Error(`The local run does not understand "${text}" in a schedule.`);
  };
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step] = part.split('/');
    const [first = '', last] = range.split('-');
    const whole = range === '*' || range === '?';
    const start = whole ? from : number(first);
    const end = whole || (last === undefined && step !== undefined) ? to : number(last ?? first);
    const by = step === undefined ? 1 : Number(step);
    if (!Number.isInteger(by) || by < 1)
      throw new Error(`The local run does not understand "${text}" in a schedule.`);
    for (let value = start; value <= end; value += by) found.add(value);
  }
  return new Set(Array.from(found).sort((one, other) => one - other));
}

/** Leap days are up to eight years apart. */
const daysToLookAt = 9 * 366;

function cronFirings(words: readonly string[], timeZone: string): NextFiring {
  const [minute, hour, dayOfMonth, month, dayOfWeek, year] = Object.values(fields).map((field, index) =>
    readField(words[index] ?? '', field),
  );
  const localTime = localClock(timeZone);

  const isDay = (day: Date): boolean =>
    year?.has(day.getUTCFullYear()) === true &&
    month?.has(day.getUTCMonth() + 1) === true &&
    dayOfMonth?.has(day.getUTCDate()) === true &&
    dayOfWeek?.has(day.getUTCDay() + 1) === true;

  /**
   * The moment of a local time: the first one if it occurs twice, none if it is skipped
   * (https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html, "Daylight savings time").
   */
  const momentOf = (shown: number): number | undefined => {
    const offsets = [shown - dayMs, shown + dayMs].map((around) => localTime(around) - around);
    const moments = offsets.map((offset) => shown - offset).filter((moment) => localTime(moment) === shown);
    return moments.length === 0 ? undefined : Math.min(...moments);
  };

  return (after) => {
    const today = Math.floor(localTime(after) / dayMs) * dayMs;
    for (let ahead = 0; ahead < daysToLookAt; ahead += 1) {
      const day = today + ahead * dayMs;
      if (!isDay(new Date(day))) continue;
      for (const hours of hour ?? []) {
        for (const minutes of minute ?? []) {
          const moment = momentOf(day + (hours * 60 + minutes) * minuteMs);
          if (moment !== undefined && moment > after) return moment;
        }
      }
    }
    return undefined;
  };
}

/** The local time of a moment, as the moment with the same time in UTC. */
function localClock(timeZone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const shown = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return shown + (((moment % 1_000) + 1_000) % 1_000);
  };
}
