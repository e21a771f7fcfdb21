import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AwsError, type AwsRequest, type AwsService, unsupported } from './service.ts';

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
