import { started } from '../../shared/domain/variables.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createRotationFunction } from './function.ts';
import { uses } from './uses.ts';

const { values } = started(uses);

export const handler = createRotationFunction({
  clients: { secrets: createSecretsClient() },
  context: functionContext('signing-secret-rotation', values),
});
