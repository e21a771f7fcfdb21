import * as z from 'zod/mini';
import { largestMultipartFile } from '#domain/file-documents/content.ts';
import { policyStatuses } from '#domain/policies/resource.ts';
import { errorBody } from '#platform/contract/docs.ts';
import {
  ApiError,
  type ErrorDetails,
  type ErrorStatus,
  type ErrorType,
  errorRegistry,
  invalid,
} from '#platform/contract/errors.ts';
import {
  oauthCodes,
  oauthError,
  oauthErrorBody,
  UnsupportedGrantType,
} from '#platform/contract/responses.ts';
import { errorTypesOf, expectedCategory, type Route, rateOf } from '#platform/contract/route.ts';
import { tooLargeBody } from '#platform/request/body.ts';
import { errorText, type Stamp } from '#platform/request/response.ts';
import { parseInput } from '#platform/request/validation.ts';
import { usualPlanCeiling } from '../../functions/admin/commands.ts';
import { tooLargeForForm } from '../../functions/file-documents/operations.ts';
import { headersOf, type Reference, type Response, type UsedComponents } from './components.ts';
import type { JsonSchema, PublishedSchemas } from './schemas.ts';

/** Reason phrases of RFC 9110; those of Node differ from version to version. */
const phrases: Readonly<Record<ErrorStatus, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Remedy of a caller for each error. */
const remedies: Readonly<Record<ErrorType, string>> = {
  conflict:
    'With `Retry-After`, send the same request again after that time. Without, read what `details` names, and send another request.',
  contact_not_authorized: 'Sign in a contact whom the agency confirmed, at an association that it agreed to.',
  duplicate_external_id_error: 'Use another code, or take it from the association in `details` first.',
  duplicate_producer_code_error: 'Use another code, or take it from the association in `details` first.',
  forbidden: 'Call from an address of the token’s allowlist, or ask support to change the list.',
  gateway_timeout:
    'Send a read again. Send a write again with the same idempotency key: it is executed once.',
  internal_server_error:
    'Retry with growing waits, a write with the same idempotency key. If it stays, send the `requestId` to support.',
  invalid_organization_category: 'Use a credential of an organization of the category in `details.expected`.',
  invite_limit_reached:
    'Wait for agencies to agree, or ask support for a larger plan; `details` has the limit.',
  not_found: 'Check the id, and that it is of your organization; the response is the same for both.',
  product_feature_subscription_required: 'Ask support for the feature in `details.expected`.',
  rate_limit_exceeded: 'Wait for `Retry-After`; spread the requests by the headers of the rate limit.',
  service_unavailable: 'Wait for `Retry-After`, then retry with growing waits.',
  throttled: 'Retry with growing waits.',
  transient_transaction_error:
    'Wait for `Retry-After`, then send the same request again. Without it, another request came first: read what `details` names.',
  unauthorized: 'Get a new token; if that is refused, too, the client was revoked or its secret is wrong.',
  unprocessable_entity: 'Use a new idempotency key for each different request.',
  validation_error: 'Correct the fields that `details.issues` names; the same request fails again.',
};

/** All `errorType`s as a Markdown table: status, meaning, and what to do. */
export const errorCatalog = (): string =>
  [
    '| `errorType` | Status | Meaning | What to do |',
    '|---|---|---|---|',
    ...Object.entries(remedies).map(([type, remedy]) => {
      const { status, sentence } = errorRegistry[type as ErrorType];
      return `| \`${type}\` | ${status} | ${sentence} | ${remedy} |`;
    }),
  ].join('\n');

/** The only status without an `errorType` of its own (OpenAPI, "Errors"). */
const tooLarge = 413;

/** The statuses for which retrying can help: a response for which it can has `Retry-After`. */
const retryable: ReadonlySet<ErrorStatus> = new Set<ErrorStatus>([409, 429, 503]);

/** The `errorType`s that a route can return, or the codes of the standard that it follows, by status in ascending order. */
export function errorsByStatus(route: Route): ReadonlyMap<ErrorStatus, readonly string[]> {
  const byStatus = new Map<ErrorStatus, string[]>();
  const namesOf = (type: ErrorType) => (route.standard && oauthCodes.get(type)) ?? [type];
  for (const type of errorTypesOf(route)) {
    const { status } = errorRegistry[type];
    byStatus.set(status, [...(byStatus.get(status) ?? []), ...namesOf(type)]);
  }
  if (route.body !== undefined) byStatus.set(tooLarge, namesOf('validation_error').slice(0, 1));
  return new Map([...byStatus].sort(([status], [nextStatus]) => status - nextStatus));
}

/** Parts that error responses are made with. */
interface Publishing {
  /** The fields that all examples share. */
  readonly stamp: Stamp;
  readonly schemas: PublishedSchemas;
  readonly components: UsedComponents;
}

/**
 * The error responses of an operation. Operations share them: a status has one, and one more with the headers of counted
 * requests, because generators make a type of each. An operation’s description names those that its statuses do not tell.
 */
export function errorResponses(route: Route, publishing: Publishing): Readonly<Record<string, Reference>> {
  const references = [...errorsByStatus(route)].map(([status, names]) => {
    const isCounted = isCountedAt(route, status);
    const follows = route.standard !== undefined && names.every((name) => !(name in errorRegistry));
    const name = `${follows ? 'Token' : ''}${phrases[status].replaceAll(' ', '')}${isCounted ? 'WithRateLimit' : ''}`;
    const standard = follows ? route.standard : undefined;
    const response = responseOf(status, { isCounted, standard }, publishing);
    return [String(status), publishing.components.response(name, response)] as const;
  });
  return Object.fromEntries(references);
}

