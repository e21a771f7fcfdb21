import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { features } from '#platform/contract/route.ts';
import { call, errorShape, newOrganization, type Organization } from '../support/local-api.ts';
import { startReceiver } from '../support/receiver.ts';
import { eventually, until } from '../support/until.ts';

describe('webhooks', () => {
  const v2 = '/v2/upstream/webhooks';
  const v1 = '/v1/webhooks';

  let organization: Organization;

  beforeAll(async () => {
    organization = await newOrganization('upstreamEntity');
  });

  const valid = { url: 'https://example.com/hooks', types: ['PRODUCER_AGREEMENT_EXECUTED'] };

  type Data = Readonly<Record<string, unknown>>;

  const ask = async (
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await call(method, path, {
      headers: { ...organization.bearer, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { ...answer, data: answer.json['data'] as Data };
  };

  const created = async (body: object = valid): Promise<Data> => {
    const { status, data } = await ask('POST', v2, body);
    expect(status).toBe(201);
    return data;
  };

  describe('webhooks of an organization', () => {
    it('a webhook has a list of types and one secret, which is shown only when it is created', async () => {
      const { secret, ...shown } = await created({ ...valid, types: ['AGENT_CREATED', 'AGENT_UPDATED'] });
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(shown).toMatchObject({
        url: valid.url,
        types: ['AGENT_CREATED', 'AGENT_UPDATED'],
        isActive: true,
        disabledReason: null,
        secretLastFour: String(secret).slice(-4),
      });
      const { data, text } = await ask('GET', `${v2}/${shown['_id']}`);
      expect(data).toEqual(shown);
      expect(text).not.toContain('whsec_');
    });

    it.each([v1, v2])('%s lists webhooks with their types and without their secrets', async (path) => {
      const { _id } = await created();
      const { status, text, json } = await ask('GET', path);
      expect(status).toBe(200);
      expect(json['data']).toEqual(
        expect.arrayContaining([expect.objectContaining({ _id, types: valid.types })]),
      );
      expect(text).not.toContain('whsec_');
    });

    it.each([v1, v2])('%s changes types without a new secret', async (path) => {
      const { secret, ...shown } = await created();
      const { status, data } = await ask('PATCH', `${path}/${shown['_id']}`, { types: ['AGENT_CREATED'] });
      expect(status).toBe(200);
      expect(data).toEqual({ ...shown, types: ['AGENT_CREATED'], updatedAt: data['updatedAt'] });
      expect(data['secretLastFour']).toBe(String(secret).slice(-4));
    });

    it('the v2 routes need the feature Webhook Settings, and the v1 routes do not', async () => {
      const { bearer } = await newOrganization('upstreamEntity', {
        features: features.filter((feature) => feature !== 'webhook_settings'),
      });
      expect(await call('GET', v2, { headers: bearer })).toMatchObject({
        status: 403,
        json: errorShape(403, 'product_feature_subscription_required', {
          details: { expected: 'webhook_settings', actual: 'none' },
        }),
      });
      expect(await call('GET', v1, { headers: bearer })).toMatchObject({ status: 200, json: { data: [] } });
      const path = `${v1}/${'f'.repeat(24)}`;
      expect(await call('PATCH', path, { headers: bearer, body: { isActive: false } })).toMatchObject({
        status: 404,
      });
    });

    it('v1 has only these two', async () => {
      const { _id } = await created();
      expect((await ask('POST', v1, valid)).status).toBe(404);
      expect((await ask('GET', `${v1}/${_id}`)).status).toBe(404);
      expect((await ask('DELETE', `${v1}/${_id}`)).status).toBe(404);
    });
  });

  describe('a webhook', () => {
    it('a rotation shows a new secret, once', async () => {
      const { secret, _id } = await created();
      const { status, data } = await ask('POST', `${v2}/${_id}/rotate-secret`);
      expect(status).toBe(200);
      expect(data['secret']).toMatch(/^whsec_/);
      expect(data['secret']).not.toBe(secret);
      const { data: shown } = await ask('GET', `${v2}/${_id}`);
      expect(shown['secretLastFour']).toBe(String(data['secret']).slice(-4));
    });

    it('a deleted webhook is returned once and then unknown', async () => {
      const { secret: _, ...shown } = await created();
      expect(await ask('DELETE', `${v2}/${shown['_id']}`)).toMatchObject({ status: 200, data: shown });
      expect(await ask('DELETE', `${v2}/${shown['_id']}`)).toMatchObject({ status: 404 });
      expect(await ask('GET', `${v2}/${shown['_id']}`)).toMatchObject({ status: 404 });
    });

    it('an organization may have at most 20', async () => {
      const other = await newOrganization('upstreamEntity');
      const answers = await Promise.all(
        Array.from({ length: 25 }, () => call('POST', v2, { headers: other.bearer, body: valid })),
      );
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(5);
      for (const { json } of refused)
        expect(json).toEqual(
          errorShape(409, 'conflict', { details: { expected: 'at most 20 webhooks', actual: '20' } }),
        );
      const { json } = await call('GET', v2, { headers: other.bearer });
      expect(json['data']).toHaveLength(20);
    });

    it('a loopback address is accepted in the local environment only', async () => {
      const { url } = await created({ ...valid, url: 'http://127.0.0.1:9/hooks' });
      expect(url).toBe('http://127.0.0.1:9/hooks');
    });

    it.each([
      ['http', { ...valid, url: 'http://example.com/hooks' }, 'url'],
      ['a private address', { ...valid, url: 'https://10.0.0.1/hooks' }, 'url'],
      ['the metadata of a cloud', { ...valid, url: 'https://169.254.169.254/latest' }, 'url'],
      ['another port', { ...valid, url: 'https://example.com:9000/' }, 'url'],
      ['no type', { ...valid, types: [] }, 'types'],
      ['an unknown type', { ...valid, types: ['NO_SUCH_TYPE'] }, 'types[0]'],
      ['a type twice', { ...valid, types: ['AGENT_CREATED', 'AGENT_CREATED'] }, 'types'],
    ])('%s is refused, and the field is named', async (_, body, path) => {
      const key = { 'idempotency-key': randomUUID() };
      const { status, json } = await ask('POST', v2, body, key);
      expect(status).toBe(400);
      expect(json).toMatchObject(errorShape(400, 'validation_error', { details: { issues: [{ path }] } }));
      // A refused request may be corrected and sent again under its key.
      expect((await ask('POST', v2, valid, key)).status).toBe(201);
      const { data, headers } = await ask('POST', v2, valid, key);
      expect(headers.get('idempotency-replayed')).toBe('true');
      expect((await ask('DELETE', `${v2}/${data['_id']}`)).status).toBe(200);
    });

    it('an update must change something', async () => {
      const { _id } = await created();
      const { status, json } = await ask('PATCH', `${v2}/${_id}`, {});
      expect(status).toBe(400);
      expect(json).toMatchObject({ errorMessage: ['requires a field to change'] });
    });
  });

  describe('deliveries on request', () => {
    it('a test and its redelivery are accepted and listed, and a replay leaves the test out', async () => {
      const { _id } = await created({ ...valid, url: 'http://127.0.0.1:9/hooks' });
      const test = await ask('POST', `${v2}/${_id}/test`, { webhookType: 'DOCUMENT_UPLOADED' });
      expect(test).toMatchObject({
        status: 202,
        data: { webhookId: _id, webhookType: 'DOCUMENT_UPLOADED', status: 'pending' },
      });
      const deliveryId = String(test.data['_id']);
      // An attempt that is under way keeps its delivery from being replayed.
      const attempted = (times: number) =>
        until(async () => {
          const { data } = await ask('GET', `${v2}/${_id}/deliveries`);
          const [delivery] = data['items'] as readonly { readonly attempts: readonly unknown[] }[];
          return delivery?.attempts.length === times;
        });
      await attempted(1);
      const again = await ask('POST', `${v2}/${_id}/deliveries/${deliveryId}/redeliver`);
      expect(again).toMatchObject({ status: 202, data: { _id: deliveryId, eventId: test.data['eventId'] } });
      await attempted(2);
      const { data } = await ask('GET', `${v2}/${_id}/deliveries`);
      expect(data).toMatchObject({ items: [{ _id: deliveryId }], total: 1 });
      const span = { since: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' };
      const replay = await ask('POST', `${v2}/${_id}/replay`, { ...span, types: ['DOCUMENT_UPLOADED'] });
      expect(replay).toMatchObject({ status: 202, data: { queued: 0, hasMore: false, nextSince: null } });
    });

    it('a disabled webhook refuses them with 409', async () => {
      const { _id } = await created();
      await ask('PATCH', `${v2}/${_id}`, { isActive: false });
      const { status, json } = await ask('POST', `${v2}/${_id}/test`, {});
      expect(status).toBe(409);
      expect(json).toEqual(errorShape(409, 'conflict'));
    });

    it('a test arrives signed, and its delivery succeeds', async () => {
      const receiver = await startReceiver(() => 204);
      try {
        const { _id, secret } = await created({ ...valid, url: receiver.url('/hooks') });
        const { data } = await ask('POST', `${v2}/${_id}/test`, {});
        const [got] = await eventually(() => (receiver.got.length > 0 ? receiver.got : undefined));
        const headers = Object.fromEntries(
          Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]),
        );
        expect(new Webhook(String(secret)).verify(got?.body ?? '', headers)).toMatchObject({
          eventId: data['eventId'],
          webhookType: 'PRODUCER_AGREEMENT_EXECUTED',
        });
        const signed = createHmac('sha256', String(secret)).update(
          `${headers['x-service-timestamp']}.${got?.body}`,
        );
        expect(headers).toMatchObject({
          'x-service-signature': signed.digest('hex'),
          'x-service-webhook-id': _id,
        });
        await eventually(async () => {
          const { data: page } = await ask('GET', `${v2}/${_id}/deliveries`);
          const [first] = page['items'] as Data[];
          return first?.['status'] === 'succeeded' ? first : undefined;
        });
      } finally {
        receiver.close();
      }
    });
  });
});
