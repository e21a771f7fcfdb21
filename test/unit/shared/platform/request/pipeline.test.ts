import * as z from 'zod/mini';
import { UnfinishedCallError } from '#platform/aws/calls.ts';
import { ApiError, notFound } from '#platform/contract/errors.ts';
import { pageQuery } from '#platform/contract/primitives.ts';
import { commonHeaders } from '#platform/contract/responses.ts';
import { routeGroup } from '#platform/contract/route.ts';
import { StoredItemError } from '#platform/data/stored.ts';
import { TransactionContention, VersionConflict } from '#platform/data/transact.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import type { OpenLists, RateLimiter } from '#platform/request/rate-limit.ts';
import type { ApiResponse } from '#platform/request/response.ts';
import {
  apiEvent,
  carrier,
  type EventOptions,
  lambdaContext,
  requestUuid,
} from '../../../../support/api-event.ts';
import { exception, transientForms } from '../../../../support/aws-errors.ts';
import { recordingLogger } from '../../../../support/recording-logger.ts';

const thing = z.object({ name: z.string() });
const access = { kind: 'upstream', feature: null } as const;

const group = routeGroup('things', {
  getThing: {
    method: 'GET',
    path: '/v2/upstream/things/{thingId}',
    access,
    answer: { status: 200, one: thing },
  },
  listThings: {
    method: 'GET',
    path: '/v2/upstream/things',
    access,
    query: z.object({ colour: z.optional(z.enum(['red', 'green'])) }),
    answer: { status: 200, all: thing },
  },
  sumThings: {
    method: 'GET',
    path: '/v2/upstream/thing-sum',
    access,
    answer: { status: 200, one: thing },
    isLong: true,
  },
  pageThings: {
    method: 'GET',
    path: '/v2/upstream/thing-pages',
    access,
    rate: 'download',
    query: z.object({ ...pageQuery.shape, name: z.optional(z.string()) }),
    answer: { status: 200, page: thing, as: 'items' },
  },
});

const id = '65F0c1d2e3a4b5c6d7e8f901';
const { getThing, listThings, pageThings, sumThings } = group.routes;

interface Setup {
  readonly get?: (thingId: string) => unknown;
  readonly list?: () => AsyncIterable<{ name: string }[]>;
  readonly rateLimiter?: RateLimiter;
  readonly openLists?: OpenLists;
  readonly responseCheck?: 'refuse' | 'report';
}

const admitting: RateLimiter = {
  take: () => Promise.resolve({ limit: 120, remaining: 119, reset: 1_764_000_060, isAdmitted: true }),
};

function pipelineWith(setup: Setup = {}) {
  const logger = recordingLogger();
  const pipeline = createPipeline({
    environment: 'test',
    responseCheck: setup.responseCheck ?? 'refuse',
    logger,
    now: () => new Date('2026-03-01T14:05:09.123Z'),
    group,
    operations: {
      getThing: ({ params }) => (setup.get?.(params.thingId) ?? { name: 'a thing' }) as { name: string },
      listThings: () =>
        setup.list?.() ?? pagesOf([{ name: 'one' }], [], [{ name: 'two' }, { name: 'three' }]),
      sumThings: () => ({ name: 'all things' }),
      pageThings: ({ query }) => ({
        items: [{ name: query.name ?? `${query.page}/${query.limit}` }],
        total: 101,
      }),
    },
    openLists: setup.openLists,
    rateLimiter: setup.rateLimiter ?? admitting,
  });
  return { logger, pipeline };
}

async function* pagesOf<Item>(...pages: Item[][]): AsyncGenerator<Item[]> {
  yield* pages;
}

async function bodyText({ body }: ApiResponse): Promise<string> {
  if (typeof body === 'string') return body;
  let read = '';
  for await (const chunk of body) read += chunk;
  return read;
}

async function call(route: Parameters<typeof apiEvent>[0], options: EventOptions = {}, setup: Setup = {}) {
  const { pipeline, logger } = pipelineWith(setup);
  const response = await pipeline(apiEvent(route, { identity: carrier, ...options }), lambdaContext);
  return { ...response, logger, json: JSON.parse(await bodyText(response)) as unknown };
}

