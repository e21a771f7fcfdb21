import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { mostWebhooks } from '../../functions/webhooks/store.ts';
import { webhookTypes } from '../../shared/domain/events/payloads.ts';
import { newCarrier, roles, routes } from '../support/webhooks-tests.ts';

const destination = {
  type: 'sqs',
  arn: 'arn:aws:sqs:us-east-1:111122223333:events',
  roleArn: 'arn:aws:iam::111122223333:role/insurance-compliance-webhooks-a',
};

describe('a new webhook', () => {
  it('returns its secret once: 32 bytes in base64 after whsec_', async () => {
    const carrier = newCarrier();
    const { status, data } = await carrier.create();
    expect(status).toBe(201);
    expect(data).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      url: 'https://example.com/hooks',
      destination: null,
      filter: null,
      types: ['CONTRACT_SIGNED'],
      isActive: true,
      disabledReason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      secretLastFour: String(data['secret']).slice(-4),
      createdAt: carrier.now().toISOString(),
      updatedAt: carrier.now().toISOString(),
    });
    expect(Buffer.from(String(data['secret']).slice('whsec_'.length), 'base64')).toHaveLength(32);
    const { secret, ...shown } = data;
    expect((await carrier.get(String(data['_id']))).data).toEqual(shown);
    expect(await carrier.listed()).toEqual([shown]);
    const { destination: _, filter: _filter, ...ofV1 } = shown;
    expect(await carrier.listed(routes.listWebhooksV1)).toEqual([ofV1]);
    expect(secret).not.toBe((await carrier.create()).data['secret']);
  });

  it.each([
    ['no type', { types: [] }],
    ['an unknown type', { types: ['CONTRACT_SIGNED', 'CONTRACT_BURNT'] }],
    ['a type twice', { types: ['CONTRACT_SIGNED', 'CONTRACT_SIGNED'] }],
    ['one type instead of a list', { types: 'CONTRACT_SIGNED' }],
    ['an http URL', { url: 'http://example.com/hooks' }],
    ['a loopback address', { url: 'https://localhost/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['a URL that is too long', { url: `https://example.com/${'a'.repeat(2_000)}` }],
    ['a secret', { secret: 'whsec_mine' }],
    ['the former type field', { type: 'CONTRACT_SIGNED' }],
    ['neither a URL nor a destination', { url: undefined }],
    ['a URL and a destination', { destination }],
    ...[
      ['another kind of ARN', { type: 'eventbridge' }],
      ['an ARN with a path in its region', { arn: 'arn:aws:sqs:us-east-1.example.com/:111122223333:events' }],
      ['a name that is too long', { arn: `arn:aws:sqs:us-east-1:111122223333:${'a'.repeat(81)}` }],
      ['a role of another name', { roleArn: 'arn:aws:iam::111122223333:role/insurance-compliance-prod' }],
      ['a role with a path', { roleArn: 'arn:aws:iam::111122223333:role/a/insurance-compliance-webhooks' }],
      ['a secret', { secret: 'a' }],
    ].map(([what, part]): [string, object] => [
      `a destination with ${what}`,
      { url: undefined, destination: Object.assign({}, destination, part) },
    ]),
  ])('is rejected with %s', async (_, body) => {
    const carrier = newCarrier();
    expect((await carrier.create(body)).status).toBe(400);
    expect(await carrier.listed()).toEqual([]);
  });

  it.each([
    ['a role that it may assume', ['own'], 201],
    ['a role that it may not assume', ['other'], 400],
    ['a role that demands no external id', ['own', null], 400],
  ])('has a destination with %s: %#', async (_, externalIds, expected) => {
    const carrier = newCarrier();
    const ids = externalIds.map((id) => (id === 'own' ? carrier.owner : id));
    roles.allow(destination.roleArn, ...ids);
    const { status, data, text } = await carrier.create({ url: undefined, destination });
    expect(status).toBe(expected);
    if (expected === 201) {
      expect(data).toMatchObject({ url: null, destination });
      expect(await carrier.listed(routes.listWebhooksV1)).toEqual([]);
    } else {
      expect(text).toContain('"path":"destination.roleArn"');
      expect(await carrier.listed()).toEqual([]);
    }
  });

  it('accepts any types, each once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...webhookTypes), { minLength: 1 }), async (types) => {
        expect(await newCarrier().create({ types })).toMatchObject({ status: 201, data: { types } });
      }),
      { numRuns: 10 },
    );
  });

  it('is one of at most 20, even with 30 concurrent requests', async () => {
    const carrier = newCarrier();
    const answers = await Promise.all(Array.from({ length: 30 }, () => carrier.create()));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(mostWebhooks);
    for (const { status, text } of answers.filter((answer) => !made.includes(answer))) {
      expect(status).toBe(409);
      expect(JSON.parse(text)).toMatchObject({
        errorType: 'conflict',
        details: { expected: 'at most 20 webhooks', actual: '20' },
      });
    }
    expect(await carrier.listed()).toHaveLength(mostWebhooks);
    // Each organization has its own limit, and a deleted webhook does not count.
    expect((await newCarrier().create()).status).toBe(201);
    const [first, second] = made.map(({ data }) => String(data['_id']));
    await Promise.all([carrier.delete(first ?? ''), carrier.delete(second ?? '')]);
    const more = await Promise.all(Array.from({ length: 5 }, () => carrier.create()));
    expect(more.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
  });

  it('is created once per idempotency key, and the replay returns the same secret', async () => {
    const carrier = newCarrier();
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const first = await carrier.create({}, options);
    const second = await carrier.create({}, options);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await carrier.listed()).toHaveLength(1);
    expect(await carrier.create({ url: 'https://example.org/' }, options)).toMatchObject({ status: 422 });
  });

  it('that is rejected can be sent again, corrected, under the same idempotency key', async () => {
    const carrier = newCarrier();
    const options = { headers: { 'idempotency-key': randomUUID() } };
    expect((await carrier.create({ url: 'https://localhost/' }, options)).status).toBe(400);
    expect((await carrier.create({}, options)).status).toBe(201);
  });
});
