import { readFile } from 'node:fs/promises';
import type { FunctionStart } from '#domain/start.ts';
import { type FunctionContext, taskFile } from '#platform/config/context.ts';
import { lambdaHandler } from '#platform/request/lambda.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { type Deps, getReference, getReferenceAsset } from './get-reference.ts';
import { uses } from './uses.ts';

const compose = ({ context, readFile }: Deps & { readonly context: FunctionContext }) =>
  createPipeline({
    ...context,
    group: uses.routes,
    operations: { getReference, getReferenceAsset },
    deps: { readFile },
  });

/** Serves the reference page, its script, and programs for integrators. */
export const referenceFunction = {
  uses,
  compose,
  handler: ({ context }: FunctionStart<typeof uses>) =>
    lambdaHandler(compose({ context, readFile: (name) => readFile(taskFile(name), 'utf8') }), context),
};
