import type { Construct } from 'constructs';
import { reportPrefix, simulatorAddress } from '../../shared/domain/registry/environment.ts';
import type { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import type { Environment } from '../environments.ts';
import { type Binding, plain } from './binding.ts';
import { storedSecret } from './signing-secret.ts';
import type { Table } from './table.ts';

/** The environment's licensing registry: over HTTP with a key, or simulated. */
export interface Registry {
  readonly address: Binding;
  /** What a function needs to use the address: a key, or the simulated records; with the permission to read it. */
  readonly access: Binding;
}

export const registryOf = (
  scope: Construct,
  environment: Environment,
  records: Table<typeof registryRecordsTable>,
): Registry =>
  environment.registry === 'simulator'
    ? { address: plain(simulatorAddress), access: records.allows({ items: ['GetItem'] }) }
    : {
        address: plain(
          `${environment.registry.kind === 'report' ? reportPrefix : ''}${environment.registry.address}`,
        ),
        access: storedSecret(scope, {
          environment,
          name: 'registry-key',
          description:
            'Access to the licensing registry, stored by an operator: its API key, or JSON of customerNumber and pin.',
          notRotated: 'The registry issues the key: an operator stores a new one.',
        }),
      };
