import { randomUUID } from 'node:crypto';
import { createWebhookStore } from '../../functions/webhooks/store.ts';
import { day, newCarrier, roles, routes, webhooksOf } from '../support/webhooks-tests.ts';

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

  it('replaces and removes the filter of states, of which v1 knows nothing', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const filterOf = async () => (await carrier.get(webhookId)).data['filter'];
    expect(await filterOf()).toBeNull();
    for (const filter of [
      { stateCodes: ['TX', 'OK'] },
      { stateCodes: ['LA'] },
      null,
      {},
      { stateCodes: ['TX'] },
    ]) {
      expect((await carrier.update(webhookId, { filter })).data).toMatchObject({ filter });
      await carrier.update(webhookId, { types: ['AGENT_CREATED'] });
      expect(await filterOf()).toEqual(filter);
    }
    const v1 = (body: object) => carrier.ask(routes.updateWebhookV1, { params: { webhookId }, body });
    const changed = await v1({ types: ['AGENT_UPDATED'] });
    expect(changed.status).toBe(200);
    expect(changed.data).not.toHaveProperty('filter');
    expect((await v1({ filter: null })).status).toBe(400);
    expect(await filterOf()).toEqual({ stateCodes: ['TX'] });
  });

  it('enables one with a destination only while its role may be assumed for its owner alone', async () => {
    const carrier = newCarrier();
    const roleArn = 'arn:aws:iam::111122223333:role/insurance-compliance-webhooks-b';
    const destination = { type: 'sqs', arn: 'arn:aws:sqs:us-east-1:111122223333:events', roleArn };
    roles.allow(roleArn, carrier.owner);
    const { webhookId } = await carrier.created({ url: undefined, destination });
    await carrier.update(webhookId, { isActive: false });
    const enable = () => carrier.update(webhookId, { isActive: true });
    roles.withdraw(roleArn);
    expect(await enable()).toMatchObject({
      status: 400,
      text: expect.stringContaining('"path":"destination.roleArn"'),
    });
    roles.allow(roleArn, carrier.owner, null);
    expect(await enable()).toMatchObject({
      status: 400,
      text: expect.stringContaining('"path":"destination.roleArn"'),
    });
    expect((await carrier.get(webhookId)).data).toMatchObject({ isActive: false });
    roles.allow(roleArn, carrier.owner);
    expect(await enable()).toMatchObject({ status: 200, data: { isActive: true } });
  });

  it('works the same through v1 and v2', async () => {
    const carrier = newCarrier();
    const { webhookId, secret } = await carrier.created();
    const body = { types: ['AGENT_CREATED'] };
    const { status, data } = await carrier.ask(routes.updateWebhookV1, { params: { webhookId }, body });
    expect(status).toBe(200);
    expect(data).toMatchObject({ _id: webhookId, types: ['AGENT_CREATED'] });
    expect(data).not.toHaveProperty('secret');
    expect(await carrier.revealed(webhookId)).toMatchObject({ secret });
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
    ['a filter of no states', { filter: { stateCodes: [] } }],
    ['a filter that lists a state twice', { filter: { stateCodes: ['TX', 'TX'] } }],
    ['a filter by something else', { filter: { npn: '1' } }],
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

  it('replaces the previous secret of an earlier rotation', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const { data: first } = await carrier.rotate(webhookId);
    const { data: second } = await carrier.rotate(webhookId);
    expect(await carrier.revealed(webhookId)).toMatchObject({
      secret: second['secret'],
      previousSecret: first['secret'],
    });
  });

  it('is created once per idempotency key', async () => {
    const carrier = newCarrier();
    const { webhookId } = await carrier.created();
    const options = { params: { webhookId }, headers: { 'x-idempotency-key': randomUUID() } };
    const first = await carrier.ask(routes.rotateWebhookSecret, options);
    const second = await carrier.ask(routes.rotateWebhookSecret, options);
    expect(second.text).toBe(first.text);
    expect(await carrier.revealed(webhookId)).toMatchObject({ version: 2 });
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
