import { randomUUID } from 'node:crypto';
import { deliveryItem } from '../../shared/domain/webhooks/stored.ts';
import { databaseCalls } from '../support/tables.ts';
import { newCarrier, routes, span } from '../support/webhooks-tests.ts';

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

  it('are visible to their owner only', async () => {
    const [carrier, other] = [newCarrier(), newCarrier()];
    const { webhookId } = await carrier.created();
    const [delivery] = await carrier.deliveries({ _id: webhookId }, [{}]);
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
