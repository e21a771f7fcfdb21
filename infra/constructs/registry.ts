import { Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { registryRecordsTable } from '../../shared/data/tables.ts';
import { simulatorAddress } from '../../shared/registry/environment.ts';
import { type Environment, resourceName } from '../environments.ts';
import { type Binding, plain } from './binding.ts';
import { alwaysExported } from './exports.ts';
import { removalOf } from './removal.ts';
import type { Table } from './table.ts';

/** The licensing registry as this environment has it: over HTTP with a key of ours, or simulated. */
export class Registry extends Construct {
  readonly #address: string;
  readonly #access: Binding;

  constructor(
    scope: Construct,
    id: string,
    props: { readonly environment: Environment; readonly records: Table<typeof registryRecordsTable> },
  ) {
    super(scope, id);
    const { registry } = props.environment;
    this.#address = registry === 'simulator' ? simulatorAddress : registry.address;
    this.#access =
      registry === 'simulator' ? props.records.allows({ items: ['GetItem'] }) : this.#key(props.environment);
  }

  /** Where the registry is, together with the permission that asking it takes. */
  asks(): { readonly REGISTRY_ADDRESS: Binding; readonly REGISTRY_ACCESS: Binding } {
    return { REGISTRY_ADDRESS: this.address(), REGISTRY_ACCESS: this.#access };
  }

  /** Where the registry is, for who does not ask it. */
  address(): Binding {
    return plain(this.#address);
  }

  #key(environment: Environment): Binding {
    const secret = new Secret(this, 'Secret', {
      secretName: resourceName(environment.name, 'registry-key'),
      description: 'Key with which the licensing registry knows us; an operator puts it.',
      // A stand-in until the registry's own key is put; the registry refuses it.
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: removalOf(environment),
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The registry issues the key and takes no other: an operator puts the next one.',
    });
    const { secretArn } = secret;
    alwaysExported(this, secretArn);
    return {
      value: secretArn,
      grant: (role) =>
        role.addToPrincipalPolicy(
          new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] }),
        ),
    };
  }
}
