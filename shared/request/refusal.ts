import { ApiError } from '../contract/errors.ts';
import { TransactionContention, VersionConflict } from '../data/optimistic-lock.ts';
import { StateConflict } from '../data/state-conflict.ts';

/**
 * The API's error for a failure that is explained to the caller: an ApiError as it is, a domain error by its counterpart. Undefined
 * for every other failure, which is ours.
 */
export function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof StateConflict) return new ApiError('conflict', { message: error.message });
  if (error instanceof TransactionContention || error instanceof VersionConflict) {
    return new ApiError('transient_transaction_error', { cause: error });
  }
  return undefined;
}
