import type { FunctionUses } from '#function/uses.ts';
import { authRoutes } from './routes.ts';

export const uses = {
  routes: authRoutes,
  tables: { organizations: { items: ['GetItem'] }, rateCounters: { items: ['UpdateItem'] } },
  signingSecret: true,
  settings: ['SANDBOX', 'SUPPORT_URL'],
} as const satisfies FunctionUses;
