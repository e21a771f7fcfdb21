import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { QueueContext } from '../queue/context.ts';
import type { ApiContext, FunctionContext } from './context.ts';

/** The part of what a function declares in its `uses.ts` that names its tables. */
interface WithTables {
  readonly tables?: object;
}

/**
 * What a function is composed of, deployed and in its tests: the clients of the services that it calls, the names of the
 * tables that it declares in `uses.ts`, and its context.
 */
export interface Dependencies<Uses extends WithTables, Clients = object, Context = FunctionContext> {
  readonly clients: Clients & { readonly dynamo: DynamoDBClient };
  readonly tables: { readonly [Key in keyof Uses['tables']]: string };
  readonly context: Context;
}

/** What a function that serves API requests is composed of. */
export type ApiDependencies<Uses extends WithTables, Clients = object> = Dependencies<
  Uses,
  Clients,
  ApiContext
>;

/** What a function that consumes a queue is composed of. */
export interface WorkerDependencies<Uses extends WithTables, Clients = object>
  extends Dependencies<Uses, Clients> {
  readonly queue: QueueContext;
}
