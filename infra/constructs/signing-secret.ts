import { Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type Environment, resourceName } from '../environments.ts';
import { type Binding, granting } from './binding.ts';
import { alwaysExported } from './exports.ts';
import { removalOf } from './removal.ts';
import type { ServiceFunction } from './service-function.ts';

interface StoredSecretProps {
  readonly environment: Environment;
  readonly name: string;
  readonly description: string;
  /** Why it has no rotation schedule in its stack. */
  readonly notRotated: string;
}

/**
 * A secret with a random value: the first one of the secret that signs tokens, and of others one that nobody accepts until
 * theirs is stored. The 64 letters and digits have 380 random bits; HS256 requires 256 (RFC 7518, section 3.2).
 *
 * @returns the secret's ARN, with the permission to read it.
 */
export function storedSecret(
  scope: Construct,
  { environment, name, description, notRotated }: StoredSecretProps,
): Binding {
  const secret = new Secret(scope, 'Secret', {
    secretName: resourceName(environment.name, name),
    description,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy: removalOf(environment),
  });
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: notRotated });
  const { secretArn } = secret;
  alwaysExported(scope, secretArn);
  return granting(secretArn, { actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] });
}

/** The secret that signs access tokens, with the permission to read it. */
export const signingSecret = (scope: Construct, environment: Environment): Binding =>
  storedSecret(scope, {
    environment,
    name: 'signing-secret',
    description:
      'Signs access tokens (HS256); the pending, the current, and the previous version verify them.',
    notRotated: 'Its rotation schedule is in the service stack, with the function that rotates it.',
  });

/** Has Secrets Manager call the function every 90 days, and grants it what the four steps of a rotation need. */
export function rotate(secretArn: string, rotation: ServiceFunction): void {
  const actions = ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'];
  rotation.role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: actions.map((action) => `secretsmanager:${action}`),
      resources: [secretArn],
    }),
  );
  const permission = new CfnPermission(rotation, 'SecretsManager', {
    action: 'lambda:InvokeFunction',
    functionName: rotation.lambda.functionArn,
    principal: 'secretsmanager.amazonaws.com',
    sourceArn: secretArn,
  });
  const schedule = new CfnRotationSchedule(rotation, 'Schedule', {
    secretId: secretArn,
    rotationLambdaArn: rotation.lambda.functionArn,
    rotationRules: { automaticallyAfterDays: 90 },
    // A deployment must not rotate the secret.
    rotateImmediatelyOnUpdate: false,
  });
  schedule.addResourceDependency(permission);
}
