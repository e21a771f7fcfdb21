import * as z from 'zod/mini';
import { agentItem, email } from '#domain/agents/resource.ts';
import { licenseComplianceStatus, licenseComplianceStatusV1 } from '#domain/compliance/status.ts';
import { codeFilter, npn } from '#domain/identifiers/identifiers.ts';
import {
  heldAppointment,
  heldLicense,
  licenseV1,
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

/** The list as v1 has it: without `asOf`. */
const currentLicenses = {
  ...listAll('/v2/upstream/agents/{agentId}/licenses', access, licenseV1),
  query: registryFilters,
} as const satisfies Route;

const listAgentLicenses = {
  ...currentLicenses,
  query: z.object({ ...currentLicenses.query.shape, ...asOfQuery.shape }),
  answer: { status: 200, all: heldLicense },
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

/** The check as v1 has it: without `asOf`. */
const currentStatuses = {
  ...listAll('/v2/upstream/agents/{agentId}/license-compliance-statuses', access, licenseComplianceStatusV1),
  query: z.object({ stateCode, productId: objectId }),
} as const satisfies Route;

const listAgentLicenseComplianceStatuses = {
  ...currentStatuses,
  query: z.object({ ...currentStatuses.query.shape, ...asOfQuery.shape }),
  answer: { status: 200, all: licenseComplianceStatus },
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
    listAgentLicensesV1: v1(currentLicenses),
    listAgentRegulatoryActionsV1: v1(listAgentRegulatoryActions),
    listAgentLicenseComplianceStatusesV1: v1(currentStatuses),
  },
  { openLists: 16 },
);
