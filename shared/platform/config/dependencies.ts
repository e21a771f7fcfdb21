import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { QueueContext } from '../queue/context.ts';
import type { ApiContext, FunctionContext } from './context.ts';

/**
 * What a function is composed of, deployed and in its tests: the clients of the services that it calls, the
 * names of its tables, and its context.
 */
export interface Dependencies<TableName extends string, Clients = object, Context = FunctionContext> {
  readonly clients: Clients & { readonly dynamo: DynamoDBClient };
  readonly tables: Readonly<Record<TableName, string>>;
  readonly context: Context;
}

/** What a function that serves API requests is composed of. */
export type ApiDependencies<TableName extends string, Clients = object> = Dependencies<
  TableName,
  Clients,
  ApiContext
>;

/** What a function that consumes a queue is composed of. */
export interface WorkerDependencies<TableName extends string, Clients = object>
  extends Dependencies<TableName, Clients> {
  readonly queue: QueueContext;
}
