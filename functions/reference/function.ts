import { readFile } from 'node:fs/promises';
import type { FunctionStart } from '#function/start.ts';
import { type FunctionContext, taskFile } from '#platform/config/context.ts';
import { lambdaHandler } from '#platform/request/lambda.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { referenceOperations } from './get-reference.ts';
import { uses } from './uses.ts';

const compose = ({
  context,
  readFile,
}: {
  readonly context: FunctionContext;
  readonly readFile: (name: string) => Promise<string>;
}) => createPipeline({ ...context, group: uses.routes, operations: referenceOperations(readFile) });

/** Serves the reference page, its script, and programs for integrators. */
export const referenceFunction = {
  uses,
  compose,
  handler: ({ context }: FunctionStart<typeof uses>) =>
    lambdaHandler(compose({ context, readFile: (name) => readFile(taskFile(name), 'utf8') }), context),
};
