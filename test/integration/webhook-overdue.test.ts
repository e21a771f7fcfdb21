import { createOverdueWebhooks, wakeOverdue } from '../../functions/webhook-delivery/wake-overdue.ts';
import { drainWithinSeconds, nextDrainKey, nextDrainKeyOf } from '../../shared/domain/webhooks/drain-item.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { newContext, webhooksOf } from '../support/webhooks-tests.ts';

/** The id of a webhook whose look is in this shard. */
function idIn(shard: number): string {
  for (;;) {
    const id = newObjectId(new Date());
    if (nextDrainKeyOf(id) === nextDrainKey(shard)) return id;
  }
}

/** Runs the schedule's task; answers the owners whose webhooks got a message. */
async function wakeAll({ waker, now, log, memory }: ReturnType<typeof newContext>): Promise<string[]> {
  await wakeOverdue({
    webhooks: createOverdueWebhooks(webhooksOf()),
    waker,
    now,
    log,
  });
  return memory.waiting.splice(0).map(({ message: { owner } }) => owner);
}

test('the schedule finds the webhooks of every shard whose look is overdue, once', async () => {
  const context = newContext();
  // The first and the last shard, and those around what is read at once.
  const others = [0, 15, 16, 31, 32, 47, 48, 63].map((shard) => ({ ...newContext(), shard }));
  for (const other of others) {
    await other.webhook('/overdue', { _id: idIn(other.shard) });
    await other.fanOut(await other.event());
  }
  expect(await wakeAll(context)).toEqual([]);
  context.advance((drainWithinSeconds + 1) * 1_000);
  expect((await wakeAll(context)).sort()).toEqual(others.map(({ owner }) => owner).sort());
  expect(await wakeAll(context)).toEqual([]);
  context.advance(drainWithinSeconds * 1_000);
  expect(await wakeAll(context)).toHaveLength(others.length);
  for (const other of others) await other.drain();
  context.advance(86_400_000);
  expect(await wakeAll(context)).toEqual([]);
});

test('a drain says for how long the first delivery that it found had been due', async () => {
  const context = newContext();
  await context.webhook('/late');
  await context.fanOut(await context.event());
  context.advance(90_000);
  await context.drain();
  await context.drain();
  const drains = context.log.lines.filter(({ event }) => event === 'webhook_drain');
  expect(drains[0]).toMatchObject({ queue: 'healthy', attempts: 1, lateSeconds: 90 });
});

test('the shards are of about the same size', () => {
  const counts = new Map<string, number>();
  for (let index = 0; index < 6_400; index += 1) {
    const shard = nextDrainKeyOf(newObjectId(new Date()));
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  expect(counts.size).toBe(64);
  expect(Math.max(...counts.values())).toBeLessThan(200);
});
