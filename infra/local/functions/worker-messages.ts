/** What the local run and a function's worker thread say to each other. Payloads travel as JSON text, as in Lambda. */

import type { FastClock } from './fast-clock.ts';

export interface WorkerSettings {
  /** The module that holds the handler, and the handler's name in it. */
  readonly module: string;
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryLimitInMB: number;
  /** The time that the function's code sees; the machine's where it is not given. */
  readonly clock?: FastClock | undefined;
}

export type ToWorker =
  | {
      readonly kind: 'invoke';
      readonly id: string;
      readonly payload: string;
      /** Unix milliseconds at which Lambda would end the invocation. */
      readonly deadline: number;
      /** For the calls that the invocation makes. */
      readonly traceHeader: string;
    }
  /** So many bytes of an answer have left: the worker may send more. */
  | { readonly kind: 'taken'; readonly id: string; readonly bytes: number }
  /** Nobody reads the answer any more. */
  | { readonly kind: 'abandoned'; readonly id: string };

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'chunk'; readonly id: string; readonly chunk: Uint8Array }
  /** The handler has returned, and its stream, if it has one, has ended. */
  | { readonly kind: 'done'; readonly id: string; readonly payload: string }
  | { readonly kind: 'failed'; readonly id: string; readonly error: FunctionErrorPayload };

/** What Lambda answers for a function that threw. */
export interface FunctionErrorPayload {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}
