import { randomUUID } from 'node:crypto';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { createWebhooksFunction } from '../../functions/webhooks/function.ts';
import { webhookRoutes } from '../../functions/webhooks/routes.ts';
import { createWebhookStore, mostWebhooks, type WebhookStore } from '../../functions/webhooks/store.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { derivedObjectId, newObjectId } from '../../shared/data/object-id.ts';
import { idempotencyTable, rateCountersTable, webhooksTable } from '../../shared/data/tables.ts';
import type { Pipeline } from '../../shared/request/pipeline.ts';
import { webhookTypes } from '../../shared/resources/webhook.ts';
import { deliveryItem, type StoredDelivery, webhookKeys } from '../../shared/webhooks/stored.ts';
import { apiEvent, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { memoryQueues } from '../support/deliveries.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

const { routes } = webhookRoutes;
const hour = 3_600_000;

let pipeline: Pipeline;
let table: string;
let webhooks: WebhookStore;
let time = Date.UTC(2026, 5, 1);
const memory = memoryQueues(() => new Date(time));

beforeAll(async () => {
  const [webhooksName, idempotency, rateCounters] = await Promise.all([
    createTable(webhooksTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
  table = webhooksName;
  webhooks = createWebhookStore(dynamo, table);
  pipeline = createWebhooksFunction({
    clients: { dynamo, queues: memory.queues },
    tables: { webhooks: table, idempotency, rateCounters },
    addressRules: { loopback: false },
    context: testContext({ now: () => new Date(time) }),
  });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Options = NonNullable<Parameters<typeof apiEvent>[1]>;

/** An upstream organization of its own, and what it calls. */
function newCarrier() {
  const organizationId = newObjectId(new Date(time));
  const ask = async (route: Parameters<typeof apiEvent>[0], options: Options = {}): Promise<Answer> => {
    // Each call has a credential of its own, or the tests would meet the limit of writes.
    const identity = { organizationId, category: 'upstreamEntity' as const, credentialId: randomUUID() };
    const answer = await pipeline(apiEvent(route, { identity, ...options }), lambdaContext);
    const { status, headers } = answer;
    let text = '';
    if (typeof answer.body === 'string') text = answer.body;
    else for await (const part of answer.body) text += part;
    const { data = {} } = JSON.parse(text) as { data?: Record<string, unknown> };
    return { status, headers, text, data };
  };
  const of = (webhookId: string) => ({ params: { webhookId } });
  return {
    organizationId,
    ask,
    create: (body: object = {}, options: Options = {}) =>
      ask(routes.createWebhook, {
        body: { url: 'https://example.com/hooks', types: ['CONTRACT_SIGNED'], ...body },
        ...options,
      }),
    created: async (body: object = {}) => {
      const { data } = await ask(routes.createWebhook, {
        body: { url: 'https://example.com/hooks', types: ['CONTRACT_SIGNED'], ...body },
      });
      return { webhookId: String(data['_id']), secret: String(data['secret']) };
    },
    get: (webhookId: string) => ask(routes.getWebhook, of(webhookId)),
    update: (webhookId: string, body: object) => ask(routes.updateWebhook, { ...of(webhookId), body }),
    rotate: (webhookId: string) => ask(routes.rotateWebhookSecret, of(webhookId)),
    delete: (webhookId: string) => ask(routes.deleteWebhook, of(webhookId)),
    listed: async (route: Parameters<typeof apiEvent>[0] = routes.listWebhooks) => {
      const { data } = await ask(route);
      return data as unknown as Record<string, unknown>[];
    },
  };
}

const storedWebhook = async (owner: string, webhookId: string) => {
  const Key = toItem(webhookKeys.webhook(owner, webhookId));
  const { Item } = await dynamo.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
  return Item && unmarshall(Item);
};

/** Writes deliveries as the pipeline of events will. */
const putDeliveries = async (owner: string, webhookId: string, count: number): Promise<StoredDelivery[]> => {
  const deliveries = Array.from({ length: count }, (_, index): StoredDelivery => {
    const createdAt = new Date(time + index * 1_000).toISOString();
    return {
      _id: derivedObjectId(webhookId, String(index)),
      webhookId,
      eventId: randomUUID(),
      webhookType: 'CONTRACT_SIGNED',
      status: 'pending',
      attempts: [],
      nextAttemptAt: createdAt,
      createdAt,
      updatedAt: createdAt,
    };
  });
  for (const delivery of deliveries) {
    const queued = { ...delivery, event: { entityId: webhookId }, attempt: 1, retry: 0 };
    const Item = toItem(deliveryItem(owner, queued));
    await dynamo.send(new PutItemCommand({ TableName: table, Item }));
  }
  return deliveries;
};

describe('a new webhook', () => {
  it('shows its secret once: 32 bytes in base64 after whsec_', async () => {
    const carrier = newCarrier();
    const { status, data } = await carrier.create();
    expect(status).toBe(201);
    expect(data).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      url: 'https://example.com/hooks',
      types: ['CONTRACT_SIGNED'],
      isActive: true,
      disabledReason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      secretLastFour: String(data['secret']).slice(-4),
      createdAt: new Date(time).toISOString(),
      updatedAt: new Date(time).toISOString(),
    });
    expect(Buffer.from(String(data['secret']).slice('whsec_'.length), 'base64')).toHaveLength(32);
    const { secret, ...shown } = data;
    expect((await carrier.get(String(data['_id']))).data).toEqual(shown);
    expect(await carrier.listed()).toEqual([shown]);
    expect(await carrier.listed(routes.listWebhooksV1)).toEqual([shown]);
    expect(secret).not.toBe((await carrier.create()).data['secret']);
  });

  it.each([
    ['no type', { types: [] }],
    ['an unknown type', { types: ['CONTRACT_SIGNED', 'CONTRACT_BURNT'] }],
    ['a type twice', { types: ['CONTRACT_SIGNED', 'CONTRACT_SIGNED'] }],
    ['one type instead of a list', { types: 'CONTRACT_SIGNED' }],
    ['http', { url: 'http://example.com/hooks' }],
    ['this machine', { url: 'https://localhost/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['too long a URL', { url: `https://example.com/${'a'.repeat(2_000)}` }],
    ['a secret of one’s own', { secret: 'whsec_mine' }],
    ['the type of before', { type: 'CONTRACT_SIGNED' }],
  ])('is refused with %s', async (_, body) => {
    const carrier = newCarrier();
    expect((await carrier.create(body)).status).toBe(400);
    expect(await carrier.listed()).toEqual([]);
  });

  it('takes any types, each once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...webhookTypes), { minLength: 1 }), async (types) => {
        expect(await newCarrier().create({ types })).toMatchObject({ status: 201, data: { types } });
      }),
      { numRuns: 20 },
    );
  });

  it('is one of at most 20, also when 30 come at once', async () => {
    const carrier = newCarrier();
    const answers = await Promise.all(Array.from({ length: 30 }, () => carrier.create()));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(mostWebhooks);
    for (const { status, text } of answers.filter((answer) => !made.includes(answer))) {
      expect(status).toBe(409);
      expect(JSON.parse(text)).toMatchObject({ errorType: 'conflict', details: { limit: 20 } });
    }
    expect(await carrier.listed()).toHaveLength(mostWebhooks);
    // Another organization has places of its own, and a deleted webhook leaves its place.
    expect((await newCarrier().create()).status).toBe(201);
    const [first, second] = made.map(({ data }) => String(data['_id']));
    await Promise.all([carrier.delete(first ?? ''), carrier.delete(second ?? '')]);
    const more = await Promise.all(Array.from({ length: 5 }, () => carrier.create()));
    expect(more.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
  });

  it('is made once for an idempotency key, and the repeat shows the same secret', async () => {
    const carrier = newCarrier();
    const identity = {
      organizationId: carrier.organizationId,
      category: 'upstreamEntity' as const,
      credentialId: randomUUID(),
    };
    const options = { identity, headers: { 'idempotency-key': randomUUID() } };
    const first = await carrier.create({}, options);
    const second = await carrier.create({}, options);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await carrier.listed()).toHaveLength(1);
    expect(await carrier.create({ url: 'https://example.org/' }, options)).toMatchObject({ status: 422 });
  });

  it('that is refused under an idempotency key may be sent again under it', async () => {
    const carrier = newCarrier();
    const identity = {
      organizationId: carrier.organizationId,
      category: 'upstreamEntity' as const,
      credentialId: randomUUID(),
    };
    const options = { identity, headers: { 'idempotency-key': randomUUID() } };
    expect((await carrier.create({ url: 'https://localhost/' }, options)).status).toBe(400);
    expect((await carrier.create({}, options)).status).toBe(201);
  });
});

describe('a changed webhook', () => {
  it('has what was named changed and the rest as it was, its secret too', async () => {
    const carrier = newCarrier();
    const { webhookId, secret } = await carrier.created();
    time += 1_000;
    const changes = [
      { url: 'https://example.org:8443/other' },
      { types: ['AGENT_CREATED', 'AGENT_UPDATED'] },
      { isActive: false },
    ];
    let expected = (await carrier.get(webhookId)).data;
    for (const change of changes) {
      const { status, data } = await carrier.update(webhookId, change);
      expected = { ...expected, ...change, updatedAt: new Date(time).toISOString() };
      expect(status).toBe(200);
      expect(data).toEqual(expected);
    }
    expect((await carrier.get(webhookId)).data).toEqual(expected);
    expect(await storedWebhook(carrier.organizationId, webhookId)).toMatchObject({ secret, version: 4 });
  });

  it('changes through v1 as through v2', async () => {
    const carrier = newCarrier();
    const { webhookId, secret } = await carrier.created();
    const body = { types: ['AGENT_CREATED'] };
    const { status, data } = await carrier.ask(routes.updateWebhookV1, { params: { webhookId }, body });
    expect(status).toBe(200);
    expect(data).toMatchObject({ _id: webhookId, types: ['AGENT_CREATED'] });
    expect(data).not.toHaveProperty('secret');
    expect(await storedWebhook(carrier.organizationId, webhookId)).toMatchObject({ secret });
  });

  it('that the service disabled says why until it is made active again', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const disabledReason = 'The receiver answered 410.';
    await webhooks.change(
      carrier.organizationId,
      webhookId,
      (before) => ({ ...before, isActive: false, disabledReason }),
      () => [],
    );
    const { data } = await carrier.update(webhookId, { types: ['AGENT_CREATED'] });
    expect(data).toMatchObject({ isActive: false, disabledReason });
    expect((await carrier.update(webhookId, { isActive: false })).data).toMatchObject({ disabledReason });
    const active = await carrier.update(webhookId, { isActive: true });
    expect(active.data).toMatchObject({ isActive: true, disabledReason: null });
  });

  it.each([
    ['nothing', {}],
    ['a secret', { secret: 'whsec_mine' }],
    ['a URL that is refused', { url: 'https://169.254.169.254/' }],
    ['no types', { types: [] }],
    ['null', { url: null }],
  ])('is refused with %s', async (_, body) => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    expect((await carrier.update(webhookId, body)).status).toBe(400);
    expect(await storedWebhook(carrier.organizationId, webhookId)).toMatchObject({ version: 1 });
  });

  it('keeps every change of those that come at once', async () => {
    const carrier = newCarrier();
    const { webhookId, secret } = await carrier.created();
    const answers = await Promise.all([
      carrier.update(webhookId, { url: 'https://example.org/other' }),
      carrier.update(webhookId, { types: ['AGENT_CREATED'] }),
      carrier.update(webhookId, { isActive: false }),
      carrier.rotate(webhookId),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await storedWebhook(carrier.organizationId, webhookId)).toMatchObject({
      url: 'https://example.org/other',
      types: ['AGENT_CREATED'],
      isActive: false,
      previousSecret: secret,
      version: 5,
    });
  });
});

describe('a rotated secret', () => {
  it('is shown, and the one before is kept for 24 hours', async () => {
    const carrier = newCarrier();
    const { webhookId, secret } = await carrier.created();
    const { status, data } = await carrier.rotate(webhookId);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      _id: webhookId,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      secretLastFour: String(data['secret']).slice(-4),
    });
    expect(data['secret']).not.toBe(secret);
    expect(data).not.toHaveProperty('previousSecret');
    expect(await storedWebhook(carrier.organizationId, webhookId)).toMatchObject({
      secret: data['secret'],
      previousSecret: secret,
      previousSecretValidUntil: new Date(time + 24 * hour).toISOString(),
    });
    expect((await carrier.get(webhookId)).text).not.toContain('whsec_');
  });

  it('takes the place of the one before the previous', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const { data: first } = await carrier.rotate(webhookId);
    const { data: second } = await carrier.rotate(webhookId);
    expect(await storedWebhook(carrier.organizationId, webhookId)).toMatchObject({
      secret: second['secret'],
      previousSecret: first['secret'],
    });
  });

  it('is made once for an idempotency key', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const identity = {
      organizationId: carrier.organizationId,
      category: 'upstreamEntity' as const,
      credentialId: randomUUID(),
    };
    const options = { params: { webhookId }, identity, headers: { 'x-idempotency-key': randomUUID() } };
    const first = await carrier.ask(routes.rotateWebhookSecret, options);
    const second = await carrier.ask(routes.rotateWebhookSecret, options);
    expect(second.text).toBe(first.text);
    expect(await storedWebhook(carrier.organizationId, webhookId)).toMatchObject({ version: 2 });
  });
});

