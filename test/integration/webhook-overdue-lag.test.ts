import { createOverdueWebhooks, wakeOverdue } from '../../functions/webhook-delivery/wake-overdue.ts';
import type { DrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { draw } from '../faults/seeded.ts';
import { laggingClient } from '../support/aws-faults/lagging-client.ts';
import { newContext, replies, webhooksOf, workerParts } from '../support/webhooks-tests.ts';

const minute = 60_000;
/** The longest that an index takes to show a write: half of them it shows 600 milliseconds later. */
const longestLagMs = 1_200;
/** From an attempt that fails to its retry (`retryDelays`, with half of the jitter). */
const retryMs = 5_250;
const seed = process.env['OVERDUE_SEED'] ?? 'lag';

let context: ReturnType<typeof newContext>;
const now = () => context.now();
let lagging: Awaited<ReturnType<typeof laggingClient>>;

beforeAll(async () => {
  context = newContext();
  lagging = await laggingClient(
    (_table, write) => draw(seed, 'lag', write) * longestLagMs,
    () => now().getTime(),
  );
});

afterAll(() => lagging.close());

/** Messages that are to arrive later are lost, as if a crash kept them from being sent: only the schedule remembers. */
const queues: DrainQueues = {
  send: (looks) => context.memory.queues.send(looks.filter(({ delaySeconds }) => delaySeconds === 0)),
};

async function workOnAll(): Promise<void> {
  while (context.memory.waiting.length > 0)
    await context.workOnce(workerParts(lagging.client, { queues, now }));
}

/** Fans out an event, and makes the attempts that are due. */
async function deliver(event: Awaited<ReturnType<typeof context.event>>): Promise<void> {
  await context.fanOut(event, { client: lagging.client, queues });
  await workOnAll();
}

/** The schedule, and the work that it asks for; answers the webhooks that it found. */
async function tick(): Promise<string[]> {
  const { waker } = workerParts(lagging.client, { queues, now });
  await wakeOverdue({
    webhooks: createOverdueWebhooks(webhooksOf(lagging.client)),
    waker,
    now,
    log: context.log,
  });
  const found = context.memory.waiting.map(({ message }) => message.webhookId);
  await workOnAll();
  return found.sort();
}

test('a retry that the index leaves out when the schedule comes is found a minute later, and made once', async () => {
  process.stdout.write(`OVERDUE_SEED=${seed}\n`);
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      replies.set(`/lag-${index}`, (time) => (time === 1 ? 500 : 200));
      return context.webhook(`/lag-${index}`);
    }),
  );
  const ids = all.map(({ _id }) => _id);
  const comesAt = (Math.floor(now().getTime() / minute) + 2) * minute;
  const moveTo = (time: number) => context.advance(time - now().getTime());

  // Its first attempts fail; the retries are due 0.2 seconds before the schedule comes.
  const retried = await context.event();
  moveTo(comesAt - retryMs - 200);
  await deliver(retried);
  // The workers that deliver another event shortly before write the drain items again.
  const other = await context.event();
  moveTo(comesAt - 600);
  await deliver(other);
  for (const webhook of all) {
    const { nextDrainAt, lease } = (await context.drainItem(webhook)) ?? {};
    expect(lease).toBeUndefined();
    expect(Date.parse(nextDrainAt ?? '')).toBe(comesAt - 200);
  }

  moveTo(comesAt);
  const found = await tick();
  // With none the test would show nothing, and where nothing lags the schedule is in time.
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(all.length);
  moveTo(comesAt + minute);
  expect(await tick()).toEqual(ids.filter((id) => !found.includes(id)).sort());

  moveTo(comesAt + 3 * minute);
  expect(await tick()).toEqual([]);
  for (const [index, webhook] of all.entries()) {
    expect(context.got(`/lag-${index}`)).toHaveLength(3);
    for (const { eventId } of [retried, other]) {
      const delivery = await context.delivery(eventId, webhook);
      expect(delivery).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
    }
    expect(await context.entries(webhook)).toEqual([]);
  }
});

test('the schedule wakes no webhook that the index still shows under a time that has passed', async () => {
  const stale = await context.webhook('/stale');
  await deliver(await context.event());
  const { waker } = workerParts(lagging.client, { queues, now });
  const index = {
    async *overdue() {
      yield [{ owner: context.owner, webhookId: stale._id }];
    },
  };
  expect(await wakeOverdue({ webhooks: index, waker, now, log: context.log })).toEqual({ woken: 0 });
});
