import type { Duration } from 'aws-cdk-lib';
import { largestMultipartFile } from '#domain/file-documents/content.ts';
import { invocationBytes, MB } from '#platform/aws/limits.ts';
import { type ErrorDetails, type ErrorType, errorRegistry } from '#platform/contract/errors.ts';
import { challenge, commonHeaders } from '#platform/contract/responses.ts';
import { pathParameters, type RouteGroup } from '#platform/contract/route.ts';
import type { Stamp } from '#platform/request/response.ts';
import { integrationLimit, usualLimit } from '../function-uses.ts';

/** An error response of the gateway itself, where it differs from the usual one of its errorType. */
interface GatewayError {
  readonly errorType: ErrorType;
  readonly status?: number;
  readonly sentence?: string;
  readonly details?: ErrorDetails;
  readonly headers?: Readonly<Record<string, string>>;
}

const unauthorizedAnswer = { errorType: 'unauthorized', headers: { 'www-authenticate': challenge } } as const;
const notFoundAnswer = { errorType: 'not_found' } as const;
const fault = { errorType: 'internal_server_error' } as const;
// Both are temporary: API Gateway's throttles refill every second.
const unavailable = { errorType: 'service_unavailable', headers: { 'retry-after': '1' } } as const;
const throttledAnswer = { errorType: 'throttled', headers: { 'retry-after': '1' } } as const;

/**
 * Headers of a gateway response. `context` variables work here in practice, although API Gateway documents only request
 * values and literals. The authorizer's context is documented for bodies only, and a header cannot be concatenated from
 * parts, so the id lacks the environment with which the body's requestId begins.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-parameter-mapping.html
 */
const responseParameters = (headers: Readonly<Record<string, string>> = {}) => ({
  'gatewayresponse.header.x-request-id': 'context.requestId',
  ...Object.fromEntries(
    Object.entries({ ...commonHeaders, ...headers }).map(([name, value]) => [
      `gatewayresponse.header.${name}`,
      `'${value}'`,
    ]),
  ),
});

/**
 * Every type of https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html, either
 * itself or through the default of its class. REQUEST_TOO_LARGE is for a body that the gateway accepts and Lambda does not:
 * one that exceeds 6 MB as an event. If AWS treats that as an integration failure instead, the response is a 500 in the
 * error shape. A body above the gateway's own limit of 10 MB gets a 413 in plain text, which cannot be customized.
 */
const gatewayErrors = {
  UNAUTHORIZED: unauthorizedAnswer,
  EXPIRED_TOKEN: unauthorizedAnswer,
  INVALID_API_KEY: unauthorizedAnswer,
  INVALID_SIGNATURE: unauthorizedAnswer,
  MISSING_AUTHENTICATION_TOKEN: notFoundAnswer,
  RESOURCE_NOT_FOUND: notFoundAnswer,
  REQUEST_TOO_LARGE: {
    errorType: 'validation_error',
    status: 413,
    sentence: 'The request is too large.',
    details: {
      expected: `a request of at most ${invocationBytes / MB} MB once its body is encoded as base64, with a file in a form of at most ${largestMultipartFile} bytes`,
      actual: 'a larger request',
      instead:
        'Announce a file of up to 10 MB as JSON {category, fileName, contentType, sizeInBytes} and send its bytes to the presigned URL in the response.',
    },
  },
  THROTTLED: throttledAnswer,
  QUOTA_EXCEEDED: throttledAnswer,
  WAF_FILTERED: {
    errorType: 'forbidden',
    details: { expected: 'a request that the firewall allows', actual: 'a request that it blocked' },
  },
  INTEGRATION_TIMEOUT: { errorType: 'gateway_timeout' },
  INTEGRATION_FAILURE: fault,
  // The authorizer only reads a few items, so its failures are usually temporary failures of AWS.
  AUTHORIZER_FAILURE: unavailable,
  AUTHORIZER_CONFIGURATION_ERROR: fault,
  API_CONFIGURATION_ERROR: fault,
  DEFAULT_4XX: { errorType: 'validation_error' },
  DEFAULT_5XX: fault,
} as const satisfies Record<string, GatewayError>;

