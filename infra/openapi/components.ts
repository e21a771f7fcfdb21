import * as z from 'zod/mini';
import { recordedUntilHeader, updatedUntilHeader } from '#platform/contract/list-queries.ts';
import { basicChallenge, challenge, remappedChallenge } from '#platform/contract/responses.ts';
import {
  type CredentialMethod,
  pathParameters,
  pathSchema,
  type Route,
  rateLimits,
  takesIdempotencyKey,
  v1DeprecatedAt,
} from '#platform/contract/route.ts';
import { tokenLifetimeMinutes } from '#platform/identity/access-tokens.ts';
import { bodyType, multipartForm } from '#platform/request/headers.ts';
import { isObject } from '../text.ts';
import type { JsonSchema, PublishedSchemas } from './schemas.ts';

/** A pointer to a component. */
export interface Reference {
  readonly $ref: `#/components/${string}`;
}

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  /** Form of a list: its values in one parameter, separated by commas. */
  readonly style?: 'form';
  readonly explode?: false;
  readonly schema: JsonSchema;
}

export interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
  /** Media types of the parts of a form. */
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: { readonly 'application/json': MediaType; readonly 'text/csv'?: MediaType };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  /** Alternatives, each with the names of its security schemes. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** Names of the two security schemes, by credential method. */
export const schemes: Readonly<Record<CredentialMethod, string>> = {
  oauth: 'accessToken',
  'restricted access token': 'restrictedAccessToken',
};

/** The document's security schemes, by name. */
export const securitySchemes = {
  [schemes.oauth]: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `Access token from \`/v2/auth/jwt\` (upstream organizations: or \`/v1/auth/jwt\`); expires after ${tokenLifetimeMinutes} minutes.`,
  },
  [schemes['restricted access token']]: {
    type: 'apiKey',
    in: 'header',
    name: 'x-restricted-access-token',
    description: 'Restricted access token; accepted only from its allowlisted addresses.',
  },
};

const headers = {
  'x-request-id': {
    description:
      'The `requestId` in the body; in a 401 from any but the token endpoints, and in the gateway’s own responses, without the environment. A replayed response has its own, beside the first one’s in the body.',
    schema: { type: 'string', examples: ['prod-3f6c1c52-6f3c-4c53-9d59-0a7a2b0a3b0e'] },
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in a window.',
    schema: { type: 'integer', examples: [rateLimits.write.limit] },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window.',
    schema: { type: 'integer', examples: [rateLimits.write.limit - 1] },
  },
  'X-RateLimit-Reset': {
    description: 'Unix time in seconds at which the window ends.',
    schema: { type: 'integer', examples: [1772373960] },
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying, if retrying can help.',
    schema: { type: 'integer', examples: [51] },
  },
  'WWW-Authenticate': {
    description: 'The scheme of access tokens (RFC 6750).',
    schema: { type: 'string', const: challenge },
  },
  [remappedChallenge]: {
    description: 'The `WWW-Authenticate` of RFC 6749, which the gateway renames.',
    schema: { type: 'string', const: basicChallenge },
  },
  Deprecation: {
    description: 'When the operation was deprecated (RFC 9745): Unix time in seconds after an `@`.',
    schema: { type: 'string', const: `@${v1DeprecatedAt}` },
  },
  Link: {
    description: 'The address of the same resource in the operation that replaces this one (RFC 5829).',
    schema: {
      type: 'string',
      examples: ['<https://api.example.com/v2/upstream/agents>; rel="successor-version"'],
    },
  },
  'idempotency-replayed': {
    description:
      '`true` when this is the stored response to an earlier request with the same idempotency key; otherwise absent.',
    schema: { type: 'string', const: 'true' },
  },
  [updatedUntilHeader]: {
    description:
      'What to send as `updatedSince` in the next request to follow the list: two minutes before this request started.',
    schema: { type: 'string', format: 'date-time', examples: ['2026-03-01T14:03:09.123Z'] },
  },
  [recordedUntilHeader]: {
    description:
      'What to send as `recordedSince` in the next request to follow the list: two minutes before this request started.',
    schema: { type: 'string', format: 'date-time', examples: ['2026-03-01T14:03:09.123Z'] },
  },
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof headers;

const idempotencyKey = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', format: 'uuid', examples: ['7b0c9f5e-8d6a-4d2f-9b3e-2f1a6c4d8e90'] },
});

const idempotencyKeys = [
  idempotencyKey(
    'idempotency-key',
    'A UUID that you generate. The same key and body within an hour return the first response again, without repeating the operation.',
  ),
  idempotencyKey('x-idempotency-key', 'Alternative name for `idempotency-key`; send only one of the two.'),
];

/** Components of a kind by name, each added where it is first referred to. */
function componentKind<Component>(kind: string) {
  const components = new Map<string, Component>();
  const refer = (name: string, component: Component): Reference => {
    components.set(name, component);
    return { $ref: `#/components/${kind}/${name}` };
  };
  return { used: components, refer };
}

/** Creates references to components, and collects the components that are referenced: only those are published. */
export function usedComponents() {
  const parameters = componentKind<Parameter>('parameters');
  const schemas = componentKind<JsonSchema>('schemas');
  const responses = componentKind<Response>('responses');
  const ofResponses = componentKind<Header>('headers');
  const examples = componentKind<Example>('examples');
  return {
    parameter: parameters.refer,
    schema: schemas.refer,
    response: responses.refer,
    header: (name: HeaderName) => ofResponses.refer(name, headers[name]),
    example: examples.refer,
    components: (publishedSchemas: Readonly<Record<string, JsonSchema>>) => ({
      schemas: { ...publishedSchemas, ...Object.fromEntries(schemas.used) },
      ...(parameters.used.size === 0 ? {} : { parameters: Object.fromEntries(parameters.used) }),
      responses: Object.fromEntries(responses.used),
      headers: Object.fromEntries(ofResponses.used),
      examples: Object.fromEntries(examples.used),
    }),
  };
}

