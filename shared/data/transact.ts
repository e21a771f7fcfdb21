import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { backOff, repeatedForMs } from '../aws/backoff.ts';
import { isTransactionConflict, isTransient } from '../aws/transient-errors.ts';
import { ApiError } from '../contract/errors.ts';

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
 * @throws what a step's `refused` makes; ApiError `transient_transaction_error` when it kept meeting other writers; SDK
 *   errors, among them those of `isTransient`.
 */
export async function transact(client: DynamoDBClient, steps: readonly TransactionItem[]): Promise<void> {
  const input = { TransactItems: steps.map(({ write }) => write), ClientRequestToken: randomUUID() };
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.send(new TransactWriteItemsCommand(input));
      return;
    } catch (error) {
      const refusal = refusalOf(error, steps);
      if (refusal !== undefined) throw refusal;
      const hasMet = isTransactionConflict(error);
      if (!hasMet && !isTransient(error)) throw error;
      if (attempt === attempts || performance.now() - startedAt > repeatedForMs) {
        throw hasMet ? new ApiError('transient_transaction_error', { cause: error }) : error;
      }
      await backOff(attempt);
    }
  }
}
