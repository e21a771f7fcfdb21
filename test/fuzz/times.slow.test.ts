import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { tables as designs, tablesOf } from '#domain/tables.ts';
import { object } from '#platform/contract/object.ts';
import type { Route } from '#platform/contract/route.ts';
import { importFunction } from '../../functions/import/function.ts';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import { sampleLines } from '../../infra/samples.ts';
import { everyItem } from '../support/every-item.ts';
import { importedBy } from '../support/imports.ts';
import { bodyOf, document, operationOf } from '../support/openapi.ts';
import { storedTexts } from '../support/stored-texts.ts';
import { dynamo } from '../support/tables.ts';
import { createKnownIds } from './known-ids.ts';
import { serveApi } from './served-api.ts';
import { anyDay, anyInstant, days, edges, isTaken, timeFieldsOf, withText } from './times.ts';
import { validFor } from './values.ts';

// What takes a time, found in the route tables and in the schemas of records: a field that is added is covered without an edit here.

/** Five seconds for each request, so that none is limited. */
let clock = Date.parse('2026-03-01T12:00:00.000Z');
const now = () => new Date(clock);
const failures: string[] = [];
const ids = createKnownIds();
let api: Awaited<ReturnType<typeof serveApi>>;
let credentials: Awaited<ReturnType<typeof api.credentials>>;

const routes: (readonly [operationId: string, route: Route])[] = routeGroups.flatMap((group) =>
  Object.entries(group.routes),
);

async function send(route: Route, query: Readonly<Record<string, string>>, body?: unknown) {
  clock += 5_000;
  const search = new URLSearchParams(query).toString();
  const { status, text } = await api.send({
    method: route.method,
    path: ids.fill(`${route.path.replaceAll('}', ':0}')}${search === '' ? '' : `?${search}`}`),
    headers: {
      'content-type': 'application/json',
      ...(route.path.includes('/downstream/') ? credentials.agency : credentials.carrier),
    },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  });
  if (status < 300) ids.learn(route.path, text);
  if (status >= 500) throw new Error(`${route.method} ${route.path} ${search}: ${text} ${failures.at(-1)}`);
  return { status, json: JSON.parse(text) as Readonly<Record<string, unknown>> };
}

/** Reads every list without a query, and learns the ids in it. */
async function readLists(): Promise<void> {
  credentials = await api.credentials();
  for (const [, route] of routes) {
    if (route.method === 'GET' && route.access !== 'public') await send(route, {});
  }
}

beforeAll(async () => {
  api = await serveApi({
    now,
    connections: 1,
    onLog: (line) => void (line.includes('"request_failed"') && failures.push(line)),
    onFault: (fault) => void failures.push(fault),
  });
  credentials = await api.credentials();
  const createWebhook = routes.find(([name]) => name === 'createWebhook')?.[1];
  if (createWebhook === undefined) throw new Error('There is no operation of that name.');
  const created = await send(
    createWebhook,
    {},
    { url: 'https://example.com/hook', types: ['AGENT_CREATED'] },
  );
  expect(created.status).toBe(201);
  await readLists();
}, 300_000);
afterAll(() => api.close());

const refusal = { message: 'must be in the years 1000 to 9999, in UTC' };

const inputs = routes.flatMap(([operationId, route]) =>
  (['query', 'body'] as const).flatMap((part) => {
    const schema = part === 'query' ? object(() => ({ ...route.query?.shape })) : route.body;
    if (schema === undefined) return [];
    return timeFieldsOf(schema).map(({ path, takes }) => ({ operationId, route, part, path, takes }));
  }),
);

/** The parameters without which a route answers 400. */
const requiredOf = (route: Route): Record<string, string> =>
  Object.fromEntries(
    Object.entries(route.query?.shape ?? {}).flatMap(([name, schema]) => {
      if (z.safeParse(schema, undefined).success) return [];
      return fc
        .sample(validFor(schema, name), { seed: 1, numRuns: 1 })
        .map((value) => [name, ids.fill(String(value))]);
    }),
  );

it('finds the inputs that take a time', () => {
  expect(inputs.map(({ operationId, path, takes }) => `${operationId} ${path} ${takes}`)).toEqual(
    expect.arrayContaining([
      'listPolicies updatedSince datetime',
      'listWebhookDeliveries since datetime',
      'replayWebhook until datetime',
      'checkSales checks[].date date',
    ]),
  );
});

