import * as z from 'zod/mini';
import type { ApiError } from '../contract/errors.ts';
import { lazily } from '../contract/lazily.ts';
import { dataSchema } from '../contract/responses.ts';
import { pathParameters, pathSchema, type Route, type RouteTable } from '../contract/route.ts';
import { idempotencyKeyHeaders } from './headers.ts';
import type { Operations } from './operation.ts';
import { pathsOf } from './validation.ts';

/** The schemas of a row that follow from its columns. */
interface EndpointSchemas {
  readonly params: z.core.$ZodType;
  readonly query: z.core.$ZodType;
  readonly data: z.core.$ZodType | undefined;
}

/**
 * A row of the table with its schemas, built once, with the first request. The table ties every operation to the types of its row; in the map one
 * type must serve all rows, so here they are unknown.
 */
export interface Endpoint {
  readonly operationId: string;
  readonly route: Route;
  readonly schemas: () => EndpointSchemas;
  readonly operate: (request: unknown) => unknown;
}

/** The endpoints of a group by `<method> <path template>`. */
export function endpointsOf<Table extends RouteTable, Deps>(
  routes: Table,
  operations: Operations<Table, Deps>,
  deps: Deps,
): ReadonlyMap<string, Endpoint> {
  const byId: Readonly<Record<string, (request: never, deps: Deps) => unknown>> = operations;
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
        operate: (request) => operation(request as never, deps),
      };
      return [`${route.method} ${route.path}`, endpoint];
    }),
  );
}

/** Headers that issues can name. */
const headerPaths = ['content-type', 'content-encoding', ...idempotencyKeyHeaders];

/**
 * Where the input is at fault, as it is logged: the paths that the route's schemas name, and how many others there are. Keys of
 * a request may be anything, a credential or a person's data.
 */
export function faultsOf({ details, issueCount }: ApiError, endpoint: Endpoint | undefined) {
  if (issueCount === 0 || endpoint === undefined) return {};
  const { route } = endpoint;
  const { params, query } = endpoint.schemas();
  const schemas = [params, query, route.body, route.form].filter((schema) => schema !== undefined);
  const known = new Set([...headerPaths, ...schemas.flatMap((schema) => [...pathsOf(schema)])]);
  const paths = details?.issues?.map(({ path }) => path.replace(/\[\d+\]/g, '[]')) ?? [];
  const issues = paths.filter((path) => path !== '' && known.has(path));
  return { issues, otherIssues: issueCount - issues.length };
}
