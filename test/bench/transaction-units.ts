import { type DynamoDBClient, GetItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { KB } from '../../shared/platform/aws/limits.ts';
import { storedBytes } from '../../shared/platform/data/stored-bytes.ts';

const transaction = z.object({ TransactItems: z.array(z.custom<TransactWriteItem>()) });

/**
 * Write units of the puts and updates in the transactions of some work, their indexes not included: two for each KB of each
 * item. Of a transaction with several items the local engine reports only some.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
 */
export async function transactionUnits(
  client: DynamoDBClient,
  work: () => Promise<unknown>,
): Promise<number> {
  const written: TransactWriteItem[] = [];
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        if (commandName === 'TransactWriteItemsCommand') {
          written.push(...z.parse(transaction, args.input).TransactItems);
        }
        return result;
      },
    { step: 'initialize', name: 'transactionUnits' },
  );
  try {
    await work();
  } finally {
    client.middlewareStack.remove('transactionUnits');
  }
  const units = written.map(async ({ Put, Update }) => {
    if (Put?.Item !== undefined) return 2 * Math.ceil(storedBytes(Put.Item) / KB);
    if (Update === undefined) return 0;
    const { TableName, Key } = Update;
    const { Item = {} } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    return 2 * Math.ceil(storedBytes(Item) / KB);
  });
  return (await Promise.all(units)).reduce((sum, one) => sum + one, 0);
}
