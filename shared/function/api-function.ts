import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type tables as designs, tablesOf } from '#domain/tables.ts';
import type { FunctionContext } from '#platform/config/context.ts';
import type { RouteGroup, RouteTable } from '#platform/contract/route.ts';
import type { Operations } from '#platform/request/endpoint.ts';
import { lambdaHandler } from '#platform/request/lambda.ts';
import { createPipeline, type Pipeline, type ServicesOf } from '#platform/request/pipeline.ts';
import { createOpenLists } from '#platform/request/rate-limit.ts';
import { type FunctionStartWithTables, type RequiredMember, type Resources, withDynamo } from './function.ts';
import type { FunctionStart } from './start.ts';
import type { FunctionUses } from './uses.ts';

type TableNames<Uses extends FunctionUses> = { readonly [Key in keyof Uses['tables']]: string };

/** Resources with the names of tables in place of handles: the pipeline opens some itself. */
type ApiResources<Uses extends FunctionUses, Own> = Own & {
  readonly dynamo: DynamoDBClient;
  readonly tables: TableNames<Uses>;
  readonly context: FunctionContext;
};

/** Definition of a function with routes. */
interface ApiFunction<Uses extends FunctionUses, Table extends RouteTable, Own> {
  readonly uses: Uses & { readonly routes: RouteGroup<Table> };
  /** Makes its operations of what they work with. */
  readonly operations: (resources: Resources<Uses, NoInfer<Own>>) => Operations<NoInfer<Table>>;
  /** Makes its own resources, if it has any, from its variables; tests pass theirs. It stands before `operations`, which are typed by it. */
  readonly resources?: (functionStart: FunctionStartWithTables<Uses>) => Own;
  /** Services of the pipeline that the routes need besides their operations, such as `writeServices`. */
  readonly services?: (
    dynamo: DynamoDBClient,
    names: TableNames<NoInfer<Uses>>,
    context: FunctionContext,
  ) => ServicesOf<Table>;
  /** Makes the client of its tables from the usual one, if it is another. */
  readonly client?: (dynamo: DynamoDBClient) => DynamoDBClient;
}

/** A function with routes: `compose` makes what serves them, deployed and in its tests. */
export function apiFunction<const Uses extends FunctionUses, Table extends RouteTable, Own>({
  uses,
  operations,
  resources,
  services,
  client = (dynamo) => dynamo,
}: ApiFunction<Uses, Table, Own> &
  RequiredMember<'resources', Own> &
  RequiredMember<'services', ServicesOf<Table>>) {
  const group: RouteGroup<Table> = uses.routes;
  const compose = (resourcesOfCall: ApiResources<Uses, Own>): Pipeline => {
    const dynamo = client(resourcesOfCall.dynamo);
    const { rateCounters = '' }: Readonly<Record<string, string>> = resourcesOfCall.tables;
    const tables = tablesOf<keyof Uses['tables'] & keyof typeof designs>(dynamo, resourcesOfCall.tables);
    return createPipeline({
      ...resourcesOfCall.context,
      ...(services?.(dynamo, resourcesOfCall.tables, resourcesOfCall.context) as ServicesOf<Table>),
      openLists: group.openLists === undefined ? undefined : createOpenLists(dynamo, rateCounters, group),
      group,
      operations: operations({ ...resourcesOfCall, tables }),
    });
  };
  const handler = (variables: FunctionStart<Uses>): ReturnType<typeof lambdaHandler> => {
    const functionStart = withDynamo(variables);
    const { dynamo, tables, context } = functionStart;
    // Left out only where there are none (`RequiredMember`), like the services above.
    const ownResources = resources?.(functionStart) as Own;
    return lambdaHandler(compose({ ...ownResources, dynamo, tables, context }), context);
  };
  return { uses, compose, handler };
}
