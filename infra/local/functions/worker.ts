// Runs one function in a worker thread as Lambda's Node runtime would: loads its handler, calls it for every invocation
// and gives it a response stream. It is the entry point of the bundle dist/infra/local/functions/worker.mjs.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, FunctionErrorPayload, ToWorker, WorkerSettings } from './worker-messages.ts';

/** Lambda's own mark of a handler that streams its response. */
const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');

/** Bytes of a response that may be in transit to the gateway before backpressure sets in. */
const window = 64 * 1_024;

/** Context as in Lambda, as far as functions read it; its client context is whatever the caller sent. */
type InvocationContext = ReturnType<typeof contextOf>;
type PlainHandler = (event: unknown, context: InvocationContext) => unknown;
type StreamingHandler = (event: unknown, stream: Writable, context: InvocationContext) => unknown;
type Handler = (PlainHandler | StreamingHandler) & { [streaming]?: 'response' };

const port = parentPort;
if (port === null) throw new Error('The worker runs in a worker thread only.');
const settings: WorkerSettings = workerData;
const post = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

/** The stream to which a handler writes its response: metadata, eight zero bytes, then the body. */
class ResponseStream extends Writable {
  readonly #id: string;
  #inTransit = 0;
  #resume: (() => void) | undefined;
  /** Set by `HttpResponseStream.from`; sent before the first write only, as in Lambda. */
  lead: (string | Uint8Array)[] = [];

  constructor(id: string) {
    super();
    this.#id = id;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    for (const part of [...this.lead.splice(0), chunk]) this.#send(part);
    if (this.#inTransit < window) callback();
    else this.#resume = callback;
  }

  acknowledge(bytes: number): void {
    this.#inTransit -= bytes;
    if (this.#inTransit >= window || this.#resume === undefined) return;
    const resume = this.#resume;
    this.#resume = undefined;
    resume();
  }

  #send(chunk: string | Uint8Array): void {
    // A copy, because a buffer may share a pool, which must not be transferred.
    const copy = new Uint8Array(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    this.#inTransit += copy.byteLength;
    post({ kind: 'chunk', id: this.#id, chunk: copy }, [copy.buffer]);
  }
}

/** Trace headers by invocation: several run concurrently, so an environment variable would not do. */
const traceHeaders = new AsyncLocalStorage<string>();

Object.assign(globalThis, {
  awslambda: {
    // The SDK gets the trace header here before it reads the variable `_X_AMZN_TRACE_ID`.
    InvokeStore: { getXRayTraceId: () => traceHeaders.getStore() },
    streamifyResponse: (handler: Handler): Handler => Object.assign(handler, { [streaming]: 'response' }),
    HttpResponseStream: {
      from(stream: ResponseStream, metadata: unknown): ResponseStream {
        stream.lead = [JSON.stringify(metadata), new Uint8Array(8)];
        return stream;
      },
    },
  },
});

const errorPayload = (error: unknown): FunctionErrorPayload =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') }
    : { errorType: typeof error, errorMessage: String(error) };

const handlerModule: Readonly<Record<string, Handler | undefined>> = await import(
  pathToFileURL(settings.module).href
);
const handlerExport = handlerModule[settings.handler];
if (typeof handlerExport !== 'function') {
  throw new Error(`${settings.module} exports no function "${settings.handler}".`);
}
const handle: Handler = handlerExport;
const isStreaming = (candidate: Handler): candidate is StreamingHandler =>
  candidate[streaming] === 'response';

const streams = new Map<string, ResponseStream>();

function contextOf(id: string, clientContext: unknown) {
  const deadline = Date.now() + settings.timeoutMs;
  return {
    awsRequestId: id,
    clientContext,
    functionName: settings.functionName,
    functionVersion: process.env['AWS_LAMBDA_FUNCTION_VERSION'] ?? '',
    invokedFunctionArn: settings.functionArn,
    memoryLimitInMB: String(settings.memoryLimitInMB),
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

async function invoke(id: string, payload: string, clientContext: unknown): Promise<void> {
  const event: unknown = JSON.parse(payload);
  const context = contextOf(id, clientContext);
  try {
    const result = isStreaming(handle)
      ? await stream(handle, id, event, context)
      : await handle(event, context);
    post({ kind: 'done', id, payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    const failure = errorPayload(error);
    const timestamp = new Date().toISOString();
    process.stderr.write(
      `${JSON.stringify({ timestamp, level: 'ERROR', requestId: id, message: 'Invoke Error', ...failure })}\n`,
    );
    post({ kind: 'failed', id, error: failure });
  }
}

/** Calls a handler that streams, until its stream has ended. */
async function stream(
  handler: StreamingHandler,
  id: string,
  event: unknown,
  context: InvocationContext,
): Promise<void> {
  const target = new ResponseStream(id);
  streams.set(id, target);
  const streamEnd = finished(target);
  // Its error is reported after the handler has returned.
  streamEnd.catch(() => {});
  try {
    await handler(event, target, context);
    await streamEnd;
  } finally {
    target.destroy();
    streams.delete(id);
  }
}

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'invoke':
      void traceHeaders.run(message.traceHeader, invoke, message.id, message.payload, message.clientContext);
      break;
    case 'consumed':
      streams.get(message.id)?.acknowledge(message.bytes);
      break;
    case 'closed':
      streams.get(message.id)?.destroy(new Error('The client has gone.'));
      break;
  }
});
post({ kind: 'ready' });
