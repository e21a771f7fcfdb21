import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** Everything that a table holds, all its pages: a single Scan answers at most 1 MB. */
export async function everyItem(client: DynamoDBClient, table: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const page of paginateScan({ client }, { TableName: table, ConsistentRead: true })) {
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
  }
  return items;
}
