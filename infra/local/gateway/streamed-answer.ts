import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { KB, streamedMetadataBytes } from '../../../shared/aws/limits.ts';

/** What a function sends before the first byte of the body. */
const metadataSchema = z.strictObject({
  statusCode: z.optional(z.int().check(z.gte(100), z.lte(599))),
  headers: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  multiValueHeaders: z.optional(
    z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean()]))),
  ),
  cookies: z.optional(z.array(z.string())),
});

export interface AnswerHead {
  readonly status: number;
  /** Every value of every header, names in lower case. */
  readonly headers: Readonly<Record<string, string[]>>;
}

/** A stream that does not begin in the form that API Gateway requires. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

const delimiter = Buffer.alloc(8);

/** Headers that a function cannot set: API Gateway forwards them under another name. */
const remapped: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'upgrade',
  'user-agent',
  'via',
  'www-authenticate',
]);

function headOf(text: string): AnswerHead {
  let source: unknown;
  try {
    source = JSON.parse(text);
  } catch {
    throw new MalformedAnswerError('The metadata of the response is not JSON.');
  }
  const parsed = z.safeParse(metadataSchema, source);
  if (!parsed.success) throw new MalformedAnswerError(z.prettifyError(parsed.error));
  const { statusCode = 200, headers = {}, multiValueHeaders = {}, cookies = [] } = parsed.data;
  const all: Record<string, string[]> = {};
  const add = (name: string, values: readonly (string | number | boolean)[]): void => {
    const lower = name.toLowerCase();
    if (lower === 'transfer-encoding') return;
    const sent = remapped.has(lower) ? `x-amzn-remapped-${lower}` : lower;
    all[sent] = values.map(String);
  };
  for (const [name, value] of Object.entries(headers)) add(name, [value]);
  for (const [name, values] of Object.entries(multiValueHeaders)) add(name, values);
  if (cookies.length > 0) add('set-cookie', cookies);
  return { status: statusCode, headers: all };
}

/**
 * Reads the metadata at the start of a function's stream; the body remains in the stream.
 *
 * @throws MalformedAnswerError, or the error of the stream
 */
export function readHead(stream: Readable): Promise<AnswerHead> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const settle = (act: () => void): void => {
      stream.off('readable', onReadable);
      stream.off('error', onError);
      stream.off('end', onEnd);
      stream.off('close', onEnd);
      act();
    };
    const refuse = (message: string): void => settle(() => reject(new MalformedAnswerError(message)));
    const onError = (error: Error): void => settle(() => reject(error));
    const onEnd = (): void => refuse('The response ended before its metadata did.');
    const onReadable = (): void => {
      for (let chunk: Buffer | null = stream.read(); chunk !== null; chunk = stream.read()) {
        seen = Buffer.concat([seen, chunk]);
        const end = seen.indexOf(delimiter);
        if (end !== -1) {
          const text = seen.subarray(0, end).toString('utf8');
          const rest = seen.subarray(end + delimiter.length);
          settle(() => {
            if (rest.length > 0) stream.unshift(rest);
            try {
              resolve(headOf(text));
            } catch (error) {
              reject(error);
            }
          });
          return;
        }
        if (seen.length > streamedMetadataBytes) {
          refuse(`The first ${streamedMetadataBytes / KB} KB of the response hold no delimiter.`);
          return;
        }
      }
    };
    stream.on('readable', onReadable);
    stream.on('error', onError);
    stream.on('end', onEnd);
    stream.on('close', onEnd);
  });
}
