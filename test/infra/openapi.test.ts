import * as z from 'zod/mini';
import { feedEventType } from '#domain/events/payloads.ts';
import { errorBody } from '#platform/contract/docs.ts';
import { errorRegistry } from '#platform/contract/errors.ts';
import { dataSchema, envelope } from '#platform/contract/responses.ts';
import { type Route, rateOf } from '#platform/contract/route.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import type { MediaType } from '../../infra/openapi/components.ts';
import { errorsByStatus } from '../../infra/openapi/errors.ts';
import { documentedGroups, openApiDocument } from '../../infra/openapi/publish.ts';
import type { JsonSchema } from '../../infra/openapi/schemas.ts';
import { isObject } from '../../infra/text.ts';
import {
  bodyOf,
  document,
  errorExamplesOf,
  examplesOf,
  headersOf,
  nodesOf,
  operationOf,
  operationsOf,
  parametersOf,
  rateHeaders,
  resolved,
  responsesOf,
  writing,
} from '../support/openapi.ts';

describe('openapi', () => {
  /** Every row of the route tables, except the one that returns the document. */
  const rows: readonly (readonly [string, Route])[] = routeGroups
    .flatMap((group) => Object.entries(group.routes))
    .filter(([, route]) => !('document' in route.answer));

  describe('The operations of the OpenAPI document', () => {
    it('have every one of v1 in v2 too, as the list of changes says', () => {
      const inV2 = (path: string): string =>
        path.replace('/v1/auth/', '/v2/auth/').replace('/v1/', '/v2/upstream/');
      const names = operationsOf(document).map(([method, path]) => `${method} ${path}`);
      const old = operationsOf(document).filter(([, path]) => path.startsWith('/v1/'));
      expect(old.length).toBeGreaterThan(0);
      expect(names).toEqual(expect.arrayContaining(old.map(([method, path]) => `${method} ${inV2(path)}`)));
    });

    it('are exactly the rows of the route tables', () => {
      const published = operationsOf(document).map(([method, path, { operationId }]) => [
        operationId,
        method,
        path,
      ]);
      const tabled = rows.map(([operationId, { method, path }]) => [operationId, method, path]);
      expect(published.sort()).toEqual(tabled.sort());
    });

    it('do not include the one that returns the document itself', () => {
      expect(Object.keys(document.paths)).not.toContain('/v2/openapi.json');
    });

    it('are deprecated under v1, which is frozen, and not under v2', () => {
      const deprecated = operationsOf(document).filter(([, , operation]) => operation.deprecated);
      const frozen = rows.filter(([, { path }]) => path.startsWith('/v1/'));
      expect(deprecated.map(([, , { operationId }]) => operationId).sort()).toEqual(
        frozen.map(([operationId]) => operationId).sort(),
      );
      for (const [, , { operationId, responses }] of deprecated) {
        const [success = 0] = Object.keys(responses).map(Number);
        expect(headersOf(document, operationId, success)).toEqual(
          expect.arrayContaining(['Deprecation', 'Link']),
        );
      }
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

    it.each(rows)('%s requires the credentials that its row requires', (operationId, { access }) => {
      const { security } = operationOf(document, operationId);
      if (access === 'public') expect(security).toEqual([]);
      else if (access.credential === 'oauth') expect(security).toEqual([{ accessToken: [] }]);
      else if (access.credential !== undefined) expect(security).toEqual([{ restrictedAccessToken: [] }]);
      else expect(security).toBeUndefined();
    });

    const inOurShape = rows.filter(([, { standard }]) => standard === undefined);
    it.each(inOurShape)(
      '%s has exactly the errors of its row, each with an example, and names those that a status does not tell',
      (operationId, route) => {
        const operation = operationOf(document, operationId);
        const statuses = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
        expect(statuses).toEqual([...errorsByStatus(route).keys()].map(String));
        const examples = errorExamplesOf(document, operation);
        for (const [status, types] of errorsByStatus(route)) {
          for (const type of types) {
            expect(examples).toContainEqual({
              status,
              name: expect.any(String),
              body: expect.objectContaining({ statusCode: status, errorType: type }),
            });
          }
        }
        for (const type of route.errors ?? []) {
          const { status } = errorRegistry[type];
          if (type !== 'conflict' && [403, 409].includes(status)) {
            expect(operation.description).toContain(`\`${type}\``);
          }
        }
      },
    );

    it('have the errors of RFC 6749 at its token endpoint, but for a 429', () => {
      const operation = operationOf(document, 'requestToken');
      const shown = [...responsesOf(document, operation)].flatMap(([status, { content }]) =>
        examplesOf(document, content['application/json']).map((body) => ({ status, body })),
      );
      const code = (status: number, error: string) => ({
        status,
        body: { error, error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) },
      });
      expect(shown.slice(1)).toEqual([
        code(400, 'invalid_request'),
        code(400, 'unsupported_grant_type'),
        code(401, 'invalid_client'),
        code(413, 'invalid_request'),
        { status: 429, body: expect.objectContaining({ errorType: 'rate_limit_exceeded' }) },
        { status: 429, body: expect.objectContaining({ errorType: 'throttled' }) },
        code(500, 'server_error'),
        code(503, 'temporarily_unavailable'),
      ]);
      expect(headersOf(document, 'requestToken', 401)).toEqual([
        'x-request-id',
        ...rateHeaders,
        'x-amzn-remapped-www-authenticate',
      ]);
    });

    it.each(rows)('%s has examples that its own schemas accept', (operationId, route) => {
      const operation = operationOf(document, operationId);
      const data = dataSchema(route.answer);
      const success = responsesOf(document, operation).get(route.answer.status);
      if (data === undefined || success === undefined) throw new Error('The answer has no schema.');
      const examples = examplesOf(document, success.content['application/json']);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const schema = 'bare' in route.answer ? data : envelope(route, data);
        expect(z.parse(schema, example)).toEqual(example);
      }

      const sent = bodyOf(operation)?.example;
      if (route.body === undefined) expect(sent).toBeUndefined();
      // What a schema reads of a time is an instant, which is written as the example is.
      else expect(JSON.parse(JSON.stringify(z.parse(route.body, sent)))).toEqual(sent);
    });

    it.each(rows)(
      '%s has CSV beside its JSON if it is a list of v2',
      (operationId, { method, path, answer }) => {
        const { content } =
          responsesOf(document, operationOf(document, operationId)).get(answer.status) ?? {};
        const isTable = method === 'GET' && path.startsWith('/v2/') && 'all' in answer;
        expect(Object.keys(content ?? {})).toEqual(['application/json', ...(isTable ? ['text/csv'] : [])]);
        // The header, and the row of the example.
        if (isTable) expect(content?.['text/csv']?.example).toMatch(/^\S+\r\n.+\r\n$/);
      },
    );

    it.each(rows)(
      '%s has the parameters of its row, and its path ids are hexadecimal or an NPN',
      (operationId, route) => {
        const parameters = parametersOf(document, operationOf(document, operationId));
        for (const { schema } of parameters.filter((parameter) => parameter.in === 'path')) {
          const said = schema.$ref === undefined ? schema : resolved(document, schema.$ref);
          expect(isObject(said) && said['pattern']).toMatch(
            /^\^\[0-9a-fA-F\]\{24\}\$$|^\^\[0-9\]\{1,10\}\$$/,
          );
        }
        const queried = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
        expect(queried).toEqual(Object.keys(route.query?.shape ?? {}));
      },
    );

    it.each(rows)('%s sends its requestId with every response', (operationId) => {
      for (const response of responsesOf(document, operationOf(document, operationId)).values()) {
        expect(Object.keys(response.headers)).toContain('x-request-id');
      }
    });

    it('says of which responses the x-request-id lacks the environment', () => {
      expect(document.components.headers['x-request-id']?.description).toMatch(
        /401.*gateway.*without the environment/,
      );
    });

    it.each(rows)(
      '%s has rate-limit headers if its requests are counted, and only then',
      (operationId, route) => {
        const shown = (status: number) =>
          headersOf(document, operationId, status).filter((name) => rateHeaders.includes(name));
        const expected = rateOf(route) === 'none' ? [] : rateHeaders;
        for (const status of [route.answer.status, 400, 429]) expect(shown(status)).toEqual(expected);
      },
    );

    it('share their error responses, whose names make good names of types', () => {
      const names = Object.keys(document.components.responses);
      // At most two of a status: with the headers of counted requests, and without.
      const statuses = new Set(Object.values(errorRegistry).map(({ status }) => status));
      expect(names.length).toBeLessThanOrEqual(2 * (statuses.size + 1));
      for (const name of names) expect(name).toMatch(/^([A-Z][a-z]+){1,7}$/);
      expect(Object.keys(document.components.schemas).filter((name) => names.includes(name))).toEqual([]);
    });

    it.each(Object.entries(document.components.examples))(
      '%s, an error, explains itself',
      (_name, { value }) => {
        const { success, data } = z.safeParse(errorBody, value);
        if (!success) return;
        if (data.errorType === 'validation_error' && data.statusCode === 400)
          expect(data.details?.issues?.[0]).toEqual(expect.objectContaining({ path: expect.any(String) }));
        if (data.statusCode === 403) {
          expect(data.details?.expected).toEqual(expect.any(String));
          expect(data.details?.actual).toEqual(expect.any(String));
          expect(data.details?.actual).not.toBe(data.details?.expected);
        }
      },
    );

    it('name the accepted values of a filter in the example of its 400', () => {
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

    it('list the types of the feed as an array whose values stand in one parameter, separated by commas', () => {
      const types = parametersOf(document, operationOf(document, 'listEvents')).find(
        ({ name }) => name === 'types',
      );
      expect(types).toMatchObject({ style: 'form', explode: false, schema: { type: 'array' } });
      expect(nodesOf(document, types)).toContainEqual(
        expect.objectContaining({ type: 'string', enum: feedEventType.options }),
      );
    });

    it('state the default and the range of a page', () => {
      const limit = parametersOf(document, operationOf(document, 'listPolicyTransactions')).find(
        ({ name }) => name === 'limit',
      );
      expect(limit).toMatchObject({ required: false, schema: { minimum: 1, maximum: 100, default: 50 } });
    });
  });

  describe('An upload in the OpenAPI document', () => {
    const uploads = rows.filter(([, { form }]) => form !== undefined);

    it.each(uploads)('%s shows what each way of uploading is answered with', (operationId) => {
      const operation = operationOf(document, operationId);
      const { examples = {} } = responsesOf(document, operation).get(201)?.content['application/json'] ?? {};
      expect(Object.keys(examples)).toEqual(['multipart', 'presigned']);
      const [multipart, presigned] = Object.values(examples).map(({ $ref }) => resolved(document, $ref));
      expect(multipart).not.toHaveProperty('value.data.upload');
      expect(presigned).toMatchObject({ value: { data: { upload: { method: 'PUT' } } } });
    });

    it.each(uploads)('%s has an example of a form, and says which types its file may have', (operationId) => {
      const { requestBody } = operationOf(document, operationId);
      const form = requestBody?.content['multipart/form-data'];
      const propertiesOf = (media?: MediaType) =>
        (resolved(document, String(media?.schema.$ref)) as JsonSchema).properties;
      expect(propertiesOf(form)?.['file']).toMatchObject({ type: 'string', format: 'binary' });
      expect(form?.example).toEqual({ file: expect.any(String), category: expect.any(String) });
      const json = propertiesOf(requestBody?.content['application/json'])?.['contentType'];
      const types = typeof json === 'object' ? json.enum : undefined;
      expect(form?.encoding).toEqual({ file: { contentType: types?.join(', ') } });
    });

    it('are three', () => {
      expect(uploads.map(([, { path }]) => path).sort()).toEqual([
        '/v1/file-documents',
        '/v2/downstream/documents',
        '/v2/upstream/file-documents',
      ]);
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

    it('has headers that say when its response was replayed, and when to retry', () => {
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
      expect(headersOf(writing, 'attachDocument', 401)).toEqual(['x-request-id', 'WWW-Authenticate']);
    });
  });
});

describe('openapi bodies', () => {
  test('every body is required, but that of a test event', () => {
    const bodies = Object.values(openApiDocument(documentedGroups).paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, requestBody }) => (requestBody ? [{ operationId, requestBody }] : []));
    expect(bodies.length).toBeGreaterThan(10);
    const optional = bodies.filter(({ requestBody }) => !requestBody.required);
    expect(optional.map(({ operationId }) => operationId)).toEqual(['testWebhook']);
  });
});

describe('An operationId', () => {
  const rows: readonly (readonly [string, Route])[] = routeGroups.flatMap((group) =>
    Object.entries<Route>(group.routes),
  );

  it.each(rows)('%s names the surface of agencies, and v1', (operationId, { path }) => {
    expect(operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+(V1)?$/);
    expect(/^[a-z]+(Up)?Agency/.test(operationId)).toBe(path.includes('/downstream/'));
    expect(operationId.endsWith('V1')).toBe(path.startsWith('/v1/'));
  });
});
