import * as z from 'zod/mini';
import { routeGroups } from '../../infra/function-uses.ts';
import { readTemplates } from '../../infra/local/template/template.ts';
import { logGroupName } from '../../infra/log-groups.ts';
import { slowAboveMs } from '../../infra/time-limits.ts';
import { type RouteClass, routeClass } from '../../shared/platform/contract/route-class.ts';
import { metricAlarm } from '../gameday/alarm-schemas.ts';
import { math, readAlarms } from '../gameday/alarms.ts';
import { numberOf, parseExpression } from '../gameday/expression.ts';
import { synthesized, wholeTemplates } from './synthesized.ts';

// CloudWatch judges an alarm every minute by what has arrived until then: here with metrics that arrive late, or never.

const { service } = synthesized('prod');

/** The alarm, its values in place of references: the test is about the expression and the periods. */
function alarmOf(name: string) {
  const [found] = service
    .ofType('AWS::CloudWatch::Alarm')
    .filter(([, { Properties }]) => Properties['AlarmName'] === `insurance-compliance-prod-${name}`);
  const plain = JSON.stringify(found?.[1].Properties, (_, value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    ('Ref' in value || 'Fn::GetAtt' in value || 'Fn::Join' in value)
      ? 'reference'
      : value,
  );
  return z.parse(metricAlarm, JSON.parse(plain));
}

/** Data of a metric: the value of a minute, and after how many minutes more it is there. */
interface Arriving {
  readonly values: readonly (number | undefined)[];
  readonly lateMinutes: number;
}

/** Minutes from the first request on after which the alarm goes off; undefined if it never does. */
function goesOffAfter(name: string, data: Readonly<Record<string, Arriving>>): number | undefined {
  const { watched, EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Threshold } = alarmOf(name);
  expect(watched.periodSeconds).toBe(60);
  expect(Object.keys(data).sort()).toEqual(Object.keys(watched.metrics).sort());
  const evaluate = parseExpression(watched.expression, math);
  const minutes = Math.max(...Object.values(data).map(({ values }) => values.length));
  for (let now = 1; now <= minutes + 10; now += 1) {
    const window = Array.from({ length: EvaluationPeriods }, (_, index) => now - 1 - index);
    const above = window.filter((minute) => {
      const value = evaluate((metric) => {
        const { values, lateMinutes } = data[metric] ?? { values: [], lateMinutes: 0 };
        return minute + 1 + lateMinutes <= now ? values[minute] : undefined;
      });
      return numberOf(value) > Threshold;
    });
    if (above.length >= DatapointsToAlarm) return now;
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

describe('the latency of a new version', () => {
  const { data, service: own } = wholeTemplates('local');
  const deployment = readTemplates({ data, service: own }, { awsEndpoint: 'https://aws' });
  const evaluate = readAlarms(deployment);
  const versions = new Map(
    deployment
      .ofType('AWS::Lambda::Version')
      .map(({ attributes, properties }) => [properties()['FunctionName'], attributes['Version']]),
  );

  /** Whether the alarm is on when requests of these classes took so many milliseconds. */
  function isOn(name: string, requests: readonly (readonly [RouteClass, durationMs: number])[]) {
    const version = versions.get(`insurance-compliance-local-${name}`);
    const lines = requests.map(([routeClass, durationMs]) => ({
      event: 'request',
      version,
      routeClass,
      durationMs,
    }));
    const invocations = requests.map(([, ms]) => ({ functionName: name, payload: {}, ms }));
    const observed = { invocations, requests: [], throttled: [], sent: [], since: 0 };
    const states = evaluate(observed, new Map([[logGroupName.function('local', name), lines]]));
    return states.find((one) => one.name === `${name}-new-version-latency`)?.isInAlarm;
  }

  const groups = routeGroups.map(({ name, routes }) => {
    const classes = [...new Set(Object.values(routes).map(routeClass))];
    const isTimed = (one: RouteClass) => slowAboveMs[one] !== undefined;
    return { name, timed: classes.filter(isTimed), others: classes.filter((one) => !isTimed(one)) };
  });

  test.each(groups)('$name: goes off when half of the requests are slow', ({ name, timed }) => {
    expect(timed).not.toEqual([]);
    for (const one of timed) {
      expect(
        isOn(name, [
          [one, 10_000],
          [one, 10_000],
          [one, 10],
        ]),
      ).toBe(true);
      expect(
        isOn(name, [
          [one, 10_000],
          [one, 10],
          [one, 10],
        ]),
      ).toBe(false);
    }
  });

  test.each(groups.filter(({ others }) => others.length > 0))(
    '$name: does not count lists and uploads, which take as long as their callers',
    ({ name, timed: [one = 'read'], others }) => {
      const long = others.map((other) => [other, 300_000] as const);
      expect(isOn(name, long)).toBe(false);
      expect(isOn(name, [...long, ...long, [one, 10]])).toBe(false);
    },
  );
});
