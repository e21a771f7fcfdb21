import { invocationBytes, MB } from '../../shared/aws/limits.ts';
import { type ErrorDetails, type ErrorType, errorRegistry } from '../../shared/contract/errors.ts';
import { largestMultipartFile } from '../../shared/resources/file-document.ts';

/** An error that the gateway answers by itself, as it differs from its errorType's usual one. */
interface GatewayError {
  readonly errorType: ErrorType;
  readonly status?: number;
  readonly sentence?: string;
  readonly details?: ErrorDetails;
  readonly headers?: Readonly<Record<string, string>>;
}

const unauthorized = { errorType: 'unauthorized' } as const;
const notFound = { errorType: 'not_found' } as const;
const fault = { errorType: 'internal_server_error' } as const;
// Both pass: API Gateway's own limits refill by the second.
const unavailable = { errorType: 'service_unavailable', headers: { 'retry-after': '1' } } as const;
const throttled = { errorType: 'throttled', headers: { 'retry-after': '1' } } as const;

/**
 * In every response: API Gateway documents the values of the request and literals for headers of its responses, and the
 * context's own variables are what is deployed elsewhere; what an authorizer puts there is documented for bodies alone.
 * A header can't be put together from parts: it lacks the environment that the body's requestId starts with.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-parameter-mapping.html
 */
const requestIdHeader = { 'gatewayresponse.header.x-request-id': 'context.requestId' } as const;

/**
 * Every type of https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html, by
 * itself or through the default of its class. REQUEST_TOO_LARGE is for a body that the gateway takes and Lambda does not,
 * above 6 MB once it is an event; should AWS count that as a failure of the integration, the answer has the error shape
 * too, with 500. A body above the gateway's own 10 MB it refuses before it looks for a response: 413, as plain text.
 */
const gatewayErrors = {
  UNAUTHORIZED: unauthorized,
  EXPIRED_TOKEN: unauthorized,
  INVALID_API_KEY: unauthorized,
  INVALID_SIGNATURE: unauthorized,
  MISSING_AUTHENTICATION_TOKEN: notFound,
  RESOURCE_NOT_FOUND: notFound,
  REQUEST_TOO_LARGE: {
    errorType: 'validation_error',
    status: 413,
    sentence: 'The request is too large.',
    details: {
      expected: `a request of at most ${invocationBytes / MB} MB, with a file in a form of at most ${largestMultipartFile} bytes`,
      actual: 'a larger request',
      instead:
        'Announce a file of up to 10 MB as JSON {category, fileName, contentType, sizeInBytes} and send its bytes to the presigned URL in the response.',
    },
  },
  THROTTLED: throttled,
  QUOTA_EXCEEDED: throttled,
  WAF_FILTERED: {
    errorType: 'forbidden',
    details: { expected: 'a request that the firewall allows', actual: 'a request that it blocked' },
  },
  INTEGRATION_TIMEOUT: { errorType: 'gateway_timeout' },
  INTEGRATION_FAILURE: fault,
  // An authorizer answers or fails, and cannot say how: it reads a few items, so that what fails is AWS, for a moment.
  AUTHORIZER_FAILURE: unavailable,
  AUTHORIZER_CONFIGURATION_ERROR: fault,
  API_CONFIGURATION_ERROR: fault,
  DEFAULT_4XX: { errorType: 'validation_error' },
  DEFAULT_5XX: fault,
} as const satisfies Record<string, GatewayError>;

/**
 * The answers that API Gateway gives by itself, in the error shape. Its templates only substitute: there is one status
 * to each, and no ISO time outside ACCESS_DENIED, whose values the authorizer supplies.
 */
export function gatewayResponses(environment: string) {
  return {
    ACCESS_DENIED: {
      statusCode: '403',
      responseParameters: requestIdHeader,
      responseTemplates: {
        'application/json': JSON.stringify({
          statusCode: 403,
          requestId: '$context.authorizer.requestId',
          errorType: '$context.authorizer.errorType',
          errorMessage: ['$context.authorizer.errorMessage'],
          timestamp: '$context.authorizer.timestamp',
          details: { expected: '$context.authorizer.expected', actual: '$context.authorizer.actual' },
        }),
      },
    },
    ...Object.fromEntries(
      Object.entries(gatewayErrors).map(([type, error]) => [type, gatewayResponse(environment, error)]),
    ),
  };
}

function gatewayResponse(environment: string, error: GatewayError) {
  const { status, sentence } = errorRegistry[error.errorType];
  const statusCode = error.status ?? status;
  const headers = Object.entries(error.headers ?? {}).map(([name, value]) => [
    `gatewayresponse.header.${name}`,
    `'${value}'`,
  ]);
  return {
    statusCode: String(statusCode),
    responseParameters: {
      ...requestIdHeader,
      ...Object.fromEntries(headers),
    },
    responseTemplates: {
      'application/json': JSON.stringify({
        statusCode,
        requestId: `${environment}-$context.requestId`,
        errorType: error.errorType,
        errorMessage: [error.sentence ?? sentence],
        timestamp: '$context.requestTime',
        ...(error.details === undefined ? {} : { details: error.details }),
      }),
    },
  };
}