it.each(inputs)(
  '$operationId, given any $takes as $path, answers no 5xx, and 400 to a time that leaves the calendar',
  async ({ operationId, route, part, path, takes }) => {
    credentials = await api.credentials();
    const example = bodyOf(operationOf(document, operationId))?.example;
    const query = requiredOf(route);
    await fc.assert(
      fc.asyncProperty(takes === 'date' ? anyDay : anyInstant, async (text) => {
        const { status, json } =
          part === 'query'
            ? await send(route, { ...query, [path]: text })
            : await send(route, query, withText(example, path, text) ?? { ...Object(example), [path]: text });
        expect([200, 202, 400]).toContain(status);
        const issues = JSON.stringify(json['details'] ?? {});
        if (takes === 'datetime' && !isTaken(text)) {
          expect(status).toBe(400);
          expect(json).toMatchObject({
            details: { issues: [{ path: path.replaceAll('[]', '[0]'), ...refusal }] },
          });
        } else expect(issues).not.toContain(refusal.message);
      }),
      // The last of either end and the first beyond it, and any; imports take all, and cost less.
      {
        numRuns: 5,
        examples: (takes === 'date' ? days : edges).slice(0, 4).map((text) => [text] as [string]),
      },
    );
  },
);

const named = z.looseObject({ type: z.string() });

/** The samples, and what no sample has. */
const samples = (['downstream', 'upstream'] as const).flatMap((kind) =>
  sampleLines(kind).map((line) => {
    const record = z.parse(named, JSON.parse(line));
    if (record.type !== 'policy-transaction') return { kind, record };
    const agent = { agentId: '65f0c1d2e3a4b5c6d7e8f901', matchSource: 'npn', matchConfidence: 1 };
    return { kind, record: { ...record, matchedAgents: [{ ...agent, matchedAt: '2026-02-01' }] } };
  }),
);

/** A sample of a type with a text in a field, which it may lack itself but not what it is in. */
function sampleWith(type: string, path: string, text: string) {
  const parent = path.replace(/\.?[^.]+$/, '');
  for (const { kind, record } of samples) {
    if (record.type !== type) continue;
    const line = withText(record, path, text) ?? (parent === '' ? { ...record, [path]: text } : undefined);
    if (line !== undefined) return { kind, line };
  }
  throw new Error(`No sample of ${type} has ${path}.`);
}

const fields = Object.entries(recordSchemas).flatMap(([type, schema]) =>
  timeFieldsOf(schema).map(({ path, takes }) => ({ type, path, takes })),
);

/** The issues of lines with these texts that an import rejects. */
async function importTexts(type: string, path: string, texts: readonly string[]) {
  const importRecords = importFunction.compose({
    tables: tablesOf(dynamo, api.tables),
    sendMoves: () => Promise.resolve(),
    context: api.context,
  });
  const lines = texts.map((text) => sampleWith(type, path, text));
  const owner = lines[0]?.kind === 'upstream' ? api.owners.carrier : api.owners.agency;
  const { rejected } = importedBy(
    await importRecords({
      organizationId: owner,
      firstLine: 1,
      lines: lines.map(({ line }) => JSON.stringify(line)),
      emitEvents: true,
    }),
  );
  return new Map(rejected.map(({ line, issues }) => [texts[line - 1], issues]));
}

it.each(fields)(
  'an import takes any $takes as the $path of a $type, and refuses a time that leaves the calendar',
  async ({ type, path, takes }) => {
    const good = takes === 'date' ? '2026-02-01' : '2026-02-01T08:00:00-05:00';
    expect(await importTexts(type, path, [good])).toEqual(new Map());
    const written = path.replaceAll('.', '\\.').replaceAll('[]', '\\[\\d+\\]');
    const pattern = expect.stringMatching(new RegExp(`^${written}$`));
    await fc.assert(
      fc.asyncProperty(fc.array(takes === 'date' ? anyDay : anyInstant, { maxLength: 10 }), async (some) => {
        const texts = [...new Set([...some, ...(takes === 'date' ? days : edges)])];
        const rejected = await importTexts(type, path, texts);
        const refused = texts.filter((text) => takes === 'datetime' && !isTaken(text));
        for (const text of texts.filter((one) => !refused.includes(one))) {
          expect(JSON.stringify(rejected.get(text) ?? [])).not.toContain(refusal.message);
        }
        for (const text of refused) {
          // One issue for each line of authority that has it.
          const [first, ...others] = rejected.get(text) ?? [];
          expect([first, ...others]).toEqual(
            [first, ...others].map(() => ({ path: pattern, value: text, ...refusal })),
          );
        }
      }),
      { numRuns: 1 },
    );
  },
);

it('leaves every list readable, and no time outside the calendar in any table', async () => {
  await readLists();
  const outside: string[] = [];
  for (const name of Object.keys(designs) as (keyof typeof designs)[]) {
    for (const text of (await everyItem(dynamo, api.tables[name])).flatMap(storedTexts)) {
      const found = text.matchAll(
        /(?<!\d)(?:[+-]\d{6}|\d{4})-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)?/g,
      );
      outside.push(...Array.from(found, ([time]) => time).filter((time) => !isTaken(time)));
    }
  }
  expect(outside).toEqual([]);
});
