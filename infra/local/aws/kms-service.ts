import { createHash, randomBytes } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import * as z from 'zod/mini';
import { seal, unseal } from '#platform/crypto/seal.ts';
import { propertiesOf, type Resource } from '../template/template.ts';
import {
  AwsError,
  type AwsRequest,
  type AwsService,
  bodyOf,
  type ResourceOperations,
  resourceService,
} from './service.ts';

const commonProperties = {
  Description: z.optional(z.string()),
  KeyPolicy: z.unknown(),
  Tags: z.optional(z.unknown()),
};

/** Supported properties of keys; others are refused because they change what the key can do. */
const keyProperties = z.union([
  z.strictObject({ ...commonProperties, EnableKeyRotation: z.optional(z.boolean()) }),
  z.strictObject({
    ...commonProperties,
    KeySpec: z.literal('ECC_NIST_P256'),
    KeyUsage: z.literal('SIGN_VERIFY'),
  }),
]);

const keyId = { KeyId: z.string() };
const onKey = z.object(keyId);
const generateDataKey = z.strictObject({ ...keyId, KeySpec: z.literal('AES_256') });
const decrypt = z.strictObject({ ...keyId, CiphertextBlob: z.string() });
const signDigest = z.strictObject({
  ...keyId,
  Message: z.string(),
  MessageType: z.literal('DIGEST'),
  SigningAlgorithm: z.literal('ECDSA_SHA_256'),
});

type Key = ReturnType<typeof localKey>;

const localKey = (resource: Resource) => {
  const properties = propertiesOf(resource, keyProperties);
  const { ref: id, attributes } = resource;
  // Derived from its name, so that a run can read what another one left in its tables.
  const material = createHash('sha256').update(id).digest();
  // Else it encrypts.
  const signs = 'KeyUsage' in properties;
  return { id, arn: attributes['Arn'] ?? '', material, signs };
};

/** Prefix of the point in a DER-encoded public key of P-256 (RFC 5480). */
const publicKeyPrefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/** @throws AwsError as KMS does where a key is asked for what its usage does not allow. */
const checkUsage = ({ arn, signs }: Key, signing: boolean): void => {
  if (signs === signing) return;
  const usage = signs ? 'SIGN_VERIFY' : 'ENCRYPT_DECRYPT';
  throw new AwsError('InvalidKeyUsageException', `${arn} key usage is ${usage}.`);
};

const operations: ResourceOperations<Key> = {
  GenerateDataKey(key, request) {
    bodyOf(request, generateDataKey);
    checkUsage(key, false);
    const { arn, material } = key;
    const plain = randomBytes(32);
    return {
      Plaintext: plain.toString('base64'),
      CiphertextBlob: seal(material, plain, arn).toString('base64'),
    };
  },
  Decrypt(key, request) {
    const { CiphertextBlob } = bodyOf(request, decrypt);
    checkUsage(key, false);
    const { arn, material } = key;
    try {
      const plain = unseal(material, Buffer.from(CiphertextBlob, 'base64'), arn);
      return { Plaintext: plain.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
    } catch {
      throw new AwsError('InvalidCiphertextException', '');
    }
  },
  Sign(key, request) {
    const { Message } = bodyOf(request, signDigest);
    checkUsage(key, true);
    const options = { prehash: false, lowS: false, format: 'der' } as const;
    const signature = p256.sign(Buffer.from(Message, 'base64'), key.material, options);
    return { Signature: Buffer.from(signature).toString('base64'), SigningAlgorithm: 'ECDSA_SHA_256' };
  },
  GetPublicKey(key, request) {
    bodyOf(request, onKey);
    checkUsage(key, true);
    const point = p256.getPublicKey(key.material, false);
    return { PublicKey: Buffer.concat([publicKeyPrefix, point]).toString('base64') };
  },
};

/** KMS with the keys of the deployment: data keys and signatures, and only for callers that name the key. */
export function kmsService(resources: readonly Resource[]): AwsService {
  const keys = resources.map(localKey);
  const find = (request: AwsRequest): Key => {
    const { KeyId } = bodyOf(request, onKey);
    const key = keys.find(({ id, arn }) => id === KeyId || arn === KeyId);
    if (key === undefined) throw new AwsError('NotFoundException', `Key '${KeyId}' does not exist`);
    return key;
  };
  return resourceService('kms', operations, find, ({ arn }) => ({ KeyId: arn }));
}
