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
