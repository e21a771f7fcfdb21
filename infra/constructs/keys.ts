import { Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { simulatedAddress } from '#domain/registry/registry.ts';
import type { registryRecordsTable } from '#domain/tables.ts';
import { type Environment, resourceName } from '../environments.ts';
import { alwaysExported, type Binding, granting, plain, removalOf } from './resource.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Table } from './table.ts';

/**
 * A KMS key for envelope encryption, named after its scope. It rotates every year; what earlier key material encrypted can
 * still be decrypted. Data encrypted with a deleted key is lost, so the key outlives its stack like the data itself.
 *
 * @param description what it encrypts, for a reader of the console
 */
export function encryptionKey(scope: Construct, environment: Environment, description: string) {
  const key = new Key(scope, 'Key', {
    description,
    enableKeyRotation: true,
    removalPolicy: removalOf(environment),
  });
  key.addAlias(resourceName(environment.name, scope.node.id));
  alwaysExported(scope, key.keyArn);
  const allowing = (action: string): Binding =>
    granting(key.keyArn, { actions: [action], resources: [key.keyArn] });
  return {
    /** The key's ARN, with the permission to create data keys. */
    encrypts: allowing('kms:GenerateDataKey'),
    /** The key's ARN, with the permission to decrypt data keys. */
    decrypts: allowing('kms:Decrypt'),
  };
}

/**
 * The KMS keys that sign receipts of sale checks (ES256). KMS rotates no asymmetric key: a new one comes first in
 * `receiptKeys` of the environment, and those before it stay, since a receipt is kept for ten years.
 *
 * @returns their ARNs, with the permissions to sign with the first and to read the public halves of all.
 */
export function receiptKeys(scope: Construct, environment: Environment): Binding {
  const arns = environment.receiptKeys.map((name) => {
    const key = new Key(new Construct(scope, name), 'Key', {
      description: 'Signs receipts of sale checks (ES256).',
      keySpec: KeySpec.ECC_NIST_P256,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: removalOf(environment),
    });
    key.addAlias(resourceName(environment.name, `${scope.node.id}-${name}`));
    alwaysExported(key, key.keyArn);
    return key.keyArn;
  });
  return granting(
    arns.join(','),
    { actions: ['kms:Sign'], resources: arns.slice(0, 1) },
    { actions: ['kms:GetPublicKey'], resources: arns },
  );
}

interface StoredSecretProps {
  readonly environment: Environment;
  readonly name: string;
  readonly description: string;
  /** Why it has no rotation schedule in its stack. */
  readonly noRotationReason: string;
}

/**
 * A secret with a random value: the first one of the secret that signs tokens, and of others one that nobody accepts until
 * theirs is stored. The 64 letters and digits have 380 random bits; HS256 requires 256 (RFC 7518, section 3.2).
 *
 * @returns the secret's ARN, with the permission to read it.
 */
export function storedSecret(
  scope: Construct,
  { environment, name, description, noRotationReason }: StoredSecretProps,
): Binding {
  const secret = new Secret(scope, 'Secret', {
    secretName: resourceName(environment.name, name),
    description,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy: removalOf(environment),
  });
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: noRotationReason });
  const { secretArn } = secret;
  alwaysExported(scope, secretArn);
  return granting(secretArn, { actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] });
}

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

/** The environment's licensing registry: by its reports, or simulated. */
export interface Registry {
  readonly address: Binding;
  /** Variable for the registry's address: its secret, or the simulated records; with the permission to read it. */
  readonly access: Binding;
}

export function registryOf(
  scope: Construct,
  environment: Environment,
  records: Table<typeof registryRecordsTable>,
): Registry {
  const { registry } = environment;
  if (registry.kind === 'simulated') {
    return {
      address: plain(simulatedAddress),
      access: records.allows({ items: ['GetItem'] }),
    };
  }
  return {
    address: plain(registry.address),
    access: storedSecret(scope, {
      environment,
      name: 'registry-key',
      description: 'Access to the licensing registry, stored by an operator: JSON of customerNumber and pin.',
      noRotationReason: 'The registry has the PIN changed: an operator stores the new one.',
    }),
  };
}
