import { KMSClient } from '@aws-sdk/client-kms';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { compactVerify, importJWK } from 'jose';
import { createDataKeys, type DataKeys } from '#platform/crypto/data-keys.ts';
import { createSignatureKeys } from '#platform/crypto/signature-keys.ts';
import { createAwsEndpoint } from '../../infra/local/aws/endpoint.ts';
import { kmsService } from '../../infra/local/aws/kms-service.ts';
import { readStatements } from '../../infra/local/aws/policy-evaluation.ts';
import { secretsManager } from '../../infra/local/aws/secrets-manager.ts';
import { clientSettings } from '../../infra/local/aws/service.ts';
import { type Listener, openListener } from '../../infra/local/listener.ts';
import { readTemplates } from '../../infra/local/template/template.ts';

describe('kms service', () => {
  const deployment = readTemplates(
    {
      data: {
        Resources: {
          Key: { Type: 'AWS::KMS::Key', Properties: { EnableKeyRotation: true, KeyPolicy: {} } },
          Receipts: {
            Type: 'AWS::KMS::Key',
            Properties: { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY', KeyPolicy: {} },
          },
          Other: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: {} } },
        },
      },
    },
    { awsEndpoint: 'http://127.0.0.1' },
  );
  const [key, receipts, other] = deployment
    .ofType('AWS::KMS::Key')
    .map(({ attributes }) => attributes['Arn'] ?? '');
  const refusals: string[] = [];

  const mayOnly = (action: string) =>
    readStatements({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: action, Resource: key }],
    });

  let listener: Listener;

  beforeAll(async () => {
    listener = await openListener(0);
    listener.serve(
      createAwsEndpoint({
        callers: new Map([
          ['OPERATOR', { name: 'operator', statements: 'everything' }],
          ['WRITER', { name: 'webhooks', statements: mayOnly('kms:GenerateDataKey') }],
          ['READER', { name: 'webhook-delivery', statements: mayOnly('kms:Decrypt') }],
        ]),
        services: { kms: kmsService(deployment.ofType('AWS::KMS::Key')) },
        onGrantUsed: () => undefined,
        onRefusal: ({ name }) => refusals.push(name),
      }),
    );
  });

  afterAll(() => listener.close());

  const dataKeysOf = (accessKeyId: string, keyArn = key): DataKeys =>
    createDataKeys(keyArn ?? '', new KMSClient(clientSettings({ endpoint: listener.address, accessKeyId })));

  it('gives data keys to one function and decrypts them for another, as their roles allow', async () => {
    const { plain, encrypted } = await dataKeysOf('WRITER').generate();
    expect(plain).toHaveLength(32);
    expect(Buffer.from(encrypted).includes(Buffer.from(plain))).toBe(false);
    expect(Buffer.from(await dataKeysOf('READER').decrypt(encrypted))).toEqual(Buffer.from(plain));
  });

  it('refuses what a role does not allow', async () => {
    const { encrypted } = await dataKeysOf('WRITER').generate();
    await expect(dataKeysOf('WRITER').decrypt(encrypted)).rejects.toThrow('kms:Decrypt');
    await expect(dataKeysOf('READER').generate()).rejects.toThrow('kms:GenerateDataKey');
    await expect(dataKeysOf('WRITER', other).generate()).rejects.toThrow('kms:GenerateDataKey');
    expect(refusals).toEqual(['webhooks', 'webhook-delivery', 'webhooks']);
  });

  it('decrypts neither with another key, nor what was changed, nor with a key that does not exist', async () => {
    const { encrypted } = await dataKeysOf('OPERATOR').generate();
    const wrong = expect.objectContaining({ name: 'InvalidCiphertextException' });
    await expect(dataKeysOf('OPERATOR', other).decrypt(encrypted)).rejects.toEqual(wrong);
    await expect(dataKeysOf('OPERATOR').decrypt(encrypted.subarray(1))).rejects.toEqual(wrong);
    await expect(dataKeysOf('OPERATOR', `${key}x`).generate()).rejects.toEqual(
      expect.objectContaining({ name: 'NotFoundException' }),
    );
  });

  const signatureKeysOf = (accessKeyId: string, ...arns: [string, ...string[]]) =>
    createSignatureKeys(arns, new KMSClient(clientSettings({ endpoint: listener.address, accessKeyId })));

  it('signs with a key what its public half verifies', async () => {
    const keys = signatureKeysOf('OPERATOR', receipts ?? '');
    const [publicKey] = await keys.publicKeys();
    const signed = await keys.sign('{"number":1}');
    const { payload, protectedHeader } = await compactVerify(signed, await importJWK({ ...publicKey }));
    expect(Buffer.from(payload).toString()).toBe('{"number":1}');
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: publicKey?.kid });
  });

  it('does not sign with a key that encrypts, nor encrypt with one that signs', async () => {
    await expect(signatureKeysOf('OPERATOR', key ?? '').sign('{}')).rejects.toThrow('ENCRYPT_DECRYPT');
    await expect(dataKeysOf('OPERATOR', receipts).generate()).rejects.toThrow('SIGN_VERIFY');
  });
});

