import { readdir } from 'node:fs/promises';
import * as z from 'zod/mini';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { compatibleSchemas } from '../../shared/platform/contract/compatible.ts';

/** Every number of a schema, by its path. */
function numbersIn(
  value: unknown,
  path: string,
  seen = new Set<unknown>(),
): (readonly [string, z.core.$ZodType])[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  if (value instanceof z.core.$ZodType) {
    const { def } = (value as z.core.$ZodTypes)._zod;
    if (def.type === 'number') return [[path, value]];
    seen.add(value);
    const members = def.type === 'object' ? def.shape : def;
    return Object.entries(members).flatMap(([name, member]) => numbersIn(member, `${path}.${name}`, seen));
  }
  if (value.constructor !== Object && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => numbersIn(member, `${path}.${name}`, seen));
}

it('no stored number is one that DynamoDB or JavaScript does not keep', async () => {
  const functions = await readdir('functions');
  await Promise.all(functions.map((name) => import(`../../functions/${name}/function.ts`)));
  const numbers = [...compatibleSchemas, ...Object.entries(recordSchemas)].flatMap(([name, schema]) =>
    numbersIn(schema, name),
  );
  const paths = numbers.map(([path]) => path);
  for (const path of ['premiumAmountInUSD', 'grossPremium', 'matchConfidence', 'lengthOfOrderInDays']) {
    expect(paths.join(' ')).toContain(path);
  }
  const taken = numbers.flatMap(([path, schema]) =>
    [1e308, -1e308, 2 ** 53, 1e-200, -1e-200].flatMap((value) =>
      z.safeParse(schema, value).success ? [`${path} ${value}`] : [],
    ),
  );
  expect(taken).toEqual([]);
});
