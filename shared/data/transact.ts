import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeValue,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { ApiError } from '../contract/errors.ts';

/** One write of a transaction together with what it means when its condition does not hold. */
export interface Step {
  readonly write: TransactWriteItem;
  /** The failure to raise; `stored` is the item as it was when the write asks for `ALL_OLD`. */
  readonly refused: (stored: Record<string, AttributeValue> | undefined) => Error;
}

const attempts = 5;

/**
 * Writes all steps or none. A condition that fails raises that step's own error (the first one's, in order); writers
 * that merely met on an item are tried again with jitter, and after that told so with `transient_transaction_error`.
 *
 * @throws what a step's `refused` makes; ApiError `transient_transaction_error`; SDK errors.
 */
export async function transact(client: DynamoDBClient, steps: readonly Step[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems: steps.map((step) => step.write) }));
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      for (const [index, reason] of reasons.entries()) {
        const step = steps[index];
        if (reason.Code === 'ConditionalCheckFailed' && step !== undefined) throw step.refused(reason.Item);
      }
      const met = reasons.some((reason) => reason.Code === 'TransactionConflict');
      if (!met) throw error;
      if (attempt === attempts) throw new ApiError('transient_transaction_error', { cause: error });
      await pause(2 ** attempt * 10 * (1 + Math.random()));
    }
  }
}