describe('a request that succeeds', () => {
  it('is answered in the envelope, with its requestId in the body and a header', async () => {
    const { status, json, headers } = await call(getThing, { params: { thingId: id } });
    expect(status).toBe(200);
    expect(json).toEqual({
      statusCode: 200,
      data: { name: 'a thing' },
      requestId: `test-${requestUuid}`,
      timestamp: '2026-03-01T14:05:09.123Z',
    });
    expect(headers).toMatchObject({
      ...commonHeaders,
      // Nobody on its way may keep it.
      'cache-control': 'no-store',
      'x-request-id': `test-${requestUuid}`,
      'content-type': 'application/json',
    });
  });

  it('passes ids to the operation in lowercase', async () => {
    const seen: string[] = [];
    await call(getThing, { params: { thingId: id } }, { get: (given) => void seen.push(given) });
    expect(seen).toEqual([id.toLowerCase()]);
  });

  it('removes properties that are not in the response schema', async () => {
    const { json } = await call(
      getThing,
      { params: { thingId: id } },
      { get: () => ({ name: 'x', pk: 'secret' }) },
    );
    expect(json).toMatchObject({ data: { name: 'x' } });
    expect(JSON.stringify(json)).not.toContain('secret');
  });

  it('streams a list as one JSON array, even with empty pages', async () => {
    const { json } = await call(listThings);
    expect(json).toMatchObject({
      statusCode: 200,
      data: [{ name: 'one' }, { name: 'two' }, { name: 'three' }],
    });
  });

  it('responds with an empty list', async () => {
    const { json } = await call(listThings, {}, { list: () => pagesOf() });
    expect(json).toMatchObject({ statusCode: 200, data: [], requestId: `test-${requestUuid}` });
  });

  it('uses the default page and counts the pages', async () => {
    const { json } = await call(pageThings);
    expect(json).toMatchObject({
      data: { items: [{ name: '1/50' }], total: 101, page: 1, limit: 50, totalPages: 3 },
    });
  });
});

it('normalizes a text in the query as stored text is', async () => {
  const { json } = await call(pageThings, { query: { name: 'Ge\u0301rant' } });
  expect(json).toMatchObject({ data: { items: [{ name: 'Gérant' }] } });
});

