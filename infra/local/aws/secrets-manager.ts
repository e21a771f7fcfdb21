import * as z from 'zod/mini';
import type { Resource } from '../template/template.ts';
import type { SecretRotation } from './secret-rotation.ts';
import { createSecretVersions, randomPassword, type SecretVersions } from './secret-versions.ts';
import {
  AwsError,
  type AwsRequest,
  type AwsService,
  answerJson,
  bodyOf,
  refuseAsJson,
  targetOf,
  unsupported,
} from './service.ts';

const text = z.optional(z.string());

/** Properties of a secret that the local run understands; another one is refused, since it might change the value. */
const secretProperties = z.strictObject({
  Name: text,
  Description: text,
  SecretString: text,
  GenerateSecretString: z.optional(
    z.strictObject({
      PasswordLength: z.optional(z.number()),
      ExcludePunctuation: z.optional(z.boolean()),
      ExcludeCharacters: text,
      SecretStringTemplate: text,
      GenerateStringKey: text,
    }),
  ),
  Tags: z.optional(z.unknown()),
});

/** Makes the secret that a template describes, with a value of its own. */
export function secretOf(resource: Resource): SecretVersions {
  const { SecretString, GenerateSecretString: generate } = z.parse(secretProperties, resource.properties());
  let value = SecretString ?? '';
  if (generate !== undefined) {
    const password = randomPassword({
      length: generate.PasswordLength,
      excludePunctuation: generate.ExcludePunctuation,
      excludeCharacters: generate.ExcludeCharacters,
    });
    value = password;
    if (generate.SecretStringTemplate !== undefined && generate.GenerateStringKey !== undefined) {
      const template = z.parse(z.record(z.string(), z.unknown()), JSON.parse(generate.SecretStringTemplate));
      value = JSON.stringify({ ...template, [generate.GenerateStringKey]: password });
    }
  }
  const name = /:secret:(.+)-[^-]{6}$/.exec(resource.ref)?.[1] ?? resource.ref;
  return createSecretVersions({ arn: resource.ref, name, value });
}

const getSecretValue = z.object({ SecretId: z.string(), VersionId: text, VersionStage: text });
const describeSecret = z.object({ SecretId: z.string() });
const putSecretValue = z.object({
  SecretId: z.string(),
  SecretString: z.string(),
  ClientRequestToken: text,
  VersionStages: z.optional(z.array(z.string())),
});
const updateStage = z.object({
  SecretId: z.string(),
  VersionStage: z.string(),
  RemoveFromVersionId: text,
  MoveToVersionId: text,
});

/** Secrets Manager with the secrets of the deployment and the functions that rotate them. */
export function secretsManager(secrets: readonly SecretVersions[], rotation: SecretRotation): AwsService {
  const find = (id: string): SecretVersions => {
    const secret = secrets.find(({ arn, name }) => arn === id || name === id);
    if (secret === undefined) {
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    return secret;
  };

  const operations: Readonly<Record<string, (request: AwsRequest) => unknown>> = {
    GetSecretValue(request) {
      const { SecretId, VersionId, VersionStage } = bodyOf(request, getSecretValue);
      const secret = find(SecretId);
      const found = secret.read({
        ...(VersionId === undefined ? {} : { versionId: VersionId }),
        ...(VersionStage === undefined ? {} : { stage: VersionStage }),
      });
      return {
        ARN: secret.arn,
        Name: secret.name,
        VersionId: found.versionId,
        SecretString: found.value,
        VersionStages: found.stages,
        CreatedDate: found.createdAt,
      };
    },
    DescribeSecret(request) {
      const secret = find(bodyOf(request, describeSecret).SecretId);
      const RotationLambdaARN = rotation.functionArn(secret);
      return {
        ARN: secret.arn,
        Name: secret.name,
        RotationEnabled: RotationLambdaARN !== undefined,
        RotationLambdaARN,
        VersionIdsToStages: secret.stages(),
      };
    },
    // AWS answers at once and rotates afterwards; whoever asks here wants to see it done.
    async RotateSecret(request) {
      const secret = find(bodyOf(request, describeSecret).SecretId);
      return { ARN: secret.arn, Name: secret.name, VersionId: await rotation.rotate(secret) };
    },
    PutSecretValue(request) {
      const { SecretId, SecretString, ClientRequestToken, VersionStages } = bodyOf(request, putSecretValue);
      const secret = find(SecretId);
      const written = secret.write(SecretString, {
        ...(ClientRequestToken === undefined ? {} : { versionId: ClientRequestToken }),
        ...(VersionStages === undefined ? {} : { stages: VersionStages }),
      });
      return {
        ARN: secret.arn,
        Name: secret.name,
        VersionId: written.versionId,
        VersionStages: written.stages,
      };
    },
    UpdateSecretVersionStage(request) {
      const { SecretId, VersionStage, RemoveFromVersionId, MoveToVersionId } = bodyOf(request, updateStage);
      const secret = find(SecretId);
      secret.moveStage(VersionStage, {
        ...(RemoveFromVersionId === undefined ? {} : { from: RemoveFromVersionId }),
        ...(MoveToVersionId === undefined ? {} : { to: MoveToVersionId }),
      });
      return { ARN: secret.arn, Name: secret.name };
    },
  };

  return {
    accesses(request) {
      const { operation } = targetOf(request);
      if (!Object.hasOwn(operations, operation)) throw unsupported(`secretsmanager:${operation}`);
      return [
        {
          action: `secretsmanager:${operation}`,
          resource: find(bodyOf(request, describeSecret).SecretId).arn,
        },
      ];
    },
    async answer(request, response) {
      const { operation } = targetOf(request);
      answerJson(response, await operations[operation]?.(request));
    },
    refuse: refuseAsJson,
  };
}
