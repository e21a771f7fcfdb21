import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { repeatedForMs, retry } from '../aws/backoff.ts';
import { isTransactionConflict, isTransient } from '../aws/transient-errors.ts';
import { TransactionContention } from './optimistic-lock.ts';

/** One write of a transaction together with what it means when its condition does not hold. */
export interface TransactionItem {
  readonly write: TransactWriteItem;
  /** The failure to raise; `stored` is the item as it was when the write asks for `ALL_OLD`. */
  readonly refused: (stored: Record<string, AttributeValue> | undefined) => Error;
}

const attempts = 5;

/** The failure of the first step whose condition did not hold, if that is why the transaction was canceled. */
function refusalOf(error: unknown, steps: readonly TransactionItem[]): Error | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const reasons = error.CancellationReasons ?? [];
  const index = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  return steps[index]?.refused(reasons[index]?.Item);
}

/**
 * Writes all steps or none. A condition that fails raises that step's own error (the first one's, in order); what passes
 * by itself is tried again with jitter, five times in all and for some seconds. The attempts are one request to DynamoDB,
 * by their token: when one took effect and its answer was lost, the next is answered as that one was, and does not fail
 * at a condition that no longer holds because of itself.
 *
 * @throws what a step's `refused` makes; TransactionContention when it kept meeting other writers; SDK errors, among them
 *   those of `isTransient`.
 */
export async function transact(client: DynamoDBClient, steps: readonly TransactionItem[]): Promise<void> {
  const input = { TransactItems: steps.map(({ write }) => write), ClientRequestToken: randomUUID() };
  const isRetryable = (error: unknown): boolean => isTransactionConflict(error) || isTransient(error);
  try {
    await retry(() => client.send(new TransactWriteItemsCommand(input)), {
      attempts,
      isRetryable,
      withinMs: repeatedForMs,
    });
  } catch (error) {
    const refusal = refusalOf(error, steps);
    if (refusal !== undefined) throw refusal;
    if (!isTransactionConflict(error)) throw error;
    throw new TransactionContention('A transaction kept meeting other writers.', { cause: error });
  }
}
