import { addDays, by } from '../../shared/platform/dates/dates.ts';
import { ask, clock, importLines, tables } from '../support/carrier-records.ts';
import { eventsFor } from '../support/events.ts';
import { withFaults } from '../support/faults.ts';
import { transaction } from '../support/import-lines.ts';
import {
  answersOf,
  association,
  newCarrier,
  producerNpn,
  question,
  routes,
} from '../support/sale-checks-tests.ts';
import {
  advance,
  answersTo,
  asked,
  askForReset,
  clockOf,
  feedOf,
  later,
  license,
  newBystander,
  nights,
  record,
  rehearse,
  requireNothing,
  reset,
  sandbox,
} from '../support/sandbox-tests.ts';

describe('sandbox reset', () => {
  test('everything is as before, but for events that were sent, whose positions stay', async () => {
    const [owner, bystander] = [await newCarrier(), await newBystander()];
    const [before, ofBystander] = [await answersTo(owner), await answersTo(bystander)];
    expect(before.checks).toMatchObject([{ answer: 'yes' }]);
    const { items: first, next } = await feedOf(owner);
    await rehearse(owner);
    const { receiptId = '', checks } = await answersOf(owner, [asked], { receipt: true });
    expect(checks).toMatchObject([{ answer: 'no' }]);
    const params = { receiptId };
    expect(await ask(owner, routes.getSaleReceipt, { params })).toMatchObject({ status: 200 });
    const during = await feedOf(owner);
    const types = during.items.map(({ webhookType }) => webhookType);
    expect(types).toEqual(
      expect.arrayContaining([
        'AGENT_COMPLIANCE_STATUS_CHANGE',
        'AGENT_LICENSE_EXPIRING',
        'AGENT_LICENSE_EXPIRED',
        'AGENT_REGULATORY_ACTION_ADDED',
      ]),
    );

    await reset(owner);
    expect(await answersTo(owner)).toEqual(before);
    expect(await answersTo(bystander)).toEqual(ofBystander);
    expect(await ask(owner, routes.getSaleReceipt, { params })).toMatchObject({ status: 404 });
    expect(
      await ask(owner, sandbox.getSandboxRegistryRecord, { params: { npn: producerNpn } }),
    ).toMatchObject({
      status: 404,
    });
    expect(await feedOf(owner)).toMatchObject({ items: first, next: during.next });
    expect(await feedOf(owner, next)).toMatchObject({ items: [], next: during.next });

    // Again, with the same events.
    await rehearse(owner);
    const again = await feedOf(owner, during.next);
    expect(again.items.map(({ webhookType }) => webhookType).sort()).toEqual(
      types.slice(first.length).sort(),
    );
  });

  test('a receipt of the rehearsal is reproduced, by the clock of then, while the clock goes on', async () => {
    const owner = await newCarrier({ ...association(), status: 'inactive' });
    await advance(owner, 20);
    const ofTenDaysAgo = question({ date: later(10).slice(0, 10) });
    const { receiptId = '', checks } = await answersOf(owner, [ofTenDaysAgo], { receipt: true });
    expect(checks).toMatchObject([{ warnings: [{ code: 'association_of_today' }] }]);
    const found = async () => (await ask(owner, routes.getSaleReceipt, { params: { receiptId } })).data;
    expect(await found()).toMatchObject({ reproduced: true });
    await advance(owner, 90);
    expect(await found()).toMatchObject({ reproduced: true });
  });

  test('no policy, and so no sale, is of a time to come: none is imported while the clock is ahead', async () => {
    const owner = await newCarrier();
    const lines = [transaction('A'), transaction('B')];
    const imported = (some: object[]) => by(clock.ofOwners, owner, () => importLines(owner, some));
    expect(await imported(lines.slice(0, 1))).toMatchObject({ rejected: [] });
    await advance(owner, 20);
    expect(await imported(lines)).toMatchObject({
      imported: 1,
      rejected: [{ line: 2, issues: [{ path: 'policyNumber', message: expect.stringContaining('reset') }] }],
    });
    await reset(owner);
    expect(await imported(lines)).toMatchObject({ imported: 2, rejected: [] });
  });

  test('what is of the past by then stays, and the registry says again what it makes up', async () => {
    const owner = await newCarrier();
    await record(owner, { licenses: [license], appointments: [] });
    await advance(owner, 1);
    const during = await answersTo(owner);
    clock.time = new Date(clock.time.getTime() + 2 * 86_400_000);
    await advance(owner, 30);
    await reset(owner);
    const facts = (items: readonly Record<string, unknown>[]) =>
      items.filter(({ sk }) => /^FACT#.*#(?:LICENSE|APPOINTMENT)#/.test(String(sk)));
    const [then, after] = [facts(during.stored), facts((await answersTo(owner)).stored)];
    expect(after).toEqual(expect.arrayContaining(then));
    // What the visit of the reset found: the registry makes up others.
    expect(after.length).toBeGreaterThan(then.length);
    expect(await eventsFor(tables.outbox, owner)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
          occurredAt: clock.time.toISOString(),
        }),
      ]),
    );
  });

  test.each(['before', 'after'] as const)(
    'a reset that breaks off goes on, wherever a call breaks off %s it takes effect',
    async (fault) => {
      const owner = await newCarrier();
      const before = await answersTo(owner);
      await rehearse(owner);
      await askForReset(owner);
      const isWrite = (command: string) => /Put|Update|Delete|Write/.test(command);
      let isDone = false;
      // Each run comes some writes further than the one before, until one comes to the end.
      for (let reached = 1; !isDone; reached += 4) {
        let writes = 0;
        const faultOf = (command: string) => {
          if (!isWrite(command)) return 'none';
          writes += 1;
          return writes === reached + 2 ? fault : 'none';
        };
        isDone = await withFaults(faultOf, nights).then(
          () => true,
          () => false,
        );
        // Whoever broke off keeps its lease for a while.
        if (!isDone) clock.time = new Date(clock.time.getTime() + 400_000);
        if (reached % 3 === 0) await askForReset(owner);
      }
      await nights();
      expect(await clockOf(owner)).toMatchObject({ status: 'ready' });
      expect(await answersTo(owner)).toEqual(before);
    },
  );
});

