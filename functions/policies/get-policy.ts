import { notFound } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { policyRoutes } from './routes.ts';
import type { PolicyStore } from './store.ts';

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted policy. */
export const getPolicy: Operation<
  typeof policyRoutes.routes.getPolicy,
  { readonly policies: PolicyStore }
> = async ({ identity, params }, { policies }) => {
  const policy = await policies.find(identity.organizationId, params.policyId);
  if (policy === undefined) throw notFound();
  return policy;
};