describe('Secrets Manager', () => {
  const rotation = 'arn:aws:lambda:us-east-1:000000000000:function:rotation';

  /** A secret that a function rotates, which this principal may invoke. */
  const deployed = (Principal: string) => {
    const Secret = {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        Name: 'signing',
        GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
      },
    };
    const Schedule = {
      Type: 'AWS::SecretsManager::RotationSchedule',
      Properties: {
        SecretId: { Ref: 'Secret' },
        RotationLambdaARN: rotation,
        RotateImmediatelyOnUpdate: false,
      },
    };
    const Permission = {
      Type: 'AWS::Lambda::Permission',
      Properties: { Action: 'lambda:InvokeFunction', FunctionName: rotation, Principal },
    };
    return readTemplates(
      { data: { Resources: { Secret, Schedule, Permission } } },
      { awsEndpoint: 'http://127.0.0.1' },
    );
  };

  /** Steps of rotations, the first of which fails. */
  const steps: unknown[] = [];
  const invoke = async (step: unknown): Promise<void> => {
    if (steps.push(step) === 1) throw new Error('It failed.');
  };
  const service = (principal: string) => secretsManager(deployed(principal), () => ({ invoke }), Date.now);

  let listener: Listener;
  let client: SecretsManagerClient;

  beforeAll(async () => {
    listener = await openListener(0);
    listener.serve(
      createAwsEndpoint({
        callers: new Map([['OPERATOR', { name: 'operator', statements: 'everything' }]]),
        services: { secretsmanager: service('secretsmanager.amazonaws.com') },
        onGrantUsed: () => undefined,
        onRefusal: () => undefined,
      }),
    );
    client = new SecretsManagerClient(
      clientSettings({ endpoint: listener.address, accessKeyId: 'OPERATOR' }),
    );
  });
  afterAll(() => listener.close());

  const SecretId = 'signing';

  it('refuses another value of a version, a stage that it does not have, and one that another has', async () => {
    const ClientRequestToken = 'a'.repeat(32);
    const put = (SecretString: string) =>
      client.send(
        new PutSecretValueCommand({ SecretId, ClientRequestToken, SecretString, VersionStages: [] }),
      );
    await put('one');
    await put('one');
    await expect(put('other')).rejects.toMatchObject({ name: 'ResourceExistsException' });
    const read = { SecretId, VersionId: ClientRequestToken, VersionStage: 'AWSCURRENT' };
    await expect(client.send(new GetSecretValueCommand(read))).rejects.toMatchObject({
      name: 'InvalidRequestException',
    });
    const move = { SecretId, VersionStage: 'AWSCURRENT', MoveToVersionId: ClientRequestToken };
    await expect(client.send(new UpdateSecretVersionStageCommand(move))).rejects.toMatchObject({
      name: 'InvalidParameterException',
    });
  });

  it('resumes a rotation that failed, with the version that it began', async () => {
    const rotate = () => client.send(new RotateSecretCommand({ SecretId }));
    await expect(rotate()).rejects.toThrow('It failed.');
    const { VersionId: ClientRequestToken } = await rotate();
    expect(steps).toMatchObject(
      ['createSecret', 'createSecret', 'setSecret', 'testSecret', 'finishSecret'].map((Step) => ({
        Step,
        ClientRequestToken,
      })),
    );
  });

  it('does not start where it may not invoke the function that rotates', () => {
    expect(() => service('apigateway.amazonaws.com')).toThrow(`may not invoke ${rotation}`);
  });
});
