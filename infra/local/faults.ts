import type { ServerResponse } from 'node:http';
import { AwsError } from './aws-service.ts';

/**
 * What goes wrong with a call of AWS: it is refused before it takes effect, it takes effect and its answer is lost, or it
 * takes effect and the function's instance ends before it hears of it.
 */
export type Fault = 'none' | 'throttle' | 'fail after' | 'crash';

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
  next(functionName: string, action: string): Fault;
  /** Ends the instance in which a function runs. */
  crash(functionName: string): Promise<void>;
}

/** Counts calls for whoever decides. */
export function faultInjection(
  decide: Faults,
  crash: (functionName: string) => Promise<void>,
): FaultInjection {
  const counts = new Map<string, number>();
  return {
    next(functionName, action) {
      const key = `${functionName} ${action}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return decide({ functionName, action, count });
    },
    crash,
  };
}

/** Under what name and status a service holds a caller back. */
const throttling: Readonly<Record<string, readonly [code: string, status: number]>> = {
  dynamodb: ['ProvisionedThroughputExceededException', 400],
  lambda: ['TooManyRequestsException', 429],
  s3: ['SlowDown', 503],
  sqs: ['RequestThrottled', 403],
};

export function throttled(service: string): AwsError {
  const [code, status] = throttling[service] ?? ['ThrottlingException', 400];
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
