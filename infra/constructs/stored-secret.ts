import { Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type Environment, resourceName } from '../environments.ts';
import type { Binding } from './binding.ts';
import { alwaysExported } from './exports.ts';
import { removalOf } from './removal.ts';

interface StoredSecretProps {
  readonly environment: Environment;
  readonly name: string;
  readonly description: string;
  /** Why it has no rotation schedule. */
  readonly notRotated: string;
}

/**
 * A secret whose value is stored after its creation; until then it has a random one, which nobody accepts.
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
  return {
    value: secretArn,
    grant: (role) =>
      role.addToPrincipalPolicy(
        new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] }),
      ),
  };
}
