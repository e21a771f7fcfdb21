import type { MovesOf } from '../../shared/downstream-entities/entity-moves.ts';
import { entityFilter, type OwnEntity } from '../../shared/downstream-entities/own-entity.ts';
import type { LicenseRequests } from '../../shared/licensing/requests.ts';
import type { Operation } from '../../shared/request/operation.ts';
import type { agencyRoutes } from './routes.ts';
import type { AgencyStore } from './store.ts';

type Routes = typeof agencyRoutes.routes;

interface ListDeps {
  readonly ownEntity: OwnEntity;
  readonly movesOf: MovesOf;
  readonly agency: AgencyStore;
}

// These lists address an entity by its id: whether it belongs to the organization is checked while the page is read.

/** A page of the organization's markets. */
export const listMarkets: Operation<Routes['listMarkets'], ListDeps> = async (
  { identity: { organizationId }, query },
  { ownEntity, movesOf, agency },
) => {
  const [{ items, total }] = await Promise.all([
    agency.markets({ organizationId, moves: movesOf(organizationId) }, query.downstreamEntityId, query),
    entityFilter(ownEntity, organizationId, query.downstreamEntityId),
  ]);
  return { items: items.map(({ upstreamEntityId: _, ...market }) => market), total };
};

/** A page of the organization's producers. */
export const listProducers: Operation<Routes['listProducers'], ListDeps> = async (
  { identity: { organizationId }, query },
  { ownEntity, movesOf, agency },
) => {
  const [page] = await Promise.all([
    agency.producers({ organizationId, moves: movesOf(organizationId) }, query.downstreamEntityId, query),
    entityFilter(ownEntity, organizationId, query.downstreamEntityId),
  ]);
  return page;
};

/** A page of the registrations of the organization's entities. */
export const listCorporateRegistrations: Operation<Routes['listCorporateRegistrations'], ListDeps> = async (
  { identity: { organizationId }, query },
  { ownEntity, movesOf, agency },
) => {
  const [page] = await Promise.all([
    agency.registrations({ organizationId, moves: movesOf(organizationId) }, query.downstreamEntityId, query),
    entityFilter(ownEntity, organizationId, query.downstreamEntityId),
  ]);
  return page;
};

/** A page of the organization's license requests. */
export const listLicenseRequests: Operation<
  Routes['listLicenseRequests'],
  Omit<ListDeps, 'agency'> & { readonly requests: LicenseRequests }
> = async ({ identity: { organizationId }, query }, { ownEntity, movesOf, requests }) => {
  const [page] = await Promise.all([
    requests.page({ organizationId, moves: movesOf(organizationId) }, query.downstreamEntityId, query),
    entityFilter(ownEntity, organizationId, query.downstreamEntityId),
  ]);
  return page;
};
