import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { type OutboxItem, outboxItem } from '../../shared/events/stored.ts';
import { dynamo } from './tables.ts';

/** Every event that an outbox holds, as they were written; those of one moment by id. */
export async function eventsIn(table: string): Promise<OutboxItem[]> {
  const found: OutboxItem[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamo.send(
      new ScanCommand({
        TableName: table,
        ...(start === undefined ? {} : { ExclusiveStartKey: start as never }),
      }),
    );
    found.push(...(page.Items ?? []).map((item) => z.parse(outboxItem, unmarshall(item))));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  const order = ({ createdAt, eventId }: OutboxItem) => `${createdAt} ${eventId}`;
  return found.sort((one, other) => (order(one) < order(other) ? -1 : 1));
}
