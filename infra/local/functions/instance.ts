// The worker thread of a function, and its log.
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { jsonText } from '#platform/data/json.ts';
import { splitLines } from '../../text.ts';
import { sessionMs, sessionToken } from '../aws/service.ts';
import {
  type FromWorker,
  FunctionError,
  type FunctionErrorPayload,
  type ToWorker,
  type WorkerSettings,
} from './worker-messages.ts';

/** Receives what the function's worker reports about one invocation. */
export interface Invocation {
  onChunk(chunk: Uint8Array): void;
  onResult(payload: string): void;
  onFailure(error: Error): void;
  timer?: NodeJS.Timeout;
}

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

const logLine = z.pipe(jsonText, z.looseObject({ level: z.optional(z.string()) }));

export type FunctionLog = ReturnType<typeof openFunctionLog>;

/**
 * A log file with one JSON object per line.
 *
 * @param report called with each error
 */
export function openFunctionLog(directory: string, name: string, report: (line: string) => void) {
  mkdirSync(directory, { recursive: true });
  const file = createWriteStream(join(directory, `${name}.log`), { flags: 'a' });
  const write = (line: string, level: string | undefined): void => {
    file.write(`${line}\n`);
    if (level === 'ERROR') report(`${name}: ${line}`);
  };
  const entry = (level: string, message: string, more: object = {}): string =>
    JSON.stringify({ timestamp: new Date().toISOString(), level, message, ...more });
  return {
    /** Logs what a function prints; a line that is not JSON is wrapped with the level, as in Lambda. */
    follow(stream: Readable, plainLevel: 'INFO' | 'WARN'): void {
      stream.pipe(splitLines()).on('data', (bytes: Buffer) => {
        const line = bytes.toString();
        const logEntry = z.safeParse(logLine, line).data;
        if (logEntry === undefined) write(entry(plainLevel, line), plainLevel);
        else write(line, logEntry.level);
      });
    },
    /** Logs an error that the local run detected. */
    error: (message: string, more?: Readonly<Record<string, unknown>>): void =>
      write(entry('ERROR', message, more), 'ERROR'),
    close: (): Promise<void> => new Promise((resolve) => file.end(() => resolve())),
  };
}
