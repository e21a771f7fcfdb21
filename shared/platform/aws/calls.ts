// How a service is called: how long and how often, and after which errors again.
import { setTimeout as pause } from 'node:timers/promises';

/** Time that a service may take to respond, in milliseconds: longer where files are read or written. */
const answerMs = {
  dynamodb: 3_000,
  sqs: 3_000,
  secretsManager: 3_000,
  kms: 3_000,
  eventBridge: 5_000,
  s3: 8_000,
};

/**
 * Attempts and timeouts of a function's client of a service. A request has 29 seconds in all, so one call must fail long
 * before that.
 */
export const clientDefaults = (service: keyof typeof answerMs) => ({
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: answerMs[service],
    throwOnRequestTimeout: true,
  },
});

/**
 * Transient errors: AWS throttles a caller, has a fault itself, or cannot be reached. Code that gets such an
 * error may retry, and may let its own caller retry.
 */

/** A service keeps processing only a part of a batch call, and returns the rest as unprocessed. */
export class UnfinishedCallError extends Error {
  override readonly name = 'UnfinishedCallError';
}

/** Names of transient errors that come with a status of 400, or none: of the others the status says it. */
const transientNames = new Set([
  // DynamoDB: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
  // SQS: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
  'KmsThrottled',
  'RequestThrottled',
  // S3, also in an answer whose status was sent before: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
  'InternalError',
  'RequestTimeout',
  // All: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html
  'RequestThrottledException',
  'RequestTimeoutException',
  'ThrottledException',
  'Throttling',
  // The SDK's own, for a response that did not arrive in time.
  'TimeoutError',
]);

/** Node's codes for connections that could not be opened, or broke. */
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

/** Reasons of a canceled transaction that are no objection to it: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const throttlingReasons = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError']);
const conflictReason = 'TransactionConflict';

/** Members of an error that this module reads, whatever its origin. */
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
 * Whether a write collided with another one on an item, and nothing else failed.
 * DynamoDB reports that of a transaction in its reasons, and of a single write with a separate exception.
 */
export function isTransactionConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TransactionConflictException') return true;
  const reasons = reasonsOf(error) ?? [];
  return reasons.length > 0 && reasons.every((reason) => reason === conflictReason);
}

/** Errors wrap others; only one that wraps itself does so this deep. */
const deepestCause = 10;

/** Whether an error, or one that it was caused by, is transient; a conflict of writes is not. */
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

/** The first pause is at most twice as long. */
const baseMs = 40;

const usualLongestMs = 2_000;

/**
 * Waits before a retry: a random share of a time that doubles with each attempt, so that callers who were
 * refused together do not come back together (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/).
 * @param attempt how many calls failed so far, from 1.
 */
export const backOff = (attempt: number, longestMs = usualLongestMs): Promise<void> =>
  pause(Math.random() * Math.min(longestMs, baseMs * 2 ** attempt));

/**
 * Time after its first attempt for which a call may be repeated. The last repetition itself lasts at most some 12 s, when
 * all three of the SDK's attempts time out, and a request has 29 s.
 */
export const repeatedForMs = 6_000;

/** Options of repeated work. */
export interface RetryOptions {
  /** Most runs of the work, the first included. */
  readonly attempts: number;
  readonly isRetryable: (error: unknown) => boolean;
  /** No attempt starts later than this after the first one; unlimited where left out. */
  readonly withinMs?: number;
  /** Longest pause. */
  readonly longestMs?: number;
}

/**
 * Runs work until it succeeds, with a pause before each repetition (see `backOff`).
 * @param work gets the number of its attempt, from 1.
 * @throws what the last attempt raised.
 */
export async function retry<Result>(
  work: (attempt: number) => Promise<Result>,
  { attempts, isRetryable, withinMs = Number.POSITIVE_INFINITY, longestMs = usualLongestMs }: RetryOptions,
): Promise<Result> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const isOver = attempt >= attempts || performance.now() - startedAt > withinMs;
      if (isOver || !isRetryable(error)) throw error;
      await backOff(attempt, longestMs);
    }
  }
}
