import { notFound } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { policyRoutes } from './routes.ts';
import type { PolicyStore } from './store.ts';

/**
 * A page of a policy's transactions. The page's ordinals are computed from its number, so the policy and its transactions are
 * read concurrently.
 *
 * @throws ApiError `not_found` for an unknown, foreign or soft-deleted policy.
 */
export const listPolicyTransactions: Operation<
  typeof policyRoutes.routes.listPolicyTransactions,
  { readonly policies: PolicyStore }
> = async ({ identity, params, query }, { policies }) => {
  const first = (query.page - 1) * query.limit + 1;
  const [policy, items] = await Promise.all([
    policies.find(identity.organizationId, params.policyId),
    policies.transactions(identity.organizationId, params.policyId, first, query.limit),
  ]);
  if (policy === undefined) throw notFound();
  return { items, total: policy.lastOrdinal ?? policy.transactionCount };
};
