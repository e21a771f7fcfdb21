import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { KMSClient } from '@aws-sdk/client-kms';
import { compactVerify, importJWK } from 'jose';
import { clientSettings } from '../../infra/local/aws/call.ts';
import { createAwsEndpoint } from '../../infra/local/aws/endpoint.ts';
import { kmsService } from '../../infra/local/aws/kms-service.ts';
import { readStatements } from '../../infra/local/aws/policy-evaluation.ts';
import { createSecretVersions, randomPassword } from '../../infra/local/aws/secrets-manager.ts';
import type { AwsRequest } from '../../infra/local/aws/service.ts';
import { type Listener, openListener } from '../../infra/local/listener.ts';
import { readTemplates } from '../../infra/local/template/template.ts';
import { ellipticOperationsPerSecond } from '../../shared/platform/aws/limits.ts';
import { createDataKeys, type DataKeys } from '../../shared/platform/crypto/data-keys.ts';
import { createSignatureKeys } from '../../shared/platform/crypto/signature-keys.ts';

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

  it('refuses what exceeds its quota of signatures in a second', async () => {
    let milliseconds = 0;
    const service = kmsService(deployment.ofType('AWS::KMS::Key'), () => milliseconds);
    const asked = {
      KeyId: receipts,
      Message: randomBytes(32).toString('base64'),
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
    };
    const request: AwsRequest = {
      method: 'POST',
      url: new URL(listener.address),
      headers: { 'x-amz-target': 'TrentService.Sign' },
      body: Buffer.from(JSON.stringify(asked)),
    };
    const sign = () => service.answer(request, new ServerResponse(new IncomingMessage(new Socket())));
    for (let count = 0; count < ellipticOperationsPerSecond; count += 1) await sign();
    await expect(sign()).rejects.toMatchObject({ code: 'ThrottlingException' });
    milliseconds = 1_000;
    await sign();
  });
});

describe('secret versions', () => {
  let now = 1_000_500;
  const secretWith = (value: string) => createSecretVersions('arn', 'signing', value, () => now);
  const error = (code: string) => expect.objectContaining({ code });
  const pending = { VersionStage: 'AWSPENDING' };
  const previous = { VersionStage: 'AWSPREVIOUS' };

  describe('a secret', () => {
    it('has one current version when it is created, and no previous one', () => {
      const secret = secretWith('first');
      expect(secret.read()).toMatchObject({ SecretString: 'first', VersionStages: ['AWSCURRENT'] });
      expect(() => secret.read(previous)).toThrow(error('ResourceNotFoundException'));
    });

    it('keeps the former current version as the previous one when a new one is written', () => {
      const secret = secretWith('first');
      secret.write('v2', 'second', ['AWSCURRENT']);
      secret.write('v3', 'third', ['AWSCURRENT']);
      expect(secret.read().SecretString).toBe('third');
      expect(secret.read(previous).SecretString).toBe('second');
      expect(Object.keys(secret.stages())).toHaveLength(2);
    });

    it('rotates: an empty pending version gets a value and becomes current', () => {
      const secret = secretWith('first');
      const before = secret.read().VersionId;
      const VersionId = secret.beginRotation();
      expect(secret.stages()[VersionId]).toEqual(['AWSPENDING']);
      expect(() => secret.read({ VersionId, ...pending })).toThrow(error('ResourceNotFoundException'));

      secret.write(VersionId, 'second', ['AWSPENDING']);
      expect(secret.read({ VersionId, ...pending }).SecretString).toBe('second');
      expect(secret.read().SecretString).toBe('first');

      secret.moveStage('AWSCURRENT', before, VersionId);
      expect(secret.read()).toMatchObject({ VersionId, SecretString: 'second' });
      expect(secret.read(previous)).toMatchObject({ VersionId: before, SecretString: 'first' });
      expect(secret.beginRotation()).not.toBe(VersionId);
    });

    it('says when the value of a version was created, in Unix seconds, and not when it became current', () => {
      const secret = secretWith('first');
      const { VersionId: before } = secret.read();
      now = 1_500_000;
      const version = secret.beginRotation();
      now = 2_000_000;
      secret.write(version, 'second', ['AWSPENDING']);
      now = 3_000_000;
      secret.moveStage('AWSCURRENT', before, version);
      expect(secret.read().CreatedDate).toBe(2_000);
      expect(secret.read(previous).CreatedDate).toBe(1_000.5);
    });

    it('resumes a rotation that was left unfinished', () => {
      const secret = secretWith('first');
      expect(secret.beginRotation()).toBe(secret.beginRotation());
    });

    it('keeps the value of a version, and accepts the same value again', () => {
      const secret = secretWith('first');
      secret.write('v2', 'second', ['AWSCURRENT']);
      expect(secret.write('v2', 'second', ['AWSCURRENT']).SecretString).toBe('second');
      expect(() => secret.write('v2', 'other', ['AWSCURRENT'])).toThrow(error('ResourceExistsException'));
    });

    it('moves a label only from the version that has it, and only to one that exists', () => {
      const secret = secretWith('first');
      secret.write('v2', 'second', ['AWSPENDING']);
      expect(() => secret.moveStage('AWSCURRENT', undefined, 'v2')).toThrow(
        error('InvalidParameterException'),
      );
      expect(() => secret.moveStage('AWSPENDING', 'v2', 'v3')).toThrow(error('ResourceNotFoundException'));
      expect(secret.stages()['v2']).toEqual(['AWSPENDING']);
    });

    it('refuses a version that is requested by a label that it does not have', () => {
      const secret = secretWith('first');
      const { VersionId } = secret.read();
      expect(() => secret.read({ VersionId, ...pending })).toThrow(error('InvalidRequestException'));
    });
  });

  it('a generated password consists of letters and digits', () => {
    expect(randomPassword(64)).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(randomPassword(3)).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{3}$/);
  });
});
