import type { AgencyEntity } from '../../shared/domain/downstream-entities/agency-entity.ts';
import type { MovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { entityFilter, type OwnEntity } from '../../shared/domain/downstream-entities/own-entity.ts';
import { type Ownership, ownershipOf } from '../../shared/domain/downstream-entities/own-records.ts';
import type { StoredDownstreamEntity } from '../../shared/domain/downstream-entities/stored.ts';
import type { LicenseRequests } from '../../shared/domain/licensing/requests.ts';
import type { PageOf } from '../../shared/platform/data/table-reads.ts';
import type { ApiRequest, Operation } from '../../shared/platform/request/operation.ts';
import type { RegistryFilters, RegistryLists } from './registry-lists.ts';
import type { agencyRoutes } from './routes.ts';
import type { AgencyStore, Page } from './store.ts';

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

interface ListDeps {
  readonly ownEntity: OwnEntity;
  readonly movesOf: MovesOf;
  readonly agency: AgencyStore;
}

/** A page of a list; whether the entity belongs to the organization is checked while the page is read. */
async function pageOf<Found>(
  { identity, query }: Pick<ApiRequest<Routes['listMarkets']>, 'identity' | 'query'>,
  { ownEntity, movesOf }: Omit<ListDeps, 'agency'>,
  read: (ownership: Ownership, downstreamEntityId: string | undefined, page: PageOf) => Promise<Found>,
): Promise<Found> {
  const { downstreamEntityId } = query;
  const [found] = await Promise.all([
    read(ownershipOf(identity, movesOf), downstreamEntityId, query),
    entityFilter(ownEntity, identity.organizationId, downstreamEntityId),
  ]);
  return found;
}

/** A page of the organization's markets. */
export const listMarkets: Operation<Routes['listMarkets'], ListDeps> = async (request, deps) => {
  const { items, total } = await pageOf(request, deps, deps.agency.markets);
  return { items: items.map(({ upstreamEntityId: _, ...market }) => market), total };
};

/** A page of the organization's producers. */
export const listProducers: Operation<Routes['listProducers'], ListDeps> = (request, deps) =>
  pageOf(request, deps, deps.agency.producers);

/** A page of the registrations of the organization's entities. */
export const listCorporateRegistrations: Operation<Routes['listCorporateRegistrations'], ListDeps> = (
  request,
  deps,
) => pageOf(request, deps, deps.agency.registrations);

/** A page of the organization's license requests. */
export const listLicenseRequests: Operation<
  Routes['listLicenseRequests'],
  Omit<ListDeps, 'agency'> & { readonly requests: LicenseRequests }
> = (request, deps) => pageOf(request, deps, deps.requests.page);

interface RegistryDeps {
  readonly ownEntity: OwnEntity;
  readonly registry: RegistryLists;
}

/** An entity's records are those of its NPN, which must be read first; an entity without an NPN has none. */
async function ofEntity<Item>(
  organizationId: string,
  query: PageOf & Omit<RegistryFilters, 'npn'> & { readonly downstreamEntityId?: string | undefined },
  ownEntity: OwnEntity,
  read: (owner: string, filters: RegistryFilters, page: PageOf) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const { stateCode, status, page, limit } = query;
  const entity = await entityFilter(ownEntity, organizationId, query.downstreamEntityId);
  if (entity !== undefined && entity.npn === null) return { items: [], total: 0 };
  return read(organizationId, { npn: entity?.npn ?? undefined, stateCode, status }, { page, limit });
}

/** A page of the organization's licenses. */
export const listAgencyLicenses: Operation<Routes['listAgencyLicenses'], RegistryDeps> = (
  { identity, query },
  { ownEntity, registry },
) => ofEntity(identity.organizationId, query, ownEntity, registry.licenses);

/** A page of the organization's appointments. */
export const listAgencyAppointments: Operation<Routes['listAgencyAppointments'], RegistryDeps> = (
  { identity, query },
  { ownEntity, registry },
) => ofEntity(identity.organizationId, query, ownEntity, registry.appointments);
