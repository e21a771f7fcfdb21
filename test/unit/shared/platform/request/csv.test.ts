import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { type Route, routeGroup } from '#platform/contract/route.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import { unwrapSchema } from '#platform/request/validation.ts';
import { routeGroups } from '../../../../../infra/function-uses.ts';
import { isObject } from '../../../../../infra/text.ts';
import { apiEvent, carrier, lambdaContext } from '../../../../support/api-event.ts';
import { testContext } from '../../../../support/context.ts';

/** A list of the route tables. */
type List = Route & { readonly answer: { readonly status: 200; readonly all: z.core.$ZodType } };

/** Values of every kind that fields have, and texts that spreadsheets and readers trip over. */
const values = [
  ...[
    '=1+1',
    '+1',
    '-',
    '@SUM(A1)',
    '\tx',
    '\rx',
    'a, "b"; c',
    'a\r\nb',
    "'",
    ' ',
    'Müller 🏢',
    '2026-03-01',
  ],
  ...[
    '65f0c1d2e3a4b5c6d7e8f901',
    '2026-03-01T14:05:09.123Z',
    'https://example.com/',
    'a@example.com',
    '1234',
  ],
  ...[0, -1, 0.5, 3, true, false],
];

/** A value that a schema takes. */
function sampleOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def: outer } = (schema as z.core.$ZodTypes)._zod;
  if (outer.type === 'nullable') return fc.option(sampleOf(outer.innerType));
  if (outer.type === 'optional') return fc.option(sampleOf(outer.innerType), { nil: undefined });
  const { def } = unwrapSchema(schema)._zod;
  if (def.type === 'object') {
    return fc.record(
      Object.fromEntries(Object.entries(def.shape).map(([name, member]) => [name, sampleOf(member)])),
    );
  }
  if (def.type === 'array') {
    const shortest = z.safeParse(schema, []).success ? 0 : 1;
    return fc.array(sampleOf(def.element), { minLength: shortest, maxLength: 3 });
  }
  if (def.type === 'union') return fc.oneof(...def.options.map(sampleOf));
  if (def.type === 'record') return fc.dictionary(fc.constant('key'), sampleOf(def.valueType));
  if (def.type === 'enum') return fc.constantFrom(...Object.values(def.entries));
  if (def.type === 'literal') return fc.constantFrom(...def.values);
  const isTaken = (value: unknown): boolean => z.safeParse(schema, value).success;
  const taken = fc.constantFrom(...values.filter(isTaken));
  return isTaken('=1+1') ? fc.oneof(taken, fc.string().filter(isTaken)) : taken;
}

/** Asks a list of the pages given, as callers do. */
async function ask(list: List, accept: string | undefined, ...pages: unknown[][]) {
  const { query: _, ...route } = list;
  const pipeline = createPipeline({
    ...testContext({ environment: 'test', now: () => new Date('2026-03-01T14:05:09.123Z') }),
    group: routeGroup('lists', { list: route }),
    operations: {
      async *list() {
        yield* pages;
      },
    } as never,
    rateLimiter: { take: () => Promise.resolve({ limit: 9, remaining: 9, reset: 1, isAdmitted: true }) },
    idempotency: {} as never,
  });
  const params = Object.fromEntries(
    Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, '65f0c1d2e3a4b5c6d7e8f901']),
  );
  const event = apiEvent(route, {
    identity: carrier,
    params,
    ...(accept === undefined ? {} : { headers: { Accept: accept } }),
  });
  const { status, headers, body } = await pipeline(event, lambdaContext);
  let text = '';
  for await (const chunk of body) text += chunk;
  return { status, text, type: headers['content-type'] };
}

const lists = routeGroups
  .flatMap(({ routes }) => Object.entries(routes as Readonly<Record<string, Route>>))
  .filter((entry): entry is [string, List] => 'all' in entry[1].answer);
const asTables = lists.filter(([, { method, path }]) => method === 'GET' && path.startsWith('/v2/'));

/** A value as a cell has it, within a list or by itself. */
function textOf(value: unknown, isListed: boolean): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  const defused = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return isListed ? defused.replaceAll('; ', ', ') : defused;
}

/** What the columns of a row have: a text, or one for each member of a list. */
function cellsOf(row: unknown, columns: readonly string[]): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  const visit = (value: unknown, at: readonly string[], index?: number) => {
    const name = at.join('.');
    if (Array.isArray(value) && index === undefined) {
      const within = columns.filter((column) => `${column}.`.startsWith(`${name}.`));
      for (const column of within) found[column] = value.map(() => '');
      for (const [place, member] of value.entries()) visit(member, at, place);
    } else if (columns.includes(name)) {
      const before = found[name];
      if (index === undefined || before === undefined) found[name] = textOf(value, false);
      else found[name] = [before].flat().with(index, textOf(value, true));
    } else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) visit(member, [...at, key], index);
    } else if (value !== null) throw new Error(`No column has ${name}.`);
  };
  visit(row, []);
  return found;
}

describe('A list of v2 as CSV', () => {
  it.each(asTables)('has of %s each value of the JSON in its column, and nothing else', async (_, list) => {
    const { text: empty, type } = await ask(list, 'text/csv');
    expect(type).toBe('text/csv; charset=utf-8');
    const [columns = []] = parse(empty, { recordDelimiter: '\r\n' });
    expect(new Set(columns).size).toBe(columns.length);
    const page = fc.array(sampleOf(list.answer.all), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(page, page, async (...pages) => {
        const { text: json } = await ask(list, 'application/json', ...pages);
        const { data } = JSON.parse(json) as { data: unknown[] };
        const { text } = await ask(list, 'text/csv', ...pages);
        expect(text.slice(0, empty.length)).toBe(empty);
        const rows = parse(text, { recordDelimiter: '\r\n', columns: true }) as Record<string, string>[];
        const expected = data.map((row) => {
          const cells = cellsOf(row, columns);
          const joined = columns.map((name) => [name, [cells[name] ?? ''].flat().join('; ')]);
          return Object.fromEntries(joined);
        });
        expect(rows).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });

  const [, list] = asTables[0] ?? [];
  if (list === undefined) throw new Error('There is no list.');
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html, application/xml;q=0.9, */*;q=0.8', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/json, text/csv', 'application/json'],
    ['text/csv, application/json', 'application/json'],
    ['text/csv;q=0.5, */*', 'application/json'],
    ['text/csv;q=0, application/json;q=0', 'application/json'],
    ['image/png', 'application/json'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['Text/CSV; charset=utf-8', 'text/csv; charset=utf-8'],
    ['text/csv, */*', 'text/csv; charset=utf-8'],
    ['text/csv, application/json; q=0.9', 'text/csv; charset=utf-8'],
    ['text/*', 'text/csv; charset=utf-8'],
  ])('is the answer to `accept: %s`: %s', async (accept, type) => {
    expect(await ask(list, accept)).toMatchObject({ status: 200, type });
  });

  const others = lists.filter(([id]) => !asTables.some(([table]) => table === id));
  it.each(others)('is no answer of %s', async (_, other) => {
    expect(await ask({ ...other, method: 'GET' }, 'text/csv')).toMatchObject({ type: 'application/json' });
  });

  it('is no form of an error', async () => {
    const { type, text } = await ask(list, 'text/csv', [{ nothing: 'that fits' }]);
    expect(type).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({ errorType: 'internal_server_error' });
  });
});
