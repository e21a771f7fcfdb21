import { randomUUID } from 'node:crypto';
import { createClocks } from '../../shared/domain/sandbox/clocks.ts';
import { addDays, byClock, newYorkDate } from '../../shared/platform/dates/dates.ts';
import { callerOf } from '../support/api-event.ts';
import { carrier, otherCarrier, tables } from '../support/registry-records-tests.ts';
import { advance, clock, clockOf, later, nights } from '../support/sandbox-clock-tests.ts';
import { dynamo } from '../support/tables.ts';

describe('a clock', () => {
  test('is the real one, and goes where it is advanced to when its nights are run', async () => {
    expect(await clockOf(carrier)).toEqual({ now: clock.real.toISOString(), status: 'ready' });
    const to = later(10);
    expect(await advance(carrier, to)).toMatchObject({ status: 202, data: { status: 'advancing' } });
    expect(await clockOf(carrier)).toEqual({ now: clock.real.toISOString(), status: 'advancing' });
    await nights();
    expect(await clockOf(carrier)).toEqual({ now: to, status: 'ready' });
    expect(await clockOf(otherCarrier)).toEqual({ now: clock.real.toISOString(), status: 'ready' });
    // It runs on.
    clock.real = new Date(clock.real.getTime() + 60_000);
    expect(await clockOf(carrier)).toMatchObject({ now: later(10) });
  });

  test('goes forward only, and at most 400 days', async () => {
    for (const to of [clock.real.toISOString(), later(-1), later(401)]) {
      expect(await advance(carrier, to)).toMatchObject({
        status: 400,
        json: { details: { issues: [{ path: 'to' }] } },
      });
    }
    await advance(carrier, later(30));
    await nights();
    expect(await advance(carrier, later(29))).toMatchObject({ status: 400 });
    expect(await advance(carrier, later(400))).toMatchObject({ status: 202 });
  });

  test('takes one advance at a time, and the same request twice', async () => {
    const same = { headers: { 'idempotency-key': randomUUID() }, identity: callerOf(carrier) };
    const first = await advance(carrier, later(1), same);
    expect(await advance(carrier, later(1), same)).toMatchObject({ status: 202, data: first.data });
    expect(await advance(carrier, later(2))).toMatchObject({ status: 409, json: { errorType: 'conflict' } });
  });

  test('is the clock of what is done for its organization alone', async () => {
    await advance(carrier, later(90));
    await nights();
    const clocks = createClocks(dynamo, tables.registryRecords);
    const now = byClock(() => clock.real);
    const today = async () => newYorkDate(now());
    const seen = await Promise.all([carrier, otherCarrier, carrier].map((owner) => clocks.run(owner, today)));
    expect(seen).toEqual([addDays('2026-06-01', 90), '2026-06-01', addDays('2026-06-01', 90)]);
  });
});
