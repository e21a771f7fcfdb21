import { randomUUID } from 'node:crypto';
import { mostReplayed } from '../../functions/webhooks/deliver-again.ts';
import { withLostAnswer } from '../support/faults.ts';
import { databaseCalls } from '../support/tables.ts';
import { day, newCarrier, span, start } from '../support/webhooks-tests.ts';

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

  it('is executed once per idempotency key, in at most four database calls', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const [delivery] = await carrier.deliveries(webhook, [{}]);
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => carrier.redeliver(webhook, delivery?._id ?? '', headers);
    const { calls } = await databaseCalls(ask);
    expect(calls).toHaveLength(4);
    expect((await ask()).headers['idempotency-replayed']).toBe('true');
    expect(await carrier.storedDelivery(webhook._id, delivery?._id ?? '')).toMatchObject({ attempt: 3 });
  });
});

describe('a replay', () => {
  it('leaves out the events of states that the filter of now leaves out', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook({ filter: { stateCodes: ['TX'] } });
    const all = await carrier.deliveries(webhook, [{ stateCodes: ['OK'] }, { stateCodes: ['TX', 'OK'] }, {}]);
    expect((await carrier.replay(webhook, span(0, 3))).data).toMatchObject({ queued: 2 });
    expect((await carrier.due(webhook)).sort()).toEqual(
      all
        .slice(1)
        .map(({ _id }) => _id)
        .sort(),
    );
  });

  it('counts a delivery that was written though the response was lost', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    await carrier.deliveries(webhook, [{}]);
    const { data } = await withLostAnswer(() => carrier.replay(webhook, span(0, 5)));
    expect(data).toMatchObject({ queued: 1 });
  });

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

  it('is executed once per idempotency key', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const [delivery] = await carrier.deliveries(webhook, [{}]);
    const headers = { 'idempotency-key': randomUUID() };
    await carrier.replay(webhook, span(0, 5), headers);
    const again = await carrier.replay(webhook, span(0, 5), headers);
    expect(again).toMatchObject({ status: 202, data: { queued: 1 } });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await carrier.storedDelivery(webhook._id, delivery?._id ?? '')).toMatchObject({ attempt: 3 });
  });
});
