import { newOrganization, type Organization } from '../support/local-api.ts';
import { until } from '../support/until.ts';
import { ask, type Data, listen, receiver, upload, webhooks } from '../support/webhook-events.ts';

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

describe('deliveries', () => {
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

  it('a filter of states, which test events pass, is shown and removed', async () => {
    const { path, webhookId } = await listen(owner, ['AGENT_LICENSE_EXPIRING']);
    const filter = { stateCodes: ['AK'] };
    expect(await ask(owner, 'PATCH', `${webhooks}/${webhookId}`, { filter })).toMatchObject({ filter });
    await test(webhookId);
    await receiver.until(path, ({ isTest }) => isTest === true);
    expect(await ask(owner, 'PATCH', `${webhooks}/${webhookId}`, { filter: null })).toMatchObject({
      filter: null,
    });
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
