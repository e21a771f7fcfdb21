import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import { type CarrierCatalog, createCarrierCatalog } from '#domain/carriers/catalog.ts';
import type { Resources } from '#domain/function.ts';
import { pageAmong } from '#platform/data/table.ts';
import type { carrierRoutes } from './routes.ts';
import { uses } from './uses.ts';

/** A page of the carriers that match. */
const listCarriers: OperationWith<
  typeof carrierRoutes.routes.listCarriers,
  { readonly carriers: CarrierCatalog }
> = async ({ query }, { carriers }) => {
  const matches = await carriers.find(query.search);
  return { items: pageAmong(matches, query), total: matches.length };
};

/** Serves the routes of the carrier directory. */
export const carriersFunction = apiFunctionWithDeps({
  uses,
  operations: { listCarriers },
  deps: ({ tables, context }: Resources<typeof uses>) => ({
    carriers: createCarrierCatalog(tables.carriers, context.now),
  }),
});
