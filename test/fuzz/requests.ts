import * as fc from 'fast-check';
import { clientCredentialsGrant } from '#platform/contract/responses.ts';
import { pathParameters, type Route } from '#platform/contract/route.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import { idOf, oddText, textFor, validFor, weighted } from './values.ts';

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

type Content = readonly [body: Uint8Array | undefined, type: string | undefined];

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value) ?? '');
const boundary = 'fuzz-boundary';
const multipart = `multipart/form-data; boundary=${boundary}`;
const contentType = weighted<string | undefined>(
  [40, fc.constant('application/json')],
  [
    2,
    fc.constantFrom(
      undefined,
      '',
      'text/plain',
      'application/json; charset=latin1',
      multipart,
      'x'.repeat(500),
    ),
  ],
);

/** Bodies that no route asks for: deeply nested, of many or long members, cut, of other types, or bytes that are no text. */
const oddBody = fc.oneof<fc.Arbitrary<Uint8Array | undefined>[]>(
  fc
    .tuple(fc.integer({ min: 1, max: 50_000 }), fc.constantFrom('[', '{"a":', '{"name":['))
    .map(([depth, open]) => bytes(open.repeat(depth))),
  fc
    .nat(5_000)
    .map((count) => json(Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, at])))),
  fc.nat(100_000).map((length) => json({ ['k'.repeat(length)]: 1 })),
  fc.jsonValue().map(json),
  fc.uint8Array({ maxLength: 2_000 }),
  fc.constant(undefined),
);

const partName = fc.constantFrom('file', 'category', 'downstreamEntityAssociationId', 'x');
const form = fc
  .array(fc.tuple(partName, fc.boolean(), textFor('category')), { maxLength: 60 })
  .map((parts) => {
    const texts = parts.map(([name, isFile, value]) => {
      const file = isFile ? '; filename="a.pdf"' : '';
      return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    });
    return bytes(`${texts.join('')}--${boundary}--\r\n`);
  });

/** Parameters of a form, as OAuth sends them. */
const parameters = (value: unknown): Uint8Array =>
  bytes(
    new URLSearchParams(
      Object.entries(value as object).map(([name, given]): [string, string] => [
        name,
        typeof given === 'string' ? given : clientCredentialsGrant,
      ]),
    ).toString(),
  );

function contentOf({ body, form: takesForm, standard }: Route): fc.Arbitrary<Content> {
  const accepted = body === undefined ? fc.constant({}) : validFor(body);
  const typed = (content: fc.Arbitrary<Uint8Array | undefined>): fc.Arbitrary<Content> =>
    fc.tuple(content, contentType);
  const more = fc.tuple(accepted, fc.dictionary(oddText, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 30 }));
  const cut = fc.tuple(accepted.map(json), fc.nat(200));
  return weighted<Content>(
    [
      standard === undefined ? 0 : 100,
      fc.tuple(accepted.map(parameters), fc.constant('application/x-www-form-urlencoded')),
    ],
    [40, typed(accepted.map(json))],
    [body === undefined ? 0 : 2, typed((body === undefined ? accepted : validFor(body, '', true)).map(json))],
    [2, typed(more.map(([value, others]) => json({ ...Object(value), ...others })))],
    [1, typed(cut.map(([whole, end]) => whole.slice(0, end)))],
    [6, typed(oddBody)],
    [takesForm === undefined ? 1 : 6, fc.tuple(form, fc.constant(multipart))],
  );
}

const encoded = (value: string): string => encodeURIComponent(value.toWellFormed()).slice(0, 3_000);

function queryOf({ query }: Route): fc.Arbitrary<string> {
  const usual = fc.tuple(
    ...Object.entries(query?.shape ?? {}).map(([key, schema]) =>
      fc
        .option(validFor(schema, key).map(String), { nil: undefined })
        .map((value) => (value === undefined ? [] : [`${key}=${encoded(value)}`])),
    ),
  );
  const unknown = fc
    .tuple(oddText, oddText)
    .map((pair) => pair.map((text) => encoded(text).slice(0, 500)).join('='));
  return weighted<string>(
    [30, usual.map((parts) => parts.flat().join('&'))],
    [
      1,
      fc
        .tuple(usual, fc.array(unknown, { maxLength: 8 }))
        .map(([parts, more]) => [...parts.flat(), ...more].join('&')),
    ],
    [
      1,
      fc.constantFrom('=', '&&', '%', '%ff=%fe', 'limit=101&limit=1', 'page=1e9', `x=${'x'.repeat(20_000)}`),
    ],
  );
}

const segment = (name: string): fc.Arbitrary<string> =>
  weighted<string>(
    [60, idOf(name)],
    [1, fc.constantFrom('%', '%ff', '%00', '..', '%2F', '%20')],
    [1, oddText.map(encoded)],
  );

const changes: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.replace('/upstream/', '//upstream/'),
  (path) => path.toUpperCase(),
  (path) => path.slice(0, path.lastIndexOf('/')),
];

const pathOf = ({ path }: Route): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.tuple(...pathParameters(path).map(segment)),
      weighted([60, fc.constant((same: string) => same)], [1, fc.constantFrom(...changes)]),
    )
    .map(([values, change]) => {
      const rest = values.values();
      return change(path.replace(/\{[A-Za-z]+\}/g, () => String(rest.next().value)));
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
    ),
  ],
);
const oddHeader = weighted<string | undefined>(
  [8, fc.constant(undefined)],
  [1, fc.stringMatching(/^[ -~]{0,200}$/)],
);

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
      content: weighted<Content>(
        [route.method === 'GET' ? 12 : 0, fc.constant([undefined, undefined])],
        [1, contentOf(route)],
      ),
      key,
      source: fc.constantFrom('198.51.100.7', '203.0.113.9', '2001:db8::1', 'not an address'),
      odd: oddHeader,
    })
    .map(({ method, path, query, caller, content: [body, type], key: idempotencyKey, source, odd }) => {
      const headers = {
        'content-type': type,
        'idempotency-key': idempotencyKey,
        'x-local-source-ip': source,
        'x-odd': odd,
        'accept-encoding': odd,
      };
      const given = Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      return {
        template: route.path,
        method,
        path: query === '' ? path : `${path}?${query}`,
        caller,
        headers: Object.fromEntries(given),
        body,
      };
    });

/** A request of any route, mostly to it as it is, often with something wrong. */
export const anyRequest: fc.Arbitrary<FuzzedRequest> = fc.oneof(
  ...routeGroups.flatMap(({ routes }) => Object.values(routes).map(requestOf)),
);
