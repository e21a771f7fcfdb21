import { notFound } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { policyRoutes } from './routes.ts';
import type { PolicyStore } from './store.ts';

/** @throws ApiError `not_found` when the transaction does not exist under a policy of the caller's. */
export const getPolicyTransaction: Operation<
  typeof policyRoutes.routes.getPolicyTransaction,
  { readonly policies: PolicyStore }
> = async ({ identity, params }, { policies }) => {
  const [policy, transaction] = await Promise.all([
    policies.find(identity.organizationId, params.policyId),
    policies.findTransaction(identity.organizationId, params.policyId, params.transactionId),
  ]);
  if (policy === undefined || transaction === undefined) throw notFound();
  return transaction;
};
