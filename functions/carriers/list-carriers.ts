import type { Operation } from '../../shared/platform/request/operation.ts';
import type { carrierRoutes } from './routes.ts';
import type { CarrierStore } from './store.ts';

/** A page of the carriers that match. */
export const listCarriers: Operation<
  typeof carrierRoutes.routes.listCarriers,
  { readonly carriers: CarrierStore }
> = async ({ query: { page, limit, search } }, { carriers }) => {
  const found = await carriers.find(search);
  return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
};
