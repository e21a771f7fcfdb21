import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { propertiesOf, type Resource } from '../template/template.ts';
import type { SecretRotation } from './secret-rotation.ts';
import { createSecretVersions, type SecretVersions } from './secret-versions.ts';
import {
  AwsError,
  type AwsRequest,
  type AwsService,
  bodyOf,
  type ResourceOperations,
  resourceService,
} from './service.ts';

const text = z.optional(z.string());

/** Supported properties of a secret; others are refused because they may change the value. */
const secretProperties = z.strictObject({
  Name: text,
  Description: text,
  GenerateSecretString: z.strictObject({
    PasswordLength: z.number().check(z.gte(3)),
    ExcludePunctuation: z.literal(true),
  }),
  Tags: z.optional(z.unknown()),
});

const letters = 'abcdefghijklmnopqrstuvwxyz';
const alphanumeric = `${letters}${letters.toUpperCase()}0123456789`;

/** Letters and digits, at least one of each kind, as Secrets Manager generates them. */
export function randomPassword(length: number): string {
  for (;;) {
    const password = Array.from({ length }, () => alphanumeric[randomInt(alphanumeric.length)]).join('');
    if ([/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(password))) return password;
  }
}

/** The secret that a template describes, with a generated value and a clock in Unix milliseconds. */
export function secretOf(resource: Resource, now: () => number): SecretVersions {
  const { GenerateSecretString } = propertiesOf(resource, secretProperties);
  const name = /:secret:(.+)-[^-]{6}$/.exec(resource.ref)?.[1] ?? resource.ref;
  return createSecretVersions(resource.ref, name, randomPassword(GenerateSecretString.PasswordLength), now);
}

// Members that the API takes as optional are required where the service always sends them.
const secretId = { SecretId: z.string() };
const onSecret = z.object(secretId);
const getSecretValue = z.object({ ...secretId, VersionId: text, VersionStage: text });
const putSecretValue = z.object({
  ...secretId,
  SecretString: z.string(),
  ClientRequestToken: z.string(),
  VersionStages: z.array(z.string()),
});
const updateStage = z.object({
  ...secretId,
  VersionStage: z.string(),
  RemoveFromVersionId: text,
  MoveToVersionId: z.string(),
});

/** Secrets Manager with the secrets of the deployment and the functions that rotate them. */
export function secretsManager(secrets: readonly SecretVersions[], rotation: SecretRotation): AwsService {
  const find = (request: AwsRequest): SecretVersions => {
    const { SecretId } = bodyOf(request, onSecret);
    const secret = secrets.find(({ arn, name }) => arn === SecretId || name === SecretId);
    if (secret === undefined) {
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    return secret;
  };

  const operations: ResourceOperations<SecretVersions> = {
    GetSecretValue: (secret, request) => secret.read(bodyOf(request, getSecretValue)),
    DescribeSecret(secret) {
      const RotationLambdaARN = rotation.functionArn(secret);
      const RotationEnabled = RotationLambdaARN !== undefined;
      return { RotationEnabled, RotationLambdaARN, VersionIdsToStages: secret.stages() };
    },
    // AWS responds first and rotates afterwards; here the caller waits until the rotation is complete.
    RotateSecret: async (secret) => ({ VersionId: await rotation.rotate(secret) }),
    PutSecretValue(secret, request) {
      const { SecretString, ClientRequestToken, VersionStages } = bodyOf(request, putSecretValue);
      const written = secret.write(ClientRequestToken, SecretString, VersionStages);
      return { VersionId: written.VersionId, VersionStages: written.VersionStages };
    },
    UpdateSecretVersionStage(secret, request) {
      const { VersionStage, RemoveFromVersionId, MoveToVersionId } = bodyOf(request, updateStage);
      secret.moveStage(VersionStage, RemoveFromVersionId, MoveToVersionId);
      return {};
    },
  };

  return resourceService('secretsmanager', operations, find, ({ arn, name }) => ({ ARN: arn, Name: name }));
}
