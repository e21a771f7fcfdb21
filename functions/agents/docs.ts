import { comparedIds } from '../../shared/domain/identifiers/docs.ts';
import {
  asOfDescription,
  asOfQueryDocs,
  followed,
  updatedSinceQueryDocs,
} from '../../shared/platform/contract/docs.ts';
import type { GroupDocs } from '../../shared/platform/contract/documented.ts';
import type { agentRoutes } from './routes.ts';

const listing = {
  summary: 'List agents',
  description:
    'Returns all matching agents, streamed, without paging. Use only one of `npn`, `licenseNumber` with `stateCode`, and `email`; each can be combined with `downstreamEntityAssociationId`. If no agent of the organization matches, the array is empty, as it is for an association that is unknown or belongs to another organization.',
  success: 'All matching agents; an empty array if there are none.',
  query: {
    downstreamEntityAssociationId: 'Id of an association that the agent works under.',
    npn: 'National Producer Number of the agent.',
    licenseNumber: ['Number of a license that the agent holds; requires `stateCode`.', '1456789'],
    stateCode: 'State that issued that license; requires `licenseNumber`.',
    email: ['Primary or labeled email address of the agent; case is ignored.', 'maria.delgado@example.com'],
  },
} as const;

const currentLicenses = {
  summary: 'List the licenses of an agent',
  description:
    'Returns all matching licenses of the agent’s NPN, ordered by state and number, without paging. Filters can be combined. `status` must match the registry’s spelling exactly.',
  success: 'All matching licenses of the agent.',
  query: {
    stateCode: 'State that issued the license.',
    status: ['Exact status, as spelled by the registry.', 'active'],
  },
} as const;

const currentStatuses = {
  summary: 'Check whether an agent may sell a product in a state',
  description:
    'Compares the agent’s licenses and appointments, as of today in New York, with what the product’s compliance config requires in the state, and returns one status; “How compliance is decided” has the rules. For a product that is unknown or has no config, the response is 404.',
  success: 'An array with the one status of the agent for the product and state.',
  query: {
    stateCode: 'State in which the agent is to sell.',
    productId: 'Id of a product with a compliance config.',
  },
};

export const docs = {
  description: 'Producers, their licenses, and whether they may sell.',
  routes: {
    listAgents: {
      ...listing,
      description: `${listing.description}

Instead of \`npn\`, a license, or \`email\`, \`externalId\` can be used; several agents may have the same one.

${followed} A change of the agent’s registry subscription is a change of the agent.`,
      success: `${listing.success} With \`updatedSince\`, those that changed or were deleted since.`,
      query: {
        ...listing.query,
        externalId: [`The organization’s own id for the agent. ${comparedIds}`, 'AGT-0042'],
        ...updatedSinceQueryDocs,
      },
    },
    getAgent: {
      summary: 'Get an agent',
      description: 'Returns one agent.',
      success: 'The agent with the organization’s registry subscription for the NPN.',
    },
    listAgentLicenses: {
      ...currentLicenses,
      description: `${currentLicenses.description}\n\n${asOfDescription.list}`,
      success: 'All matching licenses of the agent, as of the day that is asked about.',
      query: { ...currentLicenses.query, ...asOfQueryDocs },
    },
    listAgentAppointments: {
      summary: 'List the appointments of an agent',
      description: `Returns all matching appointments of the agent’s NPN, without paging. Filters can be combined. \`status\` must match the registry’s spelling exactly.

${asOfDescription.list}`,
      success: 'All matching appointments of the agent.',
      query: {
        ...currentLicenses.query,
        ...asOfQueryDocs,
        stateCode: 'State of the appointments; only its records are returned.',
      },
    },
    listAgentRegulatoryActions: {
      summary: 'List the regulatory actions against an agent',
      description: 'Returns all regulatory actions against the agent’s NPN, ordered by state and action id.',
      success: 'All regulatory actions against the agent.',
    },
    listAgentLicenseComplianceStatuses: {
      ...currentStatuses,
      description: `${currentStatuses.description}\n\n${asOfDescription.statuses}`,
      success:
        'An array with the one status of the agent for the product and state, and what it is based on.',
      query: { ...currentStatuses.query, ...asOfQueryDocs },
    },
  },
} satisfies GroupDocs<typeof agentRoutes.routes>;
