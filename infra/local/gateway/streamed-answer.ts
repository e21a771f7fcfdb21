import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { KB, streamedMetadataBytes } from '../../../shared/platform/aws/limits.ts';

const headerValue = z.union([z.string(), z.number(), z.boolean()]);
type HeaderValue = z.output<typeof headerValue>;

/** What a function sends before the first byte of the body. */
const metadataSchema = z.strictObject({
  statusCode: z.optional(z.int().check(z.gte(100), z.lte(599))),
  headers: z.optional(z.record(z.string(), headerValue)),
  multiValueHeaders: z.optional(z.record(z.string(), z.array(headerValue))),
  cookies: z.optional(z.array(z.string())),
});

/** A stream that does not begin in the form that API Gateway requires. */
class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

const delimiter = Buffer.alloc(8);

/** Headers that a function cannot set: API Gateway forwards them under another name. */
const remapped: ReadonlySet<string> = new Set(
  (
    'authorization connection content-length date expect host max-forwards proxy-authenticate server te trailer ' +
    'upgrade user-agent via www-authenticate'
  ).split(' '),
);

function headOf(text: string) {
  let source: unknown;
  try {
    source = JSON.parse(text);
  } catch {
    throw new MalformedAnswerError('The metadata of the response is not JSON.');
  }
  const parsed = z.safeParse(metadataSchema, source);
  if (!parsed.success) throw new MalformedAnswerError(z.prettifyError(parsed.error));
  const { statusCode = 200, headers = {}, multiValueHeaders = {}, cookies = [] } = parsed.data;
  const given: [string, readonly HeaderValue[]][] = [
    ...Object.entries(headers).map(([name, value]): [string, HeaderValue[]] => [name, [value]]),
    ...Object.entries(multiValueHeaders),
  ];
  if (cookies.length > 0) given.push(['set-cookie', cookies]);
  const sent = given
    .map(([name, values]): [string, string[]] => [name.toLowerCase(), values.map(String)])
    .filter(([name]) => name !== 'transfer-encoding')
    .map(([name, values]) => [remapped.has(name) ? `x-amzn-remapped-${name}` : name, values]);
  /** Every value of every header, names in lower case. */
  const answered: Readonly<Record<string, string[]>> = Object.fromEntries(sent);
  return { status: statusCode, headers: answered };
}

/**
 * Reads the metadata at the start of a function's stream; the body remains in the stream.
 *
 * @throws MalformedAnswerError, or the error of the stream
 */
export async function readHead(stream: Readable) {
  let read = Buffer.alloc(0);
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf(delimiter);
    if (end !== -1) {
      const rest = read.subarray(end + delimiter.length);
      if (rest.length > 0) stream.unshift(rest);
      return headOf(read.subarray(0, end).toString('utf8'));
    }
    if (read.length > streamedMetadataBytes) {
      throw new MalformedAnswerError(
        `The first ${streamedMetadataBytes / KB} KB of the response hold no delimiter.`,
      );
    }
  }
  throw new MalformedAnswerError('The response ended before its metadata did.');
}
