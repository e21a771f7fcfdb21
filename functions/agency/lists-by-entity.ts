import {
  entityFilter,
  type OwnEntities,
  ownPage,
} from '../../shared/domain/downstream-entities/own-entity.ts';
import { ownershipOf } from '../../shared/domain/downstream-entities/own-records.ts';
import type { AgencyEntity } from '../../shared/domain/downstream-entities/resource.ts';
import type { StoredDownstreamEntity } from '../../shared/domain/downstream-entities/stored.ts';
import type { PageOf } from '../../shared/platform/data/table-reads.ts';
import type { AgencyOperation } from './function.ts';
import type { RegistryFilters } from './registry-lists.ts';
import type { Page } from './store.ts';

const view = ({
  isDeleted: _deleted,
  downstreamOrganizationId: _organization,
  recordOwner: _owner,
  ...entity
}: StoredDownstreamEntity): AgencyEntity => entity;

/** A page of the organization's entities; the filter selects one of them. */
export const listAgencyEntities: AgencyOperation<'listAgencyEntities'> = async (
  { identity, query },
  { ownEntity, movesOf, agency },
) => {
  const entity = await entityFilter(ownEntity, identity.organizationId, query.downstreamEntityId);
  if (entity !== undefined) return { items: query.page === 1 ? [view(entity)] : [], total: 1 };
  const { items, total } = await agency.entities(ownershipOf(identity, movesOf), query);
  return { items: items.map(view), total };
};

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted entity. */
export const getAgencyEntity: AgencyOperation<'getAgencyEntity'> = async (
  { identity, params },
  { ownEntity },
) => view(await ownEntity(identity.organizationId, params.downstreamEntityId));

/** A page of the organization's markets. */
export const listAgencyMarkets: AgencyOperation<'listAgencyMarkets'> = async (request, deps) => {
  const { items, total } = await ownPage(request, deps, deps.agency.markets);
  return { items: items.map(({ upstreamEntityId: _, ...market }) => market), total };
};

/** A page of the organization's producers. */
export const listAgencyProducers: AgencyOperation<'listAgencyProducers'> = (request, deps) =>
  ownPage(request, deps, deps.agency.producers);

/** A page of the registrations of the organization's entities. */
export const listAgencyCorporateRegistrations: AgencyOperation<'listAgencyCorporateRegistrations'> = (
  request,
  deps,
) => ownPage(request, deps, deps.agency.registrations);

/** A page of the organization's license requests. */
export const listAgencyLicenseRequests: AgencyOperation<'listAgencyLicenseRequests'> = (request, deps) =>
  ownPage(request, deps, deps.requests.page);

/** An entity's records are those of its NPN, which must be read first; an entity without an NPN has none. */
async function ofEntity<Item>(
  organizationId: string,
  query: PageOf & RegistryFilters & { readonly downstreamEntityId?: string | undefined },
  ownEntity: OwnEntities['ownEntity'],
  read: (owner: string, filters: RegistryFilters, page: PageOf) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const { downstreamEntityId, page, limit, ...filters } = query;
  const entity = await entityFilter(ownEntity, organizationId, downstreamEntityId);
  const npn = filters.npn ?? entity?.npn ?? undefined;
  if (entity !== undefined && entity.npn !== npn) return { items: [], total: 0 };
  return read(organizationId, { ...filters, npn }, { page, limit });
}

/** A page of the organization's licenses. */
export const listAgencyLicenses: AgencyOperation<'listAgencyLicenses'> = (
  { identity, query },
  { ownEntity, registry },
) => ofEntity(identity.organizationId, query, ownEntity, registry.licenses);

/** A page of the organization's appointments. */
export const listAgencyAppointments: AgencyOperation<'listAgencyAppointments'> = (
  { identity, query },
  { ownEntity, registry },
) => ofEntity(identity.organizationId, query, ownEntity, registry.appointments);
