import type { FunctionUses } from '#function/uses.ts';
import { carrierRoutes } from './routes.ts';

export const uses = {
  routes: carrierRoutes,
  tables: { carriers: { query: ['table'] } },
} as const satisfies FunctionUses;
