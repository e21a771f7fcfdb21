import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { itemsOfEvent, type OutboxEvent, outboxKeys } from '#domain/events/stored.ts';
import { drainKey } from '#domain/webhooks/drain.ts';
import { failingAfter } from '#domain/webhooks/stored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { attemptsAtOnce } from '../../functions/webhook-delivery/drain.ts';
import { admin, call, invoke, newOrganization, type Organization } from '../support/local-api.ts';
import { messagesIn, sendMessage } from '../support/queues.ts';
import { startReceiver } from '../support/receiver.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';
import { eventually, until } from '../support/until.ts';
import { ask, type Data, listen, receiver, upload, webhooks } from '../support/webhook-events.ts';

describe('failing webhooks', () => {
  // Failing webhooks have their own queue, so that a slow or dead receiver never delays another.

  const slownessMs = 800;

  let organization: Organization;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let isFailing = true;
  let underWay = 0;
  let most = 0;

  beforeAll(async () => {
    organization = await newOrganization('upstreamEntity');
    receiver = await startReceiver(async (path) => {
      if (path === '/failing') return isFailing ? 500 : 204;
      underWay += 1;
      most = Math.max(most, underWay);
      await pause(slownessMs);
      underWay -= 1;
      return 204;
    });
  });

  afterAll(() => receiver.close());

  const newWebhook = async (path: string): Promise<string> => {
    const { status, json } = await call('POST', '/v2/upstream/webhooks', {
      headers: organization.bearer,
      body: { url: receiver.url(path), types: ['AGENT_CREATED'] },
    });
    expect(status).toBe(201);
    return z.parse(z.object({ data: z.object({ _id: z.string() }) }), json).data._id;
  };

  /** What a path got, once there is so much of it. */
  async function got(path: string, count: number) {
    const found = () => receiver.got.filter((one) => one.path === path);
    await until(() => found().length >= count);
    return found();
  }

  let npn = 73_000_000;
  const tellOfAnAgent = async (): Promise<void> => {
    npn += 1;
    const lines = [
      JSON.stringify({ type: 'agent', npn: String(npn), firstName: 'Maria', lastName: 'Delgado' }),
    ];
    const { organizationId } = organization;
    await admin('import', { organizationId, firstLine: 1, lines, emitEvents: true });
  };

  const drained = z.object({
    event: z.literal('webhook_drain'),
    webhookId: z.string(),
    queue: z.string(),
    attempts: z.number(),
  });

  /** The queues whose workers made attempts at a webhook, in order. */
  const queuesOf = (webhookId: string): string[] =>
    readFileSync(join(process.env['TEST_LOGS'] ?? '', 'webhook-delivery.log'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .flatMap((line) => drained.safeParse(JSON.parse(line)).data ?? [])
      .filter((one) => one.webhookId === webhookId && one.attempts > 0)
      .map(({ queue }) => queue);

  const test = async (webhookId: string): Promise<void> => {
    const path = `/v2/upstream/webhooks/${webhookId}/test`;
    expect((await call('POST', path, { headers: organization.bearer, body: {} })).status).toBe(202);
  };

  it('after five failures in a row a webhook is drained by the failing queue’s workers, until it succeeds', async () => {
    const webhookId = await newWebhook('/failing');
    for (let count = 1; count <= failingAfter; count += 1) {
      await test(webhookId);
      await got('/failing', count);
    }
    const drains = () => queuesOf(webhookId).filter((queue) => queue === 'failing').length;
    await until(() => drains() > 0, 200);
    const before = drains();
    // The fan-out asks for a drain unless one is coming already; the worker asks for the next one at its retry.
    const dynamo = runDatabase();
    const drain = {
      TableName: await physicalName(dynamo, 'webhooks'),
      Key: toItem(drainKey({ owner: organization.organizationId, webhookId })),
      ConsistentRead: true,
    };
    await until(async () => {
      const { Item = {} } = await dynamo.send(new GetItemCommand(drain));
      const { wantedAt, backOffUntil, nextDrainAt } = unmarshall(Item);
      return wantedAt === undefined && backOffUntil !== nextDrainAt;
    });
    await tellOfAnAgent();
    await until(() => drains() > before, 200);

    isFailing = false;
    await test(webhookId);
    await until(() => queuesOf(webhookId).at(-1) === 'healthy', 200);
  });

  it(`a slow receiver gets at most ${attemptsAtOnce.healthy} events at once, and the others as it answers`, async () => {
    const webhookId = await newWebhook('/slow');
    await Promise.all(Array.from({ length: attemptsAtOnce.healthy + 5 }, () => test(webhookId)));
    expect(await got('/slow', attemptsAtOnce.healthy + 5)).toHaveLength(attemptsAtOnce.healthy + 5);
    expect(most).toBeLessThanOrEqual(attemptsAtOnce.healthy);
  });
});

describe('A dead-letter queue', () => {
  // Where a worker sends unreadable messages; the delivery queues have one worker.
  const queues = {
    'webhook-fanout': 'webhook-fanout-dead',
    'webhook-fanout-imports': 'webhook-fanout-dead',
    'deliveries-healthy': 'deliveries-healthy-dead',
    'deliveries-failing': 'deliveries-healthy-dead',
    'compliance-changes': 'compliance-changes-dead',
    'compliance-changes-imports': 'compliance-changes-dead',
    'license-sweep': 'license-sweep-dead',
    'registry-reconciliation': 'registry-reconciliation-dead',
    'sandbox-nightly-run': 'sandbox-nightly-run-dead',
    'agency-moves': 'agency-moves-dead',
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
  const emit = (...events: readonly OutboxEvent[]) =>
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
  const published = (event: OutboxEvent) =>
    eventually(async () =>
      (await get(outboxKeys.unpublished(event))) === undefined
        ? (await get(outboxKeys.sequence(upstreamEntityId, event.entityId, type)))?.['last']
        : undefined,
    );

  it('keeps an event that cannot be published, publishes the others, and publishes the event once it can', async () => {
    const stuck = newEvent(newObjectId(new Date()));
    const counter = outboxKeys.sequence(upstreamEntityId, stuck.entityId, type);
    await put({ ...counter, last: 'not a number' });
    await emit(stuck);
    const other = newEvent(newObjectId(new Date()));
    await emit(other);

    expect(await published(other)).toBe(1);

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

describe('deliveries', () => {
  /** Waits for a value. */
  async function eventually<Result>(look: () => Promise<Result | undefined>): Promise<Result> {
    let seen: Result | undefined;
    await until(async () => {
      seen = await look();
      return seen !== undefined;
    }, 100);
    if (seen === undefined) throw new Error('There is no value.');
    return seen;
  }

  /** Waits for a delivery of a webhook that meets a condition, and returns the newest. */
  const deliveryThat = (
    of: Organization,
    webhookId: string,
    looks: (delivery: Data) => boolean,
  ): Promise<Data> =>
    eventually(async () => {
      const { items } = await ask(of, 'GET', `${webhooks}/${webhookId}/deliveries`);
      return (items as Data[]).find(looks);
    });

  const numberOfAttempts = ({ attempts }: Data): number => (attempts as unknown[]).length;

  let owner: Organization;

  beforeEach(async () => {
    owner = await newOrganization('upstreamEntity');
  });

  const test = (webhookId: string) => ask(owner, 'POST', `${webhooks}/${webhookId}/test`, {});

  it('a failed one is retried after 5 seconds, unchanged and with a new signature; a redirect is a failure and not followed, and Retry-After is honored', async () => {
    const elsewhere = await listen(owner);
    let fails = 2;
    const failing = await listen(owner, ['AGENT_CREATED'], () => (fails-- > 1 ? 500 : 204));
    let redirects = 2;
    const redirecting = await listen(owner, ['AGENT_CREATED'], () =>
      redirects-- > 1 ? { status: 302, headers: { location: receiver.url(elsewhere.path) } } : 204,
    );
    let busy = 2;
    const waiting = await listen(owner, ['AGENT_CREATED'], () =>
      busy-- > 1 ? { status: 503, headers: { 'retry-after': '8' } } : 204,
    );
    await Promise.all([failing, redirecting, waiting].map(({ webhookId }) => test(webhookId)));
    for (const [{ path, webhookId }, statusCode, seconds] of [
      [failing, 500, 5],
      [redirecting, 302, 5],
      [waiting, 503, 8],
    ] as const) {
      const [first, second, ...more] = await receiver.until(path, () => true, { count: 2 });
      expect(more).toEqual([]);
      expect(second?.body).toBe(first?.body);
      expect(Number(second?.timestamp) - Number(first?.timestamp)).toBeGreaterThanOrEqual(seconds);
      expect(await deliveryThat(owner, webhookId, ({ status }) => status === 'succeeded')).toMatchObject({
        attempts: [{ statusCode }, { statusCode: 204, error: null }],
        nextAttemptAt: null,
      });
    }
    expect(receiver.got.filter(({ path }) => path === elsewhere.path)).toEqual([]);
  });

  it('410 disables the webhook, whose events are kept and can be replayed once it is enabled', async () => {
    let gone = true;
    const { path, webhookId } = await listen(owner, ['DOCUMENT_UPLOADED'], () => (gone ? 410 : 204));
    const since = new Date(Date.now() - 1_000).toISOString();
    await upload(owner, 'first.pdf');
    const disabled = await eventually(async () => {
      const webhook = await ask(owner, 'GET', `${webhooks}/${webhookId}`);
      return webhook['isActive'] === false ? webhook : undefined;
    });
    const { disabledReason, url } = disabled;
    expect(disabledReason).toContain('410');
    const [ofService] = await eventually(async () => {
      const { items } = await ask(owner, 'GET', '/v2/upstream/events?types=WEBHOOK_DISABLED');
      return (items as Data[]).length > 0 ? (items as Data[]) : undefined;
    });
    expect(ofService).toMatchObject({
      webhookType: 'WEBHOOK_DISABLED',
      sequence: 1,
      payload: { webhookId, url, disabledReason },
    });
    const missed = await upload(owner, 'second.pdf');
    await deliveryThat(owner, webhookId, (delivery) => numberOfAttempts(delivery) === 0);
    expect(receiver.got.filter((got) => got.path === path)).toHaveLength(1);

    gone = false;
    await ask(owner, 'PATCH', `${webhooks}/${webhookId}`, { isActive: true });
    const span = { since, until: new Date(Date.now() + 1_000).toISOString() };
    const nothing = await ask(owner, 'POST', `${webhooks}/${webhookId}/replay`, {
      ...span,
      types: ['AGENT_CREATED'],
    });
    expect(nothing).toMatchObject({ queued: 0 });
    const replayed = await ask(owner, 'POST', `${webhooks}/${webhookId}/replay`, {
      ...span,
      status: 'pending',
    });
    expect(replayed).toMatchObject({ queued: 1, hasMore: false });
    const [redelivered] = await receiver.until(
      path,
      ({ payload }) => (payload as Data)['fileDocumentId'] === missed,
    );
    expect(redelivered?.event.sequence).toBe(1);
  });

  it('a redelivery sends the same event again', async () => {
    const { path, webhookId } = await listen(owner, ['DOCUMENT_UPLOADED']);
    await upload(owner, 'bond.pdf');
    const { _id } = await deliveryThat(owner, webhookId, ({ status }) => status === 'succeeded');
    await ask(owner, 'POST', `${webhooks}/${webhookId}/deliveries/${_id}/redeliver`);
    const [first, second] = await receiver.until(path, () => true, { count: 2 });
    expect(second?.body).toBe(first?.body);
    await deliveryThat(owner, webhookId, (delivery) => numberOfAttempts(delivery) === 2);
  });

  it('a rotated secret signs immediately', async () => {
    const { path, webhookId } = await listen(owner, ['DOCUMENT_UPLOADED']);
    const { secret } = await ask(owner, 'POST', `${webhooks}/${webhookId}/rotate-secret`);
    receiver.addSecret(webhookId, String(secret));
    await upload(owner, 'bond.pdf');
    expect(await receiver.until(path, () => true)).toHaveLength(1);
  });
});
