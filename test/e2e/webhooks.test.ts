import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { call, newOrganization, type Organization } from '../support/local-api.ts';
import { startReceiver } from '../support/receiver.ts';
import { eventually } from '../support/until.ts';

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
    it('v1 lists and changes webhooks without their secrets, and has no other route', async () => {
      const { secret: _, ...shown } = await created();
      const { _id } = shown;
      const { text, json } = await ask('GET', v1);
      expect(json['data']).toEqual([shown]);
      expect(text).not.toContain('whsec_');
      const { data } = await ask('PATCH', `${v1}/${_id}`, { types: ['AGENT_CREATED'] });
      expect(data).toEqual({ ...shown, types: ['AGENT_CREATED'], updatedAt: data['updatedAt'] });
      expect((await ask('POST', v1, valid)).status).toBe(404);
      expect((await ask('GET', `${v1}/${_id}`)).status).toBe(404);
      expect((await ask('DELETE', `${v1}/${_id}`)).status).toBe(404);
      expect((await ask('DELETE', `${v2}/${_id}`)).status).toBe(200);
    });
  });

  describe('deliveries on request', () => {
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
