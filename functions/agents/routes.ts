import * as z from 'zod/mini';
import { described } from '../../shared/contract/described.ts';
import { objectId, stateCode } from '../../shared/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import { agentItem } from '../../shared/resources/agent.ts';
import { licenseComplianceStatus } from '../../shared/resources/compliance.ts';
import { complianceRules } from '../../shared/resources/compliance-rules.ts';
import { license } from '../../shared/resources/license.ts';
import { npn } from '../../shared/resources/npn.ts';
import { regulatoryAction } from '../../shared/resources/regulatory-action.ts';

const access = { kind: 'upstream', feature: 'producers' } as const;

const listAgents = {
  method: 'GET',
  path: '/v2/upstream/agents',
  access,
  rate: 'none',
  summary: DOCUMENTED && 'List agents',
  description:
    DOCUMENTED &&
    'Returns all matching agents, streamed, without paging. Use only one of `npn`, `licenseNumber` with `stateCode`, and `email`; each can be combined with `downstreamEntityAssociationId`. If no agent of the organization matches, the array is empty, as it is for an association that is unknown or belongs to another organization.',
  query: {
    downstreamEntityAssociationId: z.optional(objectId),
    npn: z.optional(npn),
    licenseNumber: z.optional(
      described(
        z.string().check(z.minLength(1), z.maxLength(100)),
        DOCUMENTED && {
          description: 'Number of a license that the agent holds; requires `stateCode`.',
          examples: ['1456789'],
        },
      ),
    ),
    stateCode: z.optional(stateCode),
    email: z.optional(
      described(
        z.string().check(z.maxLength(254), z.email()),
        DOCUMENTED && {
          description: 'Primary or labeled email address of the agent; case is ignored.',
          examples: ['maria.delgado@example.com'],
        },
      ),
    ),
  },
  answer: { status: 200, all: agentItem },
  errors: [],
} as const satisfies Route;

const getAgent = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}',
  access,
  rate: 'none',
  summary: DOCUMENTED && 'Get an agent',
  description: DOCUMENTED && 'Returns one agent.',
  answer: { status: 200, one: agentItem },
  errors: [],
} as const satisfies Route;

const listAgentLicenses = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}/licenses',
  access,
  rate: 'none',
  summary: DOCUMENTED && 'List the licenses of an agent',
  description:
    DOCUMENTED &&
    'Returns all matching licenses of the agent’s NPN, ordered by state and number, without paging. Filters can be combined. `status` must match the registry’s spelling exactly.',
  query: {
    stateCode: z.optional(stateCode),
    status: z.optional(
      described(
        z.string().check(z.minLength(1), z.maxLength(100)),
        DOCUMENTED && {
          description: 'Exact status, as spelled by the registry.',
          examples: ['active'],
        },
      ),
    ),
  },
  answer: { status: 200, all: license },
  errors: [],
} as const satisfies Route;

const listAgentRegulatoryActions = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}/regulatory-actions',
  access,
  rate: 'none',
  summary: DOCUMENTED && 'List the regulatory actions against an agent',
  description:
    DOCUMENTED && 'Returns all regulatory actions against the agent’s NPN, ordered by state and action id.',
  answer: { status: 200, all: regulatoryAction },
  errors: [],
} as const satisfies Route;

const listAgentLicenseComplianceStatuses = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}/license-compliance-statuses',
  access,
  rate: 'none',
  summary: DOCUMENTED && 'Check whether an agent may sell a product in a state',
  description:
    DOCUMENTED &&
    `Compares the agent’s licenses and appointments, as of today in New York, with what the product’s compliance config requires in the state, and returns one status. For a product that is unknown or has no config, the response is 404.

${complianceRules}`,
  query: {
    stateCode,
    productId: described(
      z.clone(objectId),
      DOCUMENTED && { description: 'Id of a product with a compliance config.' },
    ),
  },
  answer: { status: 200, all: licenseComplianceStatus },
  errors: [],
} as const satisfies Route;

export const agentRoutes = routeGroup(
  'agents',
  DOCUMENTED && 'Producers, their licenses, and whether they may sell.',
  {
    listAgents,
    getAgent,
    listAgentLicenses,
    listAgentRegulatoryActions,
    listAgentLicenseComplianceStatuses,
    listAgentsV1: { ...listAgents, path: '/v1/agents' },
    getAgentV1: { ...getAgent, path: '/v1/agents/{agentId}' },
    listAgentLicensesV1: { ...listAgentLicenses, path: '/v1/agents/{agentId}/licenses' },
    listAgentRegulatoryActionsV1: {
      ...listAgentRegulatoryActions,
      path: '/v1/agents/{agentId}/regulatory-actions',
    },
    listAgentLicenseComplianceStatusesV1: {
      ...listAgentLicenseComplianceStatuses,
      path: '/v1/agents/{agentId}/license-compliance-statuses',
    },
  },
);
