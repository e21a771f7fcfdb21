import { mostReplayed } from '../../functions/webhooks/deliver-again.ts';
import { newCarrier, span } from '../support/webhooks-tests.ts';

describe('a replay', () => {
  it(`queues at most ${mostReplayed} deliveries and returns where to continue`, async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const made = await carrier.deliveries(
      webhook,
      Array.from({ length: mostReplayed + 5 }, () => ({})),
    );
    const { data } = await carrier.replay(webhook, span(0, 10_000));
    expect(data).toEqual({ queued: mostReplayed, hasMore: true, nextSince: made[mostReplayed]?.createdAt });
    const rest = await carrier.replay(webhook, { ...span(0, 10_000), since: data['nextSince'] });
    expect(rest.data).toEqual({ queued: 5, hasMore: false, nextSince: null });
    expect(new Set(await carrier.due(webhook)).size).toBe(made.length);
  });
});
