import * as z from 'zod/mini';
import type { ErrorType } from './errors.ts';
import { objectId, pageQuery } from './primitives.ts';
import { columnsOfV1 } from './v1.ts';

/** Category of an organization. The enterprise ones may call routes of kind `any` alone. */
export const organizationCategories = [
  'upstreamEntity',
  'downstreamEntity',
  'enterpriseUpstreamEntity',
  'enterpriseDownstreamEntity',
] as const;

export type OrganizationCategory = (typeof organizationCategories)[number];

/** Product features of an organization. Every route that requires a credential requires `public_api`. */
export const features = [
  'public_api',
  'policies',
  'surplus_lines',
  'documents',
  'producers',
  'agencies',
  'compliance',
  'contacts',
  'webhook_settings',
  'licensing',
  'markets',
  'sandbox',
] as const;

export type Feature = (typeof features)[number];

/** The kind of organization a surface serves; `any` takes both kinds. */
type Kind = 'upstream' | 'downstream' | 'any';

/**
 * Access to a route. It cannot be left out: a row without it does not compile.
 * - `public`: no credential is required.
 * - `kind`, `feature`: a credential of that kind whose organization has `public_api` and `feature`.
 * - `credential`: the one method that counts, for the endpoints that exist to test a method.
 */
export type Access =
  | 'public'
  | { readonly kind: Kind; readonly feature: Feature | null; readonly credential?: CredentialMethod };

export type CredentialMethod = 'oauth' | 'restricted access token';

/**
 * Limit that a request is counted against (OpenAPI, "Rate limits"): `token` 10 a minute per client and source address and 600 per
 * source address, `write` 60 a minute per credential, `download` 120 a minute per organization, `none` never.
 */
type RateClass = 'token' | 'write' | 'download' | 'none';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Schema = z.core.$ZodType;
type Shape = z.core.$ZodLooseShape;

/**
 * Success of a route, inside the envelope `{statusCode, data, requestId, timestamp}`:
 * - `one`: `data` is that resource.
 * - `all`: `data` is the array of every match, streamed.
 * - `page`: `data` is `{[as]: item[], total, page, limit, totalPages}`, together with the members of `with`.
 * - `cursor`: `data` is `{items, next, hasMore}`; the query takes `after`, the `next` of the response before.
 * - `bare`: that resource without the envelope, as a standard has it; caches may keep it for `cacheSeconds`, if that is given.
 * - `document`: a text without the envelope, with headers of its own.
 */
export type Answer =
  | { readonly status: 200 | 201 | 202; readonly one: Schema }
  | { readonly status: 200; readonly all: Schema }
  | {
      readonly status: 200;
      readonly page: Schema;
      readonly as: 'items' | 'transactions';
      readonly with?: Shape;
    }
  | { readonly status: 200; readonly cursor: Schema }
  | { readonly status: 200; readonly bare: Schema; readonly cacheSeconds?: number }
  | { readonly status: 200; readonly document: DocumentType };

/** Content type of a document. */
type DocumentType = 'application/json' | 'text/html; charset=utf-8' | 'text/javascript; charset=utf-8';

/**
 * Endpoint as data; its words are in `docs.ts` of its group. Gateway, authorizer, validation, OpenAPI document and tests are
 * all derived from it.
 */
export interface Route {
  readonly method: Method;
  readonly path: `/v1/${string}` | `/v2/${string}` | '/docs' | `/docs/${string}`;
  readonly access: Access;
  /** Path of the route that replaces a deprecated one, which has the same method and path parameters. */
  readonly successor?: `/v2/${string}`;
  /**
   * The standard that the body and the errors follow: the form and the errors of a token request (`responses.ts`), not JSON and
   * this API's.
   */
  readonly standard?: 'RFC 6749';
  /** `none` for a GET and `write` for any other method by default. */
  readonly rate?: RateClass;
  /** The member of the body that `token` requests are counted by, together with the source address. */
  readonly countedBy?: string;
  /** Bytes of the largest JSON body; a larger one is 413 before anything reads it. 256 KB by default. */
  readonly largestBody?: number;
  /** Schemas of parameters of the path that are no object ids. */
  readonly params?: Readonly<Record<string, Schema>>;
  /** Parameters of the query string; others are refused. */
  readonly query?: { readonly shape: Shape };
  /** Schema of the JSON body, which must refuse unknown keys; with a `standard`, of the parameters of its form. */
  readonly body?: Schema;
  /** Whether a request without a body is one with `{}`. */
  readonly isBodyOptional?: boolean;
  /** Schema of a `multipart/form-data` body, which the route accepts as well; its parts are strings and `formFile`s. */
  readonly form?: Schema;
  /** Media types that the files of the form may have. */
  readonly fileTypes?: readonly string[];
  readonly answer: Answer;
  /** Whether one object takes as long as a list: it is made of all records, with the time limit of a list. */
  readonly isLong?: true;
  /**
   * Headers that a list by `updatedSince` adds to a success, given the start of the request.
   */
  readonly followHeaders?: (start: Date) => Readonly<Record<string, string>>;
  /** Whether the ids in its path need not name anything yet, so that none is answered with 404. */
  readonly takesUnknownIds?: true;
  /** Errors of the operation itself, in addition to those that follow from the columns above (see `errorTypesOf`). */
  readonly errors?: readonly ErrorType[];
}

