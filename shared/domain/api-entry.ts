import { apiContext } from '../platform/config/context.ts';
import { lambdaHandler } from '../platform/request/lambda.ts';
import type { Pipeline } from '../platform/request/pipeline.ts';
import type { ApiDependencies } from './dependencies.ts';
import { functionEntry } from './entry.ts';
import type { FunctionUses } from './function-uses.ts';
import { clocksOf } from './sandbox/clocks.ts';
import type { Started } from './variables.ts';

/** Composes a deployed API function as `functionEntry` does, and answers its streaming handler. */
export const apiEntry = <const Uses extends FunctionUses>(
  name: string,
  uses: Uses,
  compose: (common: ApiDependencies<Uses>, started: Started<Uses>) => Pipeline,
): ReturnType<typeof lambdaHandler> =>
  functionEntry(name, uses, ({ clients }, variables) => {
    // Every function that serves routes has the variable.
    const values = variables.values as Parameters<typeof apiContext>[1];
    const context = { ...apiContext(name, values), ...clocksOf(clients.dynamo, values) };
    const { tables } = variables;
    return lambdaHandler(compose({ clients, tables, context }, variables), context);
  });
