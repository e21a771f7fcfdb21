import { apiFunction } from '../../shared/domain/api-function.ts';
import { type CarrierCatalog, createCarrierCatalog } from '../../shared/domain/carriers/catalog.ts';
import type { Resources } from '../../shared/domain/function.ts';
import type { Operation } from '../../shared/platform/request/endpoint.ts';
import type { carrierRoutes } from './routes.ts';
import { uses } from './uses.ts';

/** A page of the carriers that match. */
const listCarriers: Operation<
  typeof carrierRoutes.routes.listCarriers,
  { readonly carriers: CarrierCatalog }
> = async ({ query: { page, limit, search } }, { carriers }) => {
  const found = await carriers.find(search);
  return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
};

/** Serves the routes of the carrier directory. */
export const carriersFunction = apiFunction({
  uses,
  operations: { listCarriers },
  deps: ({ tables, context }: Resources<typeof uses>) => ({
    carriers: createCarrierCatalog(tables.carriers, context.now),
  }),
});
