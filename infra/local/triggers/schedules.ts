import * as z from 'zod/mini';
import { resourceName } from '../../environments.ts';
import { evaluate, statementsOf } from '../aws/policy-evaluation.ts';
import type { Fleet } from '../functions/fleet.ts';
import { type Deployment, propertiesOf, type Resource } from '../template/template.ts';

/** The next time after a moment at which a schedule fires, in Unix milliseconds. */
type NextFiring = (afterMs: number) => number;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const units: Readonly<Record<string, number>> = { minute: minuteMs, hour: hourMs, day: 24 * hourMs };

/**
 * Reads the expressions of EventBridge Scheduler that the templates use: `rate(5 minutes)` and `cron(0 5 * * ? *)`, a
 * time of every day in the schedule's time zone, from four o'clock on
 * (https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html).
 *
 * @throws Error for other expressions
 */
export function readScheduleExpression(expression: string, timeZone: string): NextFiring {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const interval = Number(count) * (units[unit] ?? 0);
  if (interval > 0) return (afterMs) => afterMs + interval;
  const [, minute = '', hour = ''] = /^cron\((\d+) (\d+) \* \* \? \*\)$/.exec(expression) ?? [];
  if (hour !== '' && Number(minute) < 60 && Number(hour) > 3 && Number(hour) < 24) {
    return dailyAt(`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, timeZone);
  }
  throw new Error(`The local run does not support the schedule ${expression}.`);
}

/** Fires when clocks show `05:00`, or another time that they neither skip nor show twice when they are changed. */
function dailyAt(time: string, timeZone: string): NextFiring {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' });
  return (afterMs) => {
    for (let atMs = Math.floor(afterMs / minuteMs) * minuteMs + minuteMs; ; atMs += minuteMs) {
      if (format.format(atMs) === time) return atMs;
    }
  };
}

/** Supported properties of a schedule; others are refused because they may change what is invoked, or when. */
const scheduleProperties = z.strictObject({
  Name: z.string(),
  GroupName: z.optional(z.string()),
  Description: z.optional(z.unknown()),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z._default(z.string(), 'UTC'),
  State: z.literal('ENABLED'),
  Target: z.strictObject({
    Arn: z.string(),
    RoleArn: z.string(),
    Input: z._default(z.string(), '{}'),
    // Only for invocations that Lambda rejects.
    DeadLetterConfig: z.optional(z.unknown()),
    RetryPolicy: z.optional(z.unknown()),
  }),
});

/**
 * The one context attribute of Scheduler that inputs use
 * (https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html).
 */
const scheduledTime = '<aws.scheduler.scheduled-time>';

type Schedule = ReturnType<typeof readSchedule>;

export type Schedules = ReturnType<typeof startSchedules>;

/** The schedule of the canary, which has no client until a smoke test makes one and calls it. */
const onRequest = 'canary-check';

/** Timers are limited to 24 days, and the machine may sleep meanwhile. */
const longestTimerMs = 3_600_000;

/** Starts all schedules. A rate begins with the start of the run. */
export function startSchedules(deployment: Deployment, fleet: Pick<Fleet, 'byArn'>) {
  const schedules = deployment
    .ofType('AWS::Scheduler::Schedule')
    .map((resource) => readSchedule(resource, deployment, fleet));
  const inProgress = new Set<Promise<unknown>>();
  const timers = new Map<string, NodeJS.Timeout>();

  const call = ({ target }: Schedule, payload: unknown): Promise<unknown> => {
    const calling = target.invoke(payload).finally(() => inProgress.delete(calling));
    inProgress.add(calling);
    return calling;
  };

  const waitFor = (schedule: Schedule, dueMs: number): void => {
    const leftMs = dueMs - Date.now();
    const timer = setTimeout(
      () => {
        if (leftMs > longestTimerMs) {
          waitFor(schedule, dueMs);
          return;
        }
        // Errors are in the function's log.
        call(schedule, payloadAt(schedule, dueMs)).catch(() => {});
        waitFor(schedule, schedule.next(Math.max(dueMs, Date.now())));
      },
      Math.max(0, Math.min(leftMs, longestTimerMs)),
    );
    timer.unref();
    timers.set(schedule.name, timer);
  };
  const isNamed = (name: string, schedule: Schedule): boolean =>
    schedule.name === resourceName('local', name);
  for (const schedule of schedules) {
    if (!isNamed(onRequest, schedule)) waitFor(schedule, schedule.next(Date.now()));
  }

  return {
    /** Invokes the target of a schedule now, by its name without the environment prefix, and returns the result. */
    async fire(name: string): Promise<unknown> {
      const schedule = schedules.find((candidate) => isNamed(name, candidate));
      if (schedule === undefined) throw new Error(`There is no schedule "${name}".`);
      return call(schedule, payloadAt(schedule, Date.now()));
    },
    /** Whether no invocation is in progress. */
    idle: () => Promise.resolve(inProgress.size === 0),
    stop(): Promise<void> {
      for (const timer of timers.values()) clearTimeout(timer);
      return Promise.resolve();
    },
  };
}

/** Payload of a schedule's call at a time. */
function payloadAt({ input }: Schedule, atMs: number): unknown {
  const time = new Date(atMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
  return JSON.parse(input.replaceAll(scheduledTime, time));
}

function readSchedule(resource: Resource, deployment: Deployment, fleet: Pick<Fleet, 'byArn'>) {
  const properties = propertiesOf(resource, scheduleProperties);
  const { Name, ScheduleExpression, ScheduleExpressionTimezone, Target } = properties;
  const access = { action: 'lambda:InvokeFunction', resource: Target.Arn };
  if (!evaluate(statementsOf(Target.RoleArn, deployment), access).isAllowed) {
    throw new Error(`The role of the schedule ${Name} may not ${access.action} on ${access.resource}.`);
  }
  if (Target.Input.replaceAll(scheduledTime, '').includes('<aws.scheduler.')) {
    throw new Error(`The local run does not support the input of the schedule ${Name}: ${Target.Input}`);
  }
  return {
    name: Name,
    next: readScheduleExpression(ScheduleExpression, ScheduleExpressionTimezone),
    target: fleet.byArn(Target.Arn),
    input: Target.Input,
  };
}
