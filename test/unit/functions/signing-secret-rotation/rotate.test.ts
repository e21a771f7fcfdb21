import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { rotate } from '../../../../functions/signing-secret-rotation/function.ts';

const secrets = mockClient(SecretsManagerClient);
const client = new SecretsManagerClient({ region: 'us-east-1' });

beforeEach(() => secrets.reset());

const step = (Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret') =>
  rotate({ SecretId: 'arn', ClientRequestToken: 'new', Step }, client);

const staged = (stages: Record<string, string[]>) =>
  secrets.on(DescribeSecretCommand).resolves({ VersionIdsToStages: stages });

const rotating = { old: ['AWSCURRENT'], new: ['AWSPENDING'] };

it('creates a value of 512 random bits, a different one each time', async () => {
  staged(rotating);
  secrets
    .on(GetSecretValueCommand)
    .rejects(new ResourceNotFoundException({ message: 'none', $metadata: {} }));
  await step('createSecret');
  await step('createSecret');
  const made = secrets.commandCalls(PutSecretValueCommand).map(({ args: [{ input }] }) => input);
  expect(made).toMatchObject([{ ClientRequestToken: 'new', VersionStages: ['AWSPENDING'] }, {}]);
  expect(Buffer.from(made[0]?.SecretString ?? '', 'base64url')).toHaveLength(64);
  expect(made[0]?.SecretString).not.toBe(made[1]?.SecretString);
});

it('keeps the value that an earlier attempt created', async () => {
  staged(rotating);
  secrets.on(GetSecretValueCommand).resolves({ SecretString: 'x'.repeat(86) });
  await step('createSecret');
  expect(secrets.commandCalls(PutSecretValueCommand)).toHaveLength(0);
});

const withoutValue = () =>
  secrets
    .on(GetSecretValueCommand)
    .rejects(new ResourceNotFoundException({ message: 'none', $metadata: {} }));

it('never makes a version without a value current', async () => {
  staged(rotating);
  withoutValue();
  await expect(step('finishSecret')).rejects.toThrow('has no value');
  expect(secrets.commandCalls(UpdateSecretVersionStageCommand)).toEqual([]);
});

it('creates a value if an earlier attempt left an empty one', async () => {
  staged(rotating);
  secrets.on(GetSecretValueCommand).resolves({});
  await step('createSecret');
  expect(secrets.commandCalls(PutSecretValueCommand)).toHaveLength(1);
});

it('moves AWSCURRENT from the old version to the new one', async () => {
  staged(rotating);
  secrets.on(GetSecretValueCommand).resolves({ SecretString: 'x'.repeat(86) });
  secrets.on(UpdateSecretVersionStageCommand).resolves({});
  await step('finishSecret');
  expect(secrets.commandCalls(UpdateSecretVersionStageCommand)[0]?.args[0].input).toEqual({
    SecretId: 'arn',
    VersionStage: 'AWSCURRENT',
    MoveToVersionId: 'new',
    RemoveFromVersionId: 'old',
  });
});

it('does nothing if the version is already current', async () => {
  staged({ old: ['AWSPREVIOUS'], new: ['AWSCURRENT', 'AWSPENDING'] });
  for (const name of ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const) await step(name);
  expect(secrets.calls()).toHaveLength(4);
});

it('refuses a version that is not part of a rotation', async () => {
  staged({ old: ['AWSCURRENT'] });
  await expect(step('createSecret')).rejects.toThrow('not staged');
});
