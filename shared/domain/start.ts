import { type FunctionContext, functionContext } from '../platform/config/context.ts';
import type { FunctionUses } from './function-uses.ts';
import { readVariables, type Variables } from './variables.ts';

/** What a function has when it starts: its variables and its context. */
export interface Started<Uses extends FunctionUses> extends Variables<Uses> {
  readonly context: FunctionContext;
}

/** What `functions/<name>/function.ts` exports as `<name>Function`; the build writes the entry, which starts it. */
export interface LambdaFunction<Uses extends FunctionUses, Handler> {
  readonly uses: Uses;
  readonly handler: (started: Started<Uses>) => Handler;
}

/**
 * Starts a deployed function, once a process.
 *
 * @param name of the function; it marks its log lines.
 * @returns its handler.
 * @throws Error with the names of variables that are missing or malformed.
 */
export function start<const Uses extends FunctionUses, Handler>(
  name: string,
  { uses, handler }: LambdaFunction<Uses, Handler>,
): Handler {
  const variables = readVariables(uses);
  return handler({ ...variables, context: functionContext(name, variables.values) });
}
