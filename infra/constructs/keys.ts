import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { type Environment, resourceName } from '../environments.ts';
import { type Binding, granting } from './binding.ts';
import { alwaysExported } from './exports.ts';
import { removalOf } from './removal.ts';

interface EncryptionKeyProps {
  readonly environment: Environment;
  /** What it encrypts, for whoever finds the key in the console. */
  readonly description: string;
}

/**
 * A KMS key for envelope encryption. It rotates every year; what earlier key material encrypted can still be decrypted. Data
 * encrypted with a deleted key is lost, so the key outlives its stack like the data itself.
 */
export class EncryptionKey extends Construct {
  readonly #arn: string;

  constructor(scope: Construct, id: string, { environment, description }: EncryptionKeyProps) {
    super(scope, id);
    const key = new Key(this, 'Key', {
      description,
      enableKeyRotation: true,
      removalPolicy: removalOf(environment),
    });
    key.addAlias(resourceName(environment.name, id));
    this.#arn = key.keyArn;
    alwaysExported(this, this.#arn);
  }

  /** The key's ARN, with the permission to create data keys. */
  encrypts(): Binding {
    return granting(this.#arn, { actions: ['kms:GenerateDataKey'], resources: [this.#arn] });
  }

  /** The key's ARN, with the permission to decrypt data keys. */
  decrypts(): Binding {
    return granting(this.#arn, { actions: ['kms:Decrypt'], resources: [this.#arn] });
  }
}

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
    return granting(
      this.#arns.join(','),
      { actions: ['kms:Sign'], resources: this.#arns.slice(0, 1) },
      { actions: ['kms:GetPublicKey'], resources: [...this.#arns] },
    );
  }
}
