import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createInputEventItems } from '../../shared/domain/compliance/inputs-changed.ts';
import { createRecordConfig } from '../../shared/domain/compliance/record-config.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import type { Registry } from '../../shared/domain/registry/registry.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { createRecordedVersions } from '../../shared/domain/registry-records/versions.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { complianceOperations } from './operations.ts';
import { uses } from './uses.ts';

/** Serves the routes of compliance configurations and NPN lookups. */
export const createComplianceFunction = apiFunction({
  uses,
  operations: complianceOperations,
  guards: writeGuards,
  deps: ({ tables, clients: { registry } }: ApiParts<typeof uses, { readonly registry: Registry }>) => {
    const complianceConfigs = createComplianceConfigs(tables.compliance);
    const carrierIdentityOf = createCarrierIdentityOf(tables.organizations);
    const recordedFacts = createRecordedFacts(tables.registryRecords);
    return {
      carrierIdentityOf,
      complianceConfigs,
      events: createInputEventItems(tables.outbox.items),
      recordedFacts,
      recordedSince: createChangesSince([tables.registryRecords], {
        parameter: 'recordedSince',
        isHistory: true,
        instead:
          'what was recorded shortly before is gone: read the records of now, and follow what is recorded from now on',
      }),
      recordConfig: createRecordConfig(tables.compliance),
      registryRecords: createRegistryRecords(tables.registryRecords),
      registry,
      tables,
      versions: createRecordedVersions(tables.registryRecords),
    };
  },
});
