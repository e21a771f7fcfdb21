import type { ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { type Access, callAws } from './call.ts';
import { AwsError, type AwsRequest } from './service.ts';

/**
 * What goes wrong with a call of AWS:
 * - `throttle`: it is refused before it takes effect, in the service's words;
 * - `conflict`: a write of DynamoDB is refused since it met another one;
 * - `fail before`: the connection breaks before it takes effect;
 * - `partial`: a call that carries several things takes effect for some of them;
 * - `fail after`: it takes effect, and its answer is lost;
 * - `crash`: it takes effect, and the function's instance ends before it hears of it.
 */
export type Fault = 'none' | 'throttle' | 'conflict' | 'fail before' | 'partial' | 'fail after' | 'crash';

/** A call that a function's own code makes. */
export interface FaultableCall {
  /** Name of the function's folder. */
  readonly functionName: string;
  /** `dynamodb:TransactWriteItems`. */
  readonly action: string;
  /** Which call of this action by this function it is, from 1. */
  readonly count: number;
}

/** Decides what goes wrong, so that a test can have it go wrong at the same place each time. */
export type Faults = (call: FaultableCall) => Fault;

export interface FaultInjection {
  next(functionName: string, action: string): { readonly fault: Fault; readonly count: number };
  /** Ends the instance in which a function runs. */
  crash(functionName: string): Promise<void>;
  /** Makes a call once more, with another body, and nothing goes wrong with it. */
  repeat(service: string, call: AwsRequest, body: object): Promise<Readonly<Record<string, unknown>>>;
}

const anyAnswer = z.record(z.string(), z.unknown());

/**
 * Counts calls for whoever decides.
 * @param operator with whose access a call is made once more.
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

/** Under what names and statuses a service holds a caller back; they take turns. */
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

/** A transaction of so many writes that DynamoDB has canceled for one of them. */
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

/** What a refused call is told. Every other transaction is told so in its reasons, as DynamoDB does mostly. */
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

/** Lets the call take effect and breaks the connection where its answer would begin. */
export function loseAnswer(response: ServerResponse, before: () => Promise<void>): void {
  response.writeHead = () => {
    void before().finally(() => response.destroy());
    return response;
  };
  response.write = () => true;
  response.end = () => response;
}
