import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { Organizations } from '../../platform/identity/organizations.ts';
import type { DownstreamEntities } from '../downstream-entities/store.ts';
import type { StoredDownstreamEntity } from '../downstream-entities/stored.ts';
import { type AssociationEventItems, associationChangeEvents } from './events.ts';
import type { AssociationStore } from './store.ts';
import type { StoredAssociation } from './stored.ts';

export interface ActivationDeps {
  readonly associations: AssociationStore;
  readonly entities: DownstreamEntities;
  readonly events: AssociationEventItems;
  /** Consistent reads, or not: the agency's market shows the carrier's name. */
  readonly organizations: Organizations;
}

/** How an association is made active. */
interface ActivationOptions {
  readonly further?: readonly TransactionItem[];
  /** See `AssociationChange`. */
  readonly isRedemption?: boolean;
}

/**
 * Makes an association active, and answers it with its agency, since the agency's side or an operator agrees to it (OpenAPI, "addAssociation"), with its
 * event, together with the further items, all or nothing.
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
    const [found, carrier] = await Promise.all([
      entities.findAll([before.downstreamEntityId]),
      organizations.find(before.upstreamEntityId),
    ]);
    const entity = found.get(before.downstreamEntityId);
    if (entity === undefined || carrier === undefined) throw new DomainError('not_found');
    const after: StoredAssociation = { ...before, status: 'active', updatedAt: now.toISOString() };
    await associations.save({ before, after, now, upstreamEntityName: carrier.name, isRedemption }, [
      ...events(associationChangeEvents(before, after, entity), now),
      ...further,
    ]);
    return { association: after, entity };
  };
