import * as z from 'zod/mini';
import { tooLargeForForm } from '../../functions/file-documents/upload-limits.ts';
import { largestMultipartFile } from '../../shared/domain/file-documents/file-types.ts';
import { policyStatuses } from '../../shared/domain/policies/resource.ts';
import { errorBody } from '../../shared/platform/contract/error-body.ts';
import {
  ApiError,
  type ErrorDetails,
  type ErrorStatus,
  type ErrorType,
  errorRegistry,
} from '../../shared/platform/contract/errors.ts';
import { errorTypesOf, expectedCategory, type Route, rateOf } from '../../shared/platform/contract/route.ts';
import { tooLargeBody } from '../../shared/platform/request/body.ts';
import { errorText, type Stamp } from '../../shared/platform/request/response.ts';
import { parseInput } from '../../shared/platform/request/validation.ts';
import { headersOf, type UsedComponents } from './components.ts';
import type { Reference, Response } from './document.ts';
import type { PublishedSchemas } from './schemas.ts';

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

/** The only status without an `errorType` of its own (OpenAPI, "Errors"). */
const tooLarge = 413;

/** The statuses for which retrying can help: a response for which it can has `Retry-After`. */
const retryable: ReadonlySet<ErrorStatus> = new Set<ErrorStatus>([409, 429, 503]);

/** The `errorType`s that a route can return, by status in ascending order. */
export function errorTypesByStatus(route: Route): ReadonlyMap<ErrorStatus, readonly ErrorType[]> {
  const byStatus = new Map<ErrorStatus, ErrorType[]>();
  for (const type of errorTypesOf(route)) {
    const { status } = errorRegistry[type];
    byStatus.set(status, [...(byStatus.get(status) ?? []), type]);
  }
  if (route.body !== undefined) byStatus.set(tooLarge, ['validation_error']);
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}

/** What error responses are made with. */
interface Publishing {
  /** The fields that all examples share. */
  readonly stamp: Stamp;
  readonly schemas: PublishedSchemas;
  readonly used: UsedComponents;
}

/**
 * The error responses of an operation. Operations share them: a status has one, and one more with the headers of counted
 * requests, because generators make a type of each. Which `errorType`s an operation returns is in its description.
 */
export function errorResponses(route: Route, publishing: Publishing): Readonly<Record<string, Reference>> {
  const references = [...errorTypesByStatus(route).keys()].map((status) => {
    const counted = isCounted(route, status);
    const name = `${phrases[status].replaceAll(' ', '')}${counted ? 'WithRateLimit' : ''}`;
    return [String(status), publishing.used.response(name, responseOf(status, counted, publishing))] as const;
  });
  return Object.fromEntries(references);
}

function responseOf(status: ErrorStatus, counted: boolean, { stamp, schemas, used }: Publishing): Response {
  const examples = examplesOf(status).map(([name, error]) => [
    name,
    used.example(name, { summary: error.message, value: JSON.parse(errorText(error, stamp)) }),
  ]);
  return {
    description: descriptionOf(status),
    headers: headersOf(
      // Only the token endpoint counts a request before its credential is checked, and challenges nobody.
      { counted, retry: retryable.has(status), challenged: status === 401 && !counted },
      used,
    ),
    content: {
      'application/json': {
        schema: {
          allOf: [
            schemas.of(errorBody, 'output'),
            // Without its type, orval takes the status for a string.
            {
              type: 'object',
              properties: { statusCode: { type: 'integer', const: status } },
              required: ['statusCode'],
            },
          ],
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const typesOf = (status: ErrorStatus): ErrorType[] =>
  (Object.keys(errorRegistry) as ErrorType[]).filter((type) => errorRegistry[type].status === status);

function descriptionOf(status: ErrorStatus): string {
  const meanings =
    status === tooLarge
      ? ['`validation_error`: `details` states the limit and, for a file, how to send a larger one.']
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
  return new ApiError(type, errorRegistry[type].status === 403 ? { details: denial(type) } : {});
}

/** `details` of a 403: what an operation requires, and what a rejected caller has instead. */
function denial(type: ErrorType): Required<Pick<ErrorDetails, 'expected' | 'actual'>> {
  switch (type) {
    case 'forbidden':
      return { expected: 'an allowlisted address', actual: '203.0.113.7' };
    case 'product_feature_subscription_required':
      return { expected: 'policies', actual: 'none' };
    case 'invalid_organization_category':
      return { expected: expectedCategory('upstream'), actual: expectedCategory('downstream') };
    case 'contact_not_authorized':
      return { expected: 'a contact of the association', actual: 'none' };
    case 'invite_limit_reached':
      return { expected: 'at most 100 associated agencies', actual: '100' };
    default:
      throw new Error(`Add the expected and actual values of ${type}: every 403 has both.`);
  }
}

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
const isCounted = (route: Route, status: ErrorStatus): boolean =>
  rateOf(route) !== 'none' &&
  status < 500 &&
  (route.access === 'public' || (status !== 401 && status !== 403));
