import * as z from 'zod/mini';
import type { AppliedQuery } from '#platform/contract/list-queries.ts';
import { isMultiline, multiline, textFault } from '#platform/contract/primitives.ts';
import { type Route, routeGroup, v1 } from '#platform/contract/route.ts';
import { sinceV2 } from '#platform/contract/v1.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { apiEvent, carrier, lambdaContext } from '../../../support/api-event.ts';
import { testContext } from '../../../support/context.ts';

describe('text', () => {
  const zwnj = '\u200C';
  const zwj = '\u200D';

  test.each([
    ['emoji', '🏢 👩‍💼 👍🏽 🇫🇷'],
    ['an emoji in either of its looks', '❤\uFE0F ❤\uFE0E ™\uFE0E'],
    ['keycaps', '1\uFE0F\u20E3 desk #\uFE0F\u20E3 *\uFE0F\u20E3 0\u20E3 9\uFE0E\u20E3'],
    ['an emoji of several, one with its look', '🏳\uFE0F\u200D🌈 🏴\u200D☠\uFE0F'],
    ['Persian', `علی${zwnj}رضا`],
    ['Persian with a vowel sign', `می\u0650${zwnj}خواهم`],
    ['Urdu', `کمیت${zwnj}و`],
    ['Telugu', `రాజ్${zwnj}కుమార్`],
    ['Kannada', `ರಾಜ್${zwnj}ಕುಮಾರ್`],
    ['Bengali', `রাজ্${zwnj}কুমার র${zwj}্যাচেল`],
    ['Hindi', `राज्${zwnj}कुमार`],
    ['Malayalam', `രാജ്${zwnj}കുമാർ`],
    ['Sinhala', `ශ්${zwj}රී ලංකා`],
    ['Marathi', `गोर्${zwj}हे`],
  ])('a name can have %s', (_, text) => {
    expect(textFault(text, false)).toBeUndefined();
  });

  test.each([
    ['a line separator', 'Ann\u2028Lee'],
    ['a paragraph separator', 'Ann\u2029Lee'],
    ['a look without an emoji', 'a\uFE0E'],
    ['a look of a digit that is no keycap', '1\uFE0F desk'],
    ['text in tags', '\u{1F3F4}\u{E0061}\u{E0062}\u{E0063}\u{E007F}'],
    ['tags of a flag', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}'],
    ['tags without a flag', 'a\u{E0067}\u{E007F}'],
    ['a non-joiner in Latin', `An${zwnj}na`],
    ['a joiner in Latin', `An${zwj}na`],
    ['another look of an ideograph', '葛\u{E0100}'],
  ])('a name cannot have %s', (_, text) => {
    expect(textFault(text, false)).toBe('has invisible characters');
    expect(textFault(text, true)).toBeUndefined();
  });
});

describe('v1', () => {
  const plain = z.object({ name: z.string() });
  const part = z.object({ size: z.int(), color: z.optional(sinceV2(z.string())) });
  const thing = z.object({
    ...plain.shape,
    nickname: sinceV2(z.string()),
    parts: z.nullable(z.array(part)),
  });
  const getThing = {
    method: 'GET',
    path: '/v2/upstream/thing',
    access: { kind: 'upstream', feature: null },
    rate: 'none',
    query: z.object({ nickname: sinceV2(z.optional(z.string())) }),
    answer: { status: 200, one: thing },
  } as const satisfies Route;

  const group = routeGroup('things', { getThing, getThingV1: v1(getThing) });
  const { routes } = group;

  const shared = () => ({ name: 'a thing', nickname: 'new in v2', parts: [{ size: 1, color: 'red' }] });
  const wiring = testContext({ environment: 'test', now: () => new Date('2026-03-01T14:05:09.123Z') });
  const pipeline = createPipeline({ ...wiring, group, operations: { getThing: shared, getThingV1: shared } });

  async function call(route: Route, query = {}, identity: typeof carrier | null = carrier) {
    const event = apiEvent(route, { ...(identity && { identity }), query });
    const { status, headers, body } = await pipeline(event, lambdaContext);
    return { status, headers, ...JSON.parse(String(body)) };
  }

  test('a row of v1 is that of v2 at another path', () => {
    const same = { ...getThing, query: plain, answer: { status: 200, one: plain } } as const;
    expect(v1(same)).toEqual({ ...same, path: '/v1/thing', successor: same.path });
    expect(v1({ ...getThing, path: '/v2/auth/thing' }).path).toBe('/v1/auth/thing');
  });

  test('a field that v2 gained is in the response of v2 alone, though one operation returns it', async () => {
    expect(await call(routes.getThing)).toMatchObject({ status: 200, data: shared() });
    expect((await call(routes.getThingV1)).data).toEqual({ name: 'a thing', parts: [{ size: 1 }] });
  });

  test('a text of several lines that v2 gained may have several lines', () => {
    expect(isMultiline(sinceV2(multiline(z.string())))).toBe(true);
  });

  test('a parameter that v2 gained is refused by v1', async () => {
    const query = { nickname: 'new in v2' };
    expect(await call(routes.getThing, query)).toMatchObject({ status: 200 });
    expect(await call(routes.getThingV1, query)).toMatchObject({
      status: 400,
      details: { issues: [{ path: 'nickname', message: 'is not a parameter' }] },
    });
  });

  test('every response of v1, errors too, says since when it is deprecated and where its successor is', async () => {
    const link = '<https://api.example.com/v2/upstream/thing>; rel="successor-version"';
    const answers = [
      await call(routes.getThingV1),
      await call(routes.getThingV1, { nickname: 'x' }),
      await call(routes.getThingV1, {}, null),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401]);
    // 21 November 2026.
    for (const { headers } of answers) expect(headers).toMatchObject({ deprecation: '@1795219200', link });
    expect((await call(routes.getThing)).headers).not.toHaveProperty('deprecation');
  });

  test('the link to the successor has the ids of the request', async () => {
    const row = v1({ ...getThing, path: '/v2/upstream/things/{thingId}/parts/{partId}' });
    const params = { thingId: '65f0c1d2e3a4b5c6d7e8f901', partId: 'no id>; rel="next"' };
    const { headers } = await createPipeline({
      ...wiring,
      group: { name: 'things', routes: { row } },
      operations: { row: shared },
    })(apiEvent(row, { identity: carrier, params }), lambdaContext);
    expect(headers['link']).toBe(
      `<https://api.example.com/v2/upstream/things/65f0c1d2e3a4b5c6d7e8f901/parts/no%20id%3E%3B%20rel%3D%22next%22>; rel="successor-version"`,
    );
  });
});

test('a list whose row declares a filter that it does not apply does not compile', () => {
  type Filters = { readonly stateCode?: string };
  const list = <Query extends Filters>(query: AppliedQuery<Query, keyof Filters>) => query.stateCode;
  const declaredQuery: Filters & { readonly countyCode?: string } = { stateCode: 'TX' };
  const { countyCode: _, ...applied } = declaredQuery;
  expect(list(applied)).toBe('TX');
  // @ts-expect-error: no list applies `countyCode`.
  expect(list(declaredQuery)).toBe('TX');
});
