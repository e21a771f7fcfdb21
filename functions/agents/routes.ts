import * as z from 'zod/mini';
import { agentItem, email } from '#domain/agents/resource.ts';
import { licenseComplianceStatus } from '#domain/compliance/status.ts';
import { codeFilter, npn } from '#domain/identifiers/identifiers.ts';
import {
  heldAppointment,
  heldLicense,
  registryFilters,
  regulatoryAction,
} from '#domain/registry/resources.ts';
import {
  asOfQuery,
  recordOrDeleted,
  updatedSinceQuery,
  updatedUntilHeaders,
} from '#platform/contract/list-queries.ts';
import { objectId, stateCode, textUpTo } from '#platform/contract/primitives.ts';
import { getOne, listAll, type Route, routeGroup, v1 } from '#platform/contract/route.ts';

const access = { kind: 'upstream', feature: 'producers' } as const;

/** The list as v1 has it, which is frozen. */
const listing = {
  ...listAll('/v2/upstream/agents', access, agentItem),
  query: z.object({
    downstreamEntityAssociationId: z.optional(objectId),
    npn: z.optional(npn),
    licenseNumber: z.optional(textUpTo(100)),
    stateCode: z.optional(stateCode),
    email: z.optional(email),
  }),
} as const satisfies Route;

const listAgents = {
  ...listing,
  query: z.object({
    ...listing.query.shape,
    externalId: z.optional(codeFilter),
    ...updatedSinceQuery.shape,
  }),
  answer: { status: 200, all: recordOrDeleted(agentItem) },
  followHeaders: updatedUntilHeaders,
} as const satisfies Route;

const getAgent = getOne('/v2/upstream/agents/{agentId}', access, agentItem);

const listAgentLicenses = {
  ...listAll('/v2/upstream/agents/{agentId}/licenses', access, heldLicense),
  query: z.object({ ...registryFilters.shape, ...asOfQuery.shape }),
} as const satisfies Route;

const listAgentAppointments = {
  ...listAgentLicenses,
  path: '/v2/upstream/agents/{agentId}/appointments',
  answer: { status: 200, all: heldAppointment },
} as const satisfies Route;

const listAgentRegulatoryActions = listAll(
  '/v2/upstream/agents/{agentId}/regulatory-actions',
  access,
  regulatoryAction,
);

const listAgentLicenseComplianceStatuses = {
  ...listAll('/v2/upstream/agents/{agentId}/license-compliance-statuses', access, licenseComplianceStatus),
  query: z.object({ stateCode, productId: objectId, ...asOfQuery.shape }),
} as const satisfies Route;

export const agentRoutes = routeGroup(
  'agents',
  {
    listAgents,
    getAgent,
    listAgentLicenses,
    listAgentAppointments,
    listAgentRegulatoryActions,
    listAgentLicenseComplianceStatuses,
    listAgentsV1: v1(listing),
    getAgentV1: v1(getAgent),
    listAgentLicensesV1: v1(listAgentLicenses),
    listAgentRegulatoryActionsV1: v1(listAgentRegulatoryActions),
    listAgentLicenseComplianceStatusesV1: v1(listAgentLicenseComplianceStatuses),
  },
  { openLists: 16 },
);
