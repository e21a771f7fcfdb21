import { recordTimesDocs } from '#platform/contract/docs.ts';
import { as, documented } from '#platform/contract/documented.ts';
import { associationStatusDocs, downstreamEntityDocs } from '../downstream-entities/docs.ts';
import { upstreamDownstreamAssociationIdDocs } from '../identifiers/docs.ts';
import { registryDataSubscriptionDocs } from '../registry-records/docs.ts';
import { association, contractContainerTemplate, externalId, market, producerCode } from './resource.ts';

documented(externalId, {
  description: 'The carrier’s own id for the agency, unique among its associations.',
  examples: ['AG-0042'],
});

documented(producerCode, {
  description: 'The agency’s code at the carrier, unique among the carrier’s associations.',
  examples: ['P-7731'],
});

documented(association, {
  id: 'DownstreamEntityAssociation',
  description: 'The organization’s relationship with an agency.',
  fields: {
    _id: 'Id of the association, `downstreamEntityAssociationId` elsewhere; the agency sees it as `upstreamDownstreamAssociationId`.',
    downstreamEntity: as(downstreamEntityDocs, 'The agency or branch on the other side of the relationship.'),
    registryDataSubscription: as(
      registryDataSubscriptionDocs,
      'The organization’s subscription to the registry records of the agency’s NPN.',
    ),
    externalId: 'The organization’s own id for the agency.',
    producerCode: 'The agency’s code at the organization.',
    branchName: ['The branch that the association is with; null if it is with the whole agency.', 'Austin'],
    parentDownstreamEntityAssociationId:
      'Id of the organization’s association with the parent of the agency.',
    status: associationStatusDocs,
    ...recordTimesDocs,
  },
});

documented(contractContainerTemplate, {
  id: 'ContractContainerTemplate',
  description: 'A set of contracts that an agency signs.',
  fields: {
    _id: 'Id of the template, to send as `contractContainerTemplateId`.',
    name: ['Name that the organization gave the template.', 'Producer agreement 2026'],
    description: [
      'What the contracts are for, in one or more lines; null if nothing is recorded.',
      'For agencies that sell commercial lines.',
    ],
    isActive: [
      'Whether agencies can be asked to sign it; always true in lists, which leave out the others.',
      true,
    ],
    ...recordTimesDocs,
  },
});

export const marketDocs = documented(market, {
  id: 'Market',
  description: 'A carrier that an entity of the organization works with.',
  fields: {
    upstreamDownstreamAssociationId: upstreamDownstreamAssociationIdDocs,
    downstreamEntityId: 'Id of the organization’s entity that has the market.',
    upstreamEntityName: ['Name of the carrier, MGA, or wholesaler.', 'Beacon Specialty'],
    isOnPlatform:
      'Whether the carrier uses this service. If it does not, an operator has recorded the market, and it has no compliance configs.',
    marketType: [
      'Kind of carrier, as recorded by an operator; null if none is recorded, and for a carrier on the platform.',
      'wholesaler',
    ],
    producerCode: 'The entity’s code at the carrier; null if the carrier has not set one.',
    branchName: [
      'The branch of the entity that the carrier works with; null if it is the whole entity, and for a carrier that is not on the platform.',
      'Austin',
    ],
    status: associationStatusDocs,
    ...recordTimesDocs,
  },
});