/**
 * API Gateway's own responses, in the error shape. Its templates can only substitute variables: each response has one
 * status, and no ISO time except in ACCESS_DENIED, whose values the authorizer provides. The authorizer denies access only
 * to callers without a valid credential, hence the 401.
 */
export function gatewayResponses(environment: string) {
  return {
    ACCESS_DENIED: gatewayResponse(unauthorizedAnswer, {
      requestId: '$context.authorizer.requestId',
      timestamp: '$context.authorizer.timestamp',
    }),
    ...Object.fromEntries(
      Object.entries(gatewayErrors).map(([type, error]) => [
        type,
        gatewayResponse(error, {
          requestId: `${environment}-$context.requestId`,
          timestamp: '$context.requestTime',
        }),
      ]),
    ),
  };
}

function gatewayResponse(error: GatewayError, { requestId, timestamp }: Stamp) {
  const { status, sentence } = errorRegistry[error.errorType];
  const statusCode = error.status ?? status;
  return {
    statusCode: String(statusCode),
    responseParameters: responseParameters(error.headers),
    responseTemplates: {
      'application/json': JSON.stringify({
        statusCode,
        requestId,
        errorType: error.errorType,
        errorMessage: [error.sentence ?? sentence],
        timestamp,
        ...(error.details === undefined ? {} : { details: error.details }),
      }),
    },
  };
}

/** References of the definition; the URIs contain CloudFormation intrinsics. */
interface Behind {
  /** Name of the API in AWS. */
  readonly name: string;
  /** Prefix of the requestIds in the gateway's own responses. */
  readonly environment: string;
  /** The integration URI of a route group's function. */
  readonly stream: (group: string) => string;
  /** The route group whose function responds with 404 to unknown paths and wrong methods. */
  readonly fallback: string;
  readonly authorizer: string;
}

/** Paths that are not routes. `{proxy+}` does not match the root. */
const otherPaths = ['/', '/{proxy+}'];

/**
 * The OpenAPI 3.0.1 document that API Gateway imports: paths, integrations, the authorizer, and the gateway's own
 * responses. It has no schemas, because the functions validate. Callers read the published 3.1 document instead.
 */
export function gatewayDefinition(groups: readonly RouteGroup[], behind: Behind) {
  const operation = (path: string, group: string, limit: Duration) => ({
    parameters: ['proxy+', ...pathParameters(path)]
      .filter((name) => path.includes(`{${name}}`))
      .map((name) => ({
        name: name.replace('+', ''),
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
    responses: { 200: { description: 'The response of the function.' } },
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: behind.stream(group),
      responseTransferMode: 'STREAM',
      timeoutInMillis: limit.toMilliseconds(),
    },
  });

  const paths: Record<string, Record<string, object>> = {};
  const pathItem = (path: string) => {
    paths[path] ??= { 'x-amazon-apigateway-any-method': operation(path, behind.fallback, usualLimit) };
    return paths[path];
  };
  for (const path of otherPaths) pathItem(path);
  for (const group of groups) {
    for (const [operationId, route] of Object.entries(group.routes)) {
      pathItem(route.path)[route.method.toLowerCase()] = {
        operationId,
        ...operation(route.path, group.name, integrationLimit(route)),
        ...(route.access === 'public' ? {} : { security: [{ authorizer: [] }] }),
      };
    }
  }

  return {
    openapi: '3.0.1',
    info: { title: behind.name, version: '2' },
    paths,
    components: {
      securitySchemes: {
        authorizer: {
          // An authorizer of type `request` reads the whole request; API Gateway wants a header named all the same.
          type: 'apiKey',
          name: 'Unused',
          in: 'header',
          'x-amazon-apigateway-authtype': 'custom',
          'x-amazon-apigateway-authorizer': {
            type: 'request',
            authorizerUri: behind.authorizer,
            // A remembered decision would outlive its route: the cache is the authorizer's own.
            authorizerResultTtlInSeconds: 0,
          },
        },
      },
    },
    // API Gateway reads other bodies as text, in which bytes that are not UTF-8 are already lost: files, and JSON of another
    // character set.
    'x-amazon-apigateway-binary-media-types': ['multipart/form-data', 'application/json'],
    'x-amazon-apigateway-gateway-responses': gatewayResponses(behind.environment),
  };
}
