import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { isObject } from '../../infra/text.ts';
import { anyText } from '../support/any-text.ts';
import { dataAt, demo, demoBearer, readOnce, servedRequest } from '../support/demo.ts';
import {
  asksAll,
  callerOf,
  credentialFor,
  fill,
  placeOf,
  routes,
  strangers,
  unknownId,
} from '../support/every-route.ts';
import { agent, contact, transaction } from '../support/import-lines.ts';
import { call, importRecords } from '../support/local-api.ts';
import { acceptedValues, parameters } from '../support/route-parameters.ts';

// What takes many requests of a route, for every row of the route tables: a route or a parameter that is added is covered without an
// edit here.

type Said = Readonly<Record<string, unknown>>;

/** What an answer says, but for what the pipeline adds to a page. */
function saidBy({ status, json }: Awaited<ReturnType<typeof call>>): Said {
  const { data, errorMessage } = json;
  if (!isObject(data)) return { status, data, errorMessage };
  const { page: _page, limit: _limit, totalPages: _pages, ...rest } = data;
  return { status, errorMessage, ...rest };
}

/** Whether an answer differs from those before and after it, in what these two have in common: time changes some by itself. */
const isChanged = (before: Said, answer: Said, after: Said): boolean =>
  Object.entries(before).some(
    ([member, said]) => isDeepStrictEqual(said, after[member]) && !isDeepStrictEqual(said, answer[member]),
  );

describe('a parameter changes what is answered', () => {
  beforeAll(async () => {
    // Of these the demo has one each, and a limit would not show.
    const { organizationId } = demo().downstream;
    const [{ _id: entity } = { _id: '' }] = z.parse(
      z.object({ items: z.array(z.object({ _id: z.string() })) }),
      await dataAt('/v2/downstream/entities', await demoBearer('downstream')),
    ).items;
    await importRecords(
      organizationId,
      { type: 'downstream-entity', legalName: 'Zavala Brokerage', npn: '17654399' },
      // The carrier knows him, too.
      { ...agent({ npn: '8640066', lastName: 'Stroud' }), downstreamEntityIds: [entity] },
      // The first of their list, for a test each that deletes one.
      ...['one', 'another'].map((name) =>
        contact(`${name}@aaberg.example`, [{ downstreamEntityId: entity }], {
          firstName: 'Abe',
          lastName: 'Aaberg',
        }),
      ),
    );
    const file = { category: 'E&O', fileName: 'a.pdf', contentType: 'application/pdf', sizeInBytes: 99 };
    const announced = await call('POST', '/v2/downstream/documents', {
      headers: await demoBearer('downstream'),
      body: file,
    });
    expect(announced.status).toBe(201);
    // An appointment that is due.
    const sale = { riskStateCode: 'OK', agencyNpn: '17654321', agentNpn: '8123456', productCode: 'CGL' };
    await importRecords(demo().upstream.organizationId, transaction('GL-2026-900001', sale));
  });

  it.each(parameters.filter(([, , { method }]) => method === 'GET'))('%s of %s', async (name, _, route) => {
    const { owner, ids, query } = await servedRequest(route, readOnce);
    const path = fill(route.path, (id) => ids[id] ?? unknownId);
    const ask = async (more: Readonly<Record<string, string>>) =>
      saidBy(await call(route.method, path, { headers: owner, query: { ...query, ...more } }));
    const accepted = acceptedValues(route, name);
    let before = await ask({});
    expect(before).toMatchObject({ status: 200 });
    // Others change what the demo holds, and an answer that differs by that alone proves nothing: a value has more than one try.
    for (const value of [...accepted, ...accepted, ...accepted]) {
      const answer = await ask({ [name]: value });
      const after = await ask({});
      if (isChanged(before, answer, after)) return;
      before = after;
    }
    throw new Error(`No value of ${name} changes the answer: ${accepted.join(', ')}.`);
  });

  // What is written is not there to be written again: one that names nobody is refused, and the one without it is not.
  it.each(parameters.filter(([, , { method }]) => method !== 'GET'))('%s of %s', async (name, _, route) => {
    const { owner, ids } = await servedRequest(route);
    const path = fill(route.path, (id) => ids[id] ?? unknownId);
    const ask = (query: Readonly<Record<string, string>>) =>
      call(route.method, path, { headers: owner, query });
    expect(await ask({ [name]: unknownId })).toMatchObject({ status: 404 });
    expect(await ask({})).toMatchObject({ status: 200 });
  });
});

describe('with anything at all', () => {
  const numRuns = asksAll ? 3 : 1;
  const { current } = strangers(numRuns);

  const text = anyText(40);
  const jsonText = fc.oneof(fc.json(), text);

  it.each(routes)('%s never answers 5xx and always in one of the two shapes', async (_, route) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(text, fc.constant(unknownId)), { minLength: 4, maxLength: 4 }),
        fc.dictionary(
          fc.oneof(text, fc.constantFrom('page', ...Object.keys(route.query?.shape ?? {}))),
          text,
          {
            maxKeys: 3,
          },
        ),
        jsonText,
        async (segments, query, rawBody) => {
          const path = fill(route.path, () => segmentOf(segments.pop() ?? ''));
          const search = new URLSearchParams(query).toString();
          const { status, json } = await call(route.method, search === '' ? path : `${path}?${search}`, {
            headers: credentialFor(route, callerOf(route, current())),
            ...(route.method === 'GET' ? {} : { rawBody }),
          });
          expect(status).toBeLessThan(500);
          const isDocument = ('document' in route.answer || 'bare' in route.answer) && status === 200;
          if (status < 300 && !isDocument)
            expect(json).toMatchObject({ statusCode: status, requestId: expect.any(String) });
          const isOfStandard = route.standard !== undefined && status !== 429;
          if (status >= 300)
            expect(json).toMatchObject(
              isOfStandard
                ? { error: expect.any(String) }
                : { statusCode: status, errorMessage: [expect.any(String)] },
            );
        },
      ),
      { numRuns, ...(asksAll ? {} : { seed: placeOf(route) }) },
    );
  });
});

/** Segments of dots alone are removed from a path by every client. */
const segmentOf = (text: string): string =>
  /^\.*$/.test(text) ? 'x' : encodeURIComponent(text.toWellFormed());
