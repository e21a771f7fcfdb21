import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { FunctionContext } from '#platform/config/context.ts';
import { createDynamoClient } from '#platform/data/dynamo.ts';
import type { FunctionUses } from './function-uses.ts';
import type { Started } from './start.ts';
import { type Tables, type tables, tablesOf } from './tables.ts';

/** The part of what a function declares in its `uses.ts` that names its tables. */
interface WithTables {
  readonly tables?: object;
}

type TableOf<Uses extends WithTables> = keyof Uses['tables'] & keyof typeof tables;

/**
 * What a function works with, deployed and in its tests: the tables of its `uses.ts`, its context, and resources of its own, such
 * as clients of other services, and settings of its environment.
 */
export type Resources<Uses extends WithTables, Own = object> = Own & {
  readonly tables: Tables<TableOf<Uses>>;
  readonly context: FunctionContext;
};

/** What a function with tables has when it starts. */
export type StartedWithTables<Uses extends FunctionUses> = Started<Uses> & {
  readonly dynamo: DynamoDBClient;
};

/** Adds the client of the tables. */
export function withDynamo<Uses extends FunctionUses>(started: Started<Uses>): StartedWithTables<Uses> {
  return { ...started, dynamo: createDynamoClient() };
}

/** Requires a member, unless what it makes may be the empty object. */
export type RequiredFor<Member extends string, Made> = object extends Made
  ? unknown
  : { readonly [Key in Member]: unknown };

interface EventFunction<Uses extends FunctionUses, Own, Handler> {
  readonly uses: Uses;
  /** Makes its own resources, if it has any, from its variables; tests pass theirs to `compose`. */
  readonly resources?: (started: StartedWithTables<Uses>) => NoInfer<Own>;
  /** Makes its handler. */
  readonly compose: (resources: Resources<Uses, Own>) => Handler;
}

/** A function without routes, which queues, a stream, schedules, the gateway, or operators invoke. */
export const eventFunction = <const Uses extends FunctionUses, Own, Handler>({
  uses,
  resources,
  compose,
}: EventFunction<Uses, Own, Handler> & RequiredFor<'resources', Own>) => ({
  uses,
  compose,
  handler(variables: Started<Uses>): Handler {
    const started = withDynamo(variables);
    const tables = tablesOf<TableOf<Uses>>(started.dynamo, started.tables);
    // Left out only where there are none (`RequiredFor`).
    const own = resources?.(started) as Own;
    return compose({ ...own, tables, context: started.context });
  },
});
