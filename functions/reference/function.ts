import type { ApiContext } from '../../shared/platform/config/context.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { getReference, getReferenceAsset, type ReferenceDeps } from './get-reference.ts';
import { referenceRoutes } from './routes.ts';

/** Serves the reference page and its script. */
export const createReferenceFunction = ({
  context,
  readFile,
}: ReferenceDeps & { readonly context: ApiContext }): Pipeline =>
  createPipeline({
    ...context,
    group: referenceRoutes,
    operations: { getReference, getReferenceAsset },
    deps: { readFile },
  });
