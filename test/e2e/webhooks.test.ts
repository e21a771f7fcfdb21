import { call, newOrganization, type Organization } from '../support/local-api.ts';

describe('webhooks', () => {
  const v2 = '/v2/upstream/webhooks';
  const v1 = '/v1/webhooks';

  let organization: Organization;

  beforeAll(async () => {
    organization = await newOrganization('upstreamEntity');
  });

  const valid = { url: 'https://example.com/hooks', types: ['PRODUCER_AGREEMENT_EXECUTED'] };

  type Data = Readonly<Record<string, unknown>>;

  const ask = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, {
      headers: organization.bearer,
      ...(body === undefined ? {} : { body }),
    });
    return { ...answer, data: answer.json['data'] as Data };
  };

  describe('webhooks of an organization', () => {
    it('v1 lists and changes webhooks without their secrets, and has no other route', async () => {
      const created = await ask('POST', v2, valid);
      expect(created.status).toBe(201);
      const { secret: _, ...shown } = created.data;
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
});
