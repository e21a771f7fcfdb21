import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Tables, type tables, tablesOf } from '#domain/tables.ts';
import type { FunctionContext } from '#platform/config/context.ts';
import { createDynamoClient } from '#platform/data/dynamo.ts';
import type { FunctionStart } from './start.ts';
import type { FunctionUses } from './uses.ts';

/** The part of what a function declares in its `uses.ts` that names its tables. */
interface WithTables {
  readonly tables?: object;
}

type TableOf<Uses extends WithTables> = keyof Uses['tables'] & keyof typeof tables;

/**
 * Resources of a function, deployed and in its tests: the tables of its `uses.ts`, its context, and resources of its own, such
 * as clients of other services, and settings of its environment.
 */
export type Resources<Uses extends WithTables, Own = object> = Own & {
  readonly tables: Tables<TableOf<Uses>>;
  readonly context: FunctionContext;
};

/** Start of a function with tables. */
export type FunctionStartWithTables<Uses extends FunctionUses> = FunctionStart<Uses> & {
  readonly dynamo: DynamoDBClient;
};

/** Adds the client of the tables. */
export function withDynamo<Uses extends FunctionUses>(
  functionStart: FunctionStart<Uses>,
): FunctionStartWithTables<Uses> {
  return { ...functionStart, dynamo: createDynamoClient() };
}

/** Requires a member, unless what it makes may be the empty object. */
export type RequiredMember<Member extends string, Made> = object extends Made
  ? unknown
  : { readonly [Key in Member]: unknown };

interface EventFunction<Uses extends FunctionUses, Own, Handler> {
  readonly uses: Uses;
  /** Makes its own resources, if it has any, from its variables; tests pass theirs to `compose`, which is typed by it and stands after it. */
  readonly resources?: (functionStart: FunctionStartWithTables<Uses>) => Own;
  /** Makes its handler. */
  readonly compose: (resources: Resources<Uses, Own>) => Handler;
}

/** A function without routes, which queues, a stream, schedules, the gateway, or operators invoke. */
export const eventFunction = <const Uses extends FunctionUses, Own, Handler>({
  uses,
  resources,
  compose,
}: EventFunction<Uses, Own, Handler> & RequiredMember<'resources', Own>) => ({
  uses,
  compose,
  handler(variables: FunctionStart<Uses>): Handler {
    const functionStart = withDynamo(variables);
    const tables = tablesOf<TableOf<Uses>>(functionStart.dynamo, functionStart.tables);
    // Left out only where there are none (`RequiredMember`).
    const ownResources = resources?.(functionStart) as Own;
    return compose({ ...ownResources, tables, context: functionStart.context });
  },
});
