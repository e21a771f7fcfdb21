import { createInputEventItems } from '../../shared/compliance/inputs-changed.ts';
import { createComplianceConfigs } from '../../shared/compliance/store.ts';
import type { ApiDependencies } from '../../shared/config/dependencies.ts';
import type { Registry } from '../../shared/registry/registry.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import { createPipeline, type Pipeline } from '../../shared/request/pipeline.ts';
import { type WriteGuardTables, writeGuards } from '../../shared/request/write-guards.ts';
import { complianceOperations } from './operations.ts';
import { complianceRoutes } from './routes.ts';
import { createConfigReplacement } from './store.ts';

type Tables = 'compliance' | 'outbox' | 'registryRecords' | keyof WriteGuardTables;

/** Serves the routes of compliance configurations and NPN lookups. */
export const createComplianceFunction = ({
  clients: { dynamo, registry },
  tables,
  context,
}: ApiDependencies<Tables, { readonly registry: Registry }>): Pipeline =>
  createPipeline({
    ...context,
    group: complianceRoutes,
    operations: complianceOperations,
    deps: {
      complianceConfigs: createComplianceConfigs(dynamo, tables.compliance),
      events: createInputEventItems(tables.outbox),
      replaceConfig: createConfigReplacement(dynamo, tables.compliance),
      registryRecords: createRegistryRecords(dynamo, tables.registryRecords),
      registry,
    },
    ...writeGuards(dynamo, tables),
  });
