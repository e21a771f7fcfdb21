import { createWebhookSecrets } from '../../../../../shared/domain/webhooks/secrets.ts';
import { memoryDataKeys } from '../../../../support/data-keys.ts';

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
  const fail = <Result>(work: () => Promise<Result>) => (isDown ? Promise.reject(new Error('down')) : work());
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