describe('a request that is refused', () => {
  it('gets 401 without an identity, before any other check', async () => {
    const { pipeline } = pipelineWith();
    const response = await pipeline(apiEvent(getThing, { params: { thingId: 'x' } }), lambdaContext);
    expect(response.status).toBe(401);
    expect(JSON.parse(await bodyText(response))).toMatchObject({ errorType: 'unauthorized' });
  });

  it('gets 403 with what the authorizer refused, before any other check', async () => {
    const { pipeline } = pipelineWith();
    const event = apiEvent(getThing, { params: { thingId: 'x' } });
    event.requestContext.authorizer = {
      errorType: 'product_feature_subscription_required',
      expected: 'policies',
      actual: 'none',
      organizationId: carrier.organizationId,
      credentialId: 'client_test',
    };
    const response = await pipeline(event, lambdaContext);
    expect(response.status).toBe(403);
    expect(JSON.parse(await bodyText(response))).toMatchObject({
      statusCode: 403,
      errorType: 'product_feature_subscription_required',
      details: { expected: 'policies', actual: 'none' },
    });
  });

  it('gets 404 in the error format for a method and path without a route', async () => {
    const { status, json } = await call({ method: 'DELETE', path: '/v2/upstream/things/{thingId}' });
    expect(status).toBe(404);
    expect(json).toMatchObject({ statusCode: 404, errorType: 'not_found', requestId: `test-${requestUuid}` });
  });

  it.each([
    ['an id that is not 24 hexadecimal characters', getThing, { params: { thingId: 'abc' } }, 'thingId'],
    ['an unknown query parameter', listThings, { query: { color: 'red' } }, 'color'],
    ['a parameter given twice', listThings, { query: { colour: ['red', 'green'] } }, 'colour'],
    ['a limit above the maximum', pageThings, { query: { limit: '101' } }, 'limit'],
    ['page 0', pageThings, { query: { page: '0' } }, 'page'],
    ['a number in another notation', pageThings, { query: { page: '1e2' } }, 'page'],
    ['an empty number', pageThings, { query: { limit: '' } }, 'limit'],
  ])('gets 400 naming the field for %s', async (_, route, options, path) => {
    const { status, json } = await call(route, options);
    expect(status).toBe(400);
    expect(json).toMatchObject({ errorType: 'validation_error', details: { issues: [{ path }] } });
  });

  it('receives the values that an enum accepts', async () => {
    const { json } = await call(listThings, { query: { colour: 'blue' } });
    expect(json).toMatchObject({ details: { issues: [{ path: 'colour', accepted: ['red', 'green'] }] } });
  });

  it('gets 429 with the time to wait, and every rate-limited response has the rate headers', async () => {
    const refused = { limit: 120, remaining: 0, reset: 1_772_373_960, isAdmitted: false };
    const full = { take: jest.fn(async () => refused) };
    const { status, headers, json } = await call(
      pageThings,
      { query: { limit: '999' } },
      { rateLimiter: full },
    );
    expect(status).toBe(429);
    expect(full.take).toHaveBeenCalledWith('download', carrier.organizationId, expect.any(Number));
    expect(json).toMatchObject({ errorType: 'rate_limit_exceeded' });
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '120',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1772373960',
      'retry-after': '51',
    });
    const admitted = await call(pageThings, { query: { limit: '999' } });
    expect(admitted).toMatchObject({ status: 400, headers: { 'x-ratelimit-remaining': '119' } });
  });

  it('receives the operation’s error, and no error is logged', async () => {
    const fail = () => {
      throw notFound();
    };
    const { status, json, logger } = await call(getThing, { params: { thingId: id } }, { get: fail });
    expect(status).toBe(404);
    expect(json).toMatchObject({ errorType: 'not_found' });
    expect(logger.lines).toEqual([]);
  });
});

