import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSecretText } from '../platform/config/secret-text.ts';
import { tableOf } from '../platform/data/table.ts';
import { createHttpRegistry, reportPrefix, simulatedAddress } from './registry/http-registry.ts';
import type { ListedChanges, Registry, RegistryPolls } from './registry/registry.ts';
import { createReportRegistry } from './registry/report-registry.ts';
import { createSimulator } from './registry/simulator.ts';
import { registryRecordsTable } from './table-designs.ts';

/** The registry that `REGISTRY_ADDRESS` selects: simulated, reports in XML, or JSON over HTTP. */
export function createRegistry(
  environment: { readonly REGISTRY_ADDRESS: string; readonly REGISTRY_ACCESS: string },
  deps: {
    readonly dynamo: DynamoDBClient;
    readonly now: () => Date;
    /** For who asks what changed. */
    readonly listedChanges?: ListedChanges | undefined;
  },
): Registry & RegistryPolls {
  const { REGISTRY_ADDRESS: address, REGISTRY_ACCESS: access } = environment;
  if (address === simulatedAddress)
    return createSimulator(tableOf(registryRecordsTable, deps.dynamo, access), deps.now);
  if (address.startsWith(reportPrefix)) {
    return createReportRegistry({
      address: address.slice(reportPrefix.length),
      access: createSecretText(access, deps.now),
      listedChanges: deps.listedChanges,
      now: deps.now,
    });
  }
  return createHttpRegistry({ address, key: createSecretText(access, deps.now) });
}
