import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';

const capacity = z.object({ CapacityUnits: z._default(z.number(), 0) });
const answer = z.object({ ConsumedCapacity: z.optional(z.union([capacity, z.array(capacity)])) });

const reads = new Set(['BatchGetItemCommand', 'GetItemCommand', 'QueryCommand']);

/** Capacity units that some work consumed, and how many calls it took; the engine counts as AWS does. */
export async function consumed(client: DynamoDBClient, work: () => Promise<unknown>) {
  let units = 0;
  let writeUnits = 0;
  /** Of the write units those of transactions, of which the local engine reports only some. */
  let transactedUnits = 0;
  let calls = 0;
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        calls += 1;
        Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
        const result = await next(args);
        const { ConsumedCapacity = [] } = z.parse(answer, result.output);
        for (const { CapacityUnits } of [ConsumedCapacity].flat()) {
          units += CapacityUnits;
          if (reads.has(commandName)) continue;
          writeUnits += CapacityUnits;
          if (commandName === 'TransactWriteItemsCommand') transactedUnits += CapacityUnits;
        }
        return result;
      },
    { step: 'initialize', name: 'consumed' },
  );
  const started = performance.now();
  try {
    await work();
  } finally {
    client.middlewareStack.remove('consumed');
  }
  return {
    units,
    writeUnits,
    transactedUnits,
    calls,
    milliseconds: performance.now() - started,
  };
}