export type UsedComponents = ReturnType<typeof usedComponents>;

/** Traits of a response that determine its headers. */
interface ResponseTraits {
  /** Whether the request is counted against a rate limit. */
  readonly isCounted: boolean;
  readonly canRetry?: boolean;
  /** Sender of the challenge; the gateway renames the header of a function’s. */
  readonly challenger?: 'gateway' | 'function' | false;
  readonly isDeprecated?: boolean;
  readonly isReplayable?: boolean;
  /** Headers for clients that follow the list. */
  readonly followHeaders?: Readonly<Record<string, string>> | undefined;
}

/** References to the headers of a response. */
export function headersOf(
  { isCounted, canRetry, challenger, isDeprecated, isReplayable, followHeaders = {} }: ResponseTraits,
  components: UsedComponents,
) {
  const names: HeaderName[] = ['x-request-id'];
  if (isCounted) names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  if (canRetry) names.push('Retry-After');
  if (challenger) names.push(challenger === 'gateway' ? 'WWW-Authenticate' : remappedChallenge);
  if (isDeprecated) names.push('Deprecation', 'Link');
  if (isReplayable) names.push('idempotency-replayed');
  for (const name of [updatedUntilHeader, recordedUntilHeader] as const)
    if (name in followHeaders) names.push(name);
  return Object.fromEntries(names.map((name) => [name, components.header(name)]));
}

interface ParameterSource {
  readonly route: Route;
  /** The schema of the query string. */
  readonly query: z.core.$ZodType;
}

/** An operation's parameters: path, query, and the headers for idempotency keys. */
export function parametersOf(
  { route, query }: ParameterSource,
  schemas: PublishedSchemas,
  components: UsedComponents,
) {
  const path = pathParameters(route.path).map((name): Parameter => {
    const { description, ...schema } = schemas.of(pathSchema(route, name), 'input');
    return {
      name,
      in: 'path',
      required: true,
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
  const { properties = {}, required = [] } = schemas.of(query, 'input');
  const filters = Object.entries(properties).map(([name, property]): Parameter => {
    if (typeof property === 'boolean') throw new Error(`The query parameter ${name} has no schema.`);
    const { description, ...schema } = property;
    const fallback = defaultOf(route, name);
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: fallback === undefined ? schema : { ...schema, default: fallback },
    };
  });
  const keys = takesIdempotencyKey(route)
    ? idempotencyKeys.map((parameter) => components.parameter(parameter.name, parameter))
    : [];
  return [...path, ...filters, ...keys];
}

/** Operations with references to the parameters that several of them have alike: of each name, the commonest. */
export function withSharedParameters(
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  components: UsedComponents,
) {
  const parameters = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ parameters = [] }) => parameters.filter((parameter) => 'name' in parameter));
  const alike = Map.groupBy(parameters, (parameter) => JSON.stringify(parameter));
  const commonest = new Map<string, string>();
  for (const [text, [parameter, ...copies]] of alike) {
    if (parameter === undefined || copies.length === 0) continue;
    const mostCopies = alike.get(commonest.get(parameter.name) ?? '')?.length ?? 0;
    if (copies.length >= mostCopies) commonest.set(parameter.name, text);
  }
  const sharedParameter = (parameter: Parameter | Reference): Parameter | Reference =>
    'name' in parameter && commonest.get(parameter.name) === JSON.stringify(parameter)
      ? // A schema may have the name: generators would make two types of it.
        components.parameter(`${parameter.name}Parameter`, parameter)
      : parameter;
  return mapValues(paths, (path) =>
    mapValues(path, (operation) => ({
      ...operation,
      ...(operation.parameters && { parameters: operation.parameters.map(sharedParameter) }),
    })),
  );
}

const mapValues = <Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

/** The default of a query parameter. */
function defaultOf(route: Route, name: string): unknown {
  const schema = z.safeParse(z.object({ ...route.query?.shape }), {});
  return schema.success ? schema.data[name] : undefined;
}

/** Body of an operation: JSON or parameters, and for an upload a form; undefined without a body. */
export function requestBodyOf(route: Route, schemas: PublishedSchemas): Operation['requestBody'] {
  if (route.body === undefined) return undefined;
  const schema = schemas.of(route.body, 'input');
  return {
    required: route.isBodyOptional !== true,
    content: {
      [bodyType(route)]: { schema, example: schemas.exampleOf(schema) },
      ...(route.form === undefined
        ? {}
        : { [multipartForm]: formOf(schemas.of(route.form, 'input'), route, schemas) }),
    },
  };
}

/** A form, its files with the media types that they may have. */
function formOf(schema: JsonSchema, { fileTypes = [] }: Route, schemas: PublishedSchemas): MediaType {
  const files = Object.entries(schemas.resolve(schema).properties ?? {}).flatMap(([name, property]) =>
    isObject(property) && property['format'] === 'binary' ? [name] : [],
  );
  return {
    schema,
    example: schemas.exampleOf(schema),
    encoding: Object.fromEntries(files.map((name) => [name, { contentType: fileTypes.join(', ') }])),
  };
}
