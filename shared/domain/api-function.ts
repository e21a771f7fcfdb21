import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { RouteGroup, RouteTable } from '../platform/contract/route.ts';
import type { Operations } from '../platform/request/operation.ts';
import { createPipeline, type GuardsOf, type Pipeline } from '../platform/request/pipeline.ts';
import type { ApiDependencies } from './dependencies.ts';
import { type Tables, type tables, tablesOf } from './tables.ts';

type TableName = keyof typeof tables;

/** What a function with these uses makes the dependencies of its operations of. */
export type ApiParts<Uses extends { readonly tables: object }, Clients = object> = Omit<
  ApiDependencies<Uses, Clients>,
  'tables'
> & { readonly tables: Tables<keyof Uses['tables'] & TableName> };

/** What a function with routes is, apart from how it is deployed. */
interface ApiFunction<Table extends RouteTable, Name extends TableName, Parts, Deps> {
  readonly uses: { readonly routes: RouteGroup<Table>; readonly tables: Readonly<Record<Name, object>> };
  readonly operations: Operations<Table, Deps>;
  readonly deps: (parts: Parts) => Deps;
  /** What the routes need of the pipeline besides their operations, such as `writeGuards`. */
  readonly guards: (
    dynamo: DynamoDBClient,
    names: Readonly<Record<NoInfer<Name>, string>>,
  ) => GuardsOf<Table>;
}

/** Composes what serves the routes of a function's `uses`, deployed and in its tests. */
export const apiFunction =
  <Table extends RouteTable, Name extends TableName, Parts extends ApiParts<{ tables: object }>, Deps>({
    uses,
    operations,
    deps,
    guards,
  }: ApiFunction<Table, Name, Parts, Deps>) =>
  (given: Omit<Parts, 'tables'> & ApiDependencies<{ tables: Record<Name, object> }>): Pipeline => {
    const { clients, tables: names, context } = given;
    // `Parts` is what is given, but for the tables.
    const parts = { ...given, tables: tablesOf(clients.dynamo, names) } as unknown as Parts;
    const group = uses.routes;
    return createPipeline({
      ...context,
      ...guards(clients.dynamo, names),
      group,
      operations,
      deps: deps(parts),
    });
  };
