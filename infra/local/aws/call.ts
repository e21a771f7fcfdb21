import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { region } from '../template/template.ts';
import { AwsError, type AwsRequest, type AwsService, unsupported } from './service.ts';

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

// The protocol of IAM and STS: a form is sent, and XML is answered.

const inXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** The fields of a call; `Action` is its operation. */
const formOf = ({ body }: AwsRequest): URLSearchParams => new URLSearchParams(body.toString('utf8'));

/** A field that the call must have. @throws AwsError `ValidationError` */
export function fieldOf(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value === null) throw new AwsError('ValidationError', `${name} is missing.`);
  return value;
}

/** Values, or elements that contain some. */
interface Elements {
  readonly [name: string]: string | Elements;
}

const elements = (parts: Elements): string =>
  Object.entries(parts)
    .map(([name, part]) => `<${name}>${typeof part === 'string' ? inXml(part) : elements(part)}</${name}>`)
    .join('');

const send = (response: ServerResponse, status: number, parts: Elements): void => {
  response.writeHead(status, { 'content-type': 'text/xml' }).end(elements(parts));
};

/** IAM and STS use a code of their own where a call is not allowed. */
function refuseAsForm({ code, message, status }: AwsError, response: ServerResponse): void {
  const isDenied = code === 'AccessDeniedException';
  const Code = isDenied ? 'AccessDenied' : code;
  send(response, isDenied ? 403 : status, {
    ErrorResponse: { Error: { Type: 'Sender', Code, Message: message }, RequestId: randomUUID() },
  });
}

/** A service each of whose operations gets a form, and returns what is answered. */
export const formService = (
  prefix: string,
  resourceOf: (form: URLSearchParams) => string,
  operations: Readonly<Record<string, (form: URLSearchParams) => Elements>>,
): AwsService => ({
  accesses(request) {
    const form = formOf(request);
    const action = fieldOf(form, 'Action');
    if (!Object.hasOwn(operations, action)) throw unsupported(`${prefix}:${action}`);
    return [{ action: `${prefix}:${action}`, resource: resourceOf(form) }];
  },
  async answer(request, response) {
    const form = formOf(request);
    const action = fieldOf(form, 'Action');
    const result = operations[action]?.(form) ?? {};
    const ResponseMetadata = { RequestId: randomUUID() };
    send(response, 200, { [`${action}Response`]: { [`${action}Result`]: result, ResponseMetadata } });
  },
  refuse: refuseAsForm,
});
