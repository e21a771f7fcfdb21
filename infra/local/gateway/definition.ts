import * as z from 'zod/mini';
import { integrationTimeoutSeconds, streamedIntegrationTimeoutSeconds } from '#platform/aws/limits.ts';
import { gatewayResponsesSchema } from './responses.ts';

/**
 * The API definition in the template. The schemas are strict: an API Gateway extension that this gateway does not support
 * fails the start instead of being ignored.
 */

const integrationSchema = z.strictObject({
  type: z.literal('aws_proxy'),
  httpMethod: z.literal('POST'),
  uri: z.string(),
  responseTransferMode: z.literal('STREAM'),
  timeoutInMillis: z.optional(z.number().check(z.lte(streamedIntegrationTimeoutSeconds * 1_000))),
  passthroughBehavior: z.optional(z.unknown()),
});

const operationSchema = z.strictObject({
  operationId: z.optional(z.string()),
  parameters: z.optional(z.unknown()),
  responses: z.optional(z.unknown()),
  security: z.optional(z.array(z.record(z.string(), z.array(z.string())))),
  'x-amazon-apigateway-integration': integrationSchema,
});

const authorizerSchema = z.strictObject({
  type: z.literal('apiKey'),
  name: z.string(),
  in: z.literal('header'),
  'x-amazon-apigateway-authtype': z.literal('custom'),
  'x-amazon-apigateway-authorizer': z.strictObject({
    type: z.literal('request'),
    authorizerUri: z.string(),
    // This gateway has no cache of authorizer results.
    authorizerResultTtlInSeconds: z.literal(0),
  }),
});

const definitionSchema = z.strictObject({
  openapi: z.string(),
  info: z.unknown(),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.optional(
    z.strictObject({ securitySchemes: z.optional(z.record(z.string(), authorizerSchema)) }),
  ),
  'x-amazon-apigateway-gateway-responses': z.optional(gatewayResponsesSchema),
  'x-amazon-apigateway-binary-media-types': z.optional(z.array(z.string())),
  'x-amazon-apigateway-endpoint-configuration': z.optional(z.unknown()),
});

export type GatewayDefinition = ReturnType<typeof readGatewayDefinition>;

const methods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'patch', 'delete', 'head', 'options']);
const anyMethod = 'x-amazon-apigateway-any-method';

function functionOf(uri: string, suffix: 'response-streaming-invocations' | 'invocations'): string {
  const pattern = new RegExp(`:lambda:path/\\d{4}-\\d\\d-\\d\\d/functions/(.+)/${suffix}$`);
  const functionArn = pattern.exec(uri)?.[1];
  if (functionArn === undefined) throw new Error(`The local gateway cannot serve the integration ${uri}.`);
  return functionArn;
}

/** Reads the API definition, in which all intrinsic functions are resolved. */
export function readGatewayDefinition(body: unknown) {
  const result = z.safeParse(definitionSchema, body);
  if (!result.success) {
    throw new Error(
      `The local gateway does not support the API's definition: ${z.prettifyError(result.error)}`,
    );
  }
  const { paths, components } = result.data;
  const responses = result.data['x-amazon-apigateway-gateway-responses'] ?? {};

  const authorizerOf = (security: readonly Record<string, string[]>[] = []): string | undefined => {
    const name = Object.keys(security[0] ?? {})[0];
    if (name === undefined) return undefined;
    const scheme = components?.securitySchemes?.[name];
    if (scheme === undefined) throw new Error(`The API's definition has no security scheme ${name}.`);
    return functionOf(scheme['x-amazon-apigateway-authorizer'].authorizerUri, 'invocations');
  };

  const resources = Object.entries(paths).map(([path, operations]) => ({
    path,
    methods: new Map(
      Object.entries(operations).map(([method, operation]) => {
        if (method !== anyMethod && !methods.has(method)) {
          throw new Error(`The local gateway does not support ${method} of ${path}.`);
        }
        const integration = operation['x-amazon-apigateway-integration'];
        return [
          method === anyMethod ? 'ANY' : method.toUpperCase(),
          {
            functionArn: functionOf(integration.uri, 'response-streaming-invocations'),
            timeoutMs: integration.timeoutInMillis ?? integrationTimeoutSeconds * 1_000,
            /** Function that authorizes callers; undefined for a public method. */
            authorizerArn: authorizerOf(operation.security),
          },
        ] as const;
      }),
    ),
  }));
  return {
    resources,
    responses,
    binaryMediaTypes: result.data['x-amazon-apigateway-binary-media-types'] ?? [],
  };
}

/** A resource of the API: a path template and what serves each of its methods. */
interface GatewayResource<Method> {
  readonly path: string;
  /** Methods by HTTP method in upper case; `ANY` serves the others. */
  readonly methods: ReadonlyMap<string, Method>;
}

/** A path with invalid percent-encoding. */
export class MalformedPathError extends Error {
  override readonly name = 'MalformedPathError';
}

/** A path as API Gateway compares it: without slashes at its end and further ones at its start. */
const trimSlashes = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** A template as a pattern: `{id}` is one segment that is not empty, and `{proxy+}` all that follow. */
const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${trimSlashes(template)
      .replaceAll('.', '\\.')
      .replace(/\{(\w+)\+\}/, '(?<$1>.+)')
      .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
  );

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new MalformedPathError(`The path is not validly percent-encoded: ${value}`);
  }
}

/** Sorts by what API Gateway prefers at each segment: literals, then parameters, then greedy parameters. */
const rankOf = (template: string): string =>
  trimSlashes(template).replace(/\/?[^/]+/g, (segment) =>
    segment.endsWith('+}') ? 'c' : segment.endsWith('}') ? 'b' : 'a',
  );

/**
 * Finds the resource for a path as API Gateway does: the most specific template wins, regardless of its methods, and a
 * greedy template matches what no other does.
 *
 * @throws MalformedPathError
 */
export function createRouter<Method>(resources: readonly GatewayResource<Method>[]) {
  const templates = resources
    .map((resource) => ({ resource, rank: rankOf(resource.path), pattern: patternOf(resource.path) }))
    .sort((template, otherTemplate) => template.rank.localeCompare(otherTemplate.rank));

  return (method: string, path: string) => {
    const trimmedPath = trimSlashes(path);
    for (const { resource, pattern } of templates) {
      const match = pattern.exec(trimmedPath);
      if (match === null) continue;
      const parameters = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decode(value)]);
      return {
        resource,
        method: resource.methods.get(method) ?? resource.methods.get('ANY'),
        /** Decoded values; undefined where the template has no parameter. */
        pathParameters: parameters.length === 0 ? undefined : Object.fromEntries(parameters),
      };
    }
    return undefined;
  };
}
