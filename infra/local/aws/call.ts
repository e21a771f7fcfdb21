import * as z from 'zod/mini';
import { region } from '../template/template.ts';

/** A caller's access to the local AWS endpoint. */
export interface Access {
  readonly endpoint: string;
  readonly accessKeyId: string;
}

/** The secret of every access key: it protects nothing, but presigned URLs are verified with it. */
export const secretAccessKey = 'local';

/** Settings of an SDK client that calls the local endpoint. Callers decide themselves whether to retry. */
export const clientSettings = ({ endpoint, accessKeyId }: Access) => ({
  endpoint,
  region,
  maxAttempts: 1,
  credentials: { accessKeyId, secretAccessKey },
});

/** A header in the form of a signature. Local services read the access key in it and do not verify it. */
export const authorizationOf = (accessKeyId: string, service: string): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20200101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`;

/**
 * Calls an operation of AWS JSON in its wire format, for callers that pass on what the SDK would convert: stream records
 * as Lambda delivers them, and requests of functions that are repeated.
 *
 * @param answer schema of what is read from the response
 * @throws Error when the service returns an error
 */
export async function callAws<Schema extends z.core.$ZodType>(
  access: Access,
  operation: { readonly service: string; readonly target: string },
  input: object,
  answer: Schema,
): Promise<z.output<Schema>> {
  const { service, target } = operation;
  const response = await fetch(access.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      authorization: authorizationOf(access.accessKeyId, service),
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} ${target.split('.').at(-1)} failed: ${text}`);
  return z.parse(answer, text.length === 0 ? {} : JSON.parse(text));
}

// Credentials of roles are temporary: their session token says until when they count.

/** Nobody documents how long those of Lambda last; twelve hours have been seen (https://github.com/boto/boto3/issues/2392). */
export const sessionMs = 12 * 60 * 60 * 1_000;

const prefix = 'LOCAL';

/** The token of a session that ends then, in milliseconds. */
export const sessionToken = (endsAt: number): string => `${prefix}${endsAt}`;

/** Whether a session is over; of one that was not begun here, never. */
export const isOver = (token: string, now: number): boolean =>
  token.startsWith(prefix) && Number(token.slice(prefix.length)) <= now;
