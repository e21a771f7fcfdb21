import { apiFunction } from '#function/api-function.ts';
import { createUnlessRestored, type UnlessRestored } from '#platform/changes/change-index.ts';
import { existing } from '#platform/contract/errors.ts';
import { changesSince } from '#platform/contract/list-queries.ts';
import type { Operations } from '#platform/request/endpoint.ts';
import type { policyRoutes } from './routes.ts';
import { createPolicyStore, type PolicyStore } from './store.ts';
import { uses } from './uses.ts';

/** Reads of a carrier's policies. */
export const policyOperations = ({
  policies,
  unlessRestored,
}: {
  readonly policies: PolicyStore;
  readonly unlessRestored: UnlessRestored;
}): Operations<typeof policyRoutes.routes> => ({
  /**
   * Every policy that matches the filters, or what has changed since a time.
   * @throws ApiError `validation_error`, as `changesSince` and for a time before a restore.
   */
  listPolicies({ identity, query, now }) {
    const since = changesSince(query, now);
    return since === undefined
      ? policies.list(identity.organizationId, query)
      : unlessRestored(since, policies.itemsChangedSince(identity.organizationId, since));
  },

  /** @throws ApiError `not_found` for an unknown, foreign or soft-deleted policy. */
  async getPolicy({ identity, params }) {
    return existing(await policies.find(identity.organizationId, params.policyId));
  },

  /**
   * A page of a policy's transactions. The page's ordinals are computed from its number, so the policy and its transactions are
   * read concurrently.
   *
   * @throws ApiError `not_found` for an unknown, foreign or soft-deleted policy.
   */
  async listPolicyTransactions({ identity, params, query }) {
    const first = (query.page - 1) * query.limit + 1;
    const [policy, items] = await Promise.all([
      policies.find(identity.organizationId, params.policyId),
      policies.transactions(identity.organizationId, params.policyId, first, query.limit),
    ]);
    const { lastOrdinal, transactionCount } = existing(policy);
    return { items, total: lastOrdinal ?? transactionCount };
  },

  /** @throws ApiError `not_found` when the transaction does not exist under a policy of the caller's. */
  async getPolicyTransaction({ identity, params }) {
    const [policy, transaction] = await Promise.all([
      policies.find(identity.organizationId, params.policyId),
      policies.findTransaction(identity.organizationId, params.policyId, params.transactionId),
    ]);
    return existing(policy && transaction);
  },
});

/** Serves the routes of policies. */
export const policiesFunction = apiFunction({
  uses,
  operations: ({ tables }) =>
    policyOperations({
      policies: createPolicyStore(tables.policies),
      unlessRestored: createUnlessRestored([tables.policies]),
    }),
});
