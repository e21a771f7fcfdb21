import { routeGroups } from '../../infra/function-uses.ts';
import { introductionOf } from '../../infra/openapi/introduction.ts';
import type { Route } from '../../shared/platform/contract/route.ts';

const rows: readonly (readonly [string, Route])[] = routeGroups
  .flatMap((group) => Object.entries<Route>(group.routes))
  .filter(([, { answer }]) => !('document' in answer));

/** Operations that say what they do, since they neither read nor write the resource that their path names. */
const named: Readonly<Record<string, string>> = {
  'POST /v1/auth/jwt': 'exchangeTokenV1',
  'POST /v2/auth/jwt': 'exchangeToken',
  'POST /v2/oauth/token': 'requestToken',
  'GET /v2/jwks.json': 'getReceiptKeys',
  'POST /v1/npn-lookup': 'lookUpNpnsV1',
  'POST /v2/upstream/npn-lookup': 'lookUpNpns',
  'POST /v2/upstream/sale-checks': 'checkSales',
  'GET /v2/upstream/sale-checks/{receiptId}': 'getSaleReceipt',
  'POST /v2/upstream/surplus-lines-filings/{filingId}/checklist-item/file-documents': 'attachFilingFiles',
  'POST /v2/downstream/surplus-lines-filings/{filingId}/checklist-item/file-documents':
    'attachAgencyFilingFiles',
};

/** Resources with another name in an operationId than in their path. */
const resources: Readonly<Record<string, string>> = {
  documents: 'file-documents',
  'downstream-entity-associations': 'associations',
  'surplus-lines-filings': 'filings',
};

/** Verbs that a path ends with, or that its last part begins with. */
const verbs = /^(add|advance|cancel|invite|preview|redeliver|replay|reset|rotate|sync|test)(?:-|$)/;

const verbOf = { POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'delete' } as const;

const singular = (words: string): string =>
  words.replace(/(?:statuse|ie|)s$/, (end) => ({ statuses: 'status', ies: 'y' })[end] ?? '');

const capitalized = (words: string): string =>
  words.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The operationId of a row by the rule of the OpenAPI document (“Generated clients”). */
function idOf({ method, path, answer }: Route): string {
  const [, version, surface, rest = ''] =
    /^\/(v[12])(\/upstream|\/downstream|\/auth|)\/(.+)$/.exec(path) ?? [];
  const parts = rest.split('/');
  const [, action] = verbs.exec(parts.at(-1) ?? '') ?? [];
  const isList = action === undefined && ('all' in answer || 'page' in answer || 'cursor' in answer);
  const object = action === undefined ? '' : capitalized((parts.pop() ?? '').slice(action.length));
  const nouns = parts
    .filter((part) => !part.startsWith('{'))
    .map((part) => resources[part] ?? part)
    .map((part, index, { length }) => capitalized(isList && index === length - 1 ? part : singular(part)));
  return [
    action ?? (method === 'GET' ? (isList ? 'list' : 'get') : verbOf[method]),
    surface === '/downstream' ? 'Agency' : '',
    ...nouns,
    object,
    version === 'v1' ? 'V1' : '',
  ].join('');
}

describe('An operationId', () => {
  it.each(rows)('%s follows from its method and path', (operationId, route) => {
    expect(operationId).toBe(named[`${route.method} ${route.path}`] ?? idOf(route));
  });

  it('has a name of its own only where the rule would say something else', () => {
    const own = rows.filter(([, route]) => named[`${route.method} ${route.path}`] !== undefined);
    expect(own).toHaveLength(Object.keys(named).length);
    for (const [operationId, route] of own) expect(operationId).not.toBe(idOf(route));
  });
});

describe('The list of changed operationIds', () => {
  it('names operations of the document, and as earlier names none of them', () => {
    const ids = rows.map(([operationId]) => operationId);
    const changes = [...introductionOf(true).matchAll(/^\| `(\w+)` \| `(\w+)` \|$/gm)];
    expect(changes.length).toBeGreaterThan(20);
    for (const [, before, after] of changes) {
      expect(ids).toContain(after);
      expect(ids).not.toContain(before);
    }
  });
});
