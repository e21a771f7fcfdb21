import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { pathParameters, type Route } from '#platform/contract/route.ts';
import { bodyType } from '#platform/request/headers.ts';
import { pathsOf } from '#platform/request/validation.ts';
import { isObject } from '../../infra/text.ts';
import { createKnownIds } from '../fuzz/known-ids.ts';
import { serveApi } from '../fuzz/served-api.ts';
import { validFor } from '../fuzz/values.ts';
import { routes } from '../support/every-route.ts';
import { form } from '../support/forms.ts';
import { officeAddress } from '../support/local-api.ts';
import { bodyOf, document, examplesOf } from '../support/openapi.ts';

// That operations read what a body declares, for every row of the route tables: a field that is added is covered without an edit
// here. The fields of queries are in `test/e2e/every-route.slow.test.ts`.

/**
 * The rows with a body, and with a form; their schemas are those that the functions are given in their place. What is there to
 * compare with is replaced last.
 */
const rows = routes
  .flatMap(([title, route]) => (route.body === undefined ? [] : [{ title, route, schema: route.body }]))
  .sort((one, other) => Number(one.route.method === 'PUT') - Number(other.route.method === 'PUT'));
const forms = routes.flatMap(([title, route]) =>
  route.form === undefined ? [] : [{ title, route, schema: route.form }],
);

/** The fields that an operation reads of bodies, and those that it copies as they are, by their paths. */
const read = new Set<string>();
const copied = new Set<string>();

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);

/** A body whose reader is watched. */
function watched(value: unknown, path = ''): unknown {
  if (!isPlain(value)) return value;
  const pathOf = (key: string): string => {
    if (Array.isArray(value)) return `${path}[]`;
    return path === '' ? key : `${path}.${key}`;
  };
  /** What a spread asks of a member before it gets its value. */
  let described: PropertyKey | undefined;
  return new Proxy(value, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) {
        if (typeof key === 'string') read.add(pathOf(key));
        return member;
      }
      (described === key ? copied : read).add(pathOf(key));
      described = undefined;
      return watched(member, pathOf(key));
    },
    has(target, key) {
      if (typeof key === 'string') read.add(pathOf(key));
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      described = key;
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

/** A second for each request, so that the rate limits let them through. */
let clock = Date.parse('2026-03-01T12:00:00.000Z');
let api: Awaited<ReturnType<typeof serveApi>>;
let credentials: Awaited<ReturnType<typeof api.credentials>>;
const ids = createKnownIds();

const send = async (route: Route, body?: { readonly type: string; readonly bytes: Uint8Array }) => {
  clock += 2_000;
  const isAgencys = route.access !== 'public' && route.access.kind === 'downstream';
  const answer = await api.send({
    method: route.method,
    path: ids.fill(route.path.replace(/\{(\w+)\}/g, '{$1:0}')),
    headers: {
      ...credentials[isAgencys ? 'agency token' : 'carrier token'],
      ...(body === undefined ? {} : { 'content-type': body.type }),
      'x-local-source-ip': officeAddress,
    },
    body: body?.bytes,
  });
  if (answer.status < 300) ids.learn(route.path, answer.text);
  return answer;
};

beforeAll(async () => {
  const watching = <Schema extends z.core.$ZodType>(schema: Schema) =>
    z.pipe(
      schema,
      z.transform((value) => watched(value)),
    );
  for (const { route, schema } of rows) Object.assign(route, { body: watching(schema) });
  for (const { route, schema } of forms) Object.assign(route, { form: watching(schema) });
  api = await serveApi({
    now: () => new Date(clock),
    connections: 4,
    onLog: () => undefined,
    onFault: () => undefined,
  });
  credentials = await api.credentials();
  for (const [, route] of routes) {
    if (route.method === 'GET' && pathParameters(route.path).length === 0) await send(route);
  }
});
afterAll(() => api.close());

/** The examples of the document, and others that the schema accepts, those that say most first. */
function bodiesFor({ route, schema }: (typeof rows)[number]): unknown[] {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  const media = operation && bodyOf(operation);
  const others = fc.sample(validFor(schema), { seed: 1, numRuns: 500 });
  const lengthOf = (body: unknown): number => JSON.stringify(body).length;
  others.sort((one, other) => lengthOf(other) - lengthOf(one));
  return [...(media === undefined ? [] : examplesOf(document, media)), ...others];
}

/** A body as it is sent, with ids of what exists. */
function sentAs(route: Route, body: unknown): string {
  const withIds = JSON.stringify(body).replace(/"(\w+Id)":"[0-9a-f]{24}"/g, '"$1":"{$1:0}"');
  const text = ids.fill(withIds);
  return route.standard === undefined ? text : String(new URLSearchParams(JSON.parse(text)));
}

/** The fields that a schema declares; the one of a token request has but one value, which the schema demands. */
const declaredIn = (schema: z.core.$ZodType): string[] =>
  [...pathsOf(schema)].filter((path) => path !== '' && !/\[\]$|^grant_type$/.test(path));

/** The values that an answer has under a name, anywhere. */
const namedIn = (answer: unknown, name: string): unknown[] =>
  isObject(answer) || Array.isArray(answer)
    ? Object.entries(answer).flatMap(([key, value]) => [
        ...(key === name ? [value] : []),
        ...namedIn(value, name),
      ])
    : [];

/** The values of a field that is copied, as they were sent and as they are answered, have one in common. */
function isShown(path: string, sent: string, answered: string): boolean {
  const name = path.split('.').at(-1) ?? '';
  const [of = [], shown = []] = [sent, answered].map((text) =>
    namedIn(JSON.parse(text), name).map((one) => JSON.stringify(one)),
  );
  return of.some((one) => shown.includes(one));
}

beforeEach(() => {
  read.clear();
  copied.clear();
});

it.each(rows)('$title', async (row) => {
  const shown = new Set<string>();
  const answers: string[] = [];
  const unread = () => declaredIn(row.schema).filter((path) => !read.has(path) && !shown.has(path));
  for (const body of bodiesFor(row)) {
    const text = sentAs(row.route, body);
    const answer = await send(row.route, { type: bodyType(row.route), bytes: Buffer.from(text) });
    expect(answer.status).toBeLessThan(500);
    answers.push(`${answer.status} ${answer.text.slice(0, 200)}`);
    for (const path of copied) if (isShown(path, text, answer.text)) shown.add(path);
    if (unread().length === 0) return;
  }
  throw new Error(`The operation does not read ${unread().join(', ')}. Answers:\n${answers.join('\n')}`);
});

it.each(forms)('the form of $title', async ({ route, schema }) => {
  const { headers, binaryBody } = form('W9');
  await send(route, { type: headers['Content-Type'] ?? '', bytes: binaryBody });
  expect(declaredIn(schema).filter((path) => !read.has(path))).toEqual([]);
});
