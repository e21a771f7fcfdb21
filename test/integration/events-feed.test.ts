import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { feedKeys } from '#domain/events/feed.ts';
import { feedTypes, webhookTypes } from '#domain/events/payloads.ts';
import type { OutboxEvent } from '#domain/events/stored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { callsOf, unitsOf } from '../bench/measuring.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { type Emitted, emitExamples, publishAll } from '../support/feed.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import { day, newCarrier, routes, tables } from '../support/webhooks-tests.ts';

describe('events feed', () => {
  type Carrier = ReturnType<typeof newCarrier>;
  const event = z.looseObject({ eventId: z.string(), sequence: z.int() });
  const page = z.strictObject({ items: z.array(event), next: z.int(), hasMore: z.boolean() });

  const ask = (carrier: Carrier, query: Record<string, string> = {}) =>
    carrier.ask(routes.listEvents, { query });

  async function read(carrier: Carrier, query: Record<string, string> = {}) {
    const { status, text, data } = await ask(carrier, query);
    if (status !== 200) throw new Error(text);
    return z.parse(page, data);
  }

  const idsOf = (items: readonly { readonly eventId: string }[]): string[] =>
    items.map(({ eventId }) => eventId);

  /** Ids of all events, as a reader that follows `next` gets them. */
  async function follow(carrier: Carrier, query: Record<string, string> = {}): Promise<string[]> {
    const ids: string[] = [];
    for (let after: Record<string, string> = {}; ; ) {
      const { items, next, hasMore } = await read(carrier, { ...query, ...after });
      ids.push(...idsOf(items));
      if (!hasMore) return ids;
      after = { after: String(next) };
    }
  }

  const emit = (carrier: Carrier, count: number, given: Omit<Emitted, 'upstreamEntityId'> = {}) => {
    const one = { upstreamEntityId: carrier.owner, ...given };
    return emitExamples(
      tables.outbox,
      Array.from({ length: count }, () => one),
      carrier.now(),
    );
  };

  const publishNow = ({ now }: Carrier, items: readonly OutboxEvent[]) =>
    publishAll(tables.outbox, items, { now });

  async function published(carrier: Carrier, count: number, given: Omit<Emitted, 'upstreamEntityId'> = {}) {
    const items = await emit(carrier, count, given);
    await publishNow(carrier, items);
    return items;
  }

  /** Raises an organization's last position, as after a restore of the table; those before it have no entry. */
  const continueAbove = (carrier: Carrier, last: number, { from } = { from: 1 }) =>
    dynamo.send(
      new UpdateItemCommand({
        TableName: tables.outbox,
        Key: toItem(feedKeys.counter(carrier.owner)),
        UpdateExpression: 'SET #last = :last, skipped = :skipped, firsts = if_not_exists(firsts, :none)',
        ExpressionAttributeNames: { '#last': 'last' },
        ExpressionAttributeValues: toItem({ ':last': last, ':skipped': [{ from, to: last }], ':none': {} }),
      }),
    );

  it('a carrier without a webhook reads each of its published events once, in one order', async () => {
    const [carrier, other] = [newCarrier(), newCarrier()];
    const items = await published(carrier, 7);
    await published(other, 1);
    expect(await read(carrier)).toMatchObject({ next: 7, hasMore: false });
    expect(await follow(carrier, { limit: '3' })).toEqual(idsOf(items));
    expect(await follow(other)).toHaveLength(1);
  });

  it('events are as webhooks get them', async () => {
    const carrier = newCarrier();
    const [item] = await published(carrier, 1, { type: 'CONTRACT_SIGNED' });
    const { items } = await read(carrier);
    const { eventId, upstreamEntityId, occurredAt, payload } = item ?? {};
    const body = {
      eventId,
      webhookType: 'CONTRACT_SIGNED',
      upstreamEntityId,
      occurredAt,
      sequence: 1,
      payload,
    };
    expect(items).toEqual([body]);
  });

  it('a poll that finds nothing costs one read', async () => {
    const [carrier, fresh] = [newCarrier(), newCarrier()];
    await published(carrier, 3);
    for (const [who, query] of [
      [carrier, { after: '3' }],
      [carrier, { after: '3', types: 'AGENT_CREATED' }],
      [fresh, {}],
      [fresh, { after: '0' }],
    ] as const) {
      const { calls } = await databaseCalls(() => ask(who, query));
      expect(calls).toEqual(['GetItemCommand']);
      expect(unitsOf(await callsOf(() => ask(who, query)))).toBeLessThanOrEqual(1);
      expect(await read(who, query)).toMatchObject({ items: [], hasMore: false });
    }
  });

  it('a filter shows only its types; a response can be empty while there are more', async () => {
    const carrier = newCarrier();
    const items = await published(carrier, 10);
    await continueAbove(carrier, 1_010, { from: 11 });
    const [last] = await published(carrier, 1, { type: 'AGENT_UPDATED' });
    const query = { types: 'AGENT_UPDATED,CONTRACT_SIGNED' };
    expect(await read(carrier, query)).toEqual({ items: [], next: 1_000, hasMore: true });
    expect(await follow(carrier, query)).toEqual([last?.eventId]);
    // What is published together is read in parts: none is skipped.
    expect(await follow(carrier, { limit: '3' })).toEqual([...idsOf(items), last?.eventId]);
    expect((await read(carrier, { limit: '2', types: 'AGENT_CREATED' })).next).toBe(2);
  });

  it.each([
    [{ types: 'AGENT_CREATED,AGENT' }, 'types[1]'],
    [{ types: '' }, 'types[0]'],
  ])('an unknown type is 400 with those that are accepted: %j', async (query, path) => {
    const { status, text } = await ask(newCarrier(), query);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      errorType: 'validation_error',
      details: { issues: [{ path, accepted: [...webhookTypes, ...feedTypes] }] },
    });
  });

  it.each([
    { limit: '101' },
    { limit: '0' },
    { after: '-1' },
    { after: 'abc' },
    { after: '1.5' },
    { after: '' },
    { after: '1' },
    { after: '9999999999999999' },
    { before: '1' },
  ])('what is no page of the feed is 400: %j', async (query: Record<string, string>) => {
    const { status, text } = await ask(newCarrier(), query);
    const { errorType, details } = JSON.parse(text);
    expect([status, errorType]).toEqual([400, 'validation_error']);
    expect(details).not.toHaveProperty('earliest');
  });

  it('events are kept for 30 days, and an older position is 400 that names the oldest', async () => {
    const carrier = newCarrier();
    await published(carrier, 2);
    carrier.advance(10 * day);
    const kept = await published(carrier, 2);
    carrier.advance(20 * day);
    expect(await follow(carrier)).toHaveLength(4);
    expect(await follow(carrier, { after: '0' })).toHaveLength(4);
    carrier.advance(day);
    expect(await follow(carrier)).toEqual(idsOf(kept));
    const { status, text } = await ask(carrier, { after: '1' });
    expect(status).toBe(400);
    expect(JSON.parse(text).details).toEqual({
      issues: [{ path: 'after', message: expect.stringContaining('the oldest has the position 3') }],
      earliest: 2,
    });
    expect(await read(carrier, { after: '2' })).toMatchObject({ next: 4 });
    carrier.advance(30 * day);
    // Whoever has read everything has missed nothing.
    expect(await read(carrier, { after: '4' })).toEqual({ items: [], next: 4, hasMore: false });
    expect(await read(carrier)).toEqual({ items: [], next: 4, hasMore: false });
    expect((await ask(carrier, { after: '3' })).status).toBe(400);
  });

  it('after=latest answers no event and the newest position, from which a reader goes on', async () => {
    const carrier = newCarrier();
    expect(await read(carrier, { after: 'latest' })).toEqual({ items: [], next: 0, hasMore: false });
    await published(carrier, 3);
    expect(await read(carrier, { after: 'latest', limit: '1', types: 'AGENT_CREATED' })).toEqual({
      items: [],
      next: 3,
      hasMore: false,
    });
    const later = await published(carrier, 2);
    expect(await follow(carrier, { after: '3' })).toEqual(idsOf(later));
  });

  it('neither internal events nor test events are in the feed', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created({ types: ['AGENT_CREATED'] });
    await carrier.ask(routes.testWebhook, { params: { webhookId }, body: {} });
    const items = await published(carrier, 1);
    const internal = await emitExamples(
      tables.outbox,
      [{ upstreamEntityId: carrier.owner, type: 'COMPLIANCE_INPUTS_CHANGED' }],
      carrier.now(),
    );
    await publishNow(carrier, internal);
    expect(await follow(carrier)).toEqual(idsOf(items));
    expect((await read(carrier)).next).toBe(1);
  });

  it('a publisher that breaks off at any call leaves each event in the feed once', async () => {
    const carrier = newCarrier();
    const entityId = newObjectId(carrier.now());
    const ids: string[] = [];
    const publishBroken = async (broken: number, fault: Fault): Promise<number> => {
      let left = await emit(carrier, 3, { entityId });
      ids.push(...idsOf(left));
      let calls = 0;
      await withFaults(
        () => {
          calls += 1;
          return calls === broken ? fault : 'none';
        },
        async () => {
          while (left.length > 0) {
            const failed = await publishNow(carrier, left);
            left = left.filter(({ eventId }) => failed.has(eventId));
          }
        },
      );
      return calls;
    };
    const calls = await publishBroken(0, 'none');
    for (let broken = 1; broken <= calls; broken += 1) {
      for (const fault of ['before', 'after'] as const) await publishBroken(broken, fault);
    }
    expect(await follow(carrier)).toEqual(ids);
  });

  it('a response ends at 4 MB of payloads', async () => {
    const carrier = newCarrier();
    const items = await published(carrier, 3);
    for (const index of [0, 1, 2]) {
      await dynamo.send(
        new UpdateItemCommand({
          TableName: tables.outbox,
          Key: toItem(feedKeys.run(carrier.owner, 3)),
          UpdateExpression: `SET events[${index}].#bytes = :bytes`,
          ExpressionAttributeNames: { '#bytes': 'bytes' },
          ExpressionAttributeValues: toItem({ ':bytes': 1_500_000 }),
        }),
      );
    }
    expect(await read(carrier)).toMatchObject({ items: [{}, {}], next: 2, hasMore: true });
    expect(await follow(carrier)).toEqual(idsOf(items));
  });

  it('a reader waits before a position without an entry, until it is there or is said to be lost', async () => {
    const carrier = newCarrier();
    const items: OutboxEvent[] = [];
    for (let count = 0; count < 4; count += 1) items.push(...(await published(carrier, 1)));
    const Key = toItem(feedKeys.run(carrier.owner, 2));
    const { Attributes } = await dynamo.send(
      new DeleteItemCommand({ TableName: tables.outbox, Key, ReturnValues: 'ALL_OLD' }),
    );
    expect(await read(carrier)).toMatchObject({ items: [{}], next: 1, hasMore: false });
    expect(await read(carrier, { after: '1' })).toEqual({ items: [], next: 1, hasMore: false });
    await dynamo.send(new PutItemCommand({ TableName: tables.outbox, Item: Attributes }));
    expect(await follow(carrier)).toEqual(idsOf(items));
  });

  it('positions continue above those that a restore has lost', async () => {
    const carrier = newCarrier();
    const before = await published(carrier, 4);
    await continueAbove(carrier, 2_500, { from: 5 });
    expect(await read(carrier, { after: '4' })).toEqual({ items: [], next: 2_500, hasMore: false });
    const after = await published(carrier, 2);
    expect(await follow(carrier)).toEqual(idsOf([...before, ...after]));
    expect(idsOf((await read(carrier, { after: '2499' })).items)).toEqual(idsOf(after));
    expect(await read(carrier, { limit: '3', after: '3' })).toMatchObject({ items: [{}], hasMore: true });
  });

  it('an event that was deleted is passed over', async () => {
    const carrier = newCarrier();
    const [first, gone, last] = await published(carrier, 3);
    const Key = toItem({ pk: gone?.pk, sk: gone?.sk });
    await dynamo.send(new DeleteItemCommand({ TableName: tables.outbox, Key }));
    expect(await follow(carrier)).toEqual([first?.eventId, last?.eventId]);
  });
});
