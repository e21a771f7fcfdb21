import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  chainedInvocations,
  functionTimeoutSeconds,
  invocationBytes,
  streamedAnswerBytes,
} from '#platform/aws/limits.ts';
import { type FunctionLog, type Instance, type Invocation, startInstance } from './instance.ts';
import {
  FunctionError,
  nextLink,
  RecursiveInvocationError,
  ThrottledError,
  type WorkerSettings,
} from './worker-messages.ts';

/** A function of the deployment: its code, its limits and the variables it runs with. */
export interface FunctionSettings extends WorkerSettings {
  /** Concurrent invocations beyond which Lambda throttles; unlimited if undefined. */
  readonly reservedConcurrency?: number | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether recursive invocations are allowed; Lambda's default is to terminate them. */
  readonly recursiveLoop?: 'Allow' | 'Terminate';
}

export type LocalFunction = ReturnType<typeof createLocalFunction>;

/** The error of a response beyond a size limit. */
function tooLarge(log: FunctionLog, message: string, limit: number): FunctionError {
  const errorType = 'Function.ResponseSizeTooLarge';
  const errorMessage = `${message} (${limit} bytes).`;
  log.error(errorMessage, { errorType });
  return new FunctionError({ errorType, errorMessage });
}

function timedOut({ timeoutMs }: FunctionSettings, log: FunctionLog, requestId: string): FunctionError {
  const errorType = 'Sandbox.Timedout';
  const errorMessage = `Task timed out after ${(timeoutMs / 1_000).toFixed(2)} seconds`;
  log.error(errorMessage, { requestId, errorType });
  return new FunctionError({ errorType, errorMessage });
}

/** The header for an invocation's calls, unless the function was invoked too often in the chain. */
function traceHeaderOf(settings: FunctionSettings, log: FunctionLog, causes: readonly string[]): string {
  const { invocations, traceHeader } = nextLink(settings.functionArn, causes);
  if (invocations <= chainedInvocations || settings.recursiveLoop === 'Allow') return traceHeader;
  const message = `${settings.functionName} was invoked ${chainedInvocations} times in one chain; the next invocation is dropped.`;
  log.error(message, { errorType: 'RecursiveInvocationException' });
  throw new RecursiveInvocationError(message);
}

/**
 * Runs a function in a worker thread of its own. Unlike in Lambda, where every instance has one invocation at a time,
 * several run in the worker concurrently: one isolate is enough for one developer, and only code that keeps the state of
 * a request at module scope would break, which is wrong in Lambda too.
 */
