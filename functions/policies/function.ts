import { apiFunction } from '#domain/api-function.ts';
import type { Resources } from '#domain/function.ts';
import { createUnlessRestored } from '#platform/changes/restored.ts';
import * as operations from './read-policies.ts';
import { createPolicyStore } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of policies. */
export const policiesFunction = apiFunction({
  uses,
  operations,
  deps: ({ tables }: Resources<typeof uses>) => ({
    policies: createPolicyStore(tables.policies),
    unlessRestored: createUnlessRestored([tables.policies]),
  }),
});
