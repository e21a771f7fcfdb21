import { policiesTable } from '../../shared/domain/policies/table.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { policyOperations } from './operations.ts';
import { policyRoutes } from './routes.ts';
import { createPolicyStore } from './store.ts';
import type { uses } from './uses.ts';

/** Serves the routes of policies. */
export const createPoliciesFunction = ({
  clients: { dynamo },
  tables,
  context,
}: ApiDependencies<typeof uses>): Pipeline =>
  createPipeline({
    ...context,
    group: policyRoutes,
    operations: policyOperations,
    deps: {
      policies: createPolicyStore(dynamo, tables.policies),
      changesSince: createChangesSince(dynamo, [{ name: tables.policies, design: policiesTable }]),
    },
  });
