import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AwsError, type AwsRequest } from './service.ts';

// The protocol of IAM and STS: a form is sent, and XML is answered.

const inXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** The fields of a call; `Action` is its operation. */
export const formOf = ({ body }: AwsRequest): URLSearchParams => new URLSearchParams(body.toString('utf8'));

/** A field that the call must have. @throws AwsError `ValidationError` */
export function fieldOf(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value === null) throw new AwsError('ValidationError', `${name} is missing.`);
  return value;
}

/** Values, or elements that contain some. */
export interface Elements {
  readonly [name: string]: string | Elements;
}

const elements = (parts: Elements): string =>
  Object.entries(parts)
    .map(([name, part]) => `<${name}>${typeof part === 'string' ? inXml(part) : elements(part)}</${name}>`)
    .join('');

const send = (response: ServerResponse, status: number, parts: Elements): void => {
  response.writeHead(status, { 'content-type': 'text/xml' }).end(elements(parts));
};

export const answerXml = (response: ServerResponse, action: string, result: Elements): void =>
  send(response, 200, {
    [`${action}Response`]: {
      [`${action}Result`]: result,
      ResponseMetadata: { RequestId: randomUUID() },
    },
  });

/** IAM and STS use a code of their own where a call is not allowed. */
export function refuseAsForm({ code, message, status }: AwsError, response: ServerResponse): void {
  const isDenied = code === 'AccessDeniedException';
  const Code = isDenied ? 'AccessDenied' : code;
  send(response, isDenied ? 403 : status, {
    ErrorResponse: { Error: { Type: 'Sender', Code, Message: message }, RequestId: randomUUID() },
  });
}
