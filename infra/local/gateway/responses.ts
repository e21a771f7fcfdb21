import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { KB, streamedMetadataBytes } from '#platform/aws/limits.ts';
import { jsonText } from '#platform/data/json.ts';

/** A quoted literal or a context variable; the authorizer's context is documented for bodies only. */
const headerSource = z.string().check(z.regex(/^('[^']*'|context\.(?!authorizer\.)[A-Za-z.]+)$/));

/** A gateway response of the API definition: what the gateway returns when no function responds. */
const gatewayResponseSchema = z.strictObject({
  statusCode: z.optional(z.union([z.string(), z.number()])),
  responseParameters: z.optional(z.record(z.string(), headerSource)),
  responseTemplates: z.optional(z.record(z.string(), z.string())),
});

export const gatewayResponsesSchema = z.record(z.string(), gatewayResponseSchema);

type GatewayResponses = z.output<typeof gatewayResponsesSchema>;

/** Why the gateway responds itself, with API Gateway's status and message. */
const gatewayFaults = {
  ACCESS_DENIED: { status: 403, message: 'User is not authorized to access this resource' },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  AUTHORIZER_FAILURE: { status: 500, message: 'Internal server error' },
  BAD_REQUEST: { status: 400, message: 'Bad Request' },
  INTEGRATION_FAILURE: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type GatewayFault = keyof typeof gatewayFaults;

/** Values of `$context` by name, without that prefix: `requestId`, `requestTime`, `authorizer.actual`. */
type ResponseContext = Readonly<Record<string, string>>;

/**
 * Renders a response template as API Gateway does: variables are replaced by their values, those without one by an
 * empty string. Gateway responses have no other logic.
 */
export const substitute = (template: string, context: ResponseContext): string =>
  template.replace(/\$context((?:\.[A-Za-z0-9_-]+)+)/g, (_, path: string) => context[path.slice(1)] ?? '');

/** The gateway's response to a fault, by its response type or else the default of its status class. */
export function renderFault(
  fault: GatewayFault,
  responses: GatewayResponses,
  context: ResponseContext,
): { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: string } {
  const { status, message } = gatewayFaults[fault];
  const configuration = responses[fault] ?? responses[status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'];
  const variables = {
    ...context,
    'error.message': message,
    'error.messageString': JSON.stringify(message),
    'error.responseType': fault,
  };
  const template =
    configuration?.responseTemplates?.['application/json'] ?? '{"message":$context.error.messageString}';
  const headers = Object.entries(configuration?.responseParameters ?? {}).map(([name, source]) => [
    name.replace('gatewayresponse.header.', '').toLowerCase(),
    /^'(.*)'$/.exec(source)?.[1] ?? substitute(`$${source}`, variables),
  ]);
  return {
    status: Number(configuration?.statusCode ?? status),
    headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
    body: substitute(template, variables),
  };
}

/** Metadata that our functions send before the body; API Gateway takes more. */
const metadataSchema = z.pipe(
  jsonText,
  z.strictObject({
    statusCode: z.int().check(z.gte(100), z.lte(599)),
    headers: z.record(z.string(), z.string()),
  }),
);

/** A stream that does not begin in the form that API Gateway requires. */
class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

const delimiter = Buffer.alloc(8);

/** Headers that a function cannot set: API Gateway forwards them under another name. */
const remappedHeaders: ReadonlySet<string> = new Set(
  (
    'authorization connection content-length date expect host max-forwards proxy-authenticate server te trailer ' +
    'upgrade user-agent via www-authenticate'
  ).split(' '),
);

function headOf(text: string) {
  const result = z.safeParse(metadataSchema, text);
  if (!result.success)
    throw new MalformedAnswerError(`The metadata of the response: ${z.prettifyError(result.error)}`);
  const { statusCode, headers } = result.data;
  const headerEntries = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name !== 'transfer-encoding')
    .map(([name, value]) => [remappedHeaders.has(name) ? `x-amzn-remapped-${name}` : name, value]);
  /** Values by header names in lower case. */
  const answerHeaders: Readonly<Record<string, string>> = Object.fromEntries(headerEntries);
  return { status: statusCode, headers: answerHeaders };
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
