import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { carrierOperations } from './operations.ts';
import { createCarrierStore } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of the carrier directory. */
export const createCarriersFunction = apiFunction({
  uses,
  operations: carrierOperations,
  guards: () => ({}),
  deps: ({ tables, context }: ApiParts<typeof uses>) => ({
    carriers: createCarrierStore(tables.carriers, () => context.now().getTime()),
  }),
});
