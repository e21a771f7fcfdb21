import { randomUUID } from 'node:crypto';
import { deliveryItem } from '#domain/webhooks/stored.ts';
import { createWebhookStore, mostWebhooks } from '../../functions/webhooks/store.ts';
import { databaseCalls } from '../support/tables.ts';
import { day, newCarrier, routes, span, webhooksOf } from '../support/webhooks-tests.ts';

describe('the list of webhooks', () => {
  it('shows the organization’s own webhooks, oldest first', async () => {
    const [carrier, other] = [newCarrier(), newCarrier()];
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      carrier.advance(1_000);
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
  it('are listed newest first, in pages', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const { webhookId: other } = await carrier.created();
    const deliveries = await carrier.deliveries({ _id: webhookId }, Array<object>(7).fill({}));
    await carrier.deliveries({ _id: other }, [{}, {}]);
    const newest = deliveries
      .toReversed()
      .map(({ event: _, attempt: _attempt, retry: _retry, ...shown }) => shown);
    for (const [page, from, to] of [
      [1, 0, 3],
      [2, 3, 6],
      [3, 6, 7],
      [4, 7, 7],
    ] as const) {
      const { since } = span(0, 1);
      const query = { page: String(page), limit: '3', since };
      const { data } = await carrier.ask(routes.listWebhookDeliveries, { params: { webhookId }, query });
      expect(data).toEqual({ items: newest.slice(from, to), total: 7, page, limit: 3, totalPages: 3, since });
    }
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
  const wholeDay = { since: '2026-06-01T00:00:00Z', until: '2026-06-02T00:00:00+02:00' };

  it.each([
    ['no span', {}],
    ['no end', { since: wholeDay.since }],
    ['an end before the start', { since: wholeDay.until, until: wholeDay.since }],
    [
      'an end equal to the start in another time zone',
      { since: wholeDay.since, until: '2026-06-01T02:00:00+02:00' },
    ],
    ['a date without a time', { since: '2026-06-01', until: wholeDay.until }],
    ['no type', { ...wholeDay, types: [] }],
    ['a type twice', { ...wholeDay, types: ['AGENT_CREATED', 'AGENT_CREATED'] }],
    ['an unknown status', { ...wholeDay, status: 'lost' }],
  ])('is rejected with %s', async (_, body) => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const { status } = await carrier.ask(routes.replayWebhook, { params: { webhookId }, body });
    expect(status).toBe(400);
  });
});

describe('database calls', () => {
  it.each([
    ['a list', () => ({ route: routes.listWebhooks }), 1],
    ['a webhook', (webhookId: string) => ({ route: routes.getWebhook, params: { webhookId } }), 1],
    // Count the keys, then read a page; the webhook is read concurrently.
    [
      'a page of deliveries',
      (webhookId: string) => ({
        route: routes.listWebhookDeliveries,
        params: { webhookId },
        query: { since: span(0, 1).since },
      }),
      2,
    ],
  ] as const)('for %s are sequential only where necessary', async (_, requestOf, most) => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    await carrier.deliveries({ _id: webhookId }, [{}, {}, {}]);
    const { route, ...options } = requestOf(webhookId) as { route: typeof routes.getWebhook };
    const { inSequence } = await databaseCalls(() => carrier.ask(route, options));
    expect(inSequence).toBe(most);
  });
});

describe('a new webhook', () => {
  it('returns its secret once: 32 bytes in base64 after whsec_', async () => {
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
      createdAt: carrier.now().toISOString(),
      updatedAt: carrier.now().toISOString(),
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
    ['an http URL', { url: 'http://example.com/hooks' }],
    ['a loopback address', { url: 'https://localhost/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['a URL that is too long', { url: `https://example.com/${'a'.repeat(2_000)}` }],
    ['a secret', { secret: 'whsec_mine' }],
    ['the former type field', { type: 'CONTRACT_SIGNED' }],
    ['no URL', { url: undefined }],
  ])('is rejected with %s', async (_, body) => {
    const carrier = newCarrier();
    expect((await carrier.create(body)).status).toBe(400);
    expect(await carrier.listed()).toEqual([]);
  });

  it('is one of at most 20, even with 24 concurrent requests', async () => {
    const carrier = newCarrier();
    const answers = await Promise.all(Array.from({ length: 24 }, () => carrier.create()));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(mostWebhooks);
    for (const { status, text } of answers.filter((answer) => !made.includes(answer))) {
      expect(status).toBe(409);
      expect(JSON.parse(text)).toMatchObject({
        errorType: 'conflict',
        details: { limit: 20 },
      });
    }
    expect(await carrier.listed()).toHaveLength(mostWebhooks);
    // Each organization has its own limit, and a deleted webhook does not count.
    expect((await newCarrier().create()).status).toBe(201);
    const [first, second] = made.map(({ data }) => String(data['_id']));
    await Promise.all([carrier.delete(first ?? ''), carrier.delete(second ?? '')]);
    const more = await Promise.all(Array.from({ length: 5 }, () => carrier.create()));
    expect(more.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
  });

  it('is created once per idempotency key, and the replay returns the same secret', async () => {
    const carrier = newCarrier();
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const first = await carrier.create({}, options);
    const second = await carrier.create({}, options);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await carrier.listed()).toHaveLength(1);
    expect(await carrier.create({ url: 'https://example.org/' }, options)).toMatchObject({ status: 422 });
  });
});

describe('updating a webhook', () => {
  it('changes only the named fields, and not the secret', async () => {
    const carrier = newCarrier();
    const { webhookId, secret } = await carrier.created();
    carrier.advance(1_000);
    const changes = [
      { url: 'https://example.org:8443/other' },
      { types: ['AGENT_CREATED', 'AGENT_UPDATED'] },
      { isActive: false },
    ];
    let expected = (await carrier.get(webhookId)).data;
    for (const change of changes) {
      const { status, data } = await carrier.update(webhookId, change);
      expected = { ...expected, ...change, updatedAt: carrier.now().toISOString() };
      expect(status).toBe(200);
      expect(data).toEqual(expected);
    }
    expect((await carrier.get(webhookId)).data).toEqual(expected);
    expect(await carrier.revealed(webhookId)).toMatchObject({ secret, version: 4 });
  });

  it('that the service disabled keeps the reason until it is enabled again', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const disabledReason = 'The receiver responded with 410.';
    await createWebhookStore(webhooksOf()).change(
      carrier.owner,
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
    ['no fields', {}],
    ['a secret', { secret: 'whsec_mine' }],
    ['a forbidden URL', { url: 'https://169.254.169.254/' }],
    ['no types', { types: [] }],
    ['null', { url: null }],
  ])('is rejected with %s', async (_, body) => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    expect((await carrier.update(webhookId, body)).status).toBe(400);
    expect(await carrier.revealed(webhookId)).toMatchObject({ version: 1 });
  });

  it('keeps every one of several concurrent changes', async () => {
    const carrier = newCarrier();
    const { webhookId, secret } = await carrier.created();
    const answers = await Promise.all([
      carrier.update(webhookId, { url: 'https://example.org/other' }),
      carrier.update(webhookId, { types: ['AGENT_CREATED'] }),
      carrier.update(webhookId, { isActive: false }),
      carrier.rotate(webhookId),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await carrier.revealed(webhookId)).toMatchObject({
      url: 'https://example.org/other',
      types: ['AGENT_CREATED'],
      isActive: false,
      previousSecret: secret,
      version: 5,
    });
  });
});

describe('a rotated secret', () => {
  it('is returned, and the previous one stays valid for 24 hours', async () => {
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
    expect(await carrier.revealed(webhookId)).toMatchObject({
      secret: data['secret'],
      previousSecret: secret,
      previousSecretValidUntil: new Date(carrier.now().getTime() + day).toISOString(),
    });
    expect((await carrier.get(webhookId)).text).not.toContain('whsec_');
  });
});

describe('a deleted webhook', () => {
  it('is returned once, and unknown from then on', async () => {
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
