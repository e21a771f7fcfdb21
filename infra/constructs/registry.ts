import { Construct } from 'constructs';
import { simulatorAddress } from '../../shared/domain/registry/environment.ts';
import type { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import type { Environment } from '../environments.ts';
import { type Binding, plain } from './binding.ts';
import { storedSecret } from './signing-secret.ts';
import type { Table } from './table.ts';

/** The environment's licensing registry: over HTTP with a key, or simulated. */
export class Registry extends Construct {
  readonly #address: string;
  /** What a function needs to use the address: a key, or the simulated records; with the permission to read it. */
  readonly access: Binding;

  constructor(
    scope: Construct,
    id: string,
    props: { readonly environment: Environment; readonly records: Table<typeof registryRecordsTable> },
  ) {
    super(scope, id);
    const { registry } = props.environment;
    this.#address = registry === 'simulator' ? simulatorAddress : registry.address;
    this.access =
      registry === 'simulator' ? props.records.allows({ items: ['GetItem'] }) : this.#key(props.environment);
  }

  /** The registry's address. */
  address(): Binding {
    return plain(this.#address);
  }

  #key(environment: Environment): Binding {
    return storedSecret(this, {
      environment,
      name: 'registry-key',
      description: 'API key for the licensing registry, stored by an operator.',
      notRotated: 'The registry issues the key: an operator stores a new one.',
    });
  }
}
