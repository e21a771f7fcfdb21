import * as z from 'zod/mini';
import { type InvokePermission, mayInvoke } from './invoke-permissions.ts';
import type { LocalFunction } from './local-function.ts';
import type { SecretVersions } from './secret-versions.ts';
import type { Deployment } from './template.ts';

const scheduleProperties = z.strictObject({
  SecretId: z.string(),
  RotationLambdaARN: z.string(),
  RotationRules: z.optional(z.unknown()),
  // Otherwise a deployment would rotate the secret at once, which the local run does not do.
  RotateImmediatelyOnUpdate: z.literal(false),
});

export interface RotationSchedule {
  readonly secretArn: string;
  readonly functionArn: string;
}

/** Which function rotates which secret. The schedule itself has weeks between its dates: here a rotation is asked for. */
export const rotationSchedules = (deployment: Deployment): RotationSchedule[] =>
  deployment.ofType('AWS::SecretsManager::RotationSchedule').map((resource) => {
    const { SecretId, RotationLambdaARN } = z.parse(scheduleProperties, resource.properties());
    return { secretArn: SecretId, functionArn: RotationLambdaARN };
  });

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** Rotates a secret as Secrets Manager does: the schedule's function is called once for each of the four steps. */
export async function rotateSecret(
  secret: SecretVersions,
  service: {
    readonly rotationFunctionArn: (secretArn: string) => string | undefined;
    readonly permissions: readonly InvokePermission[];
    readonly functionByArn: (functionArn: string) => LocalFunction;
  },
): Promise<void> {
  const functionArn = service.rotationFunctionArn(secret.arn);
  if (functionArn === undefined) throw new Error(`The secret ${secret.name} has no rotation schedule.`);
  const call = { functionArn, principal: 'secretsmanager.amazonaws.com', sourceArn: secret.arn };
  if (!mayInvoke(service.permissions, call)) {
    throw new Error(`Secrets Manager may not invoke ${functionArn}: the template gives no permission.`);
  }
  const version = secret.beginRotation();
  for (const step of steps) {
    await service.functionByArn(functionArn).invoke({
      Step: step,
      SecretId: secret.arn,
      ClientRequestToken: version,
    });
  }
  if (secret.read({}).versionId !== version) {
    throw new Error(`The rotation of ${secret.name} ended without making the new version the current one.`);
  }
}
