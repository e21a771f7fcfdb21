import * as z from 'zod/mini';
import { region } from './physical-resources.ts';

/** Somebody's access to the local AWS endpoint. */
export interface Access {
  readonly endpoint: string;
  readonly accessKeyId: string;
}

/** A header that names its caller as a signature does; the endpoint does not verify signatures of headers. */
export const authorizationOf = (accessKeyId: string, service: string): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20200101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`;

/** Calls an operation of SQS and reads of its answer what the schema names. */
export async function callSqs<Schema extends z.core.$ZodType>(
  access: Access,
  operation: string,
  input: object,
  options: { readonly answer: Schema; readonly signal?: AbortSignal },
): Promise<z.output<Schema>> {
  const response = await fetch(access.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `AmazonSQS.${operation}`,
      authorization: authorizationOf(access.accessKeyId, 'sqs'),
    },
    body: JSON.stringify(input),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`sqs ${operation} failed: ${text}`);
  const answer: unknown = text.length === 0 ? {} : JSON.parse(text);
  return z.parse(options.answer, answer);
}
