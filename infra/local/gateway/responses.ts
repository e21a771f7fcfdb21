import type { OutgoingHttpHeaders } from 'node:http';
import * as z from 'zod/mini';

/** A quoted literal or a context variable; the authorizer's context is documented for bodies only. */
const headerSource = z.string().check(z.regex(/^('[^']*'|context\.(?!authorizer\.)[A-Za-z.]+)$/));

/** A gateway response of the API definition: what the gateway returns when no function responds. */
const gatewayResponseSchema = z.strictObject({
  statusCode: z.optional(z.union([z.string(), z.number()])),
  responseParameters: z.optional(z.record(z.string(), headerSource)),
  responseTemplates: z.optional(z.record(z.string(), z.string())),
});

export const gatewayResponsesSchema = z.record(z.string(), gatewayResponseSchema);

export type GatewayResponses = z.output<typeof gatewayResponsesSchema>;

/** Why the gateway responds itself, with API Gateway's status and message. */
const gatewayFaults = {
  ACCESS_DENIED: { status: 403, message: 'User is not authorized to access this resource' },
  API_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: 'Internal server error' },
  AUTHORIZER_FAILURE: { status: 500, message: 'Internal server error' },
  BAD_REQUEST: { status: 400, message: 'Bad Request' },
  INTEGRATION_FAILURE: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type GatewayFault = keyof typeof gatewayFaults;

/** All response types that can be configured; this gateway detects only some of the faults. */
export const gatewayResponseTypes: ReadonlySet<string> = new Set([
  ...Object.keys(gatewayFaults).filter((fault) => fault !== 'BAD_REQUEST'),
  'BAD_REQUEST_BODY',
  'BAD_REQUEST_PARAMETERS',
  'DEFAULT_4XX',
  'DEFAULT_5XX',
  'EXPIRED_TOKEN',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'QUOTA_EXCEEDED',
  'RESOURCE_NOT_FOUND',
  'THROTTLED',
  'UNSUPPORTED_MEDIA_TYPE',
  'WAF_FILTERED',
]);

/** Values of `$context` by name, without that prefix: `requestId`, `identity.sourceIp`, `authorizer.actual`. */
export type ResponseContext = Readonly<Record<string, string>>;

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
  const configured = responses[fault] ?? responses[status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'];
  const variables = {
    ...context,
    'error.message': message,
    'error.messageString': JSON.stringify(message),
    'error.responseType': fault,
  };
  const template =
    configured?.responseTemplates?.['application/json'] ?? '{"message":$context.error.messageString}';
  const headers = Object.entries(configured?.responseParameters ?? {}).map(([name, source]) => [
    name.replace('gatewayresponse.header.', '').toLowerCase(),
    /^'(.*)'$/.exec(source)?.[1] ?? substitute(`$${source}`, variables),
  ]);
  return {
    status: Number(configured?.statusCode ?? status),
    headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
    body: substitute(template, variables),
  };
}
