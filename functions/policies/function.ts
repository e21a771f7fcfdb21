import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import * as operations from './read-policies.ts';
import { createPolicyStore } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of policies. */
export const createPoliciesFunction = apiFunction({
  uses,
  operations,
  guards: () => ({}),
  deps: ({ tables }: ApiParts<typeof uses>) => ({
    policies: createPolicyStore(tables.policies),
    changesSince: createChangesSince([tables.policies]),
  }),
});
