import { comparedIds } from '#domain/identifiers/docs.ts';
import { registryFiltersDocs } from '#domain/registry/docs.ts';
import {
  asOfDescription,
  asOfQueryDocs,
  followSentence,
  updatedSinceQueryDocs,
} from '#platform/contract/docs.ts';
import type { GroupDocs } from '#platform/contract/documented.ts';
import type { agentRoutes } from './routes.ts';

const recordQueryDocs = { ...registryFiltersDocs, ...asOfQueryDocs } as const;

export const docs = {
  description: 'Producers, their licenses, and whether they may sell.',
  routes: {
    listAgents: {
      summary: 'List agents',
      description: `Returns all matching agents, streamed, without paging. Use only one of \`npn\`, \`licenseNumber\` with \`stateCode\`, \`email\`, and \`externalId\`, with or without \`downstreamEntityAssociationId\`.

${followSentence}`,
      query: {
        downstreamEntityAssociationId: 'Id of an association that the agent works under.',
        licenseNumber: ['Number of a license that the agent holds; requires `stateCode`.', '1456789'],
        stateCode: 'State that issued that license; requires `licenseNumber`.',
        email: [
          'Primary or labeled email address of the agent; case is ignored.',
          'maria.delgado@example.com',
        ],
        externalId: [
          `The organization’s own id for agents; several may have the same one. ${comparedIds}`,
          'AGT-0042',
        ],
        ...updatedSinceQueryDocs,
      },
    },
    getAgent: {
      summary: 'Get an agent',
      description: 'Returns one agent.',
    },
    listAgentLicenses: {
      summary: 'List the licenses of an agent',
      description: `Returns the licenses of the agent’s NPN, ordered by state and number, without paging. ${asOfDescription.list}`,
      query: recordQueryDocs,
    },
    listAgentAppointments: {
      summary: 'List the appointments of an agent',
      description: `Returns the appointments of the agent’s NPN, without paging. ${asOfDescription.list}`,
      query: recordQueryDocs,
    },
    listAgentRegulatoryActions: {
      summary: 'List the regulatory actions against an agent',
      description: 'Returns the regulatory actions against the agent’s NPN, ordered by state and action id.',
    },
    listAgentLicenseComplianceStatuses: {
      summary: 'Check whether an agent may sell a product in a state',
      description: `Returns one status; “How compliance is decided” has the rules. A product that is unknown or has no config returns 404. ${asOfDescription.statuses}`,
      query: { productId: 'Id of a product with a compliance config.', ...asOfQueryDocs },
    },
  },
} satisfies GroupDocs<typeof agentRoutes.routes>;
