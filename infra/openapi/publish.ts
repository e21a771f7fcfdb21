import * as z from 'zod/mini';
import { tooLargeForForm } from '../../functions/file-documents/upload-limits.ts';
import { license, version } from '../../package.json';
import { dataSchema, envelope } from '../../shared/contract/envelope.ts';
import { errorBody } from '../../shared/contract/error-body.ts';
import { objectId } from '../../shared/contract/primitives.ts';
import { rateLimits } from '../../shared/contract/rate-limits.ts';
import {
  expectedCategory,
  pathParameters,
  type Route,
  type RouteGroup,
  takesIdempotencyKey,
} from '../../shared/contract/route.ts';
import { tooLargeBody } from '../../shared/request/body.ts';
import { multipartForm } from '../../shared/request/media-types.ts';
import { errorText, retryAfterSeconds, type Stamp } from '../../shared/request/response.ts';
import { largestMultipartFile } from '../../shared/resources/file-types.ts';
import { type HeaderName, type UsedComponents, usedComponents } from './components.ts';
import type { Document, Operation, Reference, Response, Tag } from './document.ts';
import { type ErrorContext, type ErrorGroup, errorExample, errorGroups } from './errors.ts';
import { introduction } from './introduction.ts';
import { parametersOf } from './parameters.ts';
import { type PublishedSchemas, publishSchemas } from './schemas.ts';
import { schemes, securitySchemes } from './security.ts';
import { sentenceCase } from './text.ts';
import { eventSchemas, eventsTag, webhooksOf } from './webhooks.ts';

/** A row of a route table with its schemas. */
interface Row {
  readonly operationId: string;
  readonly route: Route;
  readonly tag: Tag;
  readonly query: z.core.$ZodType;
  readonly answer: z.core.$ZodType;
}

/**
 * The OpenAPI 3.1 document that callers read. It has an operation for every row of the route tables, except rows whose
 * response is a document without the envelope, such as the OpenAPI document itself.
 */
export function openApiDocument(groups: readonly RouteGroup[]): Document {
  const rows = groups.flatMap(rowsOf);
  const schemas = publishSchemas({
    input: rows.flatMap(({ route, query }) => [
      query,
      ...[route.body, route.form].filter((schema) => schema !== undefined),
      ...pathParameters(route.path).map(() => objectId),
    ]),
    output: [errorBody, ...eventSchemas, ...rows.map(({ answer }) => answer)],
  });
  const used = usedComponents();

  const paths: Record<string, Record<string, Operation>> = {};
  for (const row of rows) {
    paths[row.route.path] = {
      ...paths[row.route.path],
      [row.route.method.toLowerCase()]: operationOf(row, schemas, used),
    };
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Insurance Compliance API',
      summary: 'Insurance compliance data for carriers and agencies.',
      description: introduction,
      version,
      license: { name: license, identifier: license },
    },
    servers: [{ url: '/', description: 'The host that serves this document.' }],
    security: Object.values(schemes).map((name) => ({ [name]: [] })),
    tags: [...new Map(rows.map(({ tag }) => [tag.name, tag])).values(), eventsTag],
    paths,
    webhooks: webhooksOf(schemas),
    components: { securitySchemes, schemas: schemas.components, ...used.components() },
  };
}

function rowsOf(group: RouteGroup): Row[] {
  return Object.entries(group.routes).flatMap(([operationId, route]) => {
    const data = dataSchema(route.answer);
    if (data === undefined) return [];
    const query = z.strictObject({ ...route.query });
    const answer = envelope(route.answer.status, data);
    return [{ operationId, route, tag: tagOf(group, route), query, answer }];
  });
}

function documented(text: string | false): string {
  if (text === false) throw new Error('The OpenAPI document can be generated only if DOCUMENTED is true.');
  return text;
}

/** One tag for each group and organization category. */
function tagOf(group: RouteGroup, { access }: Route): Tag {
  const title = sentenceCase(group.name.replaceAll('-', ' '));
  const about = documented(group.description);
  if (access === 'public') {
    return { name: `${title} (no credential)`, description: `${about} No credential is needed.` };
  }
  if (access.kind === 'any') {
    return {
      name: `${title} (any category)`,
      description: `${about} Organization category: any.`,
    };
  }
  const category = expectedCategory(access.kind);
  return {
    name: `${title} (${category})`,
    description: `${about} Organization category: \`${category}\`.`,
  };
}

function operationOf(row: Row, schemas: PublishedSchemas, used: UsedComponents): Operation {
  const { operationId, route, tag } = row;
  const { access } = route;
  const parameters = parametersOf(row, schemas, used);
  const body = route.body && schemas.of(route.body, 'input');
  const bodyExample = body && schemas.exampleOf(body);
  const answer = schemas.of(row.answer, 'output');
  const answerExample = schemas.exampleOf(answer);
  const stamp = z.parse(stampShape, answerExample);

  const success: Response = {
    description: answerDescription(route),
    headers: headersOf(route, { success: true, counted: route.rate !== 'none', retry: false }, used),
    content: { 'application/json': { schema: answer, example: answerExample } },
  };
  const errors = errorGroups(route).map((group) => [
    String(group.status),
    errorResponse(group, { operationId, route, stamp, body: bodyExample }, schemas, used),
  ]);

  return {
    operationId,
    tags: [tag.name],
    summary: `${documented(route.summary)}${route.path.startsWith('/v1/') ? ' (v1)' : ''}`,
    description: [documented(route.description), needs(route), counted(route)]
      .filter((part) => part !== '')
      .join('\n\n'),
    ...(access === 'public' ? { security: [] } : {}),
    ...(access !== 'public' && access.credential !== undefined
      ? { security: [{ [schemes[access.credential]]: [] }] }
      : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined || body === undefined
      ? {}
      : {
          requestBody: {
            required: route.isBodyOptional !== true,
            content: {
              'application/json': { schema: body, example: bodyExample },
              // A file has no example.
              ...(route.form === undefined
                ? {}
                : { [multipartForm]: { schema: schemas.of(route.form, 'input') } }),
            },
          },
        }),
    responses: {
      [String(route.answer.status)]: success,
      ...Object.fromEntries(errors),
      ...tooLargeResponses(route, stamp, schemas, used),
    },
  };
}

