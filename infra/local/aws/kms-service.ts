import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { seal, unseal } from '../../../shared/platform/crypto/seal.ts';
import { propertiesOf, type Resource } from '../template/template.ts';
import {
  AwsError,
  type AwsRequest,
  type AwsService,
  bodyOf,
  type ResourceOperations,
  resourceService,
} from './service.ts';

/** Supported properties of a key: a symmetric one; others are refused because they change what the key can do. */
const keyProperties = z.strictObject({
  Description: z.optional(z.string()),
  EnableKeyRotation: z.optional(z.boolean()),
  KeyPolicy: z.unknown(),
  Tags: z.optional(z.unknown()),
});

const keyId = { KeyId: z.string() };
const onKey = z.object(keyId);
const generateDataKey = z.strictObject({ ...keyId, KeySpec: z.literal('AES_256') });
const decrypt = z.strictObject({ ...keyId, CiphertextBlob: z.string() });

interface Key {
  readonly id: string;
  readonly arn: string;
  /** Derived from its name, so that a run can read what another one left in its tables. */
  readonly material: Uint8Array;
}

const keyOf = (resource: Resource): Key => {
  propertiesOf(resource, keyProperties);
  const { ref: id, attributes } = resource;
  return { id, arn: attributes['Arn'] ?? '', material: createHash('sha256').update(id).digest() };
};

const operations: ResourceOperations<Key> = {
  GenerateDataKey({ arn, material }, request) {
    bodyOf(request, generateDataKey);
    const plain = randomBytes(32);
    return {
      Plaintext: plain.toString('base64'),
      CiphertextBlob: seal(material, plain, arn).toString('base64'),
    };
  },
  Decrypt({ arn, material }, request) {
    const { CiphertextBlob } = bodyOf(request, decrypt);
    try {
      const plain = unseal(material, Buffer.from(CiphertextBlob, 'base64'), arn);
      return { Plaintext: plain.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
    } catch {
      throw new AwsError('InvalidCiphertextException', '');
    }
  },
};

/** KMS with the keys of the deployment: data keys alone, and only for callers that name the key. */
export function kmsService(resources: readonly Resource[]): AwsService {
  const keys = resources.map(keyOf);
  const find = (request: AwsRequest): Key => {
    const { KeyId } = bodyOf(request, onKey);
    const key = keys.find(({ id, arn }) => id === KeyId || arn === KeyId);
    if (key === undefined) throw new AwsError('NotFoundException', `Key '${KeyId}' does not exist`);
    return key;
  };
  return resourceService('kms', operations, find, ({ arn }) => ({ KeyId: arn }));
}