describe('sandbox tenants', () => {
  /** What an organization is answered, and what happened to it, by the days of its clock; without ids, which are its own. */
  async function outcomeOf(owner: string) {
    const { checks } = await answersOf(owner, [asked]);
    const events = await eventsFor(tables.outbox, owner);
    return {
      clock: await clockOf(owner),
      checks: checks.map(({ answer, reasons, warnings, goodUntil }) => ({
        answer,
        reasons,
        warnings,
        goodUntil,
      })),
      events: events.map(({ type, occurredAt }) => `${occurredAt.slice(0, 10)} ${type}`).sort(),
    };
  }

  interface Scenario {
    readonly body: object;
    readonly days: number;
  }

  const endingOn = (nextRenewalDate: string) => ({ licenses: [{ ...license, nextRenewalDate }] });

  test('nothing happens in the nights that are left out: day by day, all is the same', async () => {
    const [atOnce, daily] = [await newBystander(), await newBystander()];
    const today = clock.time.toISOString().slice(0, 10);
    const days = 12;
    const licenses = [
      { ...license, nextRenewalDate: addDays(today, 6) },
      // Is expiring on the third day.
      { ...license, stateCode: 'OK', licenseNumber: '200', nextRenewalDate: addDays(today, 63) },
    ];
    for (const owner of [atOnce, daily]) {
      expect((await record(owner, { licenses })).status).toBe(200);
      await requireNothing(owner, addDays(today, 9));
    }
    await advance(atOnce, days);
    for (let day = 1; day <= days; day += 1) await advance(daily, day);
    const outcome = await outcomeOf(atOnce);
    expect(await outcomeOf(daily)).toEqual(outcome);
    expect(outcome.events).toEqual(
      expect.arrayContaining([
        `${addDays(today, 3)} AGENT_LICENSE_EXPIRING`,
        `${addDays(today, 7)} AGENT_LICENSE_EXPIRED`,
        `${addDays(today, 7)} AGENT_COMPLIANCE_STATUS_CHANGE`,
        `${addDays(today, 9)} COMPLIANCE_INPUTS_CHANGED`,
      ]),
    );
  });

  test('several that rehearse, reset, and ask at once are answered as if alone, and others notice nothing', async () => {
    const scenarios: readonly Scenario[] = [
      { body: endingOn('2026-07-20'), days: 30 },
      { body: endingOn('2026-09-10'), days: 20 },
      { body: { isNotFound: true }, days: 40 },
    ];
    const run = async (owner: string, { body, days }: Scenario) => {
      expect((await record(owner, body)).status).toBe(200);
      const to = later(days);
      expect(await ask(owner, sandbox.advanceSandboxClock, { body: { to } })).toMatchObject({ status: 202 });
    };
    const alone = [];
    for (const scenario of scenarios) {
      const owner = await newBystander();
      await run(owner, scenario);
      await nights();
      alone.push(await outcomeOf(owner));
    }

    const bystander = await newBystander();
    const own = { params: { npn: producerNpn } };
    expect((await record(bystander, endingOn('2026-08-15'))).status).toBe(200);
    const seen = async () => ({
      ...(await answersTo(bystander)),
      clock: await clockOf(bystander),
      record: (await ask(bystander, sandbox.getSandboxRegistryRecord, own)).data,
      feed: await feedOf(bystander),
    });
    const before = await seen();
    const owners = await Promise.all(scenarios.map(() => newBystander()));
    const untouched = await answersTo(owners[0] ?? '');
    // Of two runs that the schedule begins at once, each clock is one's.
    const meanwhile = (work: readonly Promise<unknown>[]) =>
      Promise.all([...work, nights(), nights(), ...owners.map(outcomeOf), seen()]);
    await meanwhile(owners.map((owner, index) => run(owner, scenarios[index] ?? { body: {}, days: 1 })));
    await nights();
    expect(await Promise.all(owners.map(outcomeOf))).toEqual(alone);
    expect(await seen()).toEqual(before);

    // One takes it back while the others stay.
    const [first = '', ...others] = owners;
    clock.time = new Date(clock.time.getTime() + 1_000);
    await meanwhile([askForReset(first)]);
    await nights();
    expect(await answersTo(first)).toEqual(untouched);
    const rest = await Promise.all(others.map(outcomeOf));
    expect(rest.map(({ checks, events }) => ({ checks, events }))).toEqual(
      alone.slice(1).map(({ checks, events }) => ({ checks, events })),
    );
    expect({ ...(await seen()), clock: before.clock }).toEqual(before);
  });
});
