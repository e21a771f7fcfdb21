import * as z from 'zod/mini';
import { region } from '../template/physical-resources.ts';

/** Somebody's access to the local AWS endpoint. */
export interface Access {
  readonly endpoint: string;
  readonly accessKeyId: string;
}

/** A header that names its caller as a signature does; the endpoint does not verify signatures of headers. */
export const authorizationOf = (accessKeyId: string, service: string): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20200101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`;

interface CallOptions<Schema extends z.core.$ZodType> {
  readonly answer: Schema;
  readonly signal?: AbortSignal;
}

/** Calls an operation of a service that speaks AWS JSON, and reads of its answer what the schema names. */
export async function callAws<Schema extends z.core.$ZodType>(
  access: Access,
  operation: { readonly service: string; readonly target: string },
  input: object,
  options: CallOptions<Schema>,
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
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} ${target.split('.').at(-1)} failed: ${text}`);
  const answer: unknown = text.length === 0 ? {} : JSON.parse(text);
  return z.parse(options.answer, answer);
}

/** Calls an operation of SQS. */
export const callSqs = <Schema extends z.core.$ZodType>(
  access: Access,
  operation: string,
  input: object,
  options: CallOptions<Schema>,
): Promise<z.output<Schema>> =>
  callAws(access, { service: 'sqs', target: `AmazonSQS.${operation}` }, input, options);
