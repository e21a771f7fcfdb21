import { day, newCarrier, routes, span, start } from '../support/webhooks-tests.ts';

describe('the deliveries of a webhook, filtered', () => {
  const made = [
    { status: 'failed', webhookType: 'CONTRACT_SIGNED' },
    { status: 'failed', webhookType: 'DOCUMENT_UPLOADED' },
    { status: 'succeeded', webhookType: 'CONTRACT_SIGNED' },
    { status: 'pending', webhookType: 'CONTRACT_SIGNED' },
    { status: 'failed', webhookType: 'CONTRACT_SIGNED' },
  ] as const;

  it.each([
    ['by status', { status: 'failed' }, [4, 1, 0]],
    ['by type', { webhookType: 'CONTRACT_SIGNED' }, [4, 3, 2, 0]],
    ['by both', { status: 'failed', webhookType: 'CONTRACT_SIGNED' }, [4, 0]],
    ['by a type without deliveries', { webhookType: 'AGENT_CREATED' }, []],
  ] as const)(
    '%s are the matching ones, newest first, and only they are counted',
    async (_, filter, found) => {
      const carrier = newCarrier();
      const webhook = await carrier.webhook();
      const all = await carrier.deliveries(webhook, made);
      const ids = found.map((index) => all[index]?._id);
      const { since } = span(0, 1);
      for (const page of [1, 2]) {
        const query = { ...filter, since, page: String(page), limit: '2' };
        const { data } = await carrier.ask(routes.listWebhookDeliveries, {
          params: { webhookId: webhook._id },
          query,
        });
        expect(data).toEqual({
          items: ids.slice(2 * page - 2, 2 * page).map((_id) => expect.objectContaining({ _id })),
          total: ids.length,
          page,
          limit: 2,
          totalPages: Math.ceil(ids.length / 2),
          since,
        });
      }
    },
  );

  it('are those of the last 24 hours without a time, which the answer names', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const since = new Date(carrier.now().getTime() - day).toISOString();
    const created = [new Date(start).toISOString(), since, carrier.now().toISOString()];
    const all = await carrier.deliveries(
      webhook,
      created.map((createdAt) => ({ createdAt })),
    );
    const list = async (query: Record<string, string>) => {
      const params = { webhookId: webhook._id };
      return (await carrier.ask(routes.listWebhookDeliveries, { params, query })).data;
    };
    const shown = (...indexes: readonly number[]) =>
      indexes.map((index) => expect.objectContaining({ _id: all[index]?._id }));
    expect(await list({})).toMatchObject({ items: shown(2, 1), total: 2, since });
    expect(await list({ limit: '1', page: '2' })).toMatchObject({ items: shown(1), total: 2, totalPages: 2 });
    expect(await list({ since: '2026-06-01T02:00:00+02:00' })).toMatchObject({
      items: shown(2, 1, 0),
      total: 3,
      since: '2026-06-01T00:00:00.000Z',
    });
  });

  it.each([{ status: 'lost' }, { webhookType: 'LOST' }, { since: 'yesterday' }])(
    'are refused with %j',
    async (query) => {
      const carrier = newCarrier();
      const webhook = await carrier.webhook();
      const params = { webhookId: webhook._id };
      expect((await carrier.ask(routes.listWebhookDeliveries, { params, query })).status).toBe(400);
    },
  );
});

describe('a test event', () => {
  it('says that it is one, and is not among what replay delivers again', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const { data } = await carrier.test(webhook);
    const stored = await carrier.storedDelivery(webhook._id, String(data['_id']));
    expect(stored?.event).toMatchObject({ inline: { isTest: true, sequence: 1 } });

    const [real] = await carrier.deliveries(webhook, [{ createdAt: carrier.now().toISOString() }]);
    const before = await carrier.due(webhook);
    const tenDays = 10 * 86_400;
    const { data: replayed } = await carrier.replay(webhook, span(0, tenDays + 1));
    expect(replayed).toMatchObject({ queued: 1 });
    expect(before).toEqual([data['_id']]);
    expect((await carrier.due(webhook)).sort()).toEqual([...before, real?._id].sort());
  });
});

