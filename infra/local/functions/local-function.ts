import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import {
  chainedInvocations,
  invocationBytes,
  streamedAnswerBytes,
} from '../../../shared/platform/aws/limits.ts';
import type { FunctionLog } from './function-log.ts';
import { FunctionError, RecursiveInvocationError, ThrottledError } from './invocation-errors.ts';
import { type Invocation, openResponseStream, type ReaderMessage } from './response-stream.ts';
import { nextLink } from './trace-header.ts';
import type { FromWorker, FunctionErrorPayload, ToWorker, WorkerSettings } from './worker-messages.ts';

/** A function of the deployment: its code, its limits and the variables it runs with. */
export interface FunctionSettings extends WorkerSettings {
  /** Concurrent invocations beyond which Lambda throttles; unlimited if undefined. */
  readonly reservedConcurrency?: number | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether recursive invocations are allowed; Lambda's default is to terminate them. */
  readonly recursiveLoop?: 'Allow' | 'Terminate';
}

export interface LocalFunction {
  readonly settings: FunctionSettings;
  /** Loads the code before the first invocation. */
  warm(): Promise<void>;
  /**
   * Invokes the function and returns its result. `causes` are the trace headers of the messages or the call that it is
   * invoked by; without any, it begins a chain of invocations.
   *
   * @throws FunctionError, RecursiveInvocationError, ThrottledError
   */
  invoke(payload: unknown, causes?: readonly string[]): Promise<unknown>;
  /**
   * Invokes the function and returns the bytes that it streams. The stream fails when the function does; destroying it
   * aborts the stream of the function.
   */
  stream(payload: unknown): Readable;
  /** Ends the instance with its current invocations; the next one gets a new instance. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

interface Sandbox {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  readonly invocations: Map<string, Invocation>;
  /** Gets no new invocations and ends after its last one. */
  retired: boolean;
}

/**
 * Runs a function in a worker thread of its own. Unlike in Lambda, where every instance has one invocation at a time,
 * several run in the worker concurrently: one isolate is enough for one developer, and only code that keeps the state of
 * a request at module scope would break, which is wrong in Lambda too.
 */