export function createLocalFunction(
  settings: FunctionSettings,
  options: { readonly bootstrap: string; readonly log: FunctionLog; readonly timeoutFactor?: number },
) {
  let current: Instance | undefined;
  const instances = new Set<Instance>();
  let isStopped = false;
  let running = 0;

  /** Counts an invocation until it ends. @throws ThrottledError */
  const admit = ({ onChunk, onResult, onFailure }: Invocation): Invocation => {
    if (running >= (settings.reservedConcurrency ?? Number.POSITIVE_INFINITY)) throw new ThrottledError();
    running += 1;
    const countedEnd =
      <Argument>(listener: (argument: Argument) => void) =>
      (argument: Argument): void => {
        running -= 1;
        listener(argument);
      };
    return { onChunk, onResult: countedEnd(onResult), onFailure: countedEnd(onFailure) };
  };

  const start = (): Instance => {
    const instance = startInstance({
      settings,
      ...options,
      isStopped: () => isStopped,
      onEnd: () => {
        instances.delete(instance);
        if (current === instance) current = undefined;
      },
    });
    instances.add(instance);
    return instance;
  };

  const available = async (): Promise<Instance> => {
    if (isStopped) throw new Error(`${settings.functionName} has been stopped.`);
    // As in Lambda, no invocation outlasts its credentials.
    if (current !== undefined && current.endsAt < Date.now() + functionTimeoutSeconds * 1_000) {
      current.retire();
      current = undefined;
    }
    current ??= start();
    const instance = current;
    await instance.ready;
    return instance;
  };

  /** Passes an invocation to an instance; returns the function that sends messages of its reader. */
  const begin = async (
    payload: string,
    causes: readonly string[],
    request: Invocation,
    clientContext?: unknown,
  ): Promise<(message: ReaderMessage) => void> => {
    const traceHeader = traceHeaderOf(settings, options.log, causes);
    const invocation = admit(request);
    const instance = await available().catch((error: unknown) => {
      running -= 1;
      throw error;
    });
    const id = randomUUID();
    instance.add(id, invocation);
    invocation.timer = setTimeout(
      () => {
        // Lambda ends an instance that timed out; here its other invocations may finish first.
        instance.retire();
        if (current === instance) current = undefined;
        instance.settle(id)?.onFailure(timedOut(settings, options.log, id));
      },
      settings.timeoutMs * (options.timeoutFactor ?? 1),
    );
    instance.send({ kind: 'invoke', id, payload, traceHeader, clientContext });
    return (message) => instance.send({ ...message, id });
  };

  const terminate = (): Promise<unknown> =>
    Promise.all(Array.from(instances, (instance) => instance.terminate()));

  return {
    settings,
    /**
     * Invokes the function and returns its result. `causes` are the trace headers of the messages or the call that it is
     * invoked by; without any, it begins a chain of invocations. `context` is what the caller says about itself.
     *
     * @throws FunctionError, RecursiveInvocationError, ThrottledError
     */
    invoke: async (payload: unknown, causes: readonly string[] = [], context?: unknown): Promise<unknown> => {
      const result = await new Promise<string>((onResult, onFailure) => {
        const request = { onChunk: () => {}, onResult, onFailure };
        begin(JSON.stringify(payload), causes, request, context).catch(onFailure);
      });
      if (Buffer.byteLength(result) <= invocationBytes) return JSON.parse(result);
      const message = 'Response payload size exceeded maximum allowed payload size';
      throw tooLarge(options.log, message, invocationBytes);
    },
    /**
     * Invokes the function and returns the bytes that it streams. The stream fails when the function does; destroying it
     * aborts the stream of the function.
     */
    stream: (payload: unknown) =>
      openResponseStream(
        (invocation) => begin(JSON.stringify(payload), [], invocation),
        () => tooLarge(options.log, 'The streamed response exceeded its maximum size', streamedAnswerBytes),
      ),
    /** Ends the instance with its current invocations; the next one gets a new instance. */
    crash: async (): Promise<void> => {
      current = undefined;
      await terminate();
    },
    stop: async (): Promise<void> => {
      isStopped = true;
      await terminate();
    },
  };
}

/** Message from the reader of a streamed response to the function. */
type ReaderMessage = { readonly kind: 'consumed'; readonly bytes: number } | { readonly kind: 'closed' };

/**
 * Begins an invocation and returns the bytes that it streams, with backpressure. The stream fails when the invocation does.
 *
 * @param begin begins the invocation; resolves with the function that sends it messages
 * @param exceeded the error for a response beyond the size limit
 */
function openResponseStream(
  begin: (invocation: Invocation) => Promise<(message: ReaderMessage) => void>,
  sizeError: () => Error,
): Readable {
  let send: ((message: ReaderMessage) => void) | undefined;
  let hasEnded = false;
  /** Bytes in the buffer of the reader, to be acknowledged once it reads on. */
  let heldBytes = 0;
  let streamedBytes = 0;
  const acknowledge = (bytes: number): void => send?.({ kind: 'consumed', bytes });
  const readable = new Readable({
    read() {
      if (heldBytes === 0) return;
      acknowledge(heldBytes);
      heldBytes = 0;
    },
    destroy(error, callback) {
      if (!hasEnded) send?.({ kind: 'closed' });
      callback(error);
    },
  });
  const fail = (error: Error): void => {
    hasEnded = true;
    readable.destroy(error);
  };
  begin({
    onChunk: (chunk) => {
      if (readable.destroyed) return;
      streamedBytes += chunk.byteLength;
      if (streamedBytes > streamedAnswerBytes) readable.destroy(sizeError());
      else if (readable.push(chunk)) acknowledge(chunk.byteLength);
      else heldBytes += chunk.byteLength;
    },
    onResult: () => {
      hasEnded = true;
      readable.push(null);
    },
    onFailure: fail,
  }).then((sender) => {
    send = sender;
    if (readable.destroyed) send({ kind: 'closed' });
  }, fail);
  return readable;
}
