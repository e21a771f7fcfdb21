import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { OutboxEvent } from '#domain/events/stored.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { inShort } from '../support/extent.ts';
import { emitExamples } from '../support/feed.ts';
import { startPublishers } from '../support/feed-publishers.ts';
import { draw as drawOf } from '../support/seeded.ts';
import { until } from '../support/until.ts';
import { newCarrier, routes, tables } from '../support/webhooks-tests.ts';

describe('events feed follower', () => {
  const count = inShort(28, 280);
  const seed = process.env['FEED_SEED'] ?? 'one';

  const types = ['AGENT_CREATED', 'AGENT_UPDATED', 'CONTRACT_SIGNED', 'COMPLIANCE_INPUTS_CHANGED'] as const;
  const filter = 'AGENT_UPDATED,CONTRACT_SIGNED';
  const importedShare = 0.2;
  const entitiesOfCarrier = 10;
  const writers = 4;

  let drawn = 0;
  const draw = () => {
    drawn += 1;
    return drawOf(seed, String(drawn));
  };
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(draw() * items.length)] ?? items[0];

  const page = z.object({
    items: z.array(z.object({ eventId: z.string(), webhookType: z.string(), sequence: z.int() })),
    next: z.int(),
    hasMore: z.boolean(),
  });

  type Carrier = ReturnType<typeof newCarrier>;
  type Read = z.output<typeof page>['items'][number];

  /** Follows a feed from its beginning until it is over and everything is read. */
  async function follow(
    carrier: Carrier,
    query: Record<string, string>,
    isOver: () => boolean,
  ): Promise<Read[]> {
    const read: Read[] = [];
    for (let after: Record<string, string> = {}; ; ) {
      const wasOver = isOver();
      const limit = String(1 + Math.floor(draw() * 100));
      const { status, text, data } = await carrier.ask(routes.listEvents, {
        query: { ...query, ...after, limit },
      });
      if (status !== 200) throw new Error(text);
      const { items, next, hasMore } = z.parse(page, data);
      read.push(...items);
      after = { after: String(next) };
      if (wasOver && !hasMore) return read;
      if (!hasMore) await pause(50);
    }
  }

  it(`events feed follower: each of ${count} events exactly once and in one order, whatever fails on the way`, async () => {
    let isArmed = true;
    let isOver = false;
    const publishers = startPublishers({ table: tables.outbox, draw, isArmed: () => isArmed });
    // Nobody listens to the first carrier, and the second one's webhook is disabled.
    const carriers = [newCarrier(), newCarrier(), newCarrier()] as const;
    const [, disabled, listening] = carriers;
    await disabled.update((await disabled.created()).webhookId, { isActive: false });
    await listening.created();
    const entities = new Map(
      carriers.map(({ owner }) => [
        owner,
        Array.from({ length: entitiesOfCarrier }, () => newObjectId(new Date())),
      ]),
    );

    const emitted: OutboxEvent[] = [];
    const write = async (): Promise<void> => {
      for (let index = 0; index < count / writers; index += 1) {
        const { owner: upstreamEntityId } = pick(carriers);
        const [first = '', ...others] = entities.get(upstreamEntityId) ?? [];
        const isImported = draw() < importedShare;
        const event = { upstreamEntityId, entityId: pick([first, ...others]), type: pick(types), isImported };
        const items = await emitExamples(tables.outbox, [event], new Date());
        emitted.push(...items);
        publishers.add(items);
      }
    };
    const untilOver = async (work: () => Promise<unknown>): Promise<void> => {
      while (!isOver) {
        await work();
        await pause(25);
      }
    };
    const working = [
      ...publishers.shards.map((shard) => untilOver(() => publishers.consume(shard))),
      untilOver(() => publishers.republish()),
    ];
    const following = carriers.map((carrier) =>
      Promise.all([follow(carrier, {}, () => isOver), follow(carrier, { types: filter }, () => isOver)]),
    );

    await Promise.all(Array.from({ length: writers }, write));
    isArmed = false;
    const isPublished = () => emitted.every(({ eventId }) => publishers.accepted.has(eventId));
    await until(isPublished, 50);
    isOver = true;
    await Promise.all(working);

    const wanted = new Set(filter.split(','));
    for (const [index, carrier] of carriers.entries()) {
      const own = emitted.filter(
        ({ upstreamEntityId, type }) =>
          upstreamEntityId === carrier.owner && type !== 'COMPLIANCE_INPUTS_CHANGED',
      );
      const [all = [], some = []] = (await following[index]) ?? [];
      expect(all.map(({ eventId }) => eventId).sort()).toEqual(own.map(({ eventId }) => eventId).sort());
      expect(some).toEqual(all.filter(({ webhookType }) => wanted.has(webhookType)));
      // One who comes later reads the same, in the same order, up to the last position, which is the number of events.
      expect(await follow(carrier, {}, () => true)).toEqual(all);
      const { data } = await carrier.ask(routes.listEvents, { query: { after: String(own.length) } });
      expect(data).toEqual({ items: [], next: own.length, hasMore: false });

      const entityOf = new Map(own.map(({ eventId, entityId }) => [eventId, entityId]));
      const lasts = new Map<string, number>();
      for (const { eventId, webhookType, sequence } of all) {
        const key = `${entityOf.get(eventId)} ${webhookType}`;
        expect(sequence).toBe((lasts.get(key) ?? 0) + 1);
        lasts.set(key, sequence);
      }
    }
    process.stdout.write(`Events feed follower: ${emitted.length} events of seed ${seed}\n`);
  }, 1_200_000);
});
