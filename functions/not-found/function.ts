import type { FunctionStart } from '#function/start.ts';
import type { FunctionContext } from '#platform/config/context.ts';
import { lambdaHandler } from '#platform/request/lambda.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { uses } from './uses.ts';

const compose = ({ context }: { readonly context: FunctionContext }) =>
  createPipeline({ ...context, group: uses.routes, operations: {} });

/** Responds with 404 to requests without a route: its table has no rows. */
export const notFoundFunction = {
  uses,
  compose,
  handler: ({ context }: FunctionStart<typeof uses>) => lambdaHandler(compose({ context }), context),
};
