import { by } from '../../shared/platform/dates/clock.ts';
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
  reset,
  sandbox,
} from '../support/sandbox-tests.ts';

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
  expect(await ask(owner, sandbox.getSandboxRegistryRecord, { params: { npn: producerNpn } })).toMatchObject({
    status: 404,
  });
  expect(await feedOf(owner)).toMatchObject({ items: first, next: during.next });
  expect(await feedOf(owner, next)).toMatchObject({ items: [], next: during.next });

  // Again, with the same events.
  await rehearse(owner);
  const again = await feedOf(owner, during.next);
  expect(again.items.map(({ webhookType }) => webhookType).sort()).toEqual(types.slice(first.length).sort());
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
