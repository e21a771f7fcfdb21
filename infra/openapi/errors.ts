import { STATUS_CODES } from 'node:http';
import * as z from 'zod/mini';
import { ApiError, type ErrorDetails, type ErrorType, errorRegistry } from '../../shared/contract/errors.ts';
import { objectId } from '../../shared/contract/primitives.ts';
import { errorTypesOf, expectedCategory, pathParameters, type Route } from '../../shared/contract/route.ts';
import { errorText, type Stamp } from '../../shared/request/response.ts';
import { parseInput } from '../../shared/request/validation.ts';
import { isObject } from './json.ts';

/** The errors that a route can return with one status. */
export interface ErrorGroup {
  readonly status: number;
  readonly description: string;
  readonly errorTypes: readonly ErrorType[];
}

/** The errors that a route can return, by status. */
export function errorGroups(route: Route): ErrorGroup[] {
  const byStatus = new Map<number, ErrorType[]>();
  for (const type of errorTypesOf(route)) {
    const { status } = errorRegistry[type];
    byStatus.set(status, [...(byStatus.get(status) ?? []), type]);
  }
  return [...byStatus]
    .sort(([one], [other]) => one - other)
    .map(([status, errorTypes]) => ({
      status,
      description: `${STATUS_CODES[status]}. ${errorTypes
        .map((type) => `\`${type}\`: ${errorRegistry[type].sentence}`)
        .join(' ')}`,
      errorTypes,
    }));
}

/** An example of an error. Equal examples of different routes have the same name. */
export interface ErrorExample {
  readonly name: string;
  readonly summary: string;
  readonly value: unknown;
}

/** What an example depends on. */
export interface ErrorContext {
  readonly operationId: string;
  readonly route: Route;
  readonly stamp: Stamp;
  /** A valid body, which the example of a validation error makes invalid. */
  readonly body: unknown;
}

/** The example of an error, created by the code that creates the error itself. */
export function errorExample(type: ErrorType, context: ErrorContext): ErrorExample {
  const { error, variant } = raised(type, context);
  return {
    name: variant === undefined ? type : `${type}.${variant}`,
    summary: error.message,
    value: JSON.parse(errorText(error, context.stamp)),
  };
}

/** An error; `variant` distinguishes errors of the same type. */
interface Raised {
  readonly error: ApiError;
  readonly variant?: string;
}

/** The 403s whose details depend on the route. */
const dependsOnRoute: ReadonlySet<ErrorType> = new Set([
  'invalid_organization_category',
  'product_feature_subscription_required',
]);

function raised(type: ErrorType, context: ErrorContext): Raised {
  if (type === 'validation_error') return refusal(context);
  if (errorRegistry[type].status !== 403) return { error: new ApiError(type) };
  const details = denial(type, context.route);
  const error = new ApiError(type, { details });
  return dependsOnRoute.has(type) ? { error, variant: details.expected } : { error };
}

/** `details` of a 403: what the route requires, and what a rejected caller has instead. */
function denial(
  type: ErrorType,
  { path, access }: Route,
): Required<Pick<ErrorDetails, 'expected' | 'actual'>> {
  switch (type) {
    case 'forbidden':
      return { expected: 'an allowlisted address', actual: '203.0.113.7' };
    case 'product_feature_subscription_required':
      return { expected: (access === 'public' ? null : access.feature) ?? 'public_api', actual: 'none' };
    case 'invalid_organization_category': {
      const downstream =
        access === 'public' ? path.startsWith('/v2/downstream/') : access.kind === 'downstream';
      const [expected, actual] = downstream
        ? (['downstream', 'upstream'] as const)
        : (['upstream', 'downstream'] as const);
      return { expected: expectedCategory(expected), actual: expectedCategory(actual) };
    }
    case 'contact_not_authorized':
      return { expected: 'a contact of the association', actual: 'none' };
    case 'invite_limit_reached':
      return { expected: 'at most 100 associated agencies', actual: '100' };
    default:
      throw new Error(`Add the expected and actual values of ${type}: every 403 has both.`);
  }
}

/**
 * The error of a request that is invalid in one place according to the route's schemas, preferably where the issue lists
 * the accepted values.
 */
function refusal({ operationId, route, body }: ErrorContext): Raised {
  const { query = {} } = route;
  const valid = isObject(body) ? body : {};
  const own = [
    ...(route.body === undefined ? [] : spoiled(route.body, valid, Object.keys(valid), ['unknown', null])),
    ...spoiled(z.strictObject({ ...query }), {}, Object.keys(query), ['unknown', '']),
  ].map((error) => ({ error, variant: operationId }));
  const common = pathParameters(route.path).flatMap((name) =>
    spoiled(z.object({ [name]: objectId }), {}, [name], ['unknown']).map((error) => ({
      error,
      variant: name,
    })),
  );
  const named = own.find(({ error }) => error.details?.issues?.some((issue) => issue.accepted !== undefined));
  return (
    named ??
    own[0] ??
    common[0] ??
    spoiled(z.strictObject({}), {}, ['unknown'], ['']).map((error) => ({ error, variant: 'unknown' }))[0] ??
    unrefused(operationId)
  );
}

const unrefused = (operationId: string): never => {
  throw new Error(`No request of ${operationId} is invalid.`);
};

/** The errors of an input with each of the invalid values, in turn, for each of `keys`. */
function spoiled(
  schema: z.core.$ZodType,
  valid: object,
  keys: readonly string[],
  useless: readonly (string | null)[],
): ApiError[] {
  return keys
    .flatMap((key) => useless.map((value) => refusalOf(schema, { ...valid, [key]: value })))
    .filter((error) => error !== undefined);
}

function refusalOf(schema: z.core.$ZodType, input: unknown): ApiError | undefined {
  try {
    parseInput(schema, input);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