describe('a deleted webhook', () => {
  it('is answered as it was, once, and is then unknown everywhere', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const { data: shown } = await carrier.get(webhookId);
    const answers = await Promise.all(Array.from({ length: 5 }, () => carrier.delete(webhookId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(answers.find(({ status }) => status === 200)?.data).toEqual(shown);
    expect(await carrier.listed()).toEqual([]);
    for (const { status } of [
      await carrier.get(webhookId),
      await carrier.update(webhookId, { isActive: true }),
      await carrier.rotate(webhookId),
      await carrier.ask(routes.listWebhookDeliveries, { params: { webhookId } }),
      await carrier.ask(routes.testWebhook, { params: { webhookId }, body: {} }),
    ]) {
      expect(status).toBe(404);
    }
  });
});

describe('the list of webhooks', () => {
  it('is an organization’s own, oldest first', async () => {
    const [carrier, other] = [newCarrier(), newCarrier()];
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      time += 1_000;
      ids.push((await carrier.created()).webhookId);
      await other.created();
    }
    expect((await carrier.listed()).map(({ _id }) => _id)).toEqual(ids);
    expect((await other.get(ids[0] ?? '')).status).toBe(404);
    expect((await other.update(ids[0] ?? '', { isActive: false })).status).toBe(404);
    expect((await other.delete(ids[0] ?? '')).status).toBe(404);
  });
});

describe('the deliveries of a webhook', () => {
  it('come newest first, a page at a time', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const { webhookId: other } = await carrier.created();
    const deliveries = await putDeliveries(carrier.organizationId, webhookId, 7);
    await putDeliveries(carrier.organizationId, other, 2);
    const newest = deliveries.toReversed();
    for (const [page, from, to] of [
      [1, 0, 3],
      [2, 3, 6],
      [3, 6, 7],
      [4, 7, 7],
    ] as const) {
      const query = { page: String(page), limit: '3' };
      const { data } = await carrier.ask(routes.listWebhookDeliveries, { params: { webhookId }, query });
      expect(data).toEqual({ items: newest.slice(from, to), total: 7, page, limit: 3, totalPages: 3 });
    }
  });

  it('belong to their owner', async () => {
    const [carrier, other] = [newCarrier(), newCarrier()];
    const { webhookId } = await carrier.created();
    const [delivery] = await putDeliveries(carrier.organizationId, webhookId, 1);
    const params = { webhookId, deliveryId: delivery?._id ?? '' };
    const { status } = await other.ask(routes.listWebhookDeliveries, { params: { webhookId } });
    expect(status).toBe(404);
    expect((await other.ask(routes.redeliverWebhookDelivery, { params })).status).toBe(404);
  });

  it('expire after 30 days', () => {
    const createdAt = '2026-06-01T00:00:00.500Z';
    const delivery = {
      _id: '65f0c1d2e3a4b5c6d7e8f915',
      webhookId: '65f0c1d2e3a4b5c6d7e8f914',
      eventId: 'an event',
      webhookType: 'CONTRACT_SIGNED' as const,
      status: 'pending' as const,
      attempts: [],
      nextAttemptAt: null,
      createdAt,
      updatedAt: createdAt,
    };
    expect(deliveryItem('owner', delivery)).toMatchObject({ expiresAt: Date.UTC(2026, 6, 1) / 1_000 });
  });
});

