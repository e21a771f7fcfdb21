import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { clientCredentialsGrant } from '#platform/contract/responses.ts';
import { pathParameters, type Route } from '#platform/contract/route.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import { fullFor, idOf, oddText, textFor, validFor, weighted } from './values.ts';

/** Who sends a request; the credentials themselves are made by the run. */
export const callers = ['carrier', 'carrier token', 'agency', 'agency token', 'garbage', 'nobody'] as const;
export type Caller = (typeof callers)[number];

/** A request before it is sent. `{policyId:7}` in its path and body stands for an id: see `known-ids.ts`. */
export interface FuzzedRequest {
  /** Path template of the route that it is made from. */
  readonly template: string;
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const routes: readonly Route[] = routeGroups.flatMap((group) => Object.values(group.routes));

const bytes = (of: string): Uint8Array => Buffer.from(of, 'utf8');
const nested = fc
  .tuple(fc.integer({ min: 1, max: 50_000 }), fc.constantFrom('[', '{"a":', '{"name":['))
  .map(([depth, open]) => bytes(open.repeat(depth)));
const manyKeys = fc
  .tuple(fc.integer({ min: 1, max: 5_000 }), fc.string({ maxLength: 20 }))
  .map(([count, key]) =>
    bytes(JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${key}${at}`, at])))),
  );
const longKey = fc
  .integer({ min: 1, max: 100_000 })
  .map((length) => bytes(JSON.stringify({ ['k'.repeat(length)]: 1 })));

const jsonType = 'application/json';
const parametersType = 'application/x-www-form-urlencoded';
const boundary = 'fuzz-boundary';
const contentType = weighted(
  [40, fc.constant<string | undefined>(jsonType)],
  [
    1,
    fc.constantFrom(
      undefined,
      '',
      'text/plain',
      'application/json; charset=latin1',
      'application/json; charset=utf-8',
    ),
  ],
  [
    1,
    fc.constantFrom(
      'multipart/form-data',
      `multipart/form-data; boundary=${boundary}`,
      'application/json;;;',
      'x'.repeat(500),
    ),
  ],
);

const form = fc
  .array(
    fc.tuple(
      fc.constantFrom('file', 'category', 'downstreamEntityAssociationId', 'x'),
      fc.boolean(),
      textFor('category'),
    ),
    { maxLength: 60 },
  )
  .map((parts) =>
    bytes(
      `${parts
        .map(
          ([name, isFile, value]) =>
            `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${isFile ? '; filename="a.pdf"' : ''}\r\n\r\n${value}\r\n`,
        )
        .join('')}--${boundary}--\r\n`,
    ),
  );

function bodyOf(
  route: Route,
): fc.Arbitrary<readonly [body: Uint8Array | undefined, type: string | undefined]> {
  const accepted = route.body === undefined ? fc.constant({}) : validFor(route.body);
  const json = accepted.map((value) => JSON.stringify(value) ?? '');
  const typed = (body: fc.Arbitrary<Uint8Array | undefined>) => fc.tuple(body, contentType);
  const parameters = accepted.map((value) => {
    const given = Object.entries(value as object).map(([name, one]): [string, string] => [
      name,
      typeof one === 'string' ? one : clientCredentialsGrant,
    ]);
    return bytes(String(new URLSearchParams(given)));
  });
  return weighted(
    [
      route.standard === undefined ? 0 : 100,
      fc.tuple(parameters, fc.constant<string | undefined>(parametersType)),
    ],
    [40, typed(json.map(bytes))],
    [
      route.body === undefined ? 0 : 2,
      typed(fullFor(route.body ?? z.any()).map((value) => bytes(JSON.stringify(value)))),
    ],
    [
      2,
      typed(
        fc
          .tuple(accepted, fc.dictionary(oddText, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 30 }))
          .map(([value, more]) => bytes(JSON.stringify({ ...(value as object), ...more }))),
      ),
    ],
    [2, typed(fc.jsonValue().map((value) => bytes(JSON.stringify(value))))],
    [1, typed(fc.tuple(json, fc.nat(200)).map(([whole, end]) => bytes(whole.slice(0, end))))],
    [1, typed(json.map((whole) => Buffer.from(whole, 'latin1')))],
    [1, typed(fc.uint8Array({ maxLength: 2_000 }))],
    [1, typed(nested)],
    [1, typed(manyKeys)],
    [1, typed(longKey)],
    [1, typed(fc.constant(undefined))],
    [
      route.form === undefined ? 1 : 6,
      fc.tuple(form, fc.constant<string | undefined>(`multipart/form-data; boundary=${boundary}`)),
    ],
  );
}

const encoded = (value: string): string =>
  encodeURIComponent(value.replace(/\p{Cs}/gu, '\uFFFD')).slice(0, 3_000);

function queryOf({ query }: Route): fc.Arbitrary<string> {
  const known = Object.entries(query?.shape ?? {}).map(([key, schema]) =>
    fc
      .option(validFor(schema, key).map(String), { nil: undefined })
      .map((value) => (value === undefined ? '' : `${key}=${encoded(value)}`)),
  );
  const unknown = fc
    .tuple(oddText, oddText)
    .map(([key, value]) => `${encoded(key).slice(0, 500)}=${encoded(value).slice(0, 500)}`);
  const usual = fc.tuple(...known).map((parts) => parts.filter((part) => part !== '').join('&'));
  return weighted(
    [30, usual],
    [
      1,
      fc.tuple(usual, fc.array(unknown, { maxLength: 8 })).map(([some, more]) => [some, ...more].join('&')),
    ],
    [
      1,
      fc.constantFrom(
        '',
        '=',
        '&&',
        '%',
        '%ff=%fe',
        'limit=101&limit=1',
        'page=1e9',
        `x=${'x'.repeat(20_000)}`,
      ),
    ],
  );
}

const segment = (name: string): fc.Arbitrary<string> =>
  weighted<string>(
    [60, idOf(name)],
    [
      1,
      fc
        .constantFrom('%', '%ff', '%00', '..', '%2F', 'x', ' '.repeat(3))
        .map((one) => one.replaceAll(' ', '%20')),
    ],
    [1, oddText.map(encoded)],
  );

const pathOf = (route: Route): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.tuple(...pathParameters(route.path).map(segment)),
      weighted<string>(
        [60, fc.constant('same')],
        [1, fc.constantFrom('slash', 'double', 'start', 'upper', 'cut')],
      ),
    )
    .map(([values, change]) => {
      let next = 0;
      const path = route.path.replace(/\{[A-Za-z]+\}/g, () => values[next++] ?? 'x');
      if (change === 'slash') return `${path}/`;
      if (change === 'double') return path.replace('/upstream/', '//upstream/');
      if (change === 'start') return `/${path}`;
      if (change === 'upper') return path.toUpperCase();
      return change === 'cut' ? path.slice(0, path.lastIndexOf('/')) : path;
    });

const key = weighted<string | undefined>(
  [20, fc.constant(undefined)],
  [20, fc.uuid()],
  [
    1,
    fc.constantFrom(
      '00000000-0000-4000-8000-000000000000',
      '"00000000-0000-4000-8000-000000000001"',
      'x',
      '',
      'x'.repeat(3_000),
    ),
  ],
);
const sourceIp = fc.constantFrom('198.51.100.7', '203.0.113.9', '2001:db8::1', 'not an address');
const ascii = fc.stringMatching(/^[ -~]{0,200}$/);

const requestOf = (route: Route): fc.Arbitrary<FuzzedRequest> =>
  fc
    .record({
      method: weighted<string>(
        [30, fc.constant(route.method)],
        [1, fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS')],
      ),
      path: pathOf(route),
      query: queryOf(route),
      caller: weighted<Caller>(
        [20, fc.constant(route.path.includes('/downstream/') ? 'agency' : 'carrier')],
        [3, fc.constantFrom(...callers)],
      ),
      content:
        route.method === 'GET'
          ? weighted([12, fc.constant([undefined, undefined] as const)], [1, bodyOf(route)])
          : bodyOf(route),
      key,
      otherKey: weighted<string | undefined>([30, fc.constant(undefined)], [1, key]),
      sourceIp,
      odd: weighted<string | undefined>([8, fc.constant(undefined)], [1, ascii]),
    })
    .map(
      ({ method, path, query, caller, content: [body, type], key: first, otherKey, sourceIp: from, odd }) => {
        const headers = {
          'content-type': type,
          'idempotency-key': first,
          'x-idempotency-key': otherKey,
          'x-local-source-ip': from,
          'x-odd': odd,
          'accept-encoding': odd,
        };
        return {
          template: route.path,
          method,
          path: query === '' ? path : `${path}?${query}`,
          caller,
          headers: Object.fromEntries(
            Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
          ),
          body,
        };
      },
    );

/** A request of any route, mostly to it as it is, often with something wrong. */
export const anyRequest: fc.Arbitrary<FuzzedRequest> = fc.oneof(...routes.map(requestOf));
