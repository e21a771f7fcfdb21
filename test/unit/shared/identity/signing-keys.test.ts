import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { createSigningKeys } from '../../../../shared/identity/signing-keys.ts';

const secrets = mockClient(SecretsManagerClient);

/** Secrets Manager holding these versions; an undefined one does not exist. */
function holding(current: string | undefined, previous: string | undefined): void {
  for (const [VersionStage, version] of [
    ['AWSCURRENT', current],
    ['AWSPREVIOUS', previous],
  ] as const) {
    const on = secrets.on(GetSecretValueCommand, { VersionStage });
    if (version === undefined) on.rejects(new ResourceNotFoundException({ message: 'none', $metadata: {} }));
    else on.resolves({ VersionId: version, SecretString: `secret of ${version}` });
  }
}

function setup() {
  let now = 0;
  const keys = createSigningKeys({
    client: new SecretsManagerClient({ region: 'us-east-1' }),
    secretArn: 'arn',
    now: () => now,
  });
  return {
    keys,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
}

beforeEach(() => secrets.reset());

it('signs with the current version and finds both', async () => {
  holding('v2', 'v1');
  const { keys } = setup();
  expect((await keys.current()).id).toBe('v2');
  expect((await keys.find('v1'))?.id).toBe('v1');
  expect(secrets.calls()).toHaveLength(2);
});

it('works without a previous version, as before the first rotation', async () => {
  holding('v1', undefined);
  expect((await setup().keys.find('v1'))?.id).toBe('v1');
});

it('notices a rotation when a token names an unknown version', async () => {
  holding('v1', undefined);
  const { keys, pass } = setup();
  await keys.current();
  secrets.reset();
  holding('v2', 'v1');
  pass(2);
  expect((await keys.find('v2'))?.id).toBe('v2');
});

it('reads at most once a second, however many unknown versions are named', async () => {
  holding('v1', undefined);
  const { keys } = setup();
  await keys.current();
  for (let i = 0; i < 20; i += 1) expect(await keys.find(`foreign${i}`)).toBeUndefined();
  expect(secrets.calls()).toHaveLength(2);
});

it('does not cache a failure', async () => {
  secrets.on(GetSecretValueCommand).rejects(new Error('down'));
  const { keys } = setup();
  await expect(keys.current()).rejects.toThrow('down');
  holding('v1', undefined);
  expect((await keys.current()).id).toBe('v1');
});
