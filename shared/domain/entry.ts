import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { functionContext } from '../platform/config/context.ts';
import { createDynamoClient } from '../platform/data/dynamo.ts';
import type { Dependencies } from './dependencies.ts';
import type { FunctionUses } from './function-uses.ts';
import { clocksOf } from './sandbox/clocks.ts';
import { type tables as designs, tablesOf } from './tables.ts';
import { type Started, started } from './variables.ts';

/**
 * Composes a deployed function, once, when it starts.
 *
 * @param name of the function; it marks its log lines.
 * @param compose gets what nearly every function has, and what the variables of this one say.
 * @returns what `compose` makes: the function's handler.
 * @throws Error with the names of variables that are missing or malformed.
 */
export function functionEntry<const Uses extends FunctionUses, Handler>(
  name: string,
  uses: Uses,
  compose: (
    common: Dependencies<Uses, { readonly dynamo: DynamoDBClient }>,
    started: Started<Uses>,
  ) => Handler,
): Handler {
  const variables = started(uses);
  // Every function has the variables of its context.
  const values = variables.values as Parameters<typeof functionContext>[1];
  const dynamo = createDynamoClient();
  const context = { ...functionContext(name, values), ...clocksOf(dynamo, values) };
  const common = {
    clients: { dynamo },
    // A function with routes makes them itself.
    get tables() {
      return tablesOf<keyof Uses['tables'] & keyof typeof designs>(dynamo, variables.tables);
    },
    context,
  };
  return compose(common, variables);
}
