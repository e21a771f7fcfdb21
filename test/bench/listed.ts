import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { policyRoutes } from '../../functions/policies/routes.ts';

/** The lists of a carrier that are measured, with the functions that serve them. */
export const lists = {
  policies: { function: 'policies', route: policyRoutes.routes.listPolicies },
  compliance: { function: 'compliance', route: complianceRoutes.routes.listPolicyComplianceStatuses },
  sales: { function: 'compliance', route: complianceRoutes.routes.listPolicySales },
  licenses: { function: 'compliance', route: complianceRoutes.routes.listLicenses },
} as const;

export type List = keyof typeof lists;
