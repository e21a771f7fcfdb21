import type { Construct } from 'constructs';
import { simulatedAddress } from '#domain/registry/registry.ts';
import type { registryRecordsTable } from '#domain/table-designs.ts';
import type { Environment } from '../environments.ts';
import { storedSecret } from './keys.ts';
import { type Binding, plain } from './resource.ts';
import type { Table } from './table.ts';

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
