import { apiFunction } from '#function/api-function.ts';
import { createUnlessRestored } from '#platform/changes/restored.ts';
import { policyOperations } from './read-policies.ts';
import { createPolicyStore } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of policies. */
export const policiesFunction = apiFunction({
  uses,
  operations: ({ tables }) =>
    policyOperations({
      policies: createPolicyStore(tables.policies),
      unlessRestored: createUnlessRestored([tables.policies]),
    }),
});
