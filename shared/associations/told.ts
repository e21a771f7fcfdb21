import { downstreamEntityCreated, downstreamEntityUpdated } from '../events/downstream-entity.ts';
import { type EventItems, eventItemsOf, type NewEvent } from '../events/transaction-items.ts';
import type { DownstreamEntity } from '../resources/downstream-entity.ts';
import { isLive, type StoredAssociation } from './stored.ts';

type AssociationEvent = 'DOWNSTREAM_ENTITY_CREATED' | 'DOWNSTREAM_ENTITY_UPDATED';

export type AssociationEventItems = EventItems<AssociationEvent>;

export const createAssociationEventItems = (table: string): AssociationEventItems =>
  eventItemsOf(table, {
    DOWNSTREAM_ENTITY_CREATED: downstreamEntityCreated,
    DOWNSTREAM_ENTITY_UPDATED: downstreamEntityUpdated,
  });

/** An event of this type about an association with this agency. */
export const associationTold = (
  type: AssociationEvent,
  association: StoredAssociation,
  { _id, legalName, category, npn, ein, isNpnRequired }: DownstreamEntity,
): NewEvent<AssociationEvent> => ({
  type,
  upstreamEntityId: association.upstreamEntityId,
  entityId: association._id,
  payload: {
    downstreamEntityAssociationId: association._id,
    downstreamEntity: { _id, legalName, category, npn, ein, isNpnRequired },
    externalId: association.externalId,
    producerCode: association.producerCode,
    branchName: association.branchName,
    status: association.status,
  },
});

/** What carriers see of an association beside its agency. */
const shownFields = [
  'downstreamEntityId',
  'externalId',
  'producerCode',
  'branchName',
  'parentDownstreamEntityAssociationId',
  'status',
] as const;

/**
 * What a change of an association tells: that it was added, when it shows for the first time or again; that it changed,
 * when something does that its carrier sees. There is no event of one that is gone.
 */
export function associationChangeTold(
  before: StoredAssociation | undefined,
  after: StoredAssociation,
  entity: DownstreamEntity,
): NewEvent<AssociationEvent>[] {
  if (!isLive(after)) return [];
  if (before === undefined || !isLive(before)) {
    return [associationTold('DOWNSTREAM_ENTITY_CREATED', after, entity)];
  }
  const isSame = shownFields.every((field) => before[field] === after[field]);
  return isSame ? [] : [associationTold('DOWNSTREAM_ENTITY_UPDATED', after, entity)];
}
