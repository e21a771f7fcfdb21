import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { type Environment, resourceName } from '../environments.ts';
import { type Binding, granting } from './binding.ts';
import { alwaysExported } from './exports.ts';
import { removalOf } from './removal.ts';

/**
 * A KMS key for envelope encryption, named after its scope. It rotates every year; what earlier key material encrypted can
 * still be decrypted. Data encrypted with a deleted key is lost, so the key outlives its stack like the data itself.
 *
 * @param description what it encrypts, for whoever finds the key in the console
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
