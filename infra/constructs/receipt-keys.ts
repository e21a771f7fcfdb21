import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { type Environment, resourceName } from '../environments.ts';
import type { Binding } from './binding.ts';
import { alwaysExported } from './exports.ts';
import { removalOf } from './removal.ts';

/**
 * The KMS keys that sign receipts of sale checks (ES256). KMS rotates no asymmetric key: a new one comes first in
 * `receiptKeys` of the environment, and those before it stay, since a receipt is kept for ten years.
 */
export class ReceiptKeys extends Construct {
  readonly #arns: readonly string[];

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.#arns = environment.receiptKeys.map((name) => {
      const key = new Key(new Construct(this, name), 'Key', {
        description: 'Signs receipts of sale checks (ES256).',
        keySpec: KeySpec.ECC_NIST_P256,
        keyUsage: KeyUsage.SIGN_VERIFY,
        removalPolicy: removalOf(environment),
      });
      key.addAlias(resourceName(environment.name, `${id}-${name}`));
      alwaysExported(key, key.keyArn);
      return key.keyArn;
    });
  }

  /** The keys' ARNs, with the permissions to sign with the first and to read the public halves of all. */
  signs(): Binding {
    return {
      value: this.#arns.join(','),
      grant: (role) => {
        const policies = [
          { actions: ['kms:Sign'], resources: this.#arns.slice(0, 1) },
          { actions: ['kms:GetPublicKey'], resources: [...this.#arns] },
        ];
        for (const policy of policies) role.addToPrincipalPolicy(new PolicyStatement(policy));
      },
    };
  }
}
