import * as z from 'zod/mini';
import { objectId, stateCode } from '../../shared/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import { agentItem } from '../../shared/resources/agent.ts';
import { licenseComplianceStatus } from '../../shared/resources/compliance.ts';
import { licence } from '../../shared/resources/licence.ts';
import { npn } from '../../shared/resources/npn.ts';
import { regulatoryAction } from '../../shared/resources/regulatory-action.ts';

const access = { kind: 'upstream', feature: 'producers' } as const;

const listAgents = {
  method: 'GET',
  path: '/v2/upstream/agents',
  access,
  rate: 'none',
  summary: 'List agents',
  description:
    'Every agent that matches, without paging, streamed. `npn`, `licenseNumber` with `stateCode`, and `email` exclude each other; `downstreamEntityAssociationId` combines with each. What no agent of the organization’s has answers an empty array.',
  query: {
    downstreamEntityAssociationId: z.optional(objectId),
    npn: z.optional(npn),
    licenseNumber: z.optional(
      z
        .string()
        .check(z.minLength(1), z.maxLength(100))
        .register(z.globalRegistry, {
          description: 'Number of a license that the agent holds; needs `stateCode`.',
          examples: ['1456789'],
        }),
    ),
    stateCode: z.optional(stateCode),
    email: z.optional(
      z
        .string()
        .check(z.maxLength(254), z.email())
        .register(z.globalRegistry, {
          description: 'Primary or labeled address of the agent, without regard to case.',
          examples: ['maria.delgado@example.com'],
        }),
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
  summary: 'Get an agent',
  description: 'One agent by its id.',
  answer: { status: 200, one: agentItem },
  errors: [],
} as const satisfies Route;

const listAgentLicenses = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}/licenses',
  access,
  rate: 'none',
  summary: 'List the licenses of an agent',
  description: 'Every license of the agent’s NPN that matches, by state and number. Filters combine.',
  query: {
    stateCode: z.optional(stateCode),
    status: z.optional(
      z
        .string()
        .check(z.minLength(1), z.maxLength(100))
        .register(z.globalRegistry, {
          description: 'Status as the registry spells it.',
          examples: ['active'],
        }),
    ),
  },
  answer: { status: 200, all: licence },
  errors: [],
} as const satisfies Route;

const listAgentRegulatoryActions = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}/regulatory-actions',
  access,
  rate: 'none',
  summary: 'List the regulatory actions against an agent',
  description: 'Every regulatory action against the agent’s NPN, by state and action id.',
  answer: { status: 200, all: regulatoryAction },
  errors: [],
} as const satisfies Route;

const listAgentLicenseComplianceStatuses = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}/license-compliance-statuses',
  access,
  rate: 'none',
  summary: 'Tell whether an agent may sell a product in a state',
  description:
    'One status: what the product’s compliance config asks for in that state, held against the agent’s licenses and appointments as of today in New York. A product without a config answers 404.',
  query: {
    stateCode,
    productId: objectId.check(z.meta({ description: 'Product that has a compliance config.' })),
  },
  answer: { status: 200, all: licenseComplianceStatus },
  errors: [],
} as const satisfies Route;

/** Specification, "Upstream: agents", and their v1 twins. */
export const agentRoutes = routeGroup('agents', 'Producers, their licenses and whether they may sell.', {
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
});