describe('a request that fails', () => {
  const failing = (error: unknown) => ({
    get: () => {
      throw error;
    },
  });

  it('reveals only the requestId and is logged', async () => {
    const { status, json, logger } = await call(
      getThing,
      { params: { thingId: id } },
      failing(new Error('table x')),
    );
    expect(status).toBe(500);
    expect(json).toMatchObject({ errorType: 'internal_server_error', requestId: `test-${requestUuid}` });
    expect(JSON.stringify(json)).not.toContain('table x');
    // An alarm counts those of the version that is being deployed.
    expect(logger.lines).toMatchObject([{ level: 'error', event: 'request_failed', version: '7' }]);
  });

  it.each([
    ...transientForms,
    ['an operation that remains unfinished', new UnfinishedCallError('left over')] as const,
  ])('is answered 503 with Retry-After if AWS reports: %s', async (_, error) => {
    const { status, headers, json } = await call(getThing, { params: { thingId: id } }, failing(error));
    expect({ status, json }).toMatchObject({ status: 503, json: { errorType: 'service_unavailable' } });
    expect(headers).toMatchObject({ 'retry-after': '1' });
  });

  it.each([
    ['a write keeps conflicting with another', exception('TransactionConflictException')],
    ['other writers are faster each time', new TransactionContention()],
    ['another writer changes the item first', new VersionConflict()],
  ])('is a transient conflict, with Retry-After, if %s', async (_, met) => {
    const { status, headers, json } = await call(getThing, { params: { thingId: id } }, failing(met));
    expect({ status, json }).toMatchObject({
      status: 409,
      json: { errorType: 'transient_transaction_error' },
    });
    expect(headers).toMatchObject({ 'retry-after': '1' });
  });

  it('gets 500 if the response does not match its schema, which the setting "report" only logs', async () => {
    const broken = { get: () => ({ name: 7, secret: 'x' }) };
    const refused = await call(getThing, { params: { thingId: id } }, broken);
    expect(refused.status).toBe(500);
    const reported = await call(
      getThing,
      { params: { thingId: id } },
      { ...broken, responseCheck: 'report' },
    );
    expect(reported.status).toBe(200);
    // Whatever is wrong with it, nothing leaves that no schema names.
    expect(reported).toHaveProperty('json.data', { name: 7 });
    expect(reported.logger.lines).toMatchObject([{ level: 'error', event: 'response_breaks_schema' }]);
  });

  it('is an error response if the first page fails, and incomplete JSON if a later one does', async () => {
    async function* broken(after: number): AsyncGenerator<{ name: string }[]> {
      for (let page = 0; page < after; page += 1) yield [{ name: 'x' }];
      throw new Error('gone');
    }
    expect(await call(listThings, {}, { list: () => broken(0) })).toMatchObject({ status: 500 });

    const { pipeline } = pipelineWith({ list: () => broken(2) });
    const response = await pipeline(apiEvent(listThings, { identity: carrier }), lambdaContext);
    expect(response.status).toBe(200);
    let read = '';
    const reading = (async () => {
      for await (const chunk of response.body as AsyncIterable<string>) read += chunk;
    })();
    await expect(reading).rejects.toThrow('gone');
    expect(() => JSON.parse(read) as unknown).toThrow(SyntaxError);
  });

  it('is a 500 if a list reads an item that breaks its schema, which is logged', async () => {
    const error = new StoredItemError(
      'The things/thing A B does not match its schema at name (invalid_type).',
    );
    const failing = () => {
      throw error;
    };
    const { status, json, logger } = await call(listThings, {}, { list: failing });
    expect(status).toBe(500);
    expect(json).toMatchObject({ errorType: 'internal_server_error' });
    expect(JSON.stringify(json)).not.toContain('things/thing');
    expect(logger.lines).toMatchObject([{ level: 'error', event: 'request_failed', error }]);
  });

  it('is admitted uncounted if the counters cannot be reached', async () => {
    const down: RateLimiter = { take: () => Promise.reject(new ApiError('service_unavailable')) };
    const { status, logger } = await call(pageThings, {}, { rateLimiter: down });
    expect(status).toBe(200);
    expect(logger.lines).toMatchObject([{ level: 'error', event: 'rate_counters_unreachable' }]);
  });
});

describe('the open lists of an organization', () => {
  const onePage = () => pagesOf([{ name: 'one' }]);

  it('count a list from its second page on, and what takes as long, until the response is closed', async () => {
    let open = 0;
    const openLists: OpenLists = async (organizationId) => {
      expect(organizationId).toBe(carrier.organizationId);
      open += 1;
      return async () => {
        open -= 1;
      };
    };
    for (const [route, list, counted] of [
      [listThings, onePage, 0],
      [pageThings, undefined, 0],
      [listThings, undefined, 1],
      [sumThings, undefined, 1],
    ] as const) {
      const { status, close } = await call(route, {}, { openLists, ...(list === undefined ? {} : { list }) });
      expect([status, open]).toEqual([200, counted]);
      await close?.();
      expect(open).toBe(0);
    }
  });

  it('are 429 with the time to wait and without rate headers, where all places are taken', async () => {
    const full: OpenLists = async () => undefined;
    for (const route of [listThings, sumThings]) {
      const { status, headers, json } = await call(route, {}, { openLists: full });
      expect([status, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([429, '5', undefined]);
      expect(json).toMatchObject({ errorType: 'rate_limit_exceeded' });
    }
    expect(await call(listThings, {}, { openLists: full, list: onePage })).toMatchObject({ status: 200 });
  });

  it('are admitted uncounted if the counters cannot be reached', async () => {
    const down: OpenLists = () => Promise.reject(new ApiError('service_unavailable'));
    const { status, logger } = await call(listThings, {}, { openLists: down });
    expect(status).toBe(200);
    expect(logger.lines).toMatchObject([{ level: 'error', event: 'rate_counters_unreachable' }]);
  });
});
