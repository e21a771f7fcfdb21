import fc from 'fast-check';
import { readScheduleExpression } from '../../../infra/local/triggers/schedules.ts';

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

  it('fires once a day across both daylight saving changes', () => {
    expect(firings(sweep, newYork, '2026-03-07T00:00:00-05:00', 3)).toEqual(
      noted('2026-03-07T05:00:00-05:00', '2026-03-08T05:00:00-04:00', '2026-03-09T05:00:00-04:00'),
    );
    expect(firings(sweep, newYork, '2026-10-31T00:00:00-04:00', 3)).toEqual(
      noted('2026-10-31T05:00:00-04:00', '2026-11-01T05:00:00-05:00', '2026-11-02T05:00:00-05:00'),
    );
  });
});

describe('as EventBridge Scheduler does', () => {
  it('a time that clocks skip is skipped', () => {
    expect(firings('cron(30 2 * * ? *)', newYork, '2026-03-07T12:00:00-05:00')).toEqual(
      noted('2026-03-09T02:30:00-04:00'),
    );
  });

  it('a time that clocks show twice counts once, the first time', () => {
    expect(firings('cron(30 1 * * ? *)', newYork, '2026-10-31T12:00:00-04:00', 2)).toEqual(
      noted('2026-11-01T01:30:00-04:00', '2026-11-02T01:30:00-05:00'),
    );
  });
});

it.each([
  'rate(0 minutes)',
  'rate(5)',
  'at(2026-01-01T00:00:00)',
  'cron(0 5 * * ?)',
  'cron(0 5 L * ? *)',
  'cron(0 5 ? * MON#1 *)',
  'cron(60 5 * * ? *)',
  'cron(0 24 * * ? *)',
  'cron(0,30 5 * * ? *)',
  'cron(0 5 1 * ? *)',
])('%s is refused', (expression) => {
  expect(() => readScheduleExpression(expression, 'UTC')).toThrow();
});

it('the next time is the first one after a given time that matches in its zone', () => {
  const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true });
  const zones = fc.constantFrom(newYork, 'UTC', 'Asia/Kolkata', 'Australia/Lord_Howe');
  fc.assert(
    fc.property(moments, zones, fc.nat(23), fc.nat(59), (moment, zone, hour, minute) => {
      const next = readScheduleExpression(`cron(${minute} ${hour} * * ? *)`, zone);
      const at = next(moment.getTime());
      const shown = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(at);
      expect(shown).toBe(`${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
      expect(at).toBeGreaterThan(moment.getTime());
      // A day, an hour that a change of the clocks adds, and the day of a time that was skipped.
      expect(at - moment.getTime()).toBeLessThanOrEqual(49 * 3_600_000);
      expect(next(at - 1)).toBe(at);
    }),
  );
});
