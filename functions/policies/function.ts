import { tablesOf } from '../../shared/domain/tables.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { policyOperations } from './operations.ts';
import { policyRoutes } from './routes.ts';
import { createPolicyStore } from './store.ts';
import type { uses } from './uses.ts';

/** Serves the routes of policies. */
export function createPoliciesFunction({
  clients: { dynamo },
  tables: names,
  context,
}: ApiDependencies<typeof uses>): Pipeline {
  const tables = tablesOf(dynamo, names);
  return createPipeline({
    ...context,
    group: policyRoutes,
    operations: policyOperations,
    deps: {
      policies: createPolicyStore(tables.policies),
      changesSince: createChangesSince([tables.policies]),
    },
  });
}
