import {
  type AssociationsOfEntity,
  associationKeys,
  associationsOfEntity,
  isLive,
  storedAssociation,
} from '../../shared/domain/associations/stored.ts';
import type { CarrierReach } from '../../shared/domain/contacts/visible.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

type AssociationsByEntity = CarrierReach['associations'];

/** Entities whose contacts are read, as one batch, before more entities are. */
const entitiesAtOnce = batchGetKeys;

const ofAssociation = storedItem('associations/association-of-contact', () => {
  const { downstreamEntityId, isDeleted, agency } = storedAssociation.shape;
  return { downstreamEntityId, isDeleted, agency };
});

const byEntity = (found: readonly AssociationsOfEntity[]): AssociationsByEntity =>
  new Map(found.map((one) => [one.downstreamEntityId, one]));

/** A carrier's associations, without soft-deleted associations and agencies. */
export const createCarrierRelations = (associations: Table) => ({
  /** Every association in the order of the entities' ids, page by page. */
  async *all(upstream: string): AsyncGenerator<AssociationsByEntity, void> {
    const { pk } = associationKeys.ofEntity(upstream, '');
    for await (const found of associations.query(associationsOfEntity, pk, {
      limit: entitiesAtOnce,
      leavesOut: true,
    }))
      yield byEntity(found);
  },

  /** The associations with these entities. */
  async with(upstream: string, entityIds: readonly string[]): Promise<AssociationsByEntity> {
    const keys = entityIds.map((id) => associationKeys.ofEntity(upstream, id));
    return byEntity(await associations.getAll(associationsOfEntity, keys, { leavesOut: true }));
  },

  /** The entity of an association. */
  async entityOf(upstream: string, associationId: string): Promise<string | undefined> {
    const key = associationKeys.association(upstream, associationId);
    const found = await associations.get(ofAssociation, key);
    return found !== undefined && isLive(found) ? found.downstreamEntityId : undefined;
  },
});
