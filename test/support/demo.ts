import * as z from 'zod/mini';
import { pathParameters, type Route } from '#platform/contract/route.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import { documentedGroups, openApiDocument } from '../../infra/openapi/publish.ts';
import { call, exchange } from './local-api.ts';

/** Demo records that the local run seeds: something on every list. */

const organization = z.object({ organizationId: z.string(), clientId: z.string(), clientSecret: z.string() });
const seeded = z.looseObject({ upstream: organization, downstream: organization });
/** The demo's description. */
export const demo = () => z.parse(seeded, JSON.parse(process.env['TEST_DEMO'] ?? ''));

const bearers = new Map<string, Promise<Readonly<Record<string, string>>>>();

/** Header of a demo organization's bearer token. */
export function demoBearer(kind: 'upstream' | 'downstream'): Promise<Readonly<Record<string, string>>> {
  const known = bearers.get(kind);
  if (known !== undefined) return known;
  const { clientId, clientSecret } = demo()[kind];
  const bearer = exchange(clientId, clientSecret).then((token) => ({ authorization: `Bearer ${token}` }));
  bearers.set(kind, bearer);
  return bearer;
}

const lists = routeGroups
  .flatMap(({ routes }) => Object.values(routes))
  .filter(({ method, answer }) => method === 'GET' && ('all' in answer || 'page' in answer));

/** The list that shows what an id names: the path before it, or where that is no list one that ends alike. */
function listBefore(template: string, kind: string): Route | undefined {
  const last = template.split('/').at(-1);
  const ofKind = lists.filter(({ access }) => access !== 'public' && access.kind === kind);
  return (
    ofKind.find(({ path }) => path === template) ?? ofKind.find(({ path }) => path.split('/').at(-1) === last)
  );
}

const listed = z.union([
  z.array(z.record(z.string(), z.unknown())),
  z.object({ items: z.array(z.record(z.string(), z.unknown())) }),
  z.object({ transactions: z.array(z.record(z.string(), z.unknown())) }),
]);

const named = z.object({ _id: z.string() });

/** The data at a path of the API. */
export const dataAt = async (path: string, headers: Readonly<Record<string, string>>): Promise<unknown> =>
  (await call('GET', path, { headers })).json['data'];

const answeredData = new Map<string, ReturnType<typeof dataAt>>();
/** The data at a path as it was at first, for tests that change nothing of it. */
export const readOnce: typeof dataAt = (path, headers) => {
  const data = answeredData.get(path) ?? dataAt(path, headers);
  answeredData.set(path, data);
  return data;
};

/** The ids of what a POST starts, or of what runs already. */
async function startedBy(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await call('POST', path, { headers });
  return z.parse(z.record(z.string(), z.unknown()), json['data'] ?? json['details']);
}

/**
 * Ids of demo records for a route's path, found through the API's own lists, and the header of their owner. Ids that no
 * list contains are in the demo's description, under the parameter's name.
 * A route whose list is empty has no demo record; an error reports this.
 */
async function idsFor(
  route: Route,
  read: typeof dataAt,
): Promise<{ owner: Readonly<Record<string, string>>; ids: Record<string, string> }> {
  const kind = route.access === 'public' || route.access.kind !== 'downstream' ? 'upstream' : 'downstream';
  const owner = await demoBearer(kind);
  const ids: Record<string, string> = {};
  for (const name of pathParameters(route.path)) {
    const template = route.path.slice(0, route.path.indexOf(`/{${name}}`));
    const list = listBefore(template, kind);
    if (list === undefined) {
      const described = demo()[name] ?? (await startedBy(template, owner))[name];
      if (typeof described !== 'string') throw new Error(`No list shows what stands behind ${template}.`);
      ids[name] = described;
      continue;
    }
    const path = list.path.replace(/\{([A-Za-z]+)\}/g, (_, filled: string) => ids[filled] ?? '');
    const data = z.parse(listed, await read(path, owner));
    const first = (Array.isArray(data) ? data : 'items' in data ? data.items : data.transactions)[0];
    // An `agentId` is the `_id` of the item, or of the `agent` in it.
    const inner = z.safeParse(named, first?.[name.replace(/Id$/, '')]).data;
    const id = first?.['_id'] ?? first?.[name] ?? inner?._id;
    if (typeof id !== 'string') throw new Error(`The demo data shows nothing at ${path}.`);
    ids[name] = id;
  }
  return { owner, ids };
}

