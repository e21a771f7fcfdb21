import { createHash } from 'node:crypto';

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
      /** Trace header of the calls that the invocation makes. */
      readonly traceHeader: string;
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

/**
 * The header `X-Amzn-Trace-Id`, by which Lambda detects chains of invocations: Lambda passes it to an invocation, the SDK
 * adds it to every call, and SQS stores it with the messages that are sent. Its field `Lineage`, the only one here, contains
 * how often each function was invoked in the chain
 * (https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader):
 * `Lineage=a87bd80c:1|68fd508a:5`. How Lambda computes the hashes and where it starts to count is not documented; here they
 * are hashes of the function's ARN, and the first invocation counts 1.
 */
export const traceHeaderName = 'x-amzn-trace-id';

/** The attribute of a message with the header with which it was sent. */
export const traceAttribute = 'AWSTraceHeader';

/** The next invocation of a function after those with these headers; without any, it begins a chain. */
export function nextLink(functionArn: string, causes: readonly string[]) {
  // Of several chains, the highest count of each function applies.
  const counts = new Map<string, number>();
  for (const entry of causes.flatMap((header) => /Lineage=([^;]+)/.exec(header)?.[1]?.split('|') ?? [])) {
    const [hash = '', count] = entry.split(':');
    counts.set(hash, Math.max(Number(count), counts.get(hash) ?? 0));
  }
  const hash = createHash('sha256').update(functionArn).digest('hex').slice(0, 8);
  const invocations = (counts.get(hash) ?? 0) + 1;
  counts.set(hash, invocations);
  return {
    /** Number of the function's invocation in the chain, from 1. */
    invocations,
    /** The header for the calls that the invocation makes. */
    traceHeader: `Lineage=${Array.from(counts, ([entry, count]) => `${entry}:${count}`).join('|')}`,
  };
}
