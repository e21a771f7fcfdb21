import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** A transaction that DynamoDB canceled, with the reason of each of its writes. */
export const canceled = (...reasons: string[]): TransactionCanceledException =>
  new TransactionCanceledException({
    message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: reasons.map((Code) => ({
      Code,
      ...(Code === 'ConditionalCheckFailed' ? { Item: { pk: { S: 'old' } } } : {}),
    })),
  });

/** An exception of a service, as the SDK makes it of an answer. */
export const exception = (name: string, httpStatusCode = 400): Error =>
  Object.assign(new Error('Rate exceeded.'), { name, $metadata: { httpStatusCode } });

/** A connection that broke or was not made, as Node tells of it. */
export const brokenConnection = (code: string): Error => Object.assign(new Error('socket hang up'), { code });

/** Every form in which AWS says "not now", by what it looks like. */
export const transientForms: readonly (readonly [form: string, error: Error])[] = [
  ['a transaction canceled by ThrottlingError', canceled('None', 'ThrottlingError')],
  ['a transaction canceled for throughput', canceled('ProvisionedThroughputExceeded', 'None')],
  ['a transaction that was throttled and met another', canceled('ThrottlingError', 'TransactionConflict')],
  ...[
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
    'TransactionInProgressException',
    'RequestThrottled',
    'KmsThrottled',
    'Throttling',
    'TimeoutError',
  ].map((name) => [name, exception(name)] as const),
  ['TooManyRequestsException', exception('TooManyRequestsException', 429)],
  ['SlowDown', exception('SlowDown', 503)],
  ['InternalServerError', exception('InternalServerError', 500)],
  ['InternalServiceError', exception('InternalServiceError', 500)],
  ['an unknown error with status 503', exception('Unknown', 503)],
  ...['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND'].map(
    (code) => [code, brokenConnection(code)] as const,
  ),
  ['a failed fetch', new TypeError('fetch failed', { cause: brokenConnection('ECONNRESET') })],
];
