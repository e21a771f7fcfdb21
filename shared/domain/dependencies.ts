import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ApiContext, FunctionContext } from '../platform/config/context.ts';
import type { QueueContext } from '../platform/queue/context.ts';
import type { Tables, tables } from './tables.ts';

/** The part of what a function declares in its `uses.ts` that names its tables. */
interface WithTables {
  readonly tables?: object;
}

/**
 * What a function is composed of, deployed and in its tests: the clients of the services that it calls, the tables that it
 * declares in `uses.ts`, and its context.
 */
export interface Dependencies<Uses extends WithTables, Clients = object> {
  readonly clients: Clients;
  readonly tables: Tables<keyof Uses['tables'] & keyof typeof tables>;
  readonly context: FunctionContext;
}

/** What a function that consumes a queue is composed of. */
export interface WorkerDependencies<Uses extends WithTables, Clients = object>
  extends Dependencies<Uses, Clients> {
  readonly queue: QueueContext;
}

/** What a function that serves API requests is composed of; of its tables the names, by which its pipeline reads some itself. */
export interface ApiDependencies<Uses extends WithTables, Clients = object> {
  readonly clients: Clients & { readonly dynamo: DynamoDBClient };
  readonly tables: { readonly [Key in keyof Uses['tables']]: string };
  readonly context: ApiContext;
}
