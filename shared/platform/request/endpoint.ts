import * as z from 'zod/mini';
import type { ApiError } from '../contract/errors.ts';
import { lazily } from '../contract/lazily.ts';
import { dataSchema } from '../contract/responses.ts';
import {
  type Answer,
  type Identity,
  type PathParameter,
  pathParameters,
  pathSchema,
  type Route,
  type RouteGroup,
  type RouteTable,
  type V2RowOf,
} from '../contract/route.ts';
import type { TransactionItem } from '../data/transact.ts';
import { idempotencyKeyHeaders } from './headers.ts';
import { pathsOf } from './validation.ts';

type OutputOf<Schema> = Schema extends z.core.$ZodType ? z.output<Schema> : never;

/** A route that accepts a form accepts JSON as well: the operation gets one or the other. */
type BodyOf<R extends Route> = R extends { readonly body: infer Json; readonly form: infer Form }
  ? OutputOf<Json> | OutputOf<Form>
  : R extends { readonly body: infer Json }
    ? OutputOf<Json>
    : undefined;

/** Parameters. An optional one may be missing from the row of v1, which has the same operation. */
type QueryOf<Shape extends z.core.$ZodShape> = {
  readonly [Key in keyof Shape as undefined extends OutputOf<Shape[Key]> ? never : Key]: OutputOf<Shape[Key]>;
} & {
  readonly [Key in keyof Shape as undefined extends OutputOf<Shape[Key]> ? Key : never]?: OutputOf<
    Shape[Key]
  >;
};

/** A request as an operation sees it: every part already parsed by the route's own schemas. */
export interface ApiRequest<R extends Route = Route> {
  readonly params: Readonly<Record<PathParameter<R['path']>, string>>;
  readonly query: R extends { readonly query: { readonly shape: infer Shape extends z.core.$ZodShape } }
    ? QueryOf<Shape>
    : Readonly<Record<never, never>>;
  readonly body: BodyOf<R>;
  readonly identity: R['access'] extends 'public' ? undefined : Identity;
  readonly requestId: string;
  readonly now: Date;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address in front of the routes' paths, as the caller sent it. */
  readonly baseUrl: () => string;
  /**
   * The items that a write puts into its transaction so that the response is recorded with the work: none when the caller
   * sent no idempotency key. The operation returns the same `data`.
   */
  readonly recordResponse: (data: OutcomeOf<R['answer']>) => readonly TransactionItem[];
}

/** Outcome of an operation for each form of answer; the pipeline wraps it. */
type OutcomeOf<A extends Answer> = A extends { readonly one: infer Schema } | { readonly bare: infer Schema }
  ? OutputOf<Schema>
  : A extends { readonly all: infer Schema }
    ? AsyncIterable<readonly OutputOf<Schema>[]>
    : A extends { readonly page: infer Schema }
      ? { readonly items: readonly OutputOf<Schema>[]; readonly total: number } & WithItems<A>
      : A extends { readonly cursor: infer Schema }
        ? { readonly items: readonly OutputOf<Schema>[]; readonly next: number; readonly hasMore: boolean }
        : ServedDocument;

/** A document, with its headers beside those of every response. */
export interface ServedDocument {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Status of a document that is not sent again, since the caller has it. */
  readonly status?: 304;
}

/** The members that a page has along with its items. */
type WithItems<A extends Answer> = A extends { readonly with: infer Members extends z.core.$ZodShape }
  ? { readonly [Key in keyof Members]: OutputOf<Members[Key]> }
  : object;

/** Work of an endpoint. */
export type Operation<R extends Route> = (
  request: ApiRequest<R>,
) => OutcomeOf<R['answer']> | Promise<OutcomeOf<R['answer']>>;

/** The rows of v1 that the operations of their rows of v2 serve. */
type ServedElsewhere<Table extends RouteTable> = {
  readonly [Id in keyof Table]: [V2RowOf<Id, Table>] extends [never]
    ? never
    : Operation<Table[V2RowOf<Id, Table>]> extends Operation<Table[Id]>
      ? Id
      : never;
}[keyof Table];

/** An operation for every row of a table, but for rows of v1 whose row of v2 has it; a row without one does not compile. */
export type Operations<Table extends RouteTable> = {
  readonly [Id in Exclude<keyof Table, ServedElsewhere<Table>>]: Operation<Table[Id]>;
} & { readonly [Id in ServedElsewhere<Table>]?: Operation<Table[Id]> };

/** What makes some operations of a group, tied to the types of their rows, of what they work with. */
export const operationsOf = <Table extends RouteTable, Id extends keyof Table, Sources extends unknown[]>(
  _group: RouteGroup<Table>,
  create: (...sources: Sources) => { readonly [Key in Id]: Operation<Table[Key]> },
) => create;

/** The schemas of a row that follow from its columns. */
interface EndpointSchemas {
  readonly params: z.core.$ZodType;
  readonly query: z.core.$ZodType;
  readonly data: z.core.$ZodType | undefined;
}

/**
 * A row of the table with its schemas, built once, with the first request. The table ties every operation to the types of its row;
 * in the map one type must serve all rows, so here they are unknown.
 */
export interface Endpoint {
  readonly operationId: string;
  readonly route: Route;
  readonly schemas: () => EndpointSchemas;
  readonly operate: (request: unknown) => unknown;
}

/** The endpoints of a group by `<method> <path template>`. */
export function endpointsOf<Table extends RouteTable>(
  routes: Table,
  operations: Operations<Table>,
): ReadonlyMap<string, Endpoint> {
  const byId: Readonly<Record<string, (request: never) => unknown>> = operations;
  return new Map(
    Object.entries(routes).map(([operationId, route]) => {
      const operation = byId[operationId] ?? byId[operationId.replace(/V1$/, '')];
      if (operation === undefined) throw new Error(`${operationId} has no operation.`);
      const endpoint: Endpoint = {
        operationId,
        route,
        schemas: lazily(() => ({
          params: z.strictObject(
            Object.fromEntries(pathParameters(route.path).map((name) => [name, pathSchema(route, name)])),
          ),
          query: z.strictObject({ ...route.query?.shape }),
          data: dataSchema(route.answer),
        })),
        operate: (request) => operation(request as never),
      };
      return [`${route.method} ${route.path}`, endpoint];
    }),
  );
}

/** Headers that issues can name. */
const headerPaths = ['content-type', 'content-encoding', ...idempotencyKeyHeaders];

/**
 * Faults of the input as they are logged: the paths that the route's schemas name, and how many others there are. Keys of
 * a request may be anything, a credential or a person's data.
 */
export function faultsOf({ details, issueCount }: ApiError, endpoint: Endpoint | undefined) {
  if (issueCount === 0 || endpoint === undefined) return {};
  const { route } = endpoint;
  const { params, query } = endpoint.schemas();
  const schemas = [params, query, route.body, route.form].filter((schema) => schema !== undefined);
  const knownPaths = new Set([...headerPaths, ...schemas.flatMap((schema) => [...pathsOf(schema)])]);
  const paths = details?.issues?.map(({ path }) => path.replace(/\[\d+\]/g, '[]')) ?? [];
  const issues = paths.filter((path) => path !== '' && knownPaths.has(path));
  return { issues, otherIssues: issueCount - issues.length };
}
