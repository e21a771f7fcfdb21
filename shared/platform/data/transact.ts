import { randomUUID } from 'node:crypto';
import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isTransactionConflict, isTransient, type RetryOptions, repeatedForMs, retry } from '../aws/calls.ts';

/** Another writer changed what was read before it could be written; the change must be decided again. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';

  constructor(message = 'A concurrent write changed the item.', options?: ErrorOptions) {
    super(message, options);
  }
}

/** Other writers of the same items were faster each time. The same request may succeed later. */
export class TransactionContention extends Error {
  override readonly name = 'TransactionContention';
}

/** Attempts by default; the pauses between them take some seconds at most. */
const defaultAttempts = 8;

/**
 * The time of a write that is decided upon what is recorded: not before that, however the clocks of instances differ.
 * @param lastRecorded ISO time in UTC; empty where nothing is recorded.
 */
export function timeAfter(now: Date, lastRecorded: string): Date {
  const last = Date.parse(lastRecorded);
  return now.getTime() < last ? new Date(last + 1) : now;
}

/**
 * Runs work that reads, decides and writes, again whenever another writer came first. Work may contain such work
 * itself: contention of the inner one is not retried by the outer one, so attempts do not multiply.
 *
 * @param work raises VersionConflict to be run again; it gets the number of its attempt, from 1.
 * @throws TransactionContention with the last VersionConflict as its cause; everything else that the work throws.
 */
export async function retryOnConflict<Result>(
  work: (attempt: number) => Promise<Result>,
  options: Partial<Pick<RetryOptions, 'attempts' | 'longestMs'>> = {},
): Promise<Result> {
  const { attempts = defaultAttempts } = options;
  const isConflict = (error: unknown): boolean => error instanceof VersionConflict;
  try {
    return await retry(work, { attempts, ...options, isRetryable: isConflict });
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new TransactionContention(`Other writers were faster ${attempts} times.`, { cause: error });
  }
}

/** Write of a transaction together with the error for when its condition does not hold. */
export interface TransactionItem {
  readonly write: TransactWriteItem;
  /** The failure to raise; `stored` is the item as it was when the write asks for `ALL_OLD`. */
  readonly refused: (stored: Record<string, unknown> | undefined) => Error;
  /** Work to be done before the transaction is sent. */
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
 * Writes all items or none; no call is made where there are none. A condition that fails raises that item's own error (the first
 * one's, in order). Transient failures are retried with jitter, up to five attempts and for some seconds. All attempts carry one
 * request token: after an attempt whose response was lost, DynamoDB answers the next one alike instead of failing its conditions.
 *
 * @throws what an item's `before` throws, and `refused` returns; TransactionContention when it kept meeting other writers; SDK
 *   errors, among them those of `isTransient`.
 */
export async function transact(client: DynamoDBClient, items: readonly TransactionItem[]): Promise<void> {
  if (items.length === 0) return;
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
