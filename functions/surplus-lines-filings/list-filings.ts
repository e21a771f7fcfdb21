import type { Operation } from '../../shared/request/operation.ts';
import type { FilingLists } from './lists.ts';
import type { surplusLinesFilingRoutes } from './routes.ts';

type Routes = typeof surplusLinesFilingRoutes.routes;
type ListDeps = { readonly lists: FilingLists };

/** Every filing of the carrier that matches the filters. */
export const listFilings: Operation<Routes['listFilings'], ListDeps> = ({ identity, query }, { lists }) =>
  lists.all(identity.organizationId, query);

/** A page of the agency's filings that match the filters. */
export const listAgencyFilings: Operation<Routes['listAgencyFilings'], ListDeps> = (
  { identity, query },
  { lists },
) => {
  const { page, limit, ...filters } = query;
  return lists.page(identity.organizationId, filters, { page, limit });
};
