import type { Duration } from 'aws-cdk-lib';
import { pathParameters, type RouteGroup } from '../../shared/platform/contract/route.ts';
import { integrationLimit, usualLimit } from '../time-limits.ts';
import { gatewayResponses } from './gateway-responses.ts';

/** What the definition refers to; the URIs contain CloudFormation intrinsics. */
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
