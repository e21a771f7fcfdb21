import { objectId } from '../../platform/contract/primitives.ts';

// Ids of one resource that are fields of another, described once.

export const downstreamEntityId = objectId;

export const downstreamEntityAssociationId = objectId;

export const upstreamDownstreamAssociationId = objectId;

export const registryDataSubscriptionId = objectId;

export const fileDocumentId = objectId;

export const productId = objectId;

export const agentId = objectId;
