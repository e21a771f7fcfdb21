import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
  type KeysAndAttributes,
} from '@aws-sdk/client-dynamodb';
import { batchGetKeys } from '../aws/limits.ts';

type Requested = Readonly<Record<string, KeysAndAttributes>>;

/** A call that waits for others of the same turn. */
interface Waiting {
  readonly requested: Requested;
  readonly resolve: (output: BatchGetItemCommandOutput) => void;
  readonly reject: (error: unknown) => void;
}

const keysIn = (requested: Requested): number =>
  Object.values(requested).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);

/** Calls that fit into one: each of tables of its own. */
function groupsOf(waiting: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = [];
  for (const one of waiting) {
    const fits = (group: readonly Waiting[]): boolean =>
      group.every(({ requested }) => Object.keys(requested).every((table) => !(table in one.requested))) &&
      keysIn(one.requested) + group.reduce((sum, { requested }) => sum + keysIn(requested), 0) <=
        batchGetKeys;
    const group = groups.find(fits);
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups;
}

const of = <Value>(all: Readonly<Record<string, Value>> | undefined, requested: Requested) =>
  Object.fromEntries(Object.entries(all ?? {}).filter(([table]) => table in requested));

/** The client, but that BatchGetItem calls of several tables that are made at the same time are one call. */
export function joiningBatches(client: DynamoDBClient): DynamoDBClient {
  let waiting: Waiting[] = [];

  async function send(group: readonly Waiting[]): Promise<void> {
    try {
      const RequestItems = Object.assign({}, ...group.map(({ requested }) => requested)) as Requested;
      const output = await client.send(new BatchGetItemCommand({ RequestItems }));
      for (const { requested, resolve } of group) {
        const UnprocessedKeys = of(output.UnprocessedKeys, requested);
        resolve({ ...output, Responses: of(output.Responses, requested), UnprocessedKeys });
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

  const joined = (command: unknown, ...others: readonly unknown[]): unknown => {
    if (!(command instanceof BatchGetItemCommand)) {
      return Reflect.apply(client.send, client, [command, ...others]);
    }
    const { RequestItems: requested = {} } = command.input;
    return new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ requested, resolve, reject });
    });
  };
  return new Proxy(client, {
    get: (_, name) => (name === 'send' ? joined : Reflect.get(client, name)),
  });
}
