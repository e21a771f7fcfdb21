import { randomBytes } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerRotationEvent } from 'aws-lambda';
import type { FunctionStart } from '#function/start.ts';
import { createSecretsClient } from '#platform/config/secret-text.ts';
import { uses } from './uses.ts';

/** HS256 requires a key of at least 256 bits; more than that is cheap. */
const secretBytes = 64;

/**
 * Takes a step of rotating the signing secret. The new version becomes the current one and the former current the previous,
 * which signs for two minutes more and verifies until the next rotation: tokens live an hour, rotations are weeks apart. Every
 * step may be repeated.
 *
 * @throws Error when the version is not part of a rotation under way; SDK errors, after which Secrets Manager tries again.
 */
export async function rotate(
  event: SecretsManagerRotationEvent,
  client: SecretsManagerClient,
): Promise<void> {
  const { SecretId, ClientRequestToken: version, Step } = event;
  const { VersionIdsToStages: stages = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
  if (stages[version]?.includes('AWSCURRENT') === true) return;
  if (stages[version]?.includes('AWSPENDING') !== true) {
    throw new Error(`Version ${version} is not staged for rotation.`);
  }

  switch (Step) {
    case 'createSecret':
      if ((await pendingValue(client, SecretId, version)) !== undefined) return;
      await client.send(
        new PutSecretValueCommand({
          SecretId,
          ClientRequestToken: version,
          SecretString: randomBytes(secretBytes).toString('base64url'),
          VersionStages: ['AWSPENDING'],
        }),
      );
      return;
    case 'setSecret':
    case 'testSecret':
      // Nothing else has a copy of the secret: functions read it from Secrets Manager. Its value is `createSecret`'s own.
      return;
    case 'finishSecret':
      if ((await pendingValue(client, SecretId, version)) === undefined) {
        throw new Error(`Version ${version} has no value.`);
      }
      await client.send(
        new UpdateSecretVersionStageCommand({
          SecretId,
          VersionStage: 'AWSCURRENT',
          MoveToVersionId: version,
          RemoveFromVersionId: Object.keys(stages).find((id) => stages[id]?.includes('AWSCURRENT')),
        }),
      );
      return;
  }
}

/** Value of the version that a rotation creates; undefined before it has one. */
async function pendingValue(
  client: SecretsManagerClient,
  secretId: string,
  version: string,
): Promise<string | undefined> {
  try {
    const { SecretString = '' } = await client.send(
      new GetSecretValueCommand({ SecretId: secretId, VersionId: version, VersionStage: 'AWSPENDING' }),
    );
    return SecretString === '' ? undefined : SecretString;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Invoked by Secrets Manager once for each of the four steps of a rotation. */
export const signingSecretRotationFunction = {
  uses,
  handler: ({ context: { logger } }: FunctionStart<typeof uses>) => {
    const secrets = createSecretsClient();
    return async (event: SecretsManagerRotationEvent): Promise<void> => {
      await rotate(event, secrets);
      logger.info('rotation step done', {
        event: 'rotation_step',
        step: event.Step,
        version: event.ClientRequestToken,
      });
    };
  },
};
