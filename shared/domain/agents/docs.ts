import { recordTimesDocs } from '#platform/contract/docs.ts';
import { as, documented, type FieldDocs } from '#platform/contract/documented.ts';
import { producerNamesDocs } from '../identifiers/docs.ts';
import { registryDataSubscriptionDocs } from '../registry-records/docs.ts';
import { agencyProducer, type agentAuthority, agentItem, email, isDeliverable } from './resource.ts';

export const isDeliverableDocs = documented(isDeliverable, {
  description: 'Whether `email` has been verified as deliverable; false until an import says so.',
});

documented(agencyProducer, {
  id: 'Producer',
  description: 'A producer of the organization.',
  fields: {
    _id: 'Id of the producer in the organization’s records.',
    npn: 'National Producer Number, by which the registry knows the producer.',
    ...producerNamesDocs,
    email: 'Primary email address of the producer.',
    isDeliverable: isDeliverableDocs,
    externalId: ['The organization’s own id for the producer.', 'PR-204'],
    downstreamEntityIds: 'Ids of the organization’s entities that the producer works for.',
    isArchived: 'Whether the organization has archived the producer, who is still returned.',
    ...recordTimesDocs,
  },
});

export const agentAuthorityDocs = {
  upstreamEntityProductId: 'Id of the organization’s product, `productId` in compliance configs.',
  requestedStates: 'States in which the agent asked to sell the product.',
  approvedStates: 'States in which the organization approved it.',
} satisfies FieldDocs<typeof agentAuthority>;

documented(email, {
  description: 'Email address; case is ignored.',
  examples: ['maria.delgado@example.com'],
});

documented(agentItem, {
  id: 'Agent',
  description: 'A producer, as recorded by the organization.',
  fields: {
    agent: {
      description: 'The person, and where they work.',
      fields: {
        _id: 'Id of the agent, `agentId` elsewhere.',
        npn: 'National Producer Number, by which the registry knows the agent.',
        ...producerNamesDocs,
        downstreamEntityAgentAssociationIds:
          'Ids of the associations that the agent works under, `downstreamEntityAssociationId` elsewhere.',
        ...recordTimesDocs,
      },
    },
    creationPath: [
      'How the record was created: `import`, unless the imported record says otherwise.',
      'import',
    ],
    registryDataSubscription: as(
      registryDataSubscriptionDocs,
      'The organization’s subscription to the registry records of the NPN.',
    ),
    isUploadedByUpstreamEntity: 'Whether the record came from a carrier; false if it came from an agency.',
    isDeleted: 'Always false: soft-deleted agents are not returned.',
    isArchived: 'Whether the organization has archived the agent, who is still returned.',
    authority: {
      description: 'Products that the agent may sell for the organization, or asked to; may be empty.',
      fields: agentAuthorityDocs,
    },
    email: 'Primary email address of the agent.',
    isDeliverable: isDeliverableDocs,
    externalId: ['The organization’s own id for the agent.', 'AGT-118'],
  },
});
