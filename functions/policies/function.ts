import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import { getPolicy, getPolicyTransaction, listPolicies, listPolicyTransactions } from './read-policies.ts';
import { createPolicyStore } from './store.ts';
import { uses } from './uses.ts';

/** The operation of each row of the policies table; v1 and v2 share operations. */
export const policyOperations = { listPolicies, getPolicy, listPolicyTransactions, getPolicyTransaction };

/** Serves the routes of policies. */
export const createPoliciesFunction = apiFunction({
  uses,
  operations: policyOperations,
  guards: () => ({}),
  deps: ({ tables }: ApiParts<typeof uses>) => ({
    policies: createPolicyStore(tables.policies),
    changesSince: createChangesSince([tables.policies]),
  }),
});
