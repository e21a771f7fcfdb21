import type { ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { type Access, callAws } from './call.ts';
import { AwsError, type AwsRequest } from './service.ts';

/**
 * A fault of an AWS call:
 * - `throttle`: it is rejected before it takes effect, with an error of the service;
 * - `conflict`: a write to DynamoDB is rejected because of a concurrent one;
 * - `fail before`: the connection breaks before it takes effect;
 * - `partial`: a batch call takes effect for some of its entries;
 * - `fail after`: it takes effect, and the response is lost;
 * - `crash`: it takes effect, and the function's instance ends before the response arrives.
 */
export type Fault = 'none' | 'throttle' | 'conflict' | 'fail before' | 'partial' | 'fail after' | 'crash';

/** A call by a function's own code. */
export interface FaultableCall {
  /** Name of the function's folder. */
  readonly functionName: string;
  /** `dynamodb:TransactWriteItems`. */
  readonly action: string;
  /** Which call of this action by this function it is, from 1. */
  readonly count: number;
}

/** Chooses the fault of a call, so that a test can reproduce it at the same place. */
export type Faults = (call: FaultableCall) => Fault;

export interface FaultInjection {
  next(functionName: string, action: string): { readonly fault: Fault; readonly count: number };
  /** Ends the instance in which a function runs. */
  crash(functionName: string): Promise<void>;
  /** Repeats a call with another body and without a fault. */
  repeat(service: string, call: AwsRequest, body: object): Promise<Readonly<Record<string, unknown>>>;
}

const anyAnswer = z.record(z.string(), z.unknown());

/**
 * Counts calls and lets a test choose their faults.
 *
 * @param operator access with which calls are repeated
 */
export function faultInjection(
  decide: Faults,
  operator: Access,
  crash: (functionName: string) => Promise<void>,
): FaultInjection {
  const counts = new Map<string, number>();
  return {
    next(functionName, action) {
      const key = `${functionName} ${action}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { fault: decide({ functionName, action, count }), count };
    },
    crash,
    repeat: (service, { headers }, body) =>
      callAws(operator, { service, target: String(headers['x-amz-target']) }, body, anyAnswer),
  };
}

type Words = readonly [code: string, status: number];

/** Error codes and statuses with which a service throttles; they alternate. */
const throttling: Readonly<Record<string, readonly [Words, ...Words[]]>> = {
  dynamodb: [
    ['ProvisionedThroughputExceededException', 400],
    ['ThrottlingException', 400],
    ['RequestLimitExceeded', 400],
    ['InternalServerError', 500],
  ],
  lambda: [['TooManyRequestsException', 429]],
  s3: [['SlowDown', 503]],
  sqs: [
    ['RequestThrottled', 403],
    ['KmsThrottled', 400],
  ],
};

const inTransaction = 'dynamodb:TransactWriteItems';

/** The cancellation of a transaction because of one of its items. */
function canceled(code: string, items: number, count: number): AwsError {
  const CancellationReasons = Array.from({ length: items }, (_, index) =>
    index === count % items ? { Code: code, Message: 'Rate exceeded.' } : { Code: 'None' },
  );
  const reasons = CancellationReasons.map(({ Code }) => Code).join(', ');
  return new AwsError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons}]`,
    400,
    { CancellationReasons },
  );
}

/** The error of a rejected call. Every other transaction has it in its cancellation reasons, as DynamoDB mostly does. */
export function refusalOf(
  fault: 'throttle' | 'conflict',
  call: { readonly service: string; readonly action: string; readonly items: number; readonly count: number },
): AwsError {
  const { service, action, items, count } = call;
  if (action === inTransaction) {
    if (fault === 'conflict') return canceled('TransactionConflict', items, count);
    const code = count % 4 === 0 ? 'ProvisionedThroughputExceeded' : 'ThrottlingError';
    if (count % 2 === 0) return canceled(code, items, count);
  }
  if (fault === 'conflict') {
    return new AwsError('TransactionConflictException', 'Transaction is ongoing for the item');
  }
  const words: readonly [Words, ...Words[]] = throttling[service] ?? [['ThrottlingException', 400]];
  const [code, status] = words[count % words.length] ?? words[0];
  return new AwsError(code, 'Rate exceeded.', status);
}

/** Lets the call take effect and breaks the connection instead of sending the response. */
export function loseAnswer(response: ServerResponse, before: () => Promise<void>): void {
  response.writeHead = () => {
    void before().finally(() => response.destroy());
    return response;
  };
  response.write = () => true;
  response.end = () => response;
}
