import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import type { DrainDeps } from '../../functions/webhook-delivery/drain.ts';
import { pageSizes } from '../../functions/webhook-delivery/lease-limits.ts';
import { deliveryIdOf, type QueuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import { webhookKeys } from '../../shared/domain/webhooks/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { putWebhook } from '../support/deliveries.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import { newContext, tables } from '../support/webhooks-tests.ts';

// Beside a transaction that is under way, a read may show its due entries and a later one their deliveries as they were before:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation

type Context = ReturnType<typeof newContext>;

/** A worker's store that shows deliveries as they were, for so many reads. */
function showing(
  { deps: { store } }: Context,
  before: ReadonlyMap<string, QueuedDelivery | undefined>,
  reads = 1,
): Pick<DrainDeps, 'store'> {
  let left = reads;
  return {
    store: {
      ...store,
      async read(...given) {
        const { webhook, deliveries } = await store.read(...given);
        left -= 1;
        if (left < 0) return { webhook, deliveries };
        const shown = [...deliveries].flatMap(([id, delivery]) => {
          const old = before.has(id) ? before.get(id) : delivery;
          return old === undefined ? [] : [[id, old] as const];
        });
        return { webhook, deliveries: new Map(shown) };
      },
    },
  };
}

/** A webhook whose event is asked for anew, after some work; the delivery as it is, and as it was before. */
async function redelivered(path: string, work: (context: Context) => Promise<unknown>) {
  const context = newContext();
  const webhook = await context.webhook(path);
  const event = await context.event();
  await context.fanOut(event);
  await work(context);
  const delivery = () => context.delivery(event.eventId, webhook);
  const before = new Map([[deliveryIdOf(event.eventId, webhook._id), await delivery()]]);
  context.advance(1);
  await context.redeliver(event.eventId, webhook);
  return { context, webhook, delivery, before };
}

test.each([
  ['was delivered', (context: Context) => context.drain()],
  ['is still due', () => Promise.resolve()],
])('a redelivery of what %s is made though its due entry is seen before it', async (what, work) => {
  const path = `/half/${what.length}`;
  const { context, webhook, delivery, before } = await redelivered(path, work);
  const since = context.now().getTime();
  await context.workOnce(showing(context, before));
  await context.drain();
  expect(context.got(path)).toHaveLength(2);
  expect(context.now().getTime() - since).toBeLessThan(60_000);
  expect(await delivery()).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
  expect(await context.entries(webhook)).toEqual([]);
});

test('a delivery of a test is made though its due entry is seen before it exists', async () => {
  const context = newContext();
  const webhook = await context.webhook('/half/new');
  const event = await context.event();
  await context.fanOut(event);
  await context.workOnce(showing(context, new Map([[deliveryIdOf(event.eventId, webhook._id), undefined]])));
  await context.drain();
  expect(await context.delivery(event.eventId, webhook)).toMatchObject({ status: 'succeeded' });
  expect(await context.entries(webhook)).toEqual([]);
});

test('a worker that sees nothing but such entries gives its lease back until it checks again', async () => {
  const context = newContext();
  const webhook = await context.webhook('/half/many');
  const events = await context.events(pageSizes.healthy + 1);
  await context.fanOut(events);
  const before = new Map(events.map(({ eventId }) => [deliveryIdOf(eventId, webhook._id), undefined]));
  const { calls } = await databaseCalls(() => context.workOnce(showing(context, before, 50)));
  expect(calls.filter((call) => call === 'QueryCommand')).toHaveLength(1);
  const item = await context.drainItem(webhook);
  expect(item).not.toHaveProperty('lease');
  expect(item?.nextDrainAt).toBe(new Date(context.now().getTime() + 1_000).toISOString());
  await context.drain();
  expect(context.got('/half/many')).toHaveLength(events.length);
  expect(await context.entries(webhook)).toEqual([]);
});

test('a redelivery requested before its webhook was disabled waits for a replay, without a next attempt', async () => {
  const { context, webhook, delivery, before } = await redelivered('/half/disabled', (it) => it.drain());
  await putWebhook(tables.webhooks, context.owner, { ...webhook, isActive: false, version: 2 });
  await context.workOnce(showing(context, before, 2));
  await context.drain();
  expect(context.got('/half/disabled')).toHaveLength(1);
  expect(await delivery()).toMatchObject({ status: 'pending', nextAttemptAt: null });
  expect(await context.entries(webhook)).toEqual([]);
});

test.each([
  ['an active', true],
  ['a disabled', false],
])('due entries of %s webhook whose deliveries are gone go within minutes', async (_, isActive) => {
  const context = newContext();
  const webhook = await context.webhook('/half/gone');
  const event = await context.event();
  await context.fanOut(event);
  await putWebhook(tables.webhooks, context.owner, { ...webhook, isActive, version: 2 });
  const key = webhookKeys.delivery(context.owner, webhook._id, deliveryIdOf(event.eventId, webhook._id));
  await dynamo.send(new DeleteItemCommand({ TableName: tables.webhooks, Key: toItem(key) }));
  const since = context.now().getTime();
  await context.drain();
  expect(await context.entries(webhook)).toEqual([]);
  expect(await context.drainItem(webhook)).not.toHaveProperty('nextDrainAt');
  expect(context.now().getTime() - since).toBeLessThanOrEqual(2 * 60_000);
});
