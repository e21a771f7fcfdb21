import { newCarrier, routes, span } from '../support/webhook-requests-tests.ts';

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
      for (const page of [1, 2]) {
        const query = { ...filter, page: String(page), limit: '2' };
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
        });
      }
    },
  );

  it.each([{ status: 'lost' }, { webhookType: 'LOST' }])('are refused with %j', async (query) => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const params = { webhookId: webhook._id };
    expect((await carrier.ask(routes.listWebhookDeliveries, { params, query })).status).toBe(400);
  });
});

describe('a test event', () => {
  it('says that it is one, and is not among what replay delivers again', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const { data } = await carrier.test(webhook);
    const stored = await carrier.delivery(webhook._id, String(data['_id']));
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
