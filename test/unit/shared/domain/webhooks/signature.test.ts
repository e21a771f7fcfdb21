import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { createWebhookSecrets, signatureHeaders } from '#domain/webhooks/secrets.ts';
import { memoryDataKeys } from '../../../../support/data-keys.ts';

describe('secrets', () => {
  const hour = 3_600_000;
  const time = (ms: number) => new Date(ms).toISOString();

  function setup() {
    const dataKeys = memoryDataKeys();
    let time = 0;
    const instance = () => createWebhookSecrets(dataKeys, () => new Date(time));
    return {
      dataKeys,
      instance,
      pass: (ms: number) => {
        time += ms;
      },
    };
  }

  it('reveals to another instance what one protected, and stores nothing that can be read', async () => {
    const { instance, pass } = setup();
    const writer = instance();
    const secret = await writer.protect('webhook1', 'whsec_one');
    const previousSecret = await writer.protect('webhook1', 'whsec_zero');
    expect(Buffer.concat([secret.dataKey, secret.sealed]).toString('latin1')).not.toContain('whsec_');
    const stored = { _id: 'webhook1', secret, previousSecret, previousSecretValidUntil: time(hour) };
    expect(await instance().reveal(stored)).toMatchObject({
      secret: 'whsec_one',
      previousSecret: 'whsec_zero',
    });
    pass(hour);
    expect(await instance().reveal(stored)).toMatchObject({ previousSecret: undefined });
  });

  it('does not reveal the secret of one webhook for another', async () => {
    const { instance } = setup();
    const secret = await instance().protect('webhook1', 'whsec_one');
    await expect(instance().reveal({ _id: 'webhook2', secret })).rejects.toThrow();
  });

  it('asks KMS once for each instance that protects, and once an hour for each data key that it reveals with', async () => {
    const { dataKeys, instance, pass } = setup();
    const writer = instance();
    const [secret, other] = await Promise.all([writer.protect('1', 'one'), writer.protect('2', 'two')]);
    const reader = instance();
    await Promise.all([reader.reveal({ _id: '1', secret }), reader.reveal({ _id: '2', secret: other })]);
    pass(hour - 1);
    await reader.reveal({ _id: '1', secret });
    expect(dataKeys.calls).toEqual(['generate', 'decrypt']);
    pass(1);
    await reader.reveal({ _id: '1', secret });
    expect(dataKeys.calls).toEqual(['generate', 'decrypt', 'decrypt']);
  });

  it('tries again after a failure of KMS', async () => {
    const { dataKeys } = setup();
    let isDown = true;
    const fail = <Result>(work: () => Promise<Result>) =>
      isDown ? Promise.reject(new Error('down')) : work();
    const secrets = createWebhookSecrets(
      {
        generate: () => fail(() => dataKeys.generate()),
        decrypt: (encrypted) => fail(() => dataKeys.decrypt(encrypted)),
      },
      () => new Date(),
    );
    await expect(secrets.protect('1', 'one')).rejects.toThrow('down');
    isDown = false;
    const secret = await secrets.protect('1', 'one');
    isDown = true;
    await expect(secrets.reveal({ _id: '1', secret })).rejects.toThrow('down');
    isDown = false;
    expect(await secrets.reveal({ _id: '1', secret })).toMatchObject({ secret: 'one' });
  });
});

describe('signature', () => {
  const secret = `whsec_${Buffer.from('the present secret, 32 bytes long').toString('base64')}`;
  const previousSecret = `whsec_${Buffer.from('the secret before, 32 bytes long!').toString('base64')}`;
  const _id = '65f0c1d2e3a4b5c6d7e8f914';
  const body = '{"eventId":"0d6c4f0e-4c0c-8f5e-9a51-2f6a3c1d7b21","payload":{"legalName":"Café Ünïon"}}';
  const eventId = '0d6c4f0e-4c0c-8f5e-9a51-2f6a3c1d7b21';

  test('X-Service-Signature is the hex HMAC-SHA256 of "{timestamp}.{body}" keyed with the whole secret', () => {
    const sentAt = new Date('2026-06-01T09:00:00.999Z');
    const headers = signatureHeaders({ _id, secret }, { eventId, body, sentAt });
    expect(headers).toMatchObject({
      'X-Service-Timestamp': '1780304400',
      'X-Service-Webhook-Id': _id,
      'X-Service-Signature': createHmac('sha256', secret).update(`1780304400.${body}`).digest('hex'),
      'webhook-id': eventId,
      'webhook-timestamp': '1780304400',
    });
  });

  test('any body is verified by the Standard Webhooks library', () => {
    fc.assert(
      fc.property(fc.json(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (json, key) => {
        const own = `whsec_${Buffer.from(key).toString('base64')}`;
        const headers = signatureHeaders({ _id, secret: own }, { eventId, body: json, sentAt: new Date() });
        expect(new Webhook(own).verify(json, headers)).toEqual(JSON.parse(json));
      }),
    );
  });

  test('a body that was changed, or another secret, is not verified', () => {
    const headers = signatureHeaders({ _id, secret }, { eventId, body, sentAt: new Date() });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(previousSecret).verify(body, headers)).toThrow('No matching signature');
  });

  test('while a rotation overlaps, both secrets verify and X-Service-Signature uses the new one', () => {
    const sentAt = new Date();
    const headers = signatureHeaders({ _id, secret, previousSecret }, { eventId, body, sentAt });
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const one of [secret, previousSecret]) {
      expect(new Webhook(one).verify(body, headers)).toEqual(JSON.parse(body));
    }
    const signed = createHmac('sha256', secret).update(`${headers['X-Service-Timestamp']}.${body}`);
    expect(headers['X-Service-Signature']).toBe(signed.digest('hex'));
  });
});
