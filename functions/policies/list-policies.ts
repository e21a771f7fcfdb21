import { changesSince } from '../../shared/platform/contract/updated-since.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { policyRoutes } from './routes.ts';
import type { PolicyStore } from './store.ts';

/**
 * Every policy that matches the filters, or what has changed since a time.
 * @throws ApiError `validation_error`, as `changesSince`.
 */
export const listPolicies: Operation<
  typeof policyRoutes.routes.listPolicies,
  { readonly policies: PolicyStore }
> = ({ identity, query, now }, { policies }) => {
  const since = changesSince(query, now);
  return since === undefined
    ? policies.list(identity.organizationId, query)
    : policies.changedSince(identity.organizationId, since);
};
