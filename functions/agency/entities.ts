import type { AgencyEntity } from '../../shared/domain/downstream-entities/agency-entity.ts';
import type { MovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { entityFilter, type OwnEntity } from '../../shared/domain/downstream-entities/own-entity.ts';
import { ownershipOf } from '../../shared/domain/downstream-entities/own-records.ts';
import type { StoredDownstreamEntity } from '../../shared/domain/downstream-entities/stored.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { agencyRoutes } from './routes.ts';
import type { AgencyStore } from './store.ts';

type Routes = typeof agencyRoutes.routes;

interface EntityDeps {
  readonly ownEntity: OwnEntity;
  readonly movesOf: MovesOf;
  readonly agency: Pick<AgencyStore, 'entities'>;
}

const view = ({
  isDeleted: _deleted,
  downstreamOrganizationId: _organization,
  recordOwner: _owner,
  ...entity
}: StoredDownstreamEntity): AgencyEntity => entity;

/** A page of the organization's entities; the filter selects one of them. */
export const listEntities: Operation<Routes['listEntities'], EntityDeps> = async (
  { identity, query },
  { ownEntity, movesOf, agency },
) => {
  const entity = await entityFilter(ownEntity, identity.organizationId, query.downstreamEntityId);
  if (entity !== undefined) return { items: query.page === 1 ? [view(entity)] : [], total: 1 };
  const { items, total } = await agency.entities(ownershipOf(identity, movesOf), query);
  return { items: items.map(view), total };
};

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted entity. */
export const getEntity: Operation<Routes['getEntity'], Pick<EntityDeps, 'ownEntity'>> = async (
  { identity, params },
  { ownEntity },
) => view(await ownEntity(identity.organizationId, params.downstreamEntityId));
