import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import type { Document, Operation, Response } from '../../infra/openapi/document.ts';
import { isObject, objectsIn } from '../../infra/openapi/json.ts';
import { openApiDocument } from '../../infra/openapi/publish.ts';
import { publishSchemas } from '../../infra/openapi/schemas.ts';
import { routeGroups } from '../../infra/route-groups.ts';
import { dataSchema, envelope } from '../../shared/contract/envelope.ts';
import { errorBody } from '../../shared/contract/error-body.ts';
import { errorRegistry } from '../../shared/contract/errors.ts';
import { errorTypesOf, type Route, routeGroup } from '../../shared/contract/route.ts';

const document = openApiDocument(routeGroups);

/** Every row of the tables that is an operation of the API rather than a document about it. */
const rows: readonly (readonly [string, Route])[] = routeGroups
  .flatMap((group) => Object.entries(group.routes))
  .filter(([, route]) => !('document' in route.answer));

/** A write and what comes with it, which route groups of today may lack. */
const writing = openApiDocument([
  routeGroup('surplus-lines-filings', 'Filings.', {
    attachDocument: {
      method: 'PUT',
      path: '/v2/downstream/filings/{filingId}/policy-document',
      access: { kind: 'downstream', feature: 'surplus_lines' },
      rate: 'write',
      summary: 'Attach',
      description: 'Attach.',
      body: z.strictObject({ name: z.string().check(z.meta({ examples: ['Policy'] })) }),
      answer: {
        status: 200,
        one: z.object({ name: z.string().check(z.meta({ examples: ['Policy'] })) }),
      },
      errors: ['transient_transaction_error'],
    },
  }),
]);

const operationsOf = (api: Document): [string, string, Operation][] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  );

function operationOf(api: Document, operationId: string): Operation {
  const found = operationsOf(api).find(([, , operation]) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`No operation ${operationId}.`);
  return found[2];
}

/** What a reference within the document points to. */
function resolved(api: Document, reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), api);
}

/** Every object of a schema and of the schemas it refers to. */
function nodesOf(api: Document, schema: unknown): Record<string, unknown>[] {
  const nodes = [...objectsIn(schema)];
  return nodes.flatMap((node) =>
    typeof node['$ref'] === 'string' ? nodesOf(api, resolved(api, node['$ref'])) : [node],
  );
}

function responsesOf(api: Document, operation: Operation): Map<number, Response> {
  const { responses } = api.components;
  return new Map(
    Object.entries(operation.responses).map(([status, response]) => {
      const shared =
        '$ref' in response ? responses[response.$ref.slice('#/components/responses/'.length)] : response;
      if (shared === undefined) throw new Error(`${operation.operationId} ${status} points nowhere.`);
      return [Number(status), shared];
    }),
  );
}

const errorExample = z.object({ value: errorBody });

/** The error examples of an operation, each parsed by the error shape. */
const errorExamplesOf = (api: Document, operation: Operation) =>
  [...responsesOf(api, operation)].flatMap(([status, response]) =>
    Object.entries(response.content['application/json'].examples ?? {}).map(([errorType, { $ref }]) => ({
      status,
      errorType,
      body: z.parse(errorExample, resolved(api, $ref)).value,
    })),
  );

const headersOf = (api: Document, operationId: string, status: number): string[] =>
  Object.keys(responsesOf(api, operationOf(api, operationId)).get(status)?.headers ?? {});

const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

