import type { FunctionUses } from '#function/uses.ts';
import { notFoundRoutes } from './routes.ts';

/** A function apart: it is reached without a credential, and a flood delays only its own callers. */
export const uses = { routes: notFoundRoutes } as const satisfies FunctionUses;