describe('a redelivery', () => {
  it.each(['pending', 'succeeded', 'failed'] as const)('restarts a %s delivery', async (status) => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const at = new Date(start).toISOString();
    const attempts = [{ attemptedAt: at, statusCode: 500, durationMs: 1, error: null, responseBody: '' }];
    const [delivery] = await carrier.deliveries(webhook, [{ status, attempts, retry: 9, attempt: 11 }]);
    const _id = delivery?._id ?? '';
    const { status: answer, data } = await carrier.redeliver(webhook, _id);
    expect(answer).toBe(202);
    const now = carrier.now().toISOString();
    expect(data).toMatchObject({ _id, status: 'pending', attempts, nextAttemptAt: now, updatedAt: now });
    expect(data).not.toHaveProperty('attempt');
    expect(await carrier.storedDelivery(webhook._id, _id)).toMatchObject({
      attempt: 12,
      retry: 0,
      status: 'pending',
    });
    expect(await carrier.due(webhook)).toEqual([_id]);
    expect(carrier.memory.waiting).toEqual([
      {
        message: { owner: carrier.owner, webhookId: webhook._id, queue: 'healthy' },
        visibleAt: carrier.now().getTime(),
      },
    ]);
  });

  it('keeps an old delivery for as long as its retries take', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const old = new Date(carrier.now().getTime() - 29.9 * day).toISOString();
    const [delivery] = await carrier.deliveries(webhook, [{ createdAt: old }]);
    await carrier.redeliver(webhook, delivery?._id ?? '');
    const { expiresAt } = (await carrier.storedDelivery(webhook._id, delivery?._id ?? '')) ?? {};
    expect(Number(expiresAt) * 1_000 - carrier.now().getTime()).toBeGreaterThan(76 * 3_600_000);
  });

  it('counts each of several concurrent requests', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const [delivery] = await carrier.deliveries(webhook, [{}]);
    const _id = delivery?._id ?? '';
    const answers = await Promise.all(Array.from({ length: 4 }, () => carrier.redeliver(webhook, _id)));
    const taken = answers.filter(({ status }) => status === 202).length;
    for (const { status, errorType } of answers) {
      if (status !== 202) expect([status, errorType]).toEqual([409, 'transient_transaction_error']);
    }
    const { attempt } = (await carrier.storedDelivery(webhook._id, _id)) ?? {};
    expect(attempt).toBe(2 + taken);
    const [first] = answers.filter(({ status }) => status === 202);
    expect(first).toBeDefined();
    expect(new Set(await carrier.due(webhook))).toEqual(new Set([_id]));
  });
});

describe('a replay', () => {
  it('includes the start of the span but not its end, and filters by type and status', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const other = await carrier.webhook();
    await carrier.deliveries(other, [{}, {}]);
    const made = await carrier.deliveries(webhook, [
      {},
      { status: 'failed' },
      { status: 'failed', webhookType: 'DOCUMENT_UPLOADED' },
      { status: 'pending' },
      { status: 'failed' },
    ]);
    let seen: string[] = [];
    /** Ids of the deliveries that became due since the last time. */
    const ids = async () => {
      const due = await carrier.due(webhook);
      const added = [...due];
      for (const id of seen) added.splice(added.indexOf(id), 1);
      seen = due;
      return new Set(added);
    };
    const idsOf = (...indexes: number[]) => new Set(indexes.map((index) => made[index]?._id));
    const replay = (body: object) => carrier.replay(webhook, body);

    expect(await replay(span(1, 4))).toMatchObject({
      status: 202,
      data: { queued: 3, hasMore: false, nextSince: null },
    });
    expect(await ids()).toEqual(idsOf(1, 2, 3));
    expect((await replay({ ...span(0, 5), status: 'failed' })).data['queued']).toBe(1);
    expect(await ids()).toEqual(idsOf(4));
    expect((await replay({ ...span(0, 5), types: ['DOCUMENT_UPLOADED'] })).data['queued']).toBe(1);
    expect(await ids()).toEqual(idsOf(2));
    expect((await replay(span(10, 20))).data).toEqual({ queued: 0, hasMore: false, nextSince: null });
    expect(await carrier.storedDelivery(webhook._id, made[1]?._id ?? '')).toMatchObject({
      status: 'pending',
      retry: 0,
      nextAttemptAt: carrier.now().toISOString(),
    });
  });
});

const types = ['CONTRACT_SIGNED', 'DOCUMENT_UPLOADED'] as const;

describe('the type of a test event', () => {
  it.each([
    ['no body', {}],
    ['{}', { body: {} }],
  ])('is the webhook’s first one with %s', async (_, sent) => {
    const carrier = newCarrier();
    const { _id: webhookId } = await carrier.webhook({ types: [...types] });
    const { status, data } = await carrier.ask(routes.testWebhook, { params: { webhookId }, ...sent });
    expect([status, data]).toEqual([202, expect.objectContaining({ webhookType: 'CONTRACT_SIGNED' })]);
  });

  it.each(['null', '[]', '{"type":"CONTRACT_SIGNED"}'])('%s is refused', async (rawBody) => {
    const carrier = newCarrier();
    const { _id: webhookId } = await carrier.webhook();
    expect((await carrier.ask(routes.testWebhook, { params: { webhookId }, rawBody })).status).toBe(400);
  });
});
