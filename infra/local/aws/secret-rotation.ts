import * as z from 'zod/mini';
import type { LocalFunction } from '../functions/local-function.ts';
import { invokePermissions, mayInvoke } from '../gateway/invoke-permissions.ts';
import { type Deployment, propertiesOf } from '../template/template.ts';
import type { SecretVersions } from './secret-versions.ts';

const scheduleProperties = z.strictObject({
  SecretId: z.string(),
  RotationLambdaARN: z.string(),
  RotationRules: z.optional(z.unknown()),
  // With true, a deployment rotates the secret immediately, which the local run does not do.
  RotateImmediatelyOnUpdate: z.literal(false),
});

export type SecretRotation = ReturnType<typeof secretRotation>;

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** Rotation of secrets, on request only: the intervals of rotation schedules are longer than a local run. */
export function secretRotation(
  deployment: Deployment,
  functionByArn: (functionArn: string) => LocalFunction,
) {
  const permissions = invokePermissions(deployment);
  const functions = new Map(
    deployment.ofType('AWS::SecretsManager::RotationSchedule').map((resource) => {
      const { SecretId, RotationLambdaARN } = propertiesOf(resource, scheduleProperties);
      return [SecretId, RotationLambdaARN];
    }),
  );
  const functionArn = ({ arn }: SecretVersions): string | undefined => functions.get(arn);

  return {
    functionArn,
    /** Rotates a secret and returns the id of its new version. @throws Error when its function does not do so. */
    async rotate(secret: SecretVersions): Promise<string> {
      const arn = functionArn(secret);
      if (arn === undefined) throw new Error(`The secret ${secret.name} has no rotation schedule.`);
      const call = { functionArn: arn, principal: 'secretsmanager.amazonaws.com', sourceArn: secret.arn };
      if (!mayInvoke(permissions, call)) {
        throw new Error(`Secrets Manager may not invoke ${arn}: the template gives no permission.`);
      }
      const version = secret.beginRotation();
      for (const Step of steps) {
        await functionByArn(arn).invoke({ Step, SecretId: secret.arn, ClientRequestToken: version });
      }
      if (secret.read().VersionId !== version) {
        throw new Error(`The rotation of ${secret.name} did not make the new version the current one.`);
      }
      return version;
    },
  };
}
