import { agencyRoutes } from '../functions/agency/routes.ts';
import { agentRoutes } from '../functions/agents/routes.ts';
import { authRoutes } from '../functions/auth/routes.ts';
import { carrierRoutes } from '../functions/carriers/routes.ts';
import { complianceRoutes } from '../functions/compliance/routes.ts';
import { contactRoutes } from '../functions/contacts/routes.ts';
import { downstreamEntityAssociationRoutes } from '../functions/downstream-entity-associations/routes.ts';
import { fileDocumentRoutes } from '../functions/file-documents/routes.ts';
import { policyRoutes } from '../functions/policies/routes.ts';
import { surplusLinesFilingRoutes } from '../functions/surplus-lines-filings/routes.ts';
import { webhookRoutes } from '../functions/webhooks/routes.ts';
import type { RouteGroup } from '../shared/platform/contract/route.ts';

/**
 * Every route group of the service. The gateway, the authorizer's access map, the OpenAPI document, and tests are derived
 * from this list.
 */
export const routeGroups: readonly RouteGroup[] = [
  authRoutes,
  policyRoutes,
  carrierRoutes,
  downstreamEntityAssociationRoutes,
  contactRoutes,
  fileDocumentRoutes,
  surplusLinesFilingRoutes,
  agencyRoutes,
  agentRoutes,
  complianceRoutes,
  webhookRoutes,
];
