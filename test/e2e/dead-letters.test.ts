import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { itemsOfEvent, type OutboxItem, outboxKeys } from '../../shared/domain/events/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { admin, invoke } from '../support/local-api.ts';
import { messagesIn, receiveMessages, sendMessage } from '../support/queues.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';
import { eventually } from '../support/until.ts';

/** The first message of a queue that holds such a text; those that do not come back after a second. */
const messageWith = (queue: string, text: string): Promise<string | undefined> =>
  eventually(async () => (await receiveMessages(queue)).find((body) => body.includes(text)));

describe('A dead-letter queue', () => {
  // Where a worker sends unreadable messages; the delivery queues have one worker.
  const queues = {
    'webhook-fanout': 'webhook-fanout-dead',
    'deliveries-healthy': 'deliveries-healthy-dead',
    'deliveries-failing': 'deliveries-healthy-dead',
    'compliance-changes': 'compliance-changes-dead',
    'license-sweep': 'license-sweep-dead',
    'registry-reconciliation': 'registry-reconciliation-dead',
  };

  const arriveIn = (deadLettered: string) =>
    Object.values(queues).filter((queue) => queue === deadLettered).length;

  // All at once: each redrive waits a second for more.
  it('of every worker is redriven, and unreadable messages become dead letters again', async () => {
    const expected = await Promise.all(
      Object.entries(queues).map(async ([queue, deadLettered]) => {
        const least = (await messagesIn(deadLettered)) + arriveIn(deadLettered);
        return { queue, deadLettered, least };
      }),
    );
    await Promise.all(
      expected.map(({ queue }) => sendMessage(`${queue}-dead`, JSON.stringify({ unreadable: randomUUID() }))),
    );

    const redriven = await Promise.all(expected.map(({ queue }) => admin('redrive', { queue })));

    for (const { moved } of redriven) expect(Number(moved)).toBeGreaterThanOrEqual(1);
    // Redriving may have looked at one again, and hides it for half a minute: it is counted all the same.
    for (const { deadLettered, least } of expected) {
      expect(await eventually(async () => (await messagesIn(deadLettered)) >= least || undefined)).toBe(true);
    }
  });
});

describe('The outbox', () => {
  // Past the permission check: what no function writes.
  const dynamo = runDatabase();
  let table = '';

  beforeAll(async () => {
    table = await physicalName(dynamo, 'outbox');
  });

  const put = (item: object) =>
    dynamo.send(new PutItemCommand({ TableName: table, Item: toItem({ ...item }) }));
  /** Emits events as one transaction does, so that the stream brings them together. */
  const emit = (...events: readonly OutboxItem[]) =>
    dynamo.send(
      new TransactWriteItemsCommand({
        TransactItems: events
          .flatMap((event) => itemsOfEvent(event, 4_000_000_000))
          .map((item) => ({ Put: { TableName: table, Item: toItem(item) } })),
      }),
    );

  const type = 'CONTRACT_SIGNED';
  const upstreamEntityId = newObjectId(new Date());
  /** An event that was written ten minutes ago. */
  const newEvent = (entityId: string, payload: object = {}) => {
    const eventId = randomUUID();
    const at = new Date(Date.now() - 600_000).toISOString();
    return {
      ...outboxKeys.event(upstreamEntityId, entityId, eventId),
      ...{ eventId, type, upstreamEntityId, entityId, occurredAt: at, payload },
    };
  };

  /** What the publisher has logged so far. */
  async function logLines(): Promise<Record<string, unknown>[]> {
    const log = await readFile(join(process.env['TEST_LOGS'] ?? '', 'event-publisher.log'), 'utf8');
    return log
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  const get = async ({ pk, sk }: Readonly<Record<'pk' | 'sk', string>>) => {
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: table, Key: toItem({ pk, sk }), ConsistentRead: true }),
    );
    return Item && unmarshall(Item);
  };

  /** The last number of an event's type and entity, once the bus has it. */
  const published = (event: OutboxItem) =>
    eventually(async () =>
      (await get(outboxKeys.unpublished(event))) === undefined
        ? (await get(outboxKeys.sequence(upstreamEntityId, event.entityId, type)))?.['last']
        : undefined,
    );

  it('keeps an event that cannot be published, publishes the others, dead-letters the batch, and publishes the event once it can', async () => {
    const stuck = newEvent(newObjectId(new Date()));
    const counter = outboxKeys.sequence(upstreamEntityId, stuck.entityId, type);
    const before = await messagesIn('event-publisher-dead');
    await put({ ...counter, last: 'not a number' });
    await emit(stuck);
    const other = newEvent(newObjectId(new Date()));
    await emit(other);

    expect(await published(other)).toBe(1);
    expect(
      await eventually(async () => (await messagesIn('event-publisher-dead')) > before || undefined),
    ).toBe(true);
    expect(await messageWith('event-publisher-dead', 'DDBStreamBatchInfo')).toContain(
      'RetryAttemptsExhausted',
    );

    await put({ ...counter, last: 7 });
    // By this call, or by the schedule, which may have come first.
    await invoke('event-publisher', { task: 'republish' });
    expect(await published(stuck)).toBe(8);
  });

  it('skips invalid items, so that the schedule publishes the others', async () => {
    const unreadable = newEvent(newObjectId(new Date()));
    await emit(unreadable);
    const { occurredAt: _, ...rest } = unreadable;
    await put(rest);
    const missed = newEvent(newObjectId(new Date()));
    await emit(missed);

    const answer = await invoke('event-publisher', { task: 'republish' });

    expect(answer).toMatchObject({ republished: expect.any(Number), failed: 0 });
    expect(await published(missed)).toBe(1);
  });

  it('publishes ten events of 190 KB among small ones', async () => {
    const large = { text: 'a'.repeat(190_000) };
    const events = Array.from({ length: 12 }, (_, index) =>
      newEvent(newObjectId(new Date()), index % 11 === 0 ? {} : large),
    );
    await emit(...events);
    for (const event of events) expect(await published(event)).toBe(1);
    const ids = new Set<string>(events.map(({ eventId }) => eventId));
    expect((await logLines()).filter(({ eventId }) => ids.has(String(eventId)))).toEqual([]);
  });

  it('keeps an event that is too large for the bus, publishes the others, and logs it for on-call', async () => {
    const before = await messagesIn('event-publisher-dead');
    // 200 KB in the table, 1.2 MB as JSON.
    const tooLarge = newEvent(newObjectId(new Date()), { text: '\u0001'.repeat(200_000) });
    const others = [newEvent(newObjectId(new Date())), newEvent(newObjectId(new Date()))];
    await emit(tooLarge, ...others);
    for (const event of others) expect(await published(event)).toBe(1);

    const line = await eventually(async () =>
      (await logLines()).find(({ eventId }) => eventId === tooLarge.eventId),
    );
    expect(line).toMatchObject({ level: 'ERROR', event: 'event_refused' });
    expect(await invoke('event-publisher', { task: 'republish' })).toMatchObject({ failed: 0 });
    expect(await messagesIn('event-publisher-dead')).toBe(before);
    const Key = outboxKeys.unpublished(tooLarge);
    expect(await get(Key)).toMatchObject({ eventId: tooLarge.eventId });
    // So that the schedules of other tests do not find it.
    await dynamo.send(new DeleteItemCommand({ TableName: table, Key: toItem(Key) }));
  });
});
