import type { FunctionErrorPayload } from './worker-messages.ts';

/** A function that threw, timed out or could not be loaded. */
export class FunctionError extends Error {
  readonly payload: FunctionErrorPayload;

  constructor(payload: FunctionErrorPayload) {
    super(payload.errorMessage);
    this.name = payload.errorType;
    this.payload = payload;
  }
}

/** An invocation that Lambda drops because the function was invoked too often in one chain. */
export class RecursiveInvocationError extends Error {
  override readonly name = 'RecursiveInvocationException';
}

/** An invocation beyond the reserved concurrency of the function, which was not called. */
export class ThrottledError extends Error {
  override readonly name = 'TooManyRequestsException';

  constructor() {
    super('Rate Exceeded.');
  }
}