describe('The operations of the OpenAPI document', () => {
  it('are the rows of the route tables as a set', () => {
    const published = operationsOf(document).map(([method, path, { operationId }]) => [
      operationId,
      method,
      path,
    ]);
    const tabled = rows.map(([operationId, { method, path }]) => [operationId, method, path]);
    expect(published.sort()).toEqual(tabled.sort());
  });

  it('leave out the operation that answers the document itself', () => {
    expect(Object.keys(document.paths)).not.toContain('/v2/openapi.json');
  });

  it('have ids of their own', () => {
    const ids = operationsOf(document).map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(rows)('%s carries a tag that states the organization category', (operationId, { access }) => {
    const [name, ...others] = operationOf(document, operationId).tags;
    const tag = document.tags.find((each) => each.name === name);
    const category =
      access === 'public'
        ? 'no credential'
        : { any: 'any category', upstream: 'upstreamEntity', downstream: 'downstreamEntity' }[access.kind];
    expect(others).toEqual([]);
    expect(name).toContain(`(${category})`);
    expect(tag?.description).toMatch(/Organization category: |No credential is needed\./);
  });

  it.each(rows)('%s demands the credentials that its row demands', (operationId, { access }) => {
    const { security } = operationOf(document, operationId);
    if (access === 'public') expect(security).toEqual([]);
    else if (access.credential === 'oauth') expect(security).toEqual([{ accessToken: [] }]);
    else if (access.credential !== undefined) expect(security).toEqual([{ restrictedAccessToken: [] }]);
    else expect(security).toBeUndefined();
  });

  it.each(rows)(
    '%s lists exactly the errors that its row can give, each with an example',
    (operationId, route) => {
      const examples = errorExamplesOf(document, operationOf(document, operationId));
      expect(examples.map(({ errorType }) => errorType).sort()).toEqual(errorTypesOf(route));
      for (const { status, errorType, body } of examples) {
        expect(body).toMatchObject({ statusCode: status, errorType });
        expect(Object.entries(errorRegistry).find(([type]) => type === errorType)?.[1].status).toBe(status);
      }
    },
  );

  it.each(rows)('%s shows the details of a 400 and of a 403', (operationId) => {
    for (const { status, body } of errorExamplesOf(document, operationOf(document, operationId))) {
      if (status === 400)
        expect(body.details?.issues?.[0]).toEqual(expect.objectContaining({ path: expect.any(String) }));
      if (status === 403) {
        expect(body.details?.expected).toEqual(expect.any(String));
        expect(body.details?.actual).not.toBe(body.details?.expected);
      }
    }
  });

  it.each(rows)('%s shows examples that its own schemas accept', (operationId, route) => {
    const operation = operationOf(document, operationId);
    const data = dataSchema(route.answer);
    const success = responsesOf(document, operation).get(route.answer.status);
    const example = success?.content['application/json'].example;
    if (data === undefined) throw new Error('The answer has no schema.');
    expect(z.parse(envelope(route.answer.status, data), example)).toEqual(example);

    const sent = operation.requestBody?.content['application/json'].example;
    if (route.body === undefined) expect(sent).toBeUndefined();
    else expect(z.parse(route.body, sent)).toEqual(sent);
  });

  it.each(rows)(
    '%s describes its parameters, and takes its path ids in hexadecimal',
    (operationId, route) => {
      const parameters = (operationOf(document, operationId).parameters ?? []).flatMap((parameter) =>
        'in' in parameter ? [parameter] : [],
      );
      expect(parameters.filter(({ description }) => description === '')).toEqual([]);
      for (const { schema } of parameters.filter((parameter) => parameter.in === 'path')) {
        expect(resolved(document, String(schema.$ref))).toMatchObject({ pattern: '^[0-9a-fA-F]{24}$' });
      }
      const queried = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      expect(queried).toEqual(Object.keys(route.query ?? {}));
    },
  );

  it.each(rows)('%s sends its requestId with every answer', (operationId) => {
    for (const response of responsesOf(document, operationOf(document, operationId)).values()) {
      expect(Object.keys(response.headers)).toContain('x-request-id');
    }
  });

  it.each(rows)('%s shows rate headers when it is counted, and only then', (operationId, route) => {
    const shown = (status: number) =>
      headersOf(document, operationId, status).filter((name) => rateHeaders.includes(name));
    const expected = route.rate === 'none' ? [] : rateHeaders;
    for (const status of [route.answer.status, 400, 429]) expect(shown(status)).toEqual(expected);
  });

  it('name the values that a filter accepts in the example of its refusal', () => {
    const refused = errorExamplesOf(document, operationOf(document, 'listPolicies')).find(
      ({ status }) => status === 400,
    );
    expect(refused?.body.details?.issues).toEqual([
      expect.objectContaining({
        path: 'currentStatus',
        accepted: ['bound', 'active', 'expired', 'cancelled', 'non renewed'],
      }),
    ]);
  });

  it('state the default and the range of a page', () => {
    const limit = operationOf(document, 'listPolicyTransactions').parameters?.find(
      (parameter) => 'name' in parameter && parameter.name === 'limit',
    );
    expect(limit).toMatchObject({ required: false, schema: { minimum: 1, maximum: 100, default: 50 } });
  });
});

describe('A write in the OpenAPI document', () => {
  it('takes an idempotency key under both names', () => {
    expect(operationOf(writing, 'attachDocument').parameters).toEqual([
      expect.objectContaining({ name: 'filingId', in: 'path' }),
      { $ref: '#/components/parameters/idempotency-key' },
      { $ref: '#/components/parameters/x-idempotency-key' },
    ]);
  });

  it('says when its answer was replayed, and when to come back', () => {
    expect(headersOf(writing, 'attachDocument', 200)).toEqual([
      'x-request-id',
      ...rateHeaders,
      'idempotency-replayed',
    ]);
    expect(headersOf(writing, 'attachDocument', 429)).toEqual([
      'x-request-id',
      ...rateHeaders,
      'Retry-After',
    ]);
    expect(headersOf(writing, 'attachDocument', 409)).toEqual([
      'x-request-id',
      ...rateHeaders,
      'Retry-After',
    ]);
    expect(headersOf(writing, 'attachDocument', 403)).toEqual(['x-request-id']);
  });

  it('on the downstream surface expects a downstream organization', () => {
    const { tags } = operationOf(writing, 'attachDocument');
    const wrong = errorExamplesOf(writing, operationOf(writing, 'attachDocument')).find(
      ({ errorType }) => errorType === 'invalid_organization_category',
    );
    expect(tags).toEqual(['Surplus lines filings (downstreamEntity)']);
    expect(wrong?.body.details).toEqual({ expected: 'downstreamEntity', actual: 'upstreamEntity' });
  });
});

describe.each([
  ['of the service', document],
  ['of a write', writing],
])('The schemas and components %s', (_name, api) => {
  it('are all used, and every reference leads to one', () => {
    const references = new Set(
      [...objectsIn(api)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])),
    );
    const { securitySchemes, ...components } = api.components;
    const published = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...references].sort()).toEqual(published.sort());
    expect(api.security.flatMap((alternative) => Object.keys(alternative))).toEqual(
      Object.keys(securitySchemes),
    );
  });

  it('refuse unknown keys in requests and tolerate them in answers', () => {
    const contents = operationsOf(api).map(([, , operation]) => ({
      sent: operation.requestBody?.content['application/json'].schema,
      answered: [...responsesOf(api, operation).values()].map(
        ({ content }) => content['application/json'].schema,
      ),
    }));
    const sent = nodesOf(
      api,
      contents.map((each) => each.sent),
    ).filter(({ type }) => type === 'object');
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((node) => node['additionalProperties'] !== false)).toEqual([]);
    const answered = nodesOf(
      api,
      contents.map((each) => each.answered),
    );
    expect(answered.filter((node) => 'additionalProperties' in node)).toEqual([]);
  });

  it("hold neither zod's own traces nor a pattern beside a format", () => {
    const found = [...objectsIn(api)].filter(
      (node) =>
        '$schema' in node || '$id' in node || '$defs' in node || ('format' in node && 'pattern' in node),
    );
    expect(found).toEqual([]);
  });
});

