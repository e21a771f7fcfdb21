import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { FunctionContext } from '#platform/config/context.ts';
import type { RouteGroup, RouteTable } from '#platform/contract/route.ts';
import type { Operations } from '#platform/request/endpoint.ts';
import { lambdaHandler } from '#platform/request/lambda.ts';
import { createOpenLists } from '#platform/request/open-lists.ts';
import { createPipeline, type Pipeline, type ServicesOf } from '#platform/request/pipeline.ts';
import { type RequiredFor, type Resources, type StartedWithTables, withDynamo } from './function.ts';
import type { FunctionUses } from './function-uses.ts';
import type { Started } from './start.ts';
import { type tables as designs, tablesOf } from './tables.ts';

type TableNames<Uses extends FunctionUses> = { readonly [Key in keyof Uses['tables']]: string };

/** As `Resources`, but with the names of its tables in place of handles: the pipeline opens some itself. */
type ApiResources<Uses extends FunctionUses, Own> = Own & {
  readonly dynamo: DynamoDBClient;
  readonly tables: TableNames<Uses>;
  readonly context: FunctionContext;
};

/** What a function with routes is. */
interface ApiFunction<Uses extends FunctionUses, Table extends RouteTable, Own, Deps> {
  readonly uses: Uses & { readonly routes: RouteGroup<Table> };
  readonly operations: Operations<Table, Deps>;
  /** Makes what its operations work with. */
  readonly deps: (resources: Resources<Uses, Own>) => Deps;
  /** Makes its own resources, if it has any, from its variables; tests pass theirs. */
  readonly resources?: (started: StartedWithTables<Uses>) => NoInfer<Own>;
  /** What the routes need of the pipeline besides their operations, if anything, such as `writeServices`. */
  readonly services?: (
    dynamo: DynamoDBClient,
    names: TableNames<NoInfer<Uses>>,
    context: FunctionContext,
  ) => ServicesOf<Table>;
  /** Makes the client of its tables from the usual one, if it is another. */
  readonly client?: (dynamo: DynamoDBClient) => DynamoDBClient;
}

/** A function with routes: `compose` makes what serves them, deployed and in its tests. */
export function apiFunction<const Uses extends FunctionUses, Table extends RouteTable, Own, Deps>({
  uses,
  operations,
  deps,
  resources,
  services,
  client = (dynamo) => dynamo,
}: ApiFunction<Uses, Table, Own, Deps> &
  RequiredFor<'resources', Own> &
  RequiredFor<'services', ServicesOf<Table>>) {
  const group: RouteGroup<Table> = uses.routes;
  const compose = (given: ApiResources<Uses, Own>): Pipeline => {
    const dynamo = client(given.dynamo);
    const { rateCounters = '' }: Readonly<Record<string, string>> = given.tables;
    const tables = tablesOf<keyof Uses['tables'] & keyof typeof designs>(dynamo, given.tables);
    return createPipeline({
      ...given.context,
      ...(services?.(dynamo, given.tables, given.context) as ServicesOf<Table>),
      openLists: group.openLists === undefined ? undefined : createOpenLists(dynamo, rateCounters, group),
      group,
      operations,
      deps: deps({ ...given, tables }),
    });
  };
  const handler = (variables: Started<Uses>): ReturnType<typeof lambdaHandler> => {
    const started = withDynamo(variables);
    const { dynamo, tables, context } = started;
    // Left out only where there are none (`RequiredFor`), like the services above.
    const own = resources?.(started) as Own;
    return lambdaHandler(compose({ ...own, dynamo, tables, context }), context);
  };
  return { uses, compose, handler };
}
