import * as z from 'zod/mini';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { routeGroups } from '../../infra/function-uses.ts';

type Leaf = readonly [path: string, schema: z.core.$ZodType];

/** Fields of an input that take a date-time. */
function* timesIn(schema: z.core.$ZodType, path: string): Generator<Leaf> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'string') {
    if ((def as { readonly format?: string }).format === 'datetime') yield [path, schema];
  } else if ('innerType' in def) yield* timesIn(def.innerType, path);
  else if (def.type === 'pipe') {
    yield* timesIn(def.in, path);
    yield* timesIn(def.out, path);
  } else if (def.type === 'array') yield* timesIn(def.element, `${path}[]`);
  else if (def.type === 'record') yield* timesIn(def.valueType, `${path}.*`);
  else if (def.type === 'union') for (const option of def.options) yield* timesIn(option, path);
  else if (def.type === 'object')
    for (const [key, member] of Object.entries(def.shape)) yield* timesIn(member, `${path}.${key}`);
}

const inputs = [
  ...routeGroups.flatMap(({ routes }) =>
    Object.entries(routes).flatMap(([name, { query, body }]) => [
      ...Object.entries(query?.shape ?? {}).flatMap(([key, schema]) => [
        ...timesIn(schema, `${name} ${key}`),
      ]),
      ...(body === undefined ? [] : timesIn(body, name)),
    ]),
  ),
  ...Object.entries(recordSchemas).flatMap(([type, schema]) => [...timesIn(schema, type)]),
];

it.each(inputs)('%s takes any time of the calendar, and none outside it', (_, schema) => {
  const takes = (text: string) => z.safeParse(schema, text).success;
  expect(inputs.length).toBeGreaterThan(20);
  for (const text of ['1000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-01T08:00:00-05:00'])
    expect([text, takes(text)]).toEqual([text, true]);
  for (const text of ['9999-12-31T23:59:59-00:01', '1000-01-01T00:00:00+00:01', '0000-01-01T00:00:00.000Z'])
    expect([text, takes(text)]).toEqual([text, false]);
});
