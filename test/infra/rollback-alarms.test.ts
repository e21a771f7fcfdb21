import { runInNewContext } from 'node:vm';
import * as z from 'zod/mini';
import { environments } from '../../infra/environments.ts';
import { routeGroupsOf } from '../../infra/function-uses.ts';
import { slowAboveMs } from '../../infra/time-limits.ts';
import { routeClass } from '../../shared/platform/contract/route-class.ts';
import { isFound, plainText } from './log-filters.ts';
import { synthesized } from './synthesized.ts';

// CloudWatch judges an alarm every minute by what has arrived until then: here with metrics that arrive late, or never.

const { service } = synthesized('prod');
const routeGroups = routeGroupsOf(environments.prod);

const alarm = z.object({
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.optional(z.number()),
  Threshold: z.number(),
  Period: z.optional(z.number()),
  MetricName: z.optional(z.string()),
  ExtendedStatistic: z.optional(z.string()),
  Metrics: z._default(
    z.array(
      z.object({
        Id: z.string(),
        Expression: z.optional(z.string()),
        MetricStat: z.optional(z.object({ Period: z.number() })),
      }),
    ),
    [],
  ),
});

function alarmOf(name: string) {
  const [found] = service
    .ofType('AWS::CloudWatch::Alarm')
    .filter(([, { Properties }]) => Properties['AlarmName'] === `insurance-compliance-prod-${name}`);
  const { Metrics, Period, ...rest } = z.parse(alarm, found?.[1].Properties);
  const metrics = Metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [{ Id, ...MetricStat }] : []));
  const { Expression = 'metric' } = Metrics.find((one) => one.Expression !== undefined) ?? {};
  return { ...rest, Expression, metrics: metrics.length > 0 ? metrics : [{ Id: 'metric', Period }] };
}

/**
 * What an expression of metric math makes of a minute's values: nothing if one of them is missing. Ours without `FILL` are
 * expressions of JavaScript too. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
function evaluate(expression: string, values: Readonly<Record<string, number | undefined>>): number {
  if (Object.values(values).includes(undefined)) return Number.NaN;
  const IF = (holds: boolean, one: number, other: number) => (holds ? one : other);
  return Number(runInNewContext(expression, { ...values, IF }));
}

/** Data of a metric: the value of a minute, and after how many minutes more it is there. */
interface Arriving {
  readonly values: readonly (number | undefined)[];
  readonly lateMinutes: number;
}

/** Minutes from the first request on after which the alarm goes off; undefined if it never does. */
function goesOffAfter(name: string, data: Readonly<Record<string, Arriving>>): number | undefined {
  const { metrics, Expression, EvaluationPeriods, DatapointsToAlarm, Threshold } = alarmOf(name);
  expect(metrics.map(({ Period }) => Period)).toEqual(metrics.map(() => 60));
  expect(Object.keys(data).sort()).toEqual(metrics.map(({ Id }) => Id).sort());
  const minutes = Math.max(...Object.values(data).map(({ values }) => values.length));
  for (let now = 1; now <= minutes + 10; now += 1) {
    const window = Array.from({ length: EvaluationPeriods }, (_, index) => now - 1 - index);
    const above = window.filter((minute) => {
      const arrived = Object.entries(data).map(([metric, { values, lateMinutes }]) => [
        metric,
        minute + 1 + lateMinutes <= now ? values[minute] : undefined,
      ]);
      return evaluate(Expression, Object.fromEntries(arrived)) > Threshold;
    });
    if (above.length >= (DatapointsToAlarm ?? EvaluationPeriods)) return now;
  }
  return undefined;
}

/** Metrics of Lambda are there when the minute is over, those of log lines two minutes later. */
const onTime = (...values: (number | undefined)[]): Arriving => ({ values, lateMinutes: 0 });
const late = (...values: (number | undefined)[]): Arriving => ({ values, lateMinutes: 2 });

const faults = 'policies-new-version-faults';
const none = undefined;

