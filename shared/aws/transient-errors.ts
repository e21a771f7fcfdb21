/**
 * What passes by itself: AWS holds a caller back, has a fault of its own, or cannot be reached. Whoever meets such an
 * error may try again, and tells its own caller to.
 */

/** A service keeps answering a call for a part of what it carries only, and gives the rest back to be asked for again. */
export class UnfinishedCallError extends Error {
  override readonly name = 'UnfinishedCallError';
}

/** Names under which services hold a caller back or say that the fault is theirs. */
const transientNames = new Set([
  // DynamoDB: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
  'InternalServerError',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
  // SQS: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
  'KmsThrottled',
  'RequestThrottled',
  // EventBridge, Secrets Manager: https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
  'InternalException',
  'InternalServiceError',
  // Lambda: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
  'EC2ThrottledException',
  'ServiceException',
  'TooManyRequestsException',
  // S3: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
  'InternalError',
  'RequestTimeout',
  'SlowDown',
  // All: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html
  'InternalFailure',
  'RequestThrottledException',
  'RequestTimeoutException',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'ThrottledException',
  'Throttling',
  // The SDK's own, for an answer that did not come in time.
  'TimeoutError',
]);

/** How Node says that a connection could not be made, or broke. */
const connectionFaults = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // Those of fetch.
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** Reasons of a canceled transaction that say nothing against it: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const throttlingReasons = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError']);
const conflictReason = 'TransactionConflict';

/** What this module reads of an error, whoever made it. */
interface Thrown {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly CancellationReasons?: readonly { readonly Code?: string | undefined }[] | undefined;
  readonly $metadata?: { readonly httpStatusCode?: number | undefined } | undefined;
}

/** Why a transaction was canceled; undefined for every other error. */
function reasonsOf({ name, CancellationReasons = [] }: Thrown): readonly string[] | undefined {
  if (name !== 'TransactionCanceledException') return undefined;
  return CancellationReasons.flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]));
}

/**
 * Whether a write met another one on an item, and nothing else stood against it.
 * DynamoDB says so of a transaction in its reasons, and of a single write by an exception of its own.
 */
export function isTransactionConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TransactionConflictException') return true;
  const reasons = reasonsOf(error) ?? [];
  return reasons.length > 0 && reasons.every((reason) => reason === conflictReason);
}

/** Errors wrap others; none does so this deep but one that wraps itself. */
const deepestCause = 10;

/** Whether an error, or one that it was caused by, is of a kind that passes by itself; a conflict of writes is not. */
export function isTransient(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > deepestCause) return false;
  const { code, cause, $metadata }: Thrown = error;
  const reasons = reasonsOf(error);
  if (reasons !== undefined) {
    return (
      reasons.some((reason) => throttlingReasons.has(reason)) &&
      reasons.every((reason) => throttlingReasons.has(reason) || reason === conflictReason)
    );
  }
  const status = $metadata?.httpStatusCode ?? 0;
  return (
    error instanceof UnfinishedCallError ||
    transientNames.has(error.name) ||
    (typeof code === 'string' && connectionFaults.has(code)) ||
    status === 429 ||
    status >= 500 ||
    isTransient(cause, depth + 1)
  );
}