describe('replay', () => {
  const span = { since: '2026-06-01T00:00:00Z', until: '2026-06-02T00:00:00+02:00' };

  it.each([
    ['no time', {}],
    ['no end', { since: span.since }],
    ['an end before the start', { since: span.until, until: span.since }],
    ['an end at the start, in other words', { since: span.since, until: '2026-06-01T02:00:00+02:00' }],
    ['a date alone', { since: '2026-06-01', until: span.until }],
    ['no type', { ...span, types: [] }],
    ['a type twice', { ...span, types: ['AGENT_CREATED', 'AGENT_CREATED'] }],
    ['an unknown status', { ...span, status: 'lost' }],
  ])('a replay is refused with %s', async (_, body) => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const { status } = await carrier.ask(routes.replayWebhookDeliveries, { params: { webhookId }, body });
    expect(status).toBe(400);
  });
});

describe('calls of the database', () => {
  it.each([
    ['a list', () => ({ route: routes.listWebhooks }), 1],
    ['a webhook', (webhookId: string) => ({ route: routes.getWebhook, params: { webhookId } }), 1],
    // Counting keys and reading a page are two; the webhook is looked for beside them.
    [
      'a page of deliveries',
      (webhookId: string) => ({ route: routes.listWebhookDeliveries, params: { webhookId } }),
      2,
    ],
  ] as const)('for %s wait for each other no more than they must', async (_, requestOf, most) => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    await putDeliveries(carrier.organizationId, webhookId, 3);
    const { route, ...options } = requestOf(webhookId) as { route: typeof routes.getWebhook };
    const { inSequence } = await databaseCalls(() => carrier.ask(route, options));
    expect(inSequence).toBe(most);
  });

  it.each([
    ['a new webhook', routes.createWebhook, { url: 'https://example.com', types: ['AGENT_CREATED'] }, 3],
    ['a change', routes.updateWebhook, { isActive: false }, 4],
    ['a rotation', routes.rotateWebhookSecret, undefined, 4],
    ['a deletion', routes.deleteWebhook, undefined, 4],
  ] as const)('for %s under an idempotency key are at most four', async (_, route, body, most) => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const options = {
      ...(route === routes.createWebhook ? {} : { params: { webhookId } }),
      headers: { 'idempotency-key': randomUUID() },
      ...(body === undefined ? {} : { body }),
    };
    const { calls } = await databaseCalls(() => carrier.ask(route, options));
    expect(calls).toHaveLength(most);
  });
});