/** The routes of one Lambda function by operationId. */
export type RouteTable = Readonly<Record<string, Route>>;

/** The id of the row of v2 that a row of v1 is of. */
export type V2RowOf<Id, Table> = Id extends `${infer V2}V1` ? Extract<V2, keyof Table> : never;

export interface RouteGroup<Table extends RouteTable = RouteTable> {
  readonly name: string;
  readonly routes: Table;
  /** Lists that an organization may have open at once: a third of the group's executions (`infra/capacity.ts`). */
  readonly openLists?: number;
}

/** Declares a route group; the literal keeps its exact types, so operations are typed by their rows. */
export const routeGroup = <const Table extends RouteTable>(
  name: string,
  routes: Table,
  settings: Pick<RouteGroup, 'openLists'> = {},
): RouteGroup<Table> => ({ name, routes, ...settings });

/** The names in a path template: `policyId` of `/policies/{policyId}`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** The names in a path template, in order. */
export const pathParameters = (path: string): string[] =>
  Array.from(path.matchAll(/\{([A-Za-z]+)\}/g), (match) => match[1] ?? '');

/** The schema of a parameter of a route's path: an object id (OpenAPI, "Responses"), unless the row has another. */
export const pathSchema = ({ params }: Pick<Route, 'params'>, name: string): Schema =>
  params?.[name] ?? objectId;

/** Whether an answer takes as long as a list. */
export const isList = ({ answer, isLong }: Pick<Route, 'answer' | 'isLong'>): boolean =>
  'all' in answer || isLong === true;

/** Limit that requests of a route are counted against. */
export const rateOf = ({ method, rate }: Pick<Route, 'method' | 'rate'>): RateClass =>
  rate ?? (method === 'GET' ? 'none' : 'write');

/** Writes accept an idempotency key; the token endpoint, and a list that is asked for by POST, do not (OpenAPI, "Idempotency"). */
export const takesIdempotencyKey = (route: Route): boolean =>
  route.method !== 'GET' && route.rate !== 'token' && !('all' in route.answer);

/** Whether a list is answered as CSV too (OpenAPI, "Lists"). v1 is frozen. */
export const hasCsv = ({ method, path, answer }: Route): boolean =>
  method === 'GET' && path.startsWith('/v2/') && 'all' in answer;

/** The category a kind expects, as `details.expected` of a 403 prints it. */
export const expectedCategory = (kind: Exclude<Kind, 'any'>): OrganizationCategory =>
  kind === 'upstream' ? 'upstreamEntity' : 'downstreamEntity';

/** Every errorType that a route can respond with: those that its columns imply and those of its operation. */
export function errorTypesOf(route: Route): ErrorType[] {
  const types = new Set<ErrorType>(['internal_server_error', 'service_unavailable', ...(route.errors ?? [])]);
  const { access } = route;
  if (access !== 'public') {
    types.add('unauthorized').add('forbidden').add('product_feature_subscription_required');
    if (access.kind !== 'any') types.add('invalid_organization_category');
  }
  if (rateOf(route) !== 'none' || isList(route)) types.add('rate_limit_exceeded');
  if (pathParameters(route.path).length > 0 && route.takesUnknownIds !== true) types.add('not_found');
  types.add('validation_error');
  if (takesIdempotencyKey(route)) types.add('conflict').add('unprocessable_entity');
  return [...types].sort();
}

/** Class of a route by the duration of its requests: alarms watch each by itself. */
export const routeClasses = ['token', 'read', 'page', 'write', 'list', 'upload'] as const;

export type RouteClass = (typeof routeClasses)[number];

/**
 * The class of a route. A list is as slow as its caller reads it, or as what it adds up is long, an upload as its caller sends it.
 */
