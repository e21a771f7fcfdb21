import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { toItem } from './dynamo.ts';

/** The query of all items of a table's partition, in the order of their sort keys. */
export const partitionQuery = (TableName: string, pk: string): QueryCommandInput => ({
  TableName,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: toItem({ ':pk': pk }),
});

/** A query's pages; the next one is already being read while the caller works on this one. */
export async function* queryPages(
  client: DynamoDBClient,
  query: QueryCommandInput,
): AsyncGenerator<Record<string, AttributeValue>[]> {
  let pending = client.send(new QueryCommand(query));
  for (;;) {
    const { Items = [], LastEvaluatedKey } = await pending;
    if (LastEvaluatedKey === undefined) {
      yield Items;
      return;
    }
    pending = client.send(new QueryCommand({ ...query, ExclusiveStartKey: LastEvaluatedKey }));
    // A caller that stops early never awaits this one; one that goes on gets its failure above.
    pending.catch(() => undefined);
    yield Items;
  }
}
