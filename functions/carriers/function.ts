import { createCarrierCatalog } from '#domain/carriers/catalog.ts';
import { apiFunction } from '#function/api-function.ts';
import { pageAmong } from '#platform/data/table.ts';
import { uses } from './uses.ts';

/** Serves the routes of the carrier directory. */
export const carriersFunction = apiFunction({
  uses,
  operations: ({ tables, context }) => {
    const carriers = createCarrierCatalog(tables.carriers, context.now);
    return {
      /** A page of the carriers that match. */
      async listCarriers({ query }) {
        const matches = await carriers.find(query.search);
        return { items: pageAmong(matches, query), total: matches.length };
      },
    };
  },
});
