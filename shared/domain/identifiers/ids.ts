import { described } from '../../platform/contract/described.ts';
import { objectId } from '../../platform/contract/primitives.ts';

// Ids of one resource that are fields of another, described once.

export const downstreamEntityId = described(
  objectId,
  DOCUMENTED && { description: 'Id of the agency or branch, the `_id` of its downstream entity.' },
);

export const downstreamEntityAssociationId = described(
  objectId,
  DOCUMENTED && { description: 'Id of the carrier’s association with the agency.' },
);

export const upstreamDownstreamAssociationId = described(
  objectId,
  DOCUMENTED && {
    description:
      'Id of the market; for a carrier on the platform, the `_id` of its association with the entity.',
  },
);

export const registryDataSubscriptionId = described(
  objectId,
  DOCUMENTED && { description: 'Id of the organization’s compliance data subscription for the NPN.' },
);

export const fileDocumentId = described(
  objectId,
  DOCUMENTED && { description: 'Id of the file document; a download link is requested with it.' },
);

export const productId = described(
  objectId,
  DOCUMENTED && { description: 'Id of the product, the same in its compliance config.' },
);

export const agentId = described(
  objectId,
  DOCUMENTED && { description: 'Id of the organization’s agent whom the event is about.' },
);
