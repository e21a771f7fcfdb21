import { setTimeout as pause } from 'node:timers/promises';
import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { complianceKeys } from '#domain/compliance/stored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { sendMessage } from './queues.ts';
import { physicalName, runDatabase } from './run-database.ts';

const openWindow = z.object({
  sk: z.string(),
  windowId: z.string(),
  deliverAfter: z.string(),
  isQueued: z.boolean(),
});

const quietMs = 60_000;

/** The windows of an organization’s compliance changes that are not over. */
async function openWindows(owner: string) {
  const database = runDatabase();
  const { Items = [] } = await database.send(
    new QueryCommand({
      TableName: await physicalName(database, 'compliance'),
      KeyConditionExpression: 'pk = :partition',
      ExpressionAttributeValues: toItem({ ':partition': complianceKeys.change(owner, '').pk }),
    }),
  );
  return Items.map((item) => z.parse(openWindow, unmarshall(item)));
}

/**
 * Has the windows of these NPNs' compliance changes be over now, instead of a minute after the last change. Waits until
 * each has a change noted that was made since then.
 */
export async function endWindows(owner: string, npns: readonly string[], since: Date): Promise<void> {
  const database = runDatabase();
  const table = await physicalName(database, 'compliance');
  const { pk } = complianceKeys.change(owner, '');
  const left = new Set(npns);
  const deadline = Date.now() + 170_000;
  while (left.size > 0) {
    for (const { sk: npn, windowId, deliverAfter, isQueued } of await openWindows(owner)) {
      const changedAt = Date.parse(deliverAfter) - quietMs;
      if (!isQueued || changedAt < since.getTime() || !left.delete(npn)) continue;
      await database.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ pk, sk: npn }),
          UpdateExpression: 'SET deliverAfter = :now',
          ExpressionAttributeValues: toItem({ ':now': new Date().toISOString() }),
        }),
      );
      await sendMessage(
        'compliance-changes',
        JSON.stringify({ due: { upstreamEntityId: owner, npn, windowId } }),
      );
    }
    if (Date.now() > deadline) throw new Error(`No window opened of ${Array.from(left).join(', ')}.`);
    if (left.size > 0) await pause(50);
  }
}