/** Form of a response, by which those of a status differ. */
interface ResponseForm {
  readonly isCounted: boolean;
  /** The standard in whose shape the error is. */
  readonly standard: Route['standard'];
}

function responseOf(
  status: ErrorStatus,
  { isCounted, standard }: ResponseForm,
  { stamp, schemas, components }: Publishing,
): Response {
  const errors =
    standard === undefined ? examplesOf(status) : tokenErrors.filter(([, error]) => error.status === status);
  const examples = errors.map(([name, error]) => [
    name,
    components.example(name, {
      summary: error.message,
      value: JSON.parse(errorText(error, stamp, standard)),
    }),
  ]);
  // Only the token endpoints count a request before its credential is checked; the gateway challenges for all others.
  const challenger = status === 401 && (!isCounted ? 'gateway' : standard !== undefined && 'function');
  return {
    description: standard === undefined ? descriptionOf(status) : tokenDescriptionOf(status, errors),
    headers: headersOf({ isCounted, canRetry: retryable.has(status), challenger }, components),
    content: {
      'application/json': {
        schema:
          standard === undefined
            ? { ...components.schema(`ErrorResponse${status}`, schemaOf(status, schemas)) }
            : schemas.of(oauthErrorBody, 'output'),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const schemaOf = (status: ErrorStatus, schemas: PublishedSchemas): JsonSchema => ({
  description: `An error with the status ${status}.`,
  allOf: [
    schemas.of(errorBody, 'output'),
    // Without its type, orval takes the status for a string; openapi-python-client cannot merge a `const` with a type.
    {
      type: 'object',
      properties: {
        statusCode: {
          type: 'integer',
          enum: [status],
          description: `The HTTP status of the response.\n\n- \`${status}\`: ${phrases[status]}.`,
        },
      },
      required: ['statusCode'],
    },
  ],
});

/** Errors in the shape of RFC 6749 by the names of their examples. */
const tokenErrors: readonly (readonly [string, ApiError])[] = [
  ['token_parameter_repeated', invalid({ path: 'grant_type', message: 'is given more than once' })],
  ['token_grant_unsupported', new UnsupportedGrantType()],
  [
    'token_client_unknown',
    new ApiError('unauthorized', { message: 'The client id or secret is not valid.' }),
  ],
  ['token_request_too_large', tooLargeBody({})],
  ['token_server_error', new ApiError('internal_server_error')],
  ['token_unavailable', new ApiError('service_unavailable')],
];

const tokenDescriptionOf = (status: ErrorStatus, errors: typeof tokenErrors): string =>
  `${phrases[status]}, in the shape of RFC 6749: ${errors.map(([, error]) => `\`${oauthError(error)?.error}\``).join(' or ')}.`;

const typesOf = (status: ErrorStatus): ErrorType[] =>
  (Object.keys(errorRegistry) as ErrorType[]).filter((type) => errorRegistry[type].status === status);

function descriptionOf(status: ErrorStatus): string {
  const meanings =
    status === tooLarge
      ? [
          '`validation_error`: `details` states the limit and, where there is another way, what to do instead.',
        ]
      : typesOf(status).map((type) => `\`${type}\`: ${errorRegistry[type].sentence}`);
  return `${phrases[status]}. ${meanings.join(' ')}`;
}

/** The errors of a status by the names of their examples. */
const examplesOf = (status: ErrorStatus): (readonly [string, ApiError])[] =>
  status === tooLarge
    ? [
        ['file_too_large', tooLargeForForm(largestMultipartFile + 1)],
        ['body_too_large', tooLargeBody({})],
      ]
    : typesOf(status).map((type) => [type, exampleOf(type)]);

/** An error, created by the code that creates it for callers. */
function exampleOf(type: ErrorType): ApiError {
  if (type === 'validation_error') return refusal();
  const { [type]: details } = { ...denials, ...duplicates };
  return new ApiError(type, details === undefined ? {} : { details });
}

type Denial = {
  [Type in ErrorType]: (typeof errorRegistry)[Type]['status'] extends 403 ? Type : never;
}[ErrorType];

/** `details` of a 403: what an operation requires, and what a rejected caller has instead. */
const denials: Readonly<Partial<Record<ErrorType, ErrorDetails>>> = {
  contact_not_authorized: { expected: 'a contact of the association', actual: 'none' },
  forbidden: { expected: 'an allowlisted address', actual: '203.0.113.7' },
  invalid_organization_category: {
    expected: expectedCategory('upstream'),
    actual: expectedCategory('downstream'),
  },
  invite_limit_reached: {
    expected: `at most ${usualPlanCeiling} associated agencies`,
    actual: String(usualPlanCeiling),
  },
  product_feature_subscription_required: { expected: 'policies', actual: 'none' },
} satisfies Record<Denial, Required<Pick<ErrorDetails, 'expected' | 'actual'>>>;

/** `details` of a 409 about an association that exists already. */
const ofAssociation = { downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904' };
const duplicates: Readonly<Partial<Record<ErrorType, ErrorDetails>>> = {
  duplicate_external_id_error: ofAssociation,
  duplicate_producer_code_error: ofAssociation,
};

/** The error of a filter with a value that is not accepted. */
function refusal(): ApiError {
  try {
    parseInput(z.strictObject({ currentStatus: z.enum(policyStatuses) }), { currentStatus: 'canceled' });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The example of a validation error is valid.');
}

/**
 * Whether the request is counted before a response with this status. Credential and entitlement are checked earlier; the
 * token endpoint is counted before it checks its credential.
 */
const isCountedAt = (route: Route, status: ErrorStatus): boolean =>
  rateOf(route) !== 'none' &&
  status < 500 &&
  (route.access === 'public' || (status !== 401 && status !== 403));
