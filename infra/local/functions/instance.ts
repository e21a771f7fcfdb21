import { Worker } from 'node:worker_threads';
import { sessionMs, sessionToken } from '../aws/call.ts';
import type { FunctionLog } from './function-log.ts';
import type { Invocation } from './response-stream.ts';
import {
  type FromWorker,
  FunctionError,
  type FunctionErrorPayload,
  type ToWorker,
  type WorkerSettings,
} from './worker-messages.ts';

/** The worker thread of a function, with its invocations. */
export type Instance = ReturnType<typeof startInstance>;

interface InstanceOptions {
  readonly settings: WorkerSettings & { readonly environment: Readonly<Record<string, string>> };
  readonly bootstrap: string;
  readonly log: FunctionLog;
  /** Called when the worker is gone. */
  readonly onEnd: () => void;
  /** Whether the run ends, so that errors mean nothing. */
  readonly isStopped: () => boolean;
}

/** Starts a worker with the code of a function. */
export function startInstance({ settings, bootstrap, log, onEnd, isStopped }: InstanceOptions) {
  const endsAt = Date.now() + sessionMs;
  const worker = new Worker(bootstrap, {
    workerData: settings satisfies WorkerSettings,
    env: { ...settings.environment, AWS_SESSION_TOKEN: sessionToken(endsAt) },
    // Options of this process are not for functions, which have theirs in NODE_OPTIONS.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: settings.memoryLimitInMB },
    stdout: true,
    stderr: true,
  });
  log.follow(worker.stdout, 'INFO');
  log.follow(worker.stderr, 'WARN');
  const invocations = new Map<string, Invocation>();
  let isRetired = false;

  const end = (reason: FunctionErrorPayload): void => {
    onEnd();
    for (const invocation of invocations.values()) {
      clearTimeout(invocation.timer);
      invocation.onFailure(new FunctionError(reason));
    }
    invocations.clear();
  };

  const settle = (id: string): Invocation | undefined => {
    const invocation = invocations.get(id);
    clearTimeout(invocation?.timer);
    invocations.delete(id);
    if (isRetired && invocations.size === 0) void worker.terminate();
    return invocation;
  };

  const ready = new Promise<void>((resolve, reject) => {
    worker.on('error', (error) => {
      reject(error);
      if (isStopped()) return;
      const reason = { errorType: 'Runtime.ExitError', errorMessage: error.message };
      log.error(reason.errorMessage, { errorType: reason.errorType, stack: error.stack });
      end(reason);
    });
    worker.on('exit', (code) => {
      const errorMessage = `The worker ended with code ${code}.`;
      reject(new Error(errorMessage));
      end({ errorType: 'Runtime.ExitError', errorMessage });
    });
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'chunk') invocations.get(message.id)?.onChunk(message.chunk);
      else if (message.kind === 'done') settle(message.id)?.onResult(message.payload);
      else settle(message.id)?.onFailure(new FunctionError(message.error));
    });
  });
  // Callers that await it get the error, which is also logged.
  ready.catch(() => {});

  return {
    ready,
    /** End of the credentials, in Unix milliseconds. */
    endsAt,
    /** Takes an invocation out before the worker has ended it. */
    settle,
    /** Adds an invocation, which the worker's messages end. */
    add: (id: string, invocation: Invocation) => void invocations.set(id, invocation),
    send: (message: ToWorker) => worker.postMessage(message),
    /** Has it end after its last invocation. */
    retire: () => {
      isRetired = true;
      if (invocations.size === 0) void worker.terminate();
    },
    terminate: () => worker.terminate(),
  };
}