export function createLocalFunction(
  settings: FunctionSettings,
  options: { readonly bootstrap: string; readonly log: FunctionLog },
): LocalFunction {
  let current: Sandbox | undefined;
  const sandboxes = new Set<Sandbox>();
  let stopped = false;
  let running = 0;

  /** Counts an invocation until it ends. @throws ThrottledError */
  const admit = ({ onChunk, onDone, onFailed }: Invocation): Invocation => {
    if (running >= (settings.reservedConcurrency ?? Number.POSITIVE_INFINITY)) throw new ThrottledError();
    running += 1;
    const counted =
      <Argument>(listener: (argument: Argument) => void) =>
      (argument: Argument): void => {
        running -= 1;
        listener(argument);
      };
    return { onChunk, onDone: counted(onDone), onFailed: counted(onFailed) };
  };

  const end = (sandbox: Sandbox, reason: FunctionErrorPayload): void => {
    sandboxes.delete(sandbox);
    if (current === sandbox) current = undefined;
    for (const invocation of sandbox.invocations.values()) {
      clearTimeout(invocation.timer);
      invocation.onFailed(new FunctionError(reason));
    }
    sandbox.invocations.clear();
  };

  const start = (): Sandbox => {
    const worker = new Worker(options.bootstrap, {
      workerData: settings satisfies WorkerSettings,
      env: { ...settings.environment },
      // Options of this process are not for functions, which have theirs in NODE_OPTIONS.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: settings.memoryLimitInMB },
      stdout: true,
      stderr: true,
    });
    options.log.follow(worker.stdout, 'INFO');
    options.log.follow(worker.stderr, 'WARN');
    const invocations = new Map<string, Invocation>();
    const ready = new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => {
        reject(error);
        if (stopped) return;
        const reason = { errorType: 'Runtime.ExitError', errorMessage: error.message };
        options.log.error(reason.errorMessage, { errorType: reason.errorType, stack: error.stack });
        end(sandbox, reason);
      };
      worker.on('error', fail);
      worker.on('exit', (code) => {
        reject(new Error(`The worker ended with code ${code}.`));
        end(sandbox, { errorType: 'Runtime.ExitError', errorMessage: `The worker ended with code ${code}.` });
      });
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') resolve();
        else receive(sandbox, message);
      });
    });
    // Callers that await it get the error, which is also logged.
    ready.catch(() => {});
    const sandbox: Sandbox = { worker, ready, invocations, retired: false };
    sandboxes.add(sandbox);
    return sandbox;
  };

  const settle = (sandbox: Sandbox, id: string): Invocation | undefined => {
    const invocation = sandbox.invocations.get(id);
    clearTimeout(invocation?.timer);
    sandbox.invocations.delete(id);
    if (sandbox.retired && sandbox.invocations.size === 0) void sandbox.worker.terminate();
    return invocation;
  };

  const receive = (sandbox: Sandbox, message: Exclude<FromWorker, { kind: 'ready' }>): void => {
    if (message.kind === 'chunk') sandbox.invocations.get(message.id)?.onChunk(message.chunk);
    else if (message.kind === 'done') settle(sandbox, message.id)?.onDone(message.payload);
    else settle(sandbox, message.id)?.onFailed(new FunctionError(message.error));
  };

  const available = async (): Promise<Sandbox> => {
    if (stopped) throw new Error(`${settings.functionName} has been stopped.`);
    current ??= start();
    const sandbox = current;
    await sandbox.ready;
    return sandbox;
  };

  /** The error of a response beyond a size limit. */
  const tooLarge = (message: string, limit: number): FunctionError => {
    const errorType = 'Function.ResponseSizeTooLarge';
    const errorMessage = `${message} (${limit} bytes).`;
    options.log.error(errorMessage, { errorType });
    return new FunctionError({ errorType, errorMessage });
  };

  /** The header for an invocation's calls, unless the function was invoked too often in the chain. */
  const linked = (causes: readonly string[]): string => {
    const { invocations, traceHeader } = nextLink(settings.functionArn, causes);
    if (invocations <= chainedInvocations || settings.recursiveLoop === 'Allow') return traceHeader;
    const message = `${settings.functionName} was invoked ${chainedInvocations} times in one chain; the next invocation is dropped.`;
    options.log.error(message, { errorType: 'RecursiveInvocationException' });
    throw new RecursiveInvocationError(message);
  };

  /** Passes an invocation to a sandbox; returns the function that sends messages of its reader. */
  const begin = async (
    payload: string,
    causes: readonly string[],
    requested: Invocation,
  ): Promise<(message: ReaderMessage) => void> => {
    const traceHeader = linked(causes);
    const invocation = admit(requested);
    const sandbox = await available().catch((error: unknown) => {
      running -= 1;
      throw error;
    });
    const id = randomUUID();
    sandbox.invocations.set(id, invocation);
    invocation.timer = setTimeout(() => {
      // Lambda ends an instance that timed out; here its other invocations may finish first.
      sandbox.retired = true;
      if (current === sandbox) current = undefined;
      const errorType = 'Sandbox.Timedout';
      const errorMessage = `Task timed out after ${(settings.timeoutMs / 1_000).toFixed(2)} seconds`;
      options.log.error(errorMessage, { requestId: id, errorType });
      settle(sandbox, id)?.onFailed(new FunctionError({ errorType, errorMessage }));
    }, settings.timeoutMs);
    const send = (message: ToWorker): void => sandbox.worker.postMessage(message);
    send({ kind: 'invoke', id, payload, traceHeader });
    return (message) => send({ ...message, id });
  };

  const terminate = (): Promise<unknown> =>
    Promise.all(Array.from(sandboxes, (sandbox) => sandbox.worker.terminate()));

  return {
    settings,
    warm: async () => {
      await available();
    },
    invoke: (payload, causes = []) =>
      new Promise((resolve, reject) => {
        begin(JSON.stringify(payload), causes, {
          onChunk: () => {},
          onDone: (result) => {
            if (Buffer.byteLength(result) <= invocationBytes) resolve(JSON.parse(result));
            else
              reject(
                tooLarge('Response payload size exceeded maximum allowed payload size', invocationBytes),
              );
          },
          onFailed: reject,
        }).catch(reject);
      }),
    stream: (payload) =>
      openResponseStream(
        (invocation) => begin(JSON.stringify(payload), [], invocation),
        () => tooLarge('The streamed response exceeded its maximum size', streamedAnswerBytes),
      ),
    crash: async () => {
      current = undefined;
      await terminate();
    },
    stop: async () => {
      stopped = true;
      await terminate();
    },
  };
}