describe('The OpenAPI document', () => {
  it('is the same, byte for byte, every time', () => {
    expect(JSON.stringify(openApiDocument(routeGroups))).toBe(JSON.stringify(document));
  });

  it.each([
    ['of the service', document],
    ['of a write', writing],
  ])(
    '%s passes the strict rules of Redocly without an error or a warning',
    async (_name, api) => {
      const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
      try {
        const file = join(folder, 'openapi.json');
        await writeFile(file, JSON.stringify(api));
        const cli = [
          'node_modules/@redocly/cli/bin/cli.js',
          'lint',
          '--extends',
          'recommended-strict',
          '--format',
          'json',
        ];
        const { stdout } = await promisify(execFile)(process.execPath, [...cli, file], {
          // It would otherwise ask its makers for a newer version and tell them of the run.
          env: {
            ...process.env,
            CI: 'true',
            REDOCLY_TELEMETRY: 'off',
            REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
          },
          timeout: 30_000,
        });
        expect(JSON.parse(stdout)).toMatchObject({
          totals: { errors: 0, warnings: 0, ignored: 0 },
          problems: [],
        });
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    60_000,
  );
});

describe('A named schema', () => {
  const size = z._default(z.int(), 5).check(z.meta({ id: 'Size', examples: [5] }));
  const box = z.object({ size }).check(z.meta({ id: 'Box' }));
  const asked = z.strictObject({ box });
  const answered = z.object({ box });

  it('is one component where both directions agree, and else two', () => {
    const { components } = publishSchemas({ input: [asked], output: [answered] });
    expect(Object.keys(components)).toEqual(['Box', 'BoxInput', 'Size']);
  });

  it('keeps its name where callers alone send it', () => {
    const { components } = publishSchemas({ input: [asked], output: [] });
    expect(Object.keys(components)).toEqual(['Box', 'Size']);
  });

  it('without an example stops the build rather than have one invented', () => {
    const nameless = z.object({ name: z.string() });
    const published = publishSchemas({ input: [], output: [nameless] });
    expect(() => published.exampleOf(published.of(nameless, 'output'))).toThrow('lacks: example');
  });
});
