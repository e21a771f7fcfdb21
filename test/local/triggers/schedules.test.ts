import { jest } from '@jest/globals';
import type { LocalFunction } from '../../../infra/local/functions/local-function.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';
import {
  readScheduleExpression,
  type Schedules,
  startSchedules,
} from '../../../infra/local/triggers/schedules.ts';

describe('schedule expression', () => {
  const newYork = 'America/New_York';

  /** The next firings after a moment, as ISO times. */
  function firings(expression: string, zone: string, after: string, count = 1): string[] {
    const next = readScheduleExpression(expression, zone);
    const found: string[] = [];
    for (let at = Date.parse(after); found.length < count; ) {
      at = next(at);
      found.push(new Date(at).toISOString());
    }
    return found;
  }

  const noted = (...times: string[]): string[] => times.map((time) => new Date(time).toISOString());

  it('a rate counts from the given time', () => {
    expect(firings('rate(5 minutes)', 'UTC', '2026-01-01T00:00:07Z', 2)).toEqual(
      noted('2026-01-01T00:05:07Z', '2026-01-01T00:10:07Z'),
    );
    expect(firings('rate(1 hour)', 'UTC', '2026-01-01T00:00:00Z')).toEqual(noted('2026-01-01T01:00:00Z'));
  });

  describe('cron(0 5 * * ? *) in New York', () => {
    const sweep = 'cron(0 5 * * ? *)';

    it('fires at five local time, in winter and in summer', () => {
      expect(firings(sweep, newYork, '2026-01-15T09:59:59.999Z')).toEqual(noted('2026-01-15T10:00:00Z'));
      expect(firings(sweep, newYork, '2026-01-15T10:00:00Z')).toEqual(noted('2026-01-16T10:00:00Z'));
      expect(firings(sweep, newYork, '2026-07-15T00:00:00Z')).toEqual(noted('2026-07-15T09:00:00Z'));
    });
  });

  it.each([
    'rate(0 minutes)',
    'cron(0 5 * * ?)',
    'cron(0 5 ? * MON#1 *)',
    'cron(60 5 * * ? *)',
    'cron(0 5 1 * ? *)',
  ])('%s is refused', (expression) => {
    expect(() => readScheduleExpression(expression, 'UTC')).toThrow();
  });
});

describe('schedules', () => {
  const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:sweep';

  /** A schedule of a function whose calls are remembered. */
  function start(
    properties: object = {},
    options: {
      readonly allowed?: string;
      readonly answer?: () => Promise<unknown>;
    } = {},
  ): { readonly schedules: Schedules; readonly calls: unknown[] } {
    const calls: unknown[] = [];
    const target: LocalFunction = {
      settings: {
        module: '',
        handler: '',
        functionName: 'sweep',
        functionArn,
        memoryLimitInMB: 128,
        timeoutMs: 1_000,
        environment: {},
      },
      invoke: (payload) => {
        calls.push(payload);
        return (options.answer ?? (async () => 'done'))();
      },
      stream: () => {
        throw new Error('A sweep does not stream.');
      },
      crash: async () => undefined,
      stop: async () => undefined,
    };
    const Role = {
      Type: 'AWS::IAM::Role',
      Properties: {
        Policies: [
          {
            PolicyDocument: {
              Statement: [
                {
                  Effect: 'Allow',
                  Action: options.allowed ?? 'lambda:InvokeFunction',
                  Resource: functionArn,
                },
              ],
            },
          },
        ],
      },
    };
    const Schedule = {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        Name: 'insurance-compliance-local-sweep',
        GroupName: 'group',
        FlexibleTimeWindow: { Mode: 'OFF' },
        ScheduleExpression: 'cron(0 5 * * ? *)',
        ScheduleExpressionTimezone: 'America/New_York',
        State: 'ENABLED',
        Target: {
          Arn: functionArn,
          RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
          Input: '{"task":"dispatch","asOf":"<aws.scheduler.scheduled-time>"}',
          RetryPolicy: { MaximumRetryAttempts: 3 },
        },
        ...properties,
      },
    };
    const deployment = readTemplates({ service: { Resources: { Role, Schedule } } }, { awsEndpoint: '' });
    const schedules = startSchedules(deployment, { byArn: () => target });
    stopping.push(schedules);
    return { schedules, calls };
  }

  const stopping: Schedules[] = [];
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-03-07T12:00:00Z') });
  });
  afterEach(async () => {
    await Promise.all(stopping.splice(0).map((one) => one.stop()));
    jest.useRealTimers();
  });

  const hours = 3_600_000;

  it('a schedule invokes its function in its time zone, also across a daylight saving change', async () => {
    const { calls } = start();
    await jest.advanceTimersByTimeAsync(20.999 * hours);
    expect(calls).toEqual([]);
    await jest.advanceTimersByTimeAsync(0.001 * hours);
    expect(calls).toEqual([{ task: 'dispatch', asOf: '2026-03-08T09:00:00Z' }]);
    await jest.advanceTimersByTimeAsync(48 * hours);
    expect(calls).toHaveLength(3);
  });

  it('a schedule whose run has stopped invokes nothing', async () => {
    const stopped = start();
    await stopped.schedules.stop();
    await jest.advanceTimersByTimeAsync(72 * hours);
    expect(stopped.calls).toEqual([]);
  });

  it('a schedule fires on request and returns the result of its function', async () => {
    const { schedules, calls } = start();
    expect(await schedules.fire('sweep')).toBe('done');
    expect(calls).toEqual([{ task: 'dispatch', asOf: '2026-03-07T12:00:00Z' }]);
    await expect(schedules.fire('other')).rejects.toThrow('There is no schedule "other".');
  });

  it('the canary’s schedule fires on request only', async () => {
    const { schedules, calls } = start({ Name: 'insurance-compliance-local-canary-check' });
    await jest.advanceTimersByTimeAsync(72 * hours);
    expect(calls).toEqual([]);
    expect(await schedules.fire('canary-check')).toBe('done');
  });

  it('a call is in progress until its function returns, and its failure stops nothing', async () => {
    let fail = (_: Error): void => undefined;
    const { schedules, calls } = start(
      { ScheduleExpression: 'rate(1 minute)' },
      {
        answer: () =>
          new Promise((_, reject) => {
            fail = reject;
          }),
      },
    );
    expect(await schedules.idle()).toBe(true);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await schedules.idle()).toBe(false);
    fail(new Error('no'));
    await jest.advanceTimersByTimeAsync(0);
    expect(await schedules.idle()).toBe(true);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(2);
  });

  it('a role that may not invoke the function stops the start', () => {
    expect(() => start({}, { allowed: 'lambda:GetFunction' })).toThrow(
      `The role of the schedule insurance-compliance-local-sweep may not lambda:InvokeFunction on ${functionArn}.`,
    );
  });

  it.each([
    ['a switch that is off', { State: 'DISABLED' }],
    ['a flexible window', { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 } }],
    ['a zone that does not exist', { ScheduleExpressionTimezone: 'America/Nowhere' }],
  ])('a schedule with %s stops the start', (_, properties) => {
    expect(() => start(properties)).toThrow();
  });
});
