import * as z from 'zod/mini';
import { agentItem } from '../../shared/domain/agents/resource.ts';
import {
  licenseComplianceStatus,
  licenseComplianceStatusV1,
} from '../../shared/domain/compliance/compliance-rows.ts';
import { npn } from '../../shared/domain/identifiers/npn.ts';
import { license } from '../../shared/domain/registry-records/license.ts';
import { regulatoryAction } from '../../shared/domain/registry-records/regulatory-action.ts';
import { asOfDescription, asOfQuery } from '../../shared/platform/contract/as-of.ts';
import { describedShape } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { objectId, stateCode } from '../../shared/platform/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { followed, orDeleted, updatedSinceQuery } from '../../shared/platform/contract/updated-since.ts';
import { updatedUntil } from '../../shared/platform/contract/updated-until.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';

const access = { kind: 'upstream', feature: 'producers' } as const;

const word = z.string().check(z.minLength(1), z.maxLength(100));

/** The list as v1 has it, which is frozen. */
const listing = {
  method: 'GET',
  path: '/v2/upstream/agents',
  access,
  summary: DOCUMENTED && 'List agents',
  description:
    DOCUMENTED &&
    'Returns all matching agents, streamed, without paging. Use only one of `npn`, `licenseNumber` with `stateCode`, and `email`; each can be combined with `downstreamEntityAssociationId`. If no agent of the organization matches, the array is empty, as it is for an association that is unknown or belongs to another organization.',
  success: DOCUMENTED && 'All matching agents; an empty array if there are none.',
  query: lazily(() =>
    describedShape(
      {
        downstreamEntityAssociationId: z.optional(objectId),
        npn: z.optional(npn),
        licenseNumber: z.optional(word),
        stateCode: z.optional(stateCode),
        email: z.optional(z.string().check(z.maxLength(254), z.email())),
      },
      DOCUMENTED && {
        downstreamEntityAssociationId: 'Id of an association that the agent works under.',
        npn: 'National Producer Number of the agent.',
        licenseNumber: {
          description: 'Number of a license that the agent holds; requires `stateCode`.',
          examples: ['1456789'],
        },
        stateCode: 'State that issued that license; requires `licenseNumber`.',
        email: {
          description: 'Primary or labeled email address of the agent; case is ignored.',
          examples: ['maria.delgado@example.com'],
        },
      },
    ),
  ),
  answer: { status: 200, all: agentItem },
} as const satisfies Route;

const listAgents = {
  ...listing,
  description:
    DOCUMENTED &&
    `${listing.description}

${followed} A change of the agent’s registry subscription is a change of the agent.`,
  success:
    DOCUMENTED && `${listing.success} With \`updatedSince\`, those that changed or were deleted since.`,
  query: lazily(() => ({ ...listing.query(), ...updatedSinceQuery() })),
  answer: { status: 200, all: orDeleted(agentItem) },
  followed: updatedUntil,
} as const satisfies Route;

const getAgent = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}',
  access,
  summary: DOCUMENTED && 'Get an agent',
  description: DOCUMENTED && 'Returns one agent.',
  success: DOCUMENTED && 'The agent with the organization’s registry subscription for the NPN.',
  answer: { status: 200, one: agentItem },
} as const satisfies Route;

/** The list as v1 has it: without `asOf`. */
const currentLicenses = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}/licenses',
  access,
  summary: DOCUMENTED && 'List the licenses of an agent',
  description:
    DOCUMENTED &&
    'Returns all matching licenses of the agent’s NPN, ordered by state and number, without paging. Filters can be combined. `status` must match the registry’s spelling exactly.',
  success: DOCUMENTED && 'All matching licenses of the agent.',
  query: lazily(() =>
    describedShape(
      { stateCode: z.optional(stateCode), status: z.optional(word) },
      DOCUMENTED && {
        stateCode: 'State that issued the license.',
        status: { description: 'Exact status, as spelled by the registry.', examples: ['active'] },
      },
    ),
  ),
  answer: { status: 200, all: license },
} as const satisfies Route;

const listAgentLicenses = {
  ...currentLicenses,
  description: DOCUMENTED && `${currentLicenses.description}\n\n${asOfDescription.list}`,
  query: lazily(() => ({ ...currentLicenses.query(), ...asOfQuery() })),
} as const satisfies Route;

const listAgentRegulatoryActions = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}/regulatory-actions',
  access,
  summary: DOCUMENTED && 'List the regulatory actions against an agent',
  description:
    DOCUMENTED && 'Returns all regulatory actions against the agent’s NPN, ordered by state and action id.',
  success: DOCUMENTED && 'All regulatory actions against the agent.',
  answer: { status: 200, all: regulatoryAction },
} as const satisfies Route;

/** The check as v1 has it: without `asOf`. */
const currentStatuses = {
  method: 'GET',
  path: '/v2/upstream/agents/{agentId}/license-compliance-statuses',
  access,
  summary: DOCUMENTED && 'Check whether an agent may sell a product in a state',
  description:
    DOCUMENTED &&
    'Compares the agent’s licenses and appointments, as of today in New York, with what the product’s compliance config requires in the state, and returns one status; “How compliance is decided” has the rules. For a product that is unknown or has no config, the response is 404.',
  success: DOCUMENTED && 'An array with the one status of the agent for the product and state.',
  query: lazily(() =>
    describedShape(
      { stateCode, productId: objectId },
      DOCUMENTED && {
        stateCode: 'State in which the agent is to sell.',
        productId: 'Id of a product with a compliance config.',
      },
    ),
  ),
  answer: { status: 200, all: licenseComplianceStatusV1 },
} as const satisfies Route;

const listAgentLicenseComplianceStatuses = {
  ...currentStatuses,
  description: DOCUMENTED && `${currentStatuses.description}\n\n${asOfDescription.statuses}`,
  success:
    DOCUMENTED && 'An array with the one status of the agent for the product and state, and what it goes by.',
  query: lazily(() => ({ ...currentStatuses.query(), ...asOfQuery() })),
  answer: { status: 200, all: licenseComplianceStatus },
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
    listAgentsV1: v1(listing),
    getAgentV1: v1(getAgent),
    listAgentLicensesV1: v1(currentLicenses),
    listAgentRegulatoryActionsV1: v1(listAgentRegulatoryActions),
    listAgentLicenseComplianceStatusesV1: v1(currentStatuses),
  },
);
