import type { Operation } from '../../shared/request/operation.ts';
import type { policyRoutes } from './routes.ts';
import type { PolicyStore } from './store.ts';

/** Every policy that matches the filters. */
export const listPolicies: Operation<
  typeof policyRoutes.routes.listPolicies,
  { readonly policies: PolicyStore }
> = ({ identity, query }, { policies }) => policies.list(identity.organizationId, query);
