import type { MovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { entityFilter, type OwnEntity } from '../../shared/domain/downstream-entities/own-entity.ts';
import { type Ownership, ownershipOf } from '../../shared/domain/downstream-entities/own-records.ts';
import type { LicenseRequests } from '../../shared/domain/licensing/requests.ts';
import type { PageOf } from '../../shared/platform/data/table-reads.ts';
import type { ApiRequest, Operation } from '../../shared/platform/request/operation.ts';
import type { agencyRoutes } from './routes.ts';
import type { AgencyStore } from './store.ts';

type Routes = typeof agencyRoutes.routes;

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
