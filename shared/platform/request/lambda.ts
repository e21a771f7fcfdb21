import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { APIGatewayProxyEvent, StreamifyHandler } from 'aws-lambda';
import { KB, streamedAnswerBytes } from '../aws/limits.ts';
import type { Log } from '../log/log.ts';
import type { Pipeline } from './pipeline.ts';
import type { ApiResponse } from './response.ts';

/** A smaller response fits into one packet anyway. */
const smallestCompressed = 1_024;

/** Fast rather than small: a list is compressed while it is read, and the function is billed for both by the millisecond. */
const level = 4;

const accepts = (event: APIGatewayProxyEvent): boolean =>
  Object.entries(event.headers ?? {}).some(
    ([name, value]) =>
      name.toLowerCase() === 'accept-encoding' && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(value ?? ''),
  );

/** Most bytes of a list as sent: Lambda cuts a response off at its own limit, which includes the head. */
const longestList = streamedAnswerBytes - 64 * KB;

/** A list has more bytes than Lambda streams. */
class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** Passes a number of bytes and then fails, so that a truncated response never looks complete. */
function atMost(bytes: number, onChunk: () => unknown): Transform {
  let sentBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onChunk();
      sentBytes += chunk.byteLength;
      if (sentBytes > bytes) done(new AnswerTooLarge(`An answer has more than ${bytes} bytes.`));
      else done(null, chunk);
    },
  });
}

/** A reader who takes nothing of a list for this long is left: it holds one of the function's executions. */
export const longestPauseSeconds = 30;

/** Ends a response after a pause in which there was something to take; the timer is to be renewed with each chunk. */
function leaveIdleReader(out: Writable): NodeJS.Timeout {
  const timer = setTimeout(() => {
    if (out.writableLength > 0) out.destroy(new Error('The reader takes nothing.'));
    else timer.refresh();
  }, longestPauseSeconds * 1_000);
  out.on('drain', () => timer.refresh());
  return timer;
}

/** Writes a response to Lambda's response stream, as plain text or compressed page by page. */
async function send(
  response: ApiResponse,
  stream: awslambda.HttpResponseStream,
  options: { readonly compress: boolean; readonly longest: number },
): Promise<void> {
  const { compress, longest } = options;
  const { status, body } = response;
  const isCompressed = compress && (typeof body !== 'string' || body.length >= smallestCompressed);
  const headers = {
    ...response.headers,
    vary: 'accept-encoding',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  };
  const out = awslambda.HttpResponseStream.from(stream, { statusCode: status, headers });
  // A function's start is shorter without it, and many responses are small or not compressed.
  const zlib = isCompressed ? await import('node:zlib') : undefined;
  if (typeof body === 'string') {
    // Nothing else waits for this thread: an instance of the function has one request at a time.
    await pipeline(Readable.from([zlib?.gzipSync(body, { level }) ?? body]), out);
    return;
  }
  const pages = Readable.from(body, { highWaterMark: 1 });
  const timer = leaveIdleReader(out);
  const limit = atMost(longest, () => timer.refresh());
  try {
    // Each page is flushed, so that it is sent when it is ready and not when the compressor's buffer is full.
    if (zlib === undefined) await pipeline(pages, limit, out);
    else await pipeline(pages, zlib.createGzip({ level, flush: zlib.constants.Z_SYNC_FLUSH }), limit, out);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The handler of an API function in response-streaming mode. One line is logged for each request when its last byte is
 * written; a stream that fails midway is destroyed, so that the caller sees a broken response and not a short one. So is a
 * list of more bytes than `longest`, by default what Lambda streams.
 */
export const lambdaHandler = (
  pipeline: Pipeline,
  options: { readonly logger: Log; readonly now: () => Date; readonly longest?: number },
): StreamifyHandler<APIGatewayProxyEvent, void> =>
  awslambda.streamifyResponse(async (event, stream, context) => {
    const startMs = options.now().getTime();
    const response = await pipeline(event, context);
    const line = { ...response.logFields, status: response.status };
    try {
      await send(response, stream, { compress: accepts(event), longest: options.longest ?? longestList });
    } catch (error) {
      options.logger.error('A response ended early.', {
        event: error instanceof AnswerTooLarge ? 'response_too_large' : 'response_broke_off',
        ...line,
        error: error as Error,
      });
      throw error;
    } finally {
      await response.close?.();
    }
    options.logger.info('request', {
      event: 'request',
      ...line,
      durationMs: options.now().getTime() - startMs,
    });
  });
