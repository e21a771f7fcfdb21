import { addDays } from '../../shared/platform/dates/calendar.ts';
import { ask, clock, tables } from '../support/carrier-records.ts';
import { eventsFor } from '../support/events.ts';
import { answersOf, producerNpn } from '../support/sale-checks-tests.ts';
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
  requireNothing,
  sandbox,
} from '../support/sandbox-tests.ts';

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
