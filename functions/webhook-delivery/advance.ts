import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type QueuedDelivery,
  queuedDelivery,
  rememberedAttempts,
} from '../../shared/domain/webhooks/deliveries.ts';
import type { WebhookDelivery } from '../../shared/domain/webhooks/resource.ts';
import { webhookKeys } from '../../shared/domain/webhooks/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import type { DeliveryOutcome } from './schedule.ts';

/** An attempt that was made, and what follows from it. */
export interface AttemptRecord {
  readonly delivery: QueuedDelivery;
  readonly attempt: WebhookDelivery['attempts'][number];
  readonly outcome: DeliveryOutcome;
  readonly at: Date;
}

/** An attempt of an organization's delivery. */
export interface OwnedRecord {
  readonly owner: string;
  readonly made: AttemptRecord;
}

const isFull = ({ attempts }: QueuedDelivery): boolean => attempts.length >= rememberedAttempts;

/** What the delivery becomes; the log gets `entries`, which replace it when it is full. */
const changesOf = ({ delivery, attempt, outcome, at }: AttemptRecord) => ({
  entries: isFull(delivery) ? [...delivery.attempts.slice(1 - rememberedAttempts), attempt] : [attempt],
  status: outcome.status,
  next: outcome.nextAttemptAt?.toISOString() ?? null,
  attempt: delivery.attempt + 1,
  retry: delivery.retry + 1,
  at: at.toISOString(),
});

/** Whether an attempt was written; if not, the delivery has gone on without it, as it is stored, or is deleted. */
export type Advanced =
  | { readonly isWritten: true }
  | { readonly isWritten: false; readonly stored: QueuedDelivery | undefined };

/** Writes an attempt, as long as nothing was written of its number before. */
export async function advance(
  client: DynamoDBClient,
  table: string,
  { owner, made }: OwnedRecord,
): Promise<Advanced> {
  const { delivery, attempt } = made;
  const { entries, status, next, attempt: after, retry, at } = changesOf(made);
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: toItem(webhookKeys.delivery(owner, delivery.webhookId, delivery._id)),
        UpdateExpression: `SET attempts = ${isFull(delivery) ? ':entries' : 'list_append(attempts, :entries)'}, #status = :status, nextAttemptAt = :next, attempt = :attempt, retry = :retry, updatedAt = :at`,
        ConditionExpression: 'attempt = :before AND #status = :pending',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: toItem({
          ':entries': entries,
          ':status': status,
          ':next': next,
          ':attempt': after,
          ':before': delivery.attempt,
          ':pending': 'pending',
          ':retry': retry,
          ':at': at,
        }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { isWritten: true };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The answer to the write may have been lost, and its repetition refused.
    const stored = error.Item && parseStored(queuedDelivery, unmarshall(error.Item));
    const isOwn = stored?.attempt === after && stored.attempts.at(-1)?.attemptedAt === attempt.attemptedAt;
    return isOwn ? { isWritten: true } : { isWritten: false, stored };
  }
}

/** The values of a statement in the order of its question marks. */
const parametersOf = (values: readonly unknown[]): AttributeValue[] =>
  values.flatMap((value) => Object.values(toItem({ value })));

/** The statement that writes what `advance` writes, under the same condition. */
function statementOf(table: string, { owner, made }: OwnedRecord) {
  const { delivery } = made;
  const { entries, status, next, attempt, retry, at } = changesOf(made);
  const { pk, sk } = webhookKeys.delivery(owner, delivery.webhookId, delivery._id);
  return {
    Statement: `UPDATE "${table}" SET attempts = ${isFull(delivery) ? '?' : 'list_append(attempts, ?)'} SET "status" = ? SET nextAttemptAt = ? SET attempt = ? SET retry = ? SET updatedAt = ? WHERE pk = ? AND sk = ? AND attempt = ? AND "status" = ?`,
    Parameters: parametersOf([
      ...[entries, status, next, attempt, retry, at],
      ...[pk, sk, delivery.attempt, 'pending'],
    ]),
  };
}

/**
 * Writes attempts in one call, each under its own condition and for itself, as `advance` does: a call for each costs more
 * processor time than the delivery.
 * @returns for each whether it was certainly written; the others are left to `advance`, which finds out why.
 */
export async function advanceTogether(
  client: DynamoDBClient,
  table: string,
  records: readonly OwnedRecord[],
): Promise<readonly boolean[]> {
  if (records.length === 1) return [false];
  try {
    const Statements = records.map((record) => statementOf(table, record));
    const { Responses = [] } = await client.send(new BatchExecuteStatementCommand({ Statements }));
    return records.map((_, index) => {
      const response = Responses[index];
      return response !== undefined && response.Error === undefined;
    });
  } catch {
    // `advance` meets the same failure, if it lasts, and throws it.
    return records.map(() => false);
  }
}
