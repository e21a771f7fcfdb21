import type { TableItems } from '../../platform/data/table-items.ts';
import type { DownstreamEntity } from '../downstream-entities/resource.ts';
import { downstreamEntityCreated, downstreamEntityUpdated } from '../events/downstream-entity.ts';
import { type EventItems, eventItemsOf, type NewEvent } from '../events/transaction-items.ts';
import { isLive, type StoredAssociation } from './stored.ts';
import { agencyView } from './view.ts';

type AssociationEventType = 'DOWNSTREAM_ENTITY_CREATED' | 'DOWNSTREAM_ENTITY_UPDATED';

export type AssociationEventItems = EventItems<AssociationEventType>;

export const createAssociationEventItems = (outbox: TableItems): AssociationEventItems =>
  eventItemsOf(outbox, {
    DOWNSTREAM_ENTITY_CREATED: downstreamEntityCreated,
    DOWNSTREAM_ENTITY_UPDATED: downstreamEntityUpdated,
  });

/** An event of this type about an association with this agency. */
export const associationEvent = (
  type: AssociationEventType,
  association: StoredAssociation,
  entity: DownstreamEntity,
): NewEvent<AssociationEventType> => ({
  type,
  upstreamEntityId: association.upstreamEntityId,
  entityId: association._id,
  payload: {
    ...association,
    downstreamEntityAssociationId: association._id,
    downstreamEntity: agencyView(entity, association),
  },
});

/** What carriers see of an association, except its agency. */
const shownFields = [
  'downstreamEntityId',
  'externalId',
  'producerCode',
  'branchName',
  'parentDownstreamEntityAssociationId',
  'status',
] as const;

/**
 * The events of an association's change: created when it appears, for the first time or again; updated when a field
 * changes that its carrier sees. There is none for a deleted one.
 */
export function associationChangeEvents(
  before: StoredAssociation | undefined,
  after: StoredAssociation,
  entity: DownstreamEntity,
): NewEvent<AssociationEventType>[] {
  if (!isLive(after)) return [];
  if (before === undefined || !isLive(before)) {
    return [associationEvent('DOWNSTREAM_ENTITY_CREATED', after, entity)];
  }
  const isSame = shownFields.every((field) => before[field] === after[field]);
  return isSame ? [] : [associationEvent('DOWNSTREAM_ENTITY_UPDATED', after, entity)];
}