/** The response for one status of an operation's errors. Equal ones are published once and referenced. */
function errorResponse(
  group: ErrorGroup,
  context: ErrorContext,
  schemas: PublishedSchemas,
  used: UsedComponents,
): Reference {
  const { status, errorTypes, description } = group;
  const counted = isCounted(context.route, status);
  const challenged = status === 401 && context.route.access !== 'public';
  const retry = status === 429 || errorTypes.some((type) => retryAfterSeconds(type) !== undefined);
  const examples = errorTypes.map((type) => ({ type, ...errorExample(type, context) }));
  const name = [...examples.map((example) => example.name), ...(counted ? ['counted'] : [])].join('.');
  return used.response(name, {
    description,
    headers: headersOf(context.route, { success: false, counted, retry, challenged }, used),
    content: {
      'application/json': {
        schema: errorSchema(group, schemas),
        examples: Object.fromEntries(
          examples.map(({ type, name: example, summary, value }) => [
            type,
            used.example(example, { summary, value }),
          ]),
        ),
      },
    },
  });
}

/**
 * The 413 of a route that takes files, or limits its body: the only status without an errorType of its own (OpenAPI, "Errors").
 */
function tooLargeResponses(
  route: Route,
  stamp: Stamp,
  schemas: PublishedSchemas,
  used: UsedComponents,
): { readonly 413?: Reference } {
  const [name, description, error] =
    route.form !== undefined
      ? ([
          'file_too_large',
          '`details` states the limit and how to send a larger file.',
          tooLargeForForm(largestMultipartFile + 1),
        ] as const)
      : (['body_too_large', '`details` states the limit.', tooLargeBody(route)] as const);
  if (route.form === undefined && route.largestBody === undefined) return {};
  return {
    413: used.response(name, {
      description: `Content Too Large. \`validation_error\`: ${description}`,
      headers: headersOf(route, { success: false, counted: isCounted(route, 413), retry: false }, used),
      content: {
        'application/json': {
          schema: schemas.of(errorBody, 'output'),
          example: JSON.parse(errorText(error, stamp)),
        },
      },
    }),
  };
}

function needs({ access }: Route): string {
  if (access === 'public') return '';
  const organization = access.kind === 'any' ? 'any' : `\`${expectedCategory(access.kind)}\``;
  const features = ['public_api', access.feature].filter((feature) => feature !== null);
  const named = features.map((feature) => `\`${feature}\``).join(' and ');
  return `Organization category: ${organization}. ${features.length === 1 ? 'Feature' : 'Features'}: ${named}.`;
}

const countedPer = {
  token: 'clientId and source address',
  write: 'credential',
  download: 'organization, v1 and v2 together',
} as const;

function counted({ rate }: Route): string {
  if (rate === 'none') return '';
  const { limit, windowSeconds } = rateLimits[rate];
  return `Rate limit: ${limit} requests in ${windowSeconds} seconds per ${countedPer[rate]}.`;
}

function answerDescription({ answer, success }: Route): string {
  const streamed = 'all' in answer ? ' If the stream fails midway, the JSON is incomplete.' : '';
  return `${documented(success)}${streamed}`;
}

/**
 * Whether the request is counted before a response with this status. Credential and entitlement are checked earlier; the
 * token endpoint is counted before it checks its credential.
 */
const isCounted = (route: Route, status: number): boolean =>
  route.rate !== 'none' && status < 500 && (route.access === 'public' || (status !== 401 && status !== 403));

/** The error shape, narrowed to the error types of one status of an operation. */
const errorSchema = ({ status, errorTypes }: ErrorGroup, schemas: PublishedSchemas) => ({
  allOf: [
    schemas.of(errorBody, 'output'),
    {
      type: 'object' as const,
      properties: { statusCode: { const: status }, errorType: { enum: [...errorTypes] } },
    },
  ],
});

/** The fields that all examples of an operation share. */
const stampShape = z.object({ requestId: z.string(), timestamp: z.string() });

interface AnswerTraits {
  readonly success: boolean;
  readonly counted: boolean;
  readonly retry: boolean;
  /** The gateway itself responds; a function cannot set the header. */
  readonly challenged?: boolean;
}

function headersOf(
  route: Route,
  { success, counted, retry, challenged = false }: AnswerTraits,
  used: UsedComponents,
) {
  const names: HeaderName[] = ['x-request-id'];
  if (counted) names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  if (retry) names.push('Retry-After');
  if (challenged) names.push('WWW-Authenticate');
  if (success && takesIdempotencyKey(route)) names.push('idempotency-replayed');
  return Object.fromEntries(names.map((name) => [name, used.header(name)]));
}
