import * as z from 'zod/mini';
import type { TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import type { Organizations } from '#platform/identity/organizations.ts';
import { type DownstreamEntity, downstreamEntity } from '../downstream-entities/resource.ts';
import type { DownstreamEntities, StoredDownstreamEntity } from '../downstream-entities/stored.ts';
import { downstreamEntityCreated, downstreamEntityUpdated } from '../events/agency-payloads.ts';
import { type EventItems, eventItemsOf, type NewEvent } from '../events/transaction-items.ts';
import type { RegistryDataSubscription } from '../registry-records/resources.ts';
import type { RegistryRecords } from '../registry-records/store.ts';
import { type Association, association } from './resource.ts';
import type { AssociationStore } from './store.ts';
import { isLive, type StoredAssociation } from './stored.ts';

/** Stores of the agencies and subscriptions that an association is shown with. */
export interface AssociationSources {
  readonly entities: DownstreamEntities;
  readonly registryRecords: RegistryRecords;
}

/**
 * An agency as its association shows it. Of one that has not agreed yet the carrier sees what identifies it, not its
 * employer's number.
 */
const agencyView = (
  entity: DownstreamEntity,
  { status }: Pick<StoredAssociation, 'status'>,
): DownstreamEntity =>
  z.parse(downstreamEntity, { ...entity, ein: status === 'invited' ? null : entity.ein });

/** An association as its carrier sees it. */
export const associationView = (
  storedAssociation: StoredAssociation,
  entity: StoredDownstreamEntity,
  subscription: RegistryDataSubscription | undefined,
): Association =>
  z.parse(association, {
    ...storedAssociation,
    downstreamEntity: agencyView(entity, storedAssociation),
    registryDataSubscription: subscription ?? null,
  });

/**
 * Associations of one owner as it sees them. An association holds its agency's id and NPN, so agency and subscription are
 * read after it, both at once.
 */
export async function associationViews(
  owner: string,
  associations: readonly StoredAssociation[],
  { entities, registryRecords }: AssociationSources,
): Promise<Association[]> {
  const [entitiesOfPage, subscriptions] = await Promise.all([
    entities.findAll(associations.map(({ downstreamEntityId }) => downstreamEntityId)),
    registryRecords.subscriptionsOf(
      owner,
      associations.flatMap(({ agency }) => agency.npn ?? []),
    ),
  ]);
  return associations.flatMap((entry) => {
    const entity = entitiesOfPage.get(entry.downstreamEntityId);
    return entity === undefined
      ? []
      : [associationView(entry, entity, subscriptions.get(entry.agency.npn ?? ''))];
  });
}

type AssociationEventType = 'DOWNSTREAM_ENTITY_CREATED' | 'DOWNSTREAM_ENTITY_UPDATED';

type AssociationEventItems = EventItems<AssociationEventType>;

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

/** Fields of an association that carriers see, except its agency. */
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

interface ActivationDeps {
  readonly associations: AssociationStore;
  readonly entities: DownstreamEntities;
  readonly events: AssociationEventItems;
  /** Consistent reads, or not: the agency's market shows the carrier's name. */
  readonly organizations: Organizations;
}

/** Circumstances in which an association is made active. */
interface ActivationOptions {
  readonly further?: readonly TransactionItem[];
  /** See `AssociationChange`. */
  readonly isRedemption?: boolean;
}

/**
 * Makes an association active, and answers it with its agency, since the agency's side or an operator agrees to it (OpenAPI,
 * "addAssociation"), with its event, together with the further items, all or nothing.
 *
 * @throws VersionConflict; DomainError `not_found` where agency or carrier is gone; what the further items raise.
 */
export type ActivateAssociation = (
  before: StoredAssociation,
  now: Date,
  options?: ActivationOptions,
) => Promise<{ readonly association: StoredAssociation; readonly entity: StoredDownstreamEntity }>;

export const createActivateAssociation =
  ({ associations, entities, events, organizations }: ActivationDeps): ActivateAssociation =>
  async (before, now, { further = [], isRedemption = false } = {}) => {
    const [agencies, carrier] = await Promise.all([
      entities.findAll([before.downstreamEntityId]),
      organizations.find(before.upstreamEntityId),
    ]);
    const entity = agencies.get(before.downstreamEntityId);
    if (entity === undefined || carrier === undefined) throw new DomainError('not_found');
    const after: StoredAssociation = { ...before, status: 'active', updatedAt: now.toISOString() };
    await associations.save({ before, after, now, upstreamEntityName: carrier.name, isRedemption }, [
      ...events(associationChangeEvents(before, after, entity), now),
      ...further,
    ]);
    return { association: after, entity };
  };