test('a failure that the new version handled rolls it back within three minutes, though only its log knows of it', () => {
  const each = { requests: onTime(9, 9, 9), errors: onTime(0, 0, 0), faults: late(4, 4, 4) };
  expect(goesOffAfter(faults, each)).toBeLessThanOrEqual(3);
  // Nobody has to go on failing for it.
  const once = {
    requests: onTime(9, none, none),
    errors: onTime(0, none, none),
    faults: late(4, none, none),
  };
  expect(goesOffAfter(faults, once)).toBeLessThanOrEqual(3);
});

test('so does a crash, of which the log has no failed request', () => {
  const crashes = { requests: onTime(9, 9, 9), errors: onTime(4, 4, 4), faults: late(0, 0, 0) };
  expect(goesOffAfter(faults, crashes)).toBeLessThanOrEqual(3);
});

test.each<[string, Record<string, Arriving>]>([
  ['without requests', { requests: onTime(none, none), errors: onTime(none, none), faults: late(none, 0) }],
  ['while all requests succeed', { requests: onTime(9, 9), errors: onTime(0, 0), faults: late(0, 0) }],
  ['of one failure, which may be DynamoDB’s', { requests: onTime(9), errors: onTime(0), faults: late(1) }],
  ['of one in a hundred', { requests: onTime(200), errors: onTime(0), faults: late(2) }],
])('the new version stays %s', (_, data) => {
  expect(goesOffAfter(faults, data)).toBeUndefined();
});

test('5xx of the whole release, the authorizer’s among them, roll it back within a minute of their metric', () => {
  const failing = { requests: onTime(100, 100), faults: onTime(5, 5) };
  expect(goesOffAfter('release-faults', failing)).toBe(1);
  const delayed = { requests: late(100, none), faults: late(5, none) };
  expect(goesOffAfter('release-faults', delayed)).toBe(3);
  const rare = { requests: onTime(100, 1_000), faults: onTime(2, 9) };
  expect(goesOffAfter('release-faults', rare)).toBeUndefined();
});

test('a new version that two minutes of the log show to be slow is rolled back before its five minutes are over', () => {
  expect(goesOffAfter('policies-new-version-latency', { metric: late(9_000, 9_000, 9_000) })).toBe(4);
  expect(goesOffAfter('policies-new-version-latency', { metric: late(9_000, 10, 10, 10) })).toBeUndefined();
});

const metricFilter = z.object({
  FilterPattern: z.unknown(),
  MetricTransformations: z.tuple([z.object({ MetricName: z.string(), MetricValue: z.string() })]),
});
const filters = service
  .ofType('AWS::Logs::MetricFilter')
  .map(([, { Properties }]) => z.parse(metricFilter, Properties));

test.each(routeGroups)(
  'the latency of a new version of $name is the median of its requests, without lists and uploads, which take as long as their callers',
  ({ name, routes }) => {
    const { MetricName, ExtendedStatistic, Threshold } = alarmOf(`${name}-new-version-latency`);
    const classes = [...new Set(Object.values(routes).map(routeClass))];
    const timed = classes.filter((one) => slowAboveMs[one] !== undefined);
    // What Lambda measures is all requests.
    const counted = classes.filter(
      (one) =>
        MetricName === 'Duration' ||
        filters.some(({ FilterPattern, MetricTransformations: [measured] }) => {
          const line = { event: 'request', version: 'reference', routeClass: one };
          const isMeasured = measured.MetricName === MetricName && measured.MetricValue === '$.durationMs';
          return isMeasured && isFound(plainText(FilterPattern), line);
        }),
    );
    expect(timed).not.toEqual([]);
    expect(counted).toEqual(timed);
    expect(ExtendedStatistic).toBe('p50');
    for (const one of timed) expect(Threshold).toBeGreaterThanOrEqual(slowAboveMs[one] ?? 0);
    expect(Threshold).toBeLessThan(10_000);
  },
);
