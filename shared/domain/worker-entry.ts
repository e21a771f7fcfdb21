import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { queueContext } from '../platform/queue/context.ts';
import { createSendMessages, type SendMessages } from '../platform/queue/send-messages.ts';
import { createSqsClient } from '../platform/queue/sqs.ts';
import type { WorkerDependencies } from './dependencies.ts';
import { functionEntry } from './entry.ts';
import type { FunctionUses } from './function-uses.ts';
import type { Started } from './variables.ts';

interface WorkerClients {
  readonly dynamo: DynamoDBClient;
  readonly sqs: SQSClient;
}

/** What sends to a worker's own queue, if it has declared that it does. */
type OwnQueue<Uses extends FunctionUses, Name extends string> = Name extends keyof Started<Uses>['queues']
  ? { readonly send: SendMessages }
  : object;

/** Composes a deployed function that consumes a queue of its name, and maybe others, as `functionEntry` does. */
export const workerEntry = <const Uses extends FunctionUses, const Name extends string, Handler>(
  name: Name,
  uses: Uses,
  compose: (
    common: WorkerDependencies<Uses, OwnQueue<Uses, Name> & WorkerClients>,
    started: Started<Uses>,
  ) => Handler,
): Handler =>
  functionEntry(name, uses, ({ clients, ...common }, variables) => {
    const sqs = createSqsClient();
    // Every function that consumes a queue has the variables, and each that sends to its own its address.
    const queue = queueContext(sqs, variables.values as Parameters<typeof queueContext>[1]);
    const { [name as string]: address }: Readonly<Record<string, string>> = variables.queues;
    const own = address === undefined ? {} : { send: createSendMessages(address, sqs) };
    return compose({ ...common, clients: { ...clients, ...own, sqs } as never, queue }, variables);
  });