export function routeClass(route: Route): RouteClass {
  const { method, rate, answer, form } = route;
  if (rate === 'token') return 'token';
  if (form !== undefined) return 'upload';
  if (isList(route)) return 'list';
  if (method !== 'GET') return 'write';
  return 'page' in answer || 'cursor' in answer ? 'page' : 'read';
}

/** Classes of counted requests; the token endpoint's requests by their address alone as well. */
export type CountedRateClass = Exclude<RateClass, 'none'> | 'tokenAddress';

/** Requests that a window admits (OpenAPI, "Rate limits"). */
export const rateLimits = {
  token: { limit: 10, windowSeconds: 60 },
  tokenAddress: { limit: 600, windowSeconds: 60 },
  write: { limit: 60, windowSeconds: 60 },
  download: { limit: 120, windowSeconds: 60 },
} as const satisfies Record<CountedRateClass, { readonly limit: number; readonly windowSeconds: number }>;

/** The row of a read that answers one resource. */
export const getOne = <
  const Path extends Route['path'],
  const Of extends Access,
  Item extends z.core.$ZodType,
>(
  path: Path,
  access: Of,
  item: Item,
) => ({ method: 'GET', path, access, answer: { status: 200, one: item } }) as const;

/** The row of a list that answers every match, streamed. */
export const listAll = <
  const Path extends Route['path'],
  const Of extends Access,
  Item extends z.core.$ZodType,
>(
  path: Path,
  access: Of,
  item: Item,
) => ({ method: 'GET', path, access, answer: { status: 200, all: item } }) as const;

/** Time at which v1 was deprecated (RFC 9745), in Unix seconds. */
export const v1DeprecatedAt = Date.UTC(2026, 10, 21) / 1_000;

type PathOfV1<Path extends string> = Path extends `/v2/upstream/${infer Rest}`
  ? `/v1/${Rest}`
  : Path extends `/v2/${infer Rest}`
    ? `/v1/${Rest}`
    : never;

/**
 * The row of v1 for a row of v2, which differs in its path, the fields that v2 gained (`sinceV2`), and the columns of `own`. v1
 * is frozen (OpenAPI, "Versions"), and `test/contract/v1.json` records it. Both can share an operation, since a response drops
 * the fields that its schema does not name.
 */
export const v1 = <
  const R extends Route & { readonly path: `/v2/${string}` },
  const Own extends Partial<Omit<Route, 'method' | 'path' | 'successor'>> = Record<never, never>,
>(
  route: R,
  settings?: Own,
): Omit<R, 'path' | 'successor' | keyof NoInfer<Own>> &
  NoInfer<Own> & { readonly path: PathOfV1<R['path']>; readonly successor: R['path'] } => ({
  ...columnsOfV1({ ...route, ...(settings as Own) }),
  answer: columnsOfV1({ ...route, ...settings }.answer),
  successor: route.path,
  path: route.path.replace(/^\/v2\/(upstream\/)?/, '/v1/') as PathOfV1<R['path']>,
});

/** The query of every agency list (OpenAPI, "Lists"). */
export const agencyListQuery = z.object({
  ...pageQuery.shape,
  downstreamEntityId: z.optional(objectId),
});

/** The row of an agency's list. */
export const agencyList = <
  const Path extends Route['path'],
  const Of extends Access,
  Item extends z.core.$ZodType,
>(
  path: Path,
  access: Of,
  item: Item,
) =>
  ({
    method: 'GET',
    path,
    access,
    query: agencyListQuery,
    answer: { status: 200, page: item, as: 'items' },
    errors: ['not_found'],
  }) as const;

/** The caller: the authenticated context, the same for both credential methods (OpenAPI, "Credentials"). */
export const identity = z.object({
  organizationId: z.string(),
  category: z.enum(organizationCategories),
  /** `clientId` of an API client or `tokenId` of a restricted access token; what writes are counted against. */
  credentialId: z.string(),
});

export type Identity = z.output<typeof identity>;

/** Why a caller with a valid credential may not make a request: in place of the identity, and answered with 403. */
export const accessRefusal = z.object({
  errorType: z.enum(['forbidden', 'invalid_organization_category', 'product_feature_subscription_required']),
  /** Requirement of the route. */
  expected: z.string(),
  /** Value that the caller has instead. */
  actual: z.string(),
  /** Owner of the credential, for the gateway's access log. */
  organizationId: z.string(),
  credentialId: z.string(),
});

export type AccessRefusal = z.output<typeof accessRefusal>;
