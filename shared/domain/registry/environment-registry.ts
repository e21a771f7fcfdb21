import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSecretText } from '#platform/config/secret-text.ts';
import { tableOf } from '#platform/data/table.ts';
import { registryRecordsTable } from '../tables.ts';
import { type Registry, simulatedAddress } from './registry.ts';
import { createReportRegistry } from './report-registry.ts';
import { createSimulator } from './simulator.ts';

/** The registry that `REGISTRY_ADDRESS` selects, a simulated one or that of the reports; apart from both, which know no table's design. */
export function createRegistry(
  {
    REGISTRY_ADDRESS: address,
    REGISTRY_ACCESS: access,
  }: { readonly REGISTRY_ADDRESS: string; readonly REGISTRY_ACCESS: string },
  { dynamo, now }: { readonly dynamo: DynamoDBClient; readonly now: () => Date },
): Registry {
  return address === simulatedAddress
    ? createSimulator(tableOf(registryRecordsTable, dynamo, access), now)
    : createReportRegistry({ address, access: createSecretText(access, now) });
}
