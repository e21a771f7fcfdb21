import { installClock, installTimers, timeOn } from '../support/fast-clock/fast-clock.ts';
import { slowedDown } from '../support/fast-clock/fast-queues.ts';

const clock = { since: Date.parse('2026-06-01T09:00:00.000Z'), speed: 20 };

it('a fast clock equals the machine’s until its start, and then runs faster by its factor', () => {
  expect(timeOn(clock, clock.since)).toBe(clock.since);
  expect(timeOn(clock, clock.since + 3_000)).toBe(clock.since + 60_000);
});

it('Date shows the clock’s time, and parses other times as usual', () => {
  const { Date: machine, setTimeout: machineTimer } = globalThis;
  const since = machine.now() - 1_000;
  try {
    installClock({ since, speed: 1_000 });
    expect(Date.now() - since).toBeGreaterThanOrEqual(1_000_000);
    expect(Date.parse(new Date().toISOString()) - since).toBeGreaterThanOrEqual(1_000_000);
    expect(new Date('2026-06-01T09:00:00.000Z').toISOString()).toBe('2026-06-01T09:00:00.000Z');
    expect(new Date(0)).toBeInstanceOf(Date);
    expect(Date.parse('1970-01-01T00:00:01.000Z')).toBe(1_000);
    expect(Date.UTC(1970, 0, 1)).toBe(0);
  } finally {
    Object.assign(globalThis, { Date: machine, setTimeout: machineTimer });
  }
});

it.each([
  [
    'of ten seconds follow a faster clock, and shorter ones the machine’s',
    () => installClock({ since: Date.now(), speed: 20 }),
    [[750, 'given'], [3_000], [500], 600, 5_000],
  ],
  [
    'of a second get longer for a slow machine, and shorter ones do not',
    () => installTimers({ speed: 0.1 }),
    [[150_000, 'given'], [30_000], [500], 120_000, 50_000],
  ],
])('timers %s', (_, install, expected) => {
  const { Date: machine, setTimeout: machineTimer } = globalThis;
  const { timeout } = AbortSignal;
  const asked: unknown[] = [];
  try {
    AbortSignal.timeout = (ms) => {
      asked.push(ms);
      return new AbortController().signal;
    };
    globalThis.setTimeout = ((_: () => void, ms: number, ...given: unknown[]) =>
      asked.push([ms, ...given])) as unknown as typeof setTimeout;
    install();
    setTimeout((_given: string) => undefined, 15_000, 'given');
    setTimeout(() => undefined, 3_000);
    setTimeout(() => undefined, 500);
    AbortSignal.timeout(12_000);
    AbortSignal.timeout(5_000);
  } finally {
    Object.assign(globalThis, { Date: machine, setTimeout: machineTimer });
    AbortSignal.timeout = timeout;
  }
  expect(asked).toEqual(expected);
});

it.each([
  ['delays', { DelaySeconds: 900 }, { DelaySeconds: 45 }],
  ['delays that SQS rejects, which stay', { DelaySeconds: 901 }, { DelaySeconds: 901 }],
  [
    'visibility timeouts',
    { Attributes: { VisibilityTimeout: '1800' } },
    { Attributes: { VisibilityTimeout: '90' } },
  ],
])('queues follow the clock with their %s', (_, given, expected) => {
  expect(slowedDown(given, 20)).toEqual(expected);
});
