// What the code takes from inside packages, which may change with any version. If zod no longer takes a schema of `later` for one of
// its own, have `object`, `strictObject`, and `looseObject` make theirs at once, by `z.object` and its siblings.
import * as z from 'zod/mini';
import { looseObject, object, strictObject } from '#platform/contract/object.ts';

const outcomeOf = (work: () => unknown): string => {
  try {
    return JSON.stringify(work());
  } catch (error) {
    return String(error);
  }
};

describe('zod, of which `shared/platform/contract/object.ts` makes objects that are built later', () => {
  const fields = () => ({ a: z.string(), b: z.optional(z.number()) });

  const kinds: Readonly<Record<string, readonly [z.ZodMiniObject, z.ZodMiniObject]>> = {
    object: [z.object(fields()), object(fields)],
    strictObject: [z.strictObject(fields()), strictObject(fields)],
    looseObject: [z.looseObject(fields()), looseObject(fields)],
  };
  it.each(Object.entries(kinds))('treats a later %s as its own', (_kind, [own, ours]) => {
    const uses: Readonly<Record<string, (schema: z.ZodMiniObject) => z.ZodMiniType>> = {
      alone: (schema) => schema,
      'a field': (schema) => z.object({ field: schema }),
      'an optional field': (schema) => z.object({ field: z.optional(schema) }),
      'an element': (schema) => z.array(schema),
      'a member of a union': (schema) => z.union([z.string(), schema]),
      'what another extends': (schema) => z.extend(schema, { c: z.literal(1) }),
      'what others are of': (schema) => z.partial(z.pick(schema, { a: true })),
      'what is refined': (schema) => schema.check(z.refine(({ a }) => a !== 'x')),
    };
    const values = [{ a: 'y' }, { a: 'x' }, { a: 1 }, { a: 'y', c: 1, d: 2 }, {}, null].flatMap((value) => [
      value,
      { field: value },
      [value],
    ]);
    for (const [use, of] of Object.entries(uses)) {
      for (const work of [
        (schema: z.ZodMiniType) => z.toJSONSchema(schema),
        ...values.map((value) => (schema: z.ZodMiniType) => z.parse(schema, value)),
      ]) {
        expect([use, outcomeOf(() => work(of(ours)))]).toEqual([use, outcomeOf(() => work(of(own)))]);
      }
    }
  });
});
