import type { ApiContext } from '../../shared/config/context.ts';
import { createPipeline, type Pipeline } from '../../shared/request/pipeline.ts';
import { notFoundRoutes } from './routes.ts';

/** Answers 404 to what no route has: it has a table without rows. */
export const createNotFoundFunction = ({ context }: { readonly context: ApiContext }): Pipeline =>
  createPipeline({ ...context, group: notFoundRoutes, operations: {}, deps: {} });
