import * as z from 'zod/mini';
import { object, without } from '../../../../../shared/platform/contract/object.ts';
import { type Route, routeGroup } from '../../../../../shared/platform/contract/route.ts';
import { v1 } from '../../../../../shared/platform/contract/v1.ts';
import { createPipeline } from '../../../../../shared/platform/request/pipeline.ts';
import { apiEvent, carrier, lambdaContext } from '../../../../support/api-event.ts';
import { recordingLogger } from '../../../../support/recording-logger.ts';

const thing = object(() => ({ name: z.string(), nickname: z.string() }));
const getThing = {
  method: 'GET',
  path: '/v2/upstream/thing',
  access: { kind: 'upstream', feature: null },
  rate: 'none',
  query: z.object({ nickname: z.optional(z.string()) }),
  answer: { status: 200, one: thing },
} as const satisfies Route;

const group = routeGroup('things', {
  getThing,
  getThingV1: v1(getThing, {
    query: z.object({}),
    answer: { status: 200, one: without(thing, 'nickname') },
  }),
});
const { routes } = group;

const shared = () => ({ name: 'a thing', nickname: 'new in v2' });
const pipeline = createPipeline({
  environment: 'test',
  responseCheck: 'refuse',
  logger: recordingLogger(),
  now: () => new Date('2026-03-01T14:05:09.123Z'),
  group,
  operations: { getThing: shared, getThingV1: shared },
  deps: {},
});

async function call(route: Route, query = {}) {
  const { status, body } = await pipeline(apiEvent(route, { identity: carrier, query }), lambdaContext);
  return { status, ...JSON.parse(String(body)) };
}

test('a row of v1 is that of v2 at another path', () => {
  expect(v1(getThing)).toEqual({ ...getThing, path: '/v1/thing' });
  expect(v1({ ...getThing, path: '/v2/auth/thing' }).path).toBe('/v1/auth/thing');
});

test('a field that v2 gained is in the response of v2 alone, though one operation returns it', async () => {
  expect(await call(routes.getThing)).toMatchObject({ status: 200, data: shared() });
  expect((await call(routes.getThingV1)).data).toEqual({ name: 'a thing' });
});

test('a parameter that v2 gained is refused by v1', async () => {
  const query = { nickname: 'new in v2' };
  expect(await call(routes.getThing, query)).toMatchObject({ status: 200 });
  expect(await call(routes.getThingV1, query)).toMatchObject({
    status: 400,
    details: { issues: [{ path: 'nickname', message: 'is not a parameter' }] },
  });
});
