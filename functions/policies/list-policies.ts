import type { ChangesSince } from '../../shared/platform/changes/restored.ts';
import { changesSince } from '../../shared/platform/contract/updated-since.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { policyRoutes } from './routes.ts';
import type { PolicyStore } from './store.ts';

/**
 * Every policy that matches the filters, or what has changed since a time.
 * @throws ApiError `validation_error`, as `changesSince` and for a time before a restore.
 */
export const listPolicies: Operation<
  typeof policyRoutes.routes.listPolicies,
  { readonly policies: PolicyStore; readonly changesSince: ChangesSince }
> = ({ identity, query, now }, { policies, changesSince: answer }) => {
  const since = changesSince(query, now);
  return since === undefined
    ? policies.list(identity.organizationId, query)
    : answer(since, policies.changedSince(identity.organizationId, since));
};
