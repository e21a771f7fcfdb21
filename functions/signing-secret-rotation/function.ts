import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SecretsManagerRotationEvent } from 'aws-lambda';
import type { FunctionContext } from '../../shared/platform/config/context.ts';
import { rotate } from './rotate.ts';

interface RotationDependencies {
  readonly clients: { readonly secrets: SecretsManagerClient };
  readonly context: FunctionContext;
}

/** Invoked by Secrets Manager once for each of the four steps of a rotation. */
export const createRotationFunction =
  ({ clients: { secrets }, context: { logger } }: RotationDependencies) =>
  async (event: SecretsManagerRotationEvent): Promise<void> => {
    await rotate(event, secrets);
    logger.info('rotation step done', {
      event: 'rotation_step',
      step: event.Step,
      version: event.ClientRequestToken,
    });
  };
