import type { ApiContext } from '../../shared/platform/config/context.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { notFoundRoutes } from './routes.ts';

/** Responds with 404 to requests without a route: its table has no rows. */
export const createNotFoundFunction = ({ context }: { readonly context: ApiContext }): Pipeline =>
  createPipeline({ ...context, group: notFoundRoutes, operations: {}, deps: {} });
