/** Messages between the local run and a function's worker thread. Payloads are JSON texts, as in Lambda. */

export interface WorkerSettings {
  /** Path of the handler's module, and its export. */
  readonly module: string;
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryLimitInMB: number;
  readonly timeoutMs: number;
}

export type ToWorker =
  | {
      readonly kind: 'invoke';
      readonly id: string;
      readonly payload: string;
      /** Client context that the caller sent. */
      readonly clientContext?: unknown;
    }
  /** The reader has consumed bytes of a response: the worker may send more. */
  | { readonly kind: 'consumed'; readonly id: string; readonly bytes: number }
  /** The reader has closed the response. */
  | { readonly kind: 'closed'; readonly id: string };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'chunk'; readonly id: string; readonly chunk: Uint8Array }
  /** The handler has returned, and its stream, if it has one, has ended. */
  | { readonly kind: 'done'; readonly id: string; readonly payload: string }
  | { readonly kind: 'failed'; readonly id: string; readonly error: FunctionErrorPayload };

/** Payload of Lambda for a function that threw. */
export interface FunctionErrorPayload {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** A function that threw, timed out or could not be loaded. */
export class FunctionError extends Error {
  readonly payload: FunctionErrorPayload;

  constructor(payload: FunctionErrorPayload) {
    super(payload.errorMessage);
    this.name = payload.errorType;
    this.payload = payload;
  }
}

/** An invocation beyond the reserved concurrency of the function, which was not called. */
export class ThrottledError extends Error {
  override readonly name = 'TooManyRequestsException';

  constructor() {
    super('Rate Exceeded.');
  }
}