const configs = z.tuple([z.looseObject({ productId: z.string() })], z.unknown());
const agencyConfigs = z.object({
  items: z.tuple(
    [z.looseObject({ upstreamDownstreamAssociationId: z.string(), productId: z.string() })],
    z.unknown(),
  ),
});
const contacts = z.array(
  z.looseObject({
    email: z.string(),
    associations: z.array(z.looseObject({ downstreamEntityAssociationId: z.optional(z.string()) })),
  }),
);

/**
 * A request that the demo's owner of a route's ids is served: its ids, and the query that the route demands. A product, and
 * a contact with its association, are those that lists show; other values are the examples of the OpenAPI document.
 *
 * @param read reads a list; a caller that changes nothing may remember what it read
 */
export async function servedRequest(
  route: Route,
  read = dataAt,
): Promise<Awaited<ReturnType<typeof idsFor>> & { readonly query: Readonly<Record<string, string>> }> {
  const { owner, ids } = await idsFor(route, read);
  const query = await withDemoIds(route, owner, read);
  if ('email' in query) {
    const [found] = z
      .parse(contacts, await read('/v2/upstream/contacts', owner))
      .flatMap(({ email, associations }) =>
        associations.flatMap(({ downstreamEntityAssociationId: id }) =>
          id === undefined ? [] : [{ email, id }],
        ),
      );
    if (found === undefined) throw new Error('The demo shows no contact of an association.');
    return {
      owner,
      ids: { ...ids, downstreamEntityAssociationId: found.id },
      query: { ...query, email: found.email },
    };
  }
  return { owner, ids, query };
}

/** The query that a route demands, with a product, and a market or an association, that lists of the demo show. */
async function withDemoIds(
  route: Route,
  owner: Readonly<Record<string, string>>,
  read: typeof dataAt,
): Promise<Record<string, string>> {
  const query = queryFor(route);
  if ('upstreamDownstreamAssociationId' in query) {
    const { items } = z.parse(agencyConfigs, await read('/v2/downstream/compliance-configs', owner));
    const [{ upstreamDownstreamAssociationId, productId }] = items;
    return { ...query, upstreamDownstreamAssociationId, productId };
  }
  const { downstreamEntityAssociationId } = demo();
  const association =
    'downstreamEntityAssociationId' in query
      ? { downstreamEntityAssociationId: String(downstreamEntityAssociationId) }
      : {};
  if (!('productId' in query)) return { ...query, ...association };
  const [{ productId }] = z.parse(configs, await read('/v2/upstream/compliance-configs', owner));
  return { ...query, ...association, productId };
}

const document = openApiDocument(documentedGroups);

const product = { stateCode: 'TX', productId: '65f0c1d2e3a4b5c6d7e8f901' };

/** Queries of operations that demand one, with ids that no organization has. */
const demandedQueries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listAgentLicenseComplianceStatuses: product,
  listAssociationLicenseComplianceStatuses: product,
  listAgencySellers: { ...product, upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904' },
  listSellers: {
    stateCode: 'TX',
    productCode: 'CGL',
    downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f901',
  },
  getSaleCheck: { stateCode: 'TX', productCode: 'CGL', npn: '8123456' },
  getAssociationSignInUrl: { email: 'maria.delgado@example.com' },
};

function queryFor({ path, method, answer }: Route): Record<string, string> {
  const operationId = document.paths[path]?.[method.toLowerCase()]?.operationId ?? '';
  const { [operationId.replace(/V1$/, '')]: demanded } = demandedQueries;
  return { ...demanded, ...('page' in answer ? { page: '1', limit: '50' } : {}) };
}

/** A body and a query that the route's schemas accept: those that the OpenAPI document shows. */
export function bodyFor(route: Route): {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
} {
  const demanded = queryFor(route);
  const query = Object.keys(demanded).length === 0 ? {} : { query: demanded };
  if (route.body === undefined) return query;
  const operation = z.parse(
    z.object({
      requestBody: z.object({ content: z.record(z.string(), z.object({ example: z.unknown() })) }),
    }),
    document.paths[route.path]?.[route.method.toLowerCase()],
  );
  return { ...query, body: operation.requestBody.content['application/json']?.example };
}
