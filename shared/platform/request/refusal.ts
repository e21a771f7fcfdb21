import { ApiError, type ErrorType, invalid, transactionConflict } from '../contract/errors.ts';
import { TransactionContention, VersionConflict } from '../data/transact.ts';
import { DomainError, type DomainErrorReason, issuesText } from '../errors/domain-error.ts';

/** The API's error for each reason of the domain. */
const errorTypes: Readonly<Record<DomainErrorReason, ErrorType>> = {
  not_found: 'not_found',
  invalid_input: 'validation_error',
  state_conflict: 'conflict',
  market_has_primary: 'conflict',
  plan_limit_reached: 'invite_limit_reached',
  duplicate_external_id: 'duplicate_external_id_error',
  duplicate_producer_code: 'duplicate_producer_code_error',
  concurrent_duplicate: 'transient_transaction_error',
};

/**
 * The API's error for a failure that is explained to the caller: an ApiError itself, or the counterpart of a domain error.
 * Undefined for every other failure, which is ours.
 */
export function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof DomainError) {
    const { message, issues, limit, ids, most, retryAfterSeconds } = error.options;
    if (error.reason === 'invalid_input' && issues !== undefined) return invalid(...issues);
    const limitDetails = most === undefined ? limit : { limit: most };
    const details = { ...(issues === undefined ? limitDetails : { issues }), ...ids };
    return new ApiError(errorTypes[error.reason], {
      message: issues === undefined ? message : issuesText(issues),
      details: Object.keys(details).length === 0 ? undefined : details,
      retryAfterSeconds,
      cause: error,
    });
  }
  if (error instanceof TransactionContention || error instanceof VersionConflict) {
    return transactionConflict(error);
  }
  return undefined;
}
