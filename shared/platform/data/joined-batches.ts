import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
  type KeysAndAttributes,
} from '@aws-sdk/client-dynamodb';
import { batchGetKeys } from '../aws/limits.ts';

type TableRequests = Readonly<Record<string, KeysAndAttributes>>;

/** A call that waits for others of the same turn. */
interface Waiting {
  readonly requests: TableRequests;
  readonly resolve: (output: BatchGetItemCommandOutput) => void;
  readonly reject: (error: unknown) => void;
}

const keysIn = (requests: TableRequests): number =>
  Object.values(requests).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);

/** Calls that fit into one: each of tables of its own. */
function groupsOf(waiting: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = [];
  for (const call of waiting) {
    const fits = (group: readonly Waiting[]): boolean =>
      group.every(({ requests }) => Object.keys(requests).every((table) => !(table in call.requests))) &&
      keysIn(call.requests) + group.reduce((sum, { requests }) => sum + keysIn(requests), 0) <= batchGetKeys;
    const group = groups.find(fits);
    if (group === undefined) groups.push([call]);
    else group.push(call);
  }
  return groups;
}

const partOf = <Value>(itemsByTable: Readonly<Record<string, Value>> | undefined, requests: TableRequests) =>
  Object.fromEntries(Object.entries(itemsByTable ?? {}).filter(([table]) => table in requests));

/** The client, but that BatchGetItem calls of several tables that are made at the same time are one call. */
export function joiningBatches(client: DynamoDBClient): DynamoDBClient {
  let waiting: Waiting[] = [];

  async function send(group: readonly Waiting[]): Promise<void> {
    try {
      const RequestItems = Object.assign({}, ...group.map(({ requests }) => requests)) as TableRequests;
      const output = await client.send(new BatchGetItemCommand({ RequestItems }));
      for (const { requests, resolve } of group) {
        const UnprocessedKeys = partOf(output.UnprocessedKeys, requests);
        resolve({ ...output, Responses: partOf(output.Responses, requests), UnprocessedKeys });
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  function sendAll(): void {
    const groups = groupsOf(waiting);
    waiting = [];
    for (const group of groups) void send(group);
  }

  const sendJoined = (command: unknown, ...moreArguments: readonly unknown[]): unknown => {
    if (!(command instanceof BatchGetItemCommand)) {
      return Reflect.apply(client.send, client, [command, ...moreArguments]);
    }
    const { RequestItems: requests = {} } = command.input;
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ requests, resolve, reject });
    });
  };
  return new Proxy(client, {
    get: (_, name) => (name === 'send' ? sendJoined : Reflect.get(client, name)),
  });
}
