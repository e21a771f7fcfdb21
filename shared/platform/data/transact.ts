import { randomUUID } from 'node:crypto';
import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { repeatedForMs, retry } from '../aws/backoff.ts';
import { isTransactionConflict, isTransient } from '../aws/transient-errors.ts';
import { TransactionContention } from './optimistic-lock.ts';

/** One write of a transaction together with what it means when its condition does not hold. */
export interface TransactionItem {
  readonly write: TransactWriteItem;
  /** The failure to raise; `stored` is the item as it was when the write asks for `ALL_OLD`. */
  readonly refused: (stored: Record<string, unknown> | undefined) => Error;
  /** What has to be done before the transaction is sent. */
  readonly before?: () => Promise<unknown>;
  /** Called when the transaction is written. */
  readonly written?: () => void;
}

const attempts = 5;

/** The error of the first item whose condition did not hold, if that is why the transaction was canceled. */
function conditionErrorOf(error: unknown, items: readonly TransactionItem[]): Error | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const reasons = error.CancellationReasons ?? [];
  const index = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const stored = reasons[index]?.Item;
  return items[index]?.refused(stored && unmarshall(stored));
}

/**
 * Writes all items or none. A condition that fails raises that item's own error (the first one's, in order). Transient
 * failures are retried with jitter, up to five attempts and for some seconds. All attempts carry one request token: after an
 * attempt whose response was lost, DynamoDB answers the next one alike instead of failing its conditions.
 *
 * @throws what an item's `before` throws, and `refused` returns; TransactionContention when it kept meeting other writers; SDK errors, among them
 *   those of `isTransient`.
 */
export async function transact(client: DynamoDBClient, items: readonly TransactionItem[]): Promise<void> {
  await Promise.all(items.map(({ before }) => before?.()));
  const input = { TransactItems: items.map(({ write }) => write), ClientRequestToken: randomUUID() };
  const isRetryable = (error: unknown): boolean => isTransactionConflict(error) || isTransient(error);
  try {
    await retry(() => client.send(new TransactWriteItemsCommand(input)), {
      attempts,
      isRetryable,
      withinMs: repeatedForMs,
    });
  } catch (error) {
    const conditionError = conditionErrorOf(error, items);
    if (conditionError !== undefined) throw conditionError;
    if (!isTransactionConflict(error)) throw error;
    throw new TransactionContention('A transaction kept meeting other writers.', { cause: error });
  }
  for (const { written } of items) written?.();
}
