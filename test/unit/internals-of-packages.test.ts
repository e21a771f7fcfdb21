// What the code takes from inside packages, which may change with any version: each test says what to do then.
import * as z from 'zod/mini';
import { Doc } from 'zod/v4/core';
import { later, looseObject, object, strictObject } from '#platform/contract/object.ts';

/** Fails with the sentence if something is no longer so. */
function expectStill(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Error(sentence);
}

const outcomeOf = (work: () => unknown): string => {
  try {
    return JSON.stringify(work());
  } catch (error) {
    return String(error);
  }
};

describe('zod, of which `shared/platform/contract/object.ts` makes objects that are built later', () => {
  const fields = () => ({ a: z.string(), b: z.optional(z.number()) });

  it('compiles their parsers', () => {
    const compile = jest.spyOn(Doc.prototype, 'compile');
    try {
      z.parse(object(fields), { a: '' });
      expectStill(
        compile.mock.calls.length > 0,
        '`$ZodObjectJIT.init` of zod compiles no parser anymore, so records are parsed half as fast: have `built` make `z.object` of ' +
          'zod/mini where that compiles, or else of zod.',
      );
    } finally {
      compile.mockRestore();
    }
  });

  it('reads nothing of them but `_zod` for a value', () => {
    const read = new Set<unknown>();
    const made = new Proxy(z.object(fields()), {
      get: (target, name) => {
        read.add(name);
        return Reflect.get(target, name, target);
      },
    });
    const schema = later(() => made);
    z.parse(schema, { a: '' });
    read.delete('_zod');
    expectStill(
      read.size === 0,
      `For each value, zod reads ${[...read].map(String).join(', ')} of a schema, which goes through the proxy of \`later\`: give the ` +
        'object of `later` these members, too, as it has `_zod`.',
    );
  });

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
      const isSo = [
        (schema: z.ZodMiniType) => z.toJSONSchema(schema),
        ...values.map((value) => (schema: z.ZodMiniType) => z.parse(schema, value)),
      ].every((work) => outcomeOf(() => work(of(own))) === outcomeOf(() => work(of(ours))));
      expectStill(
        isSo,
        `As ${use}, zod no longer takes a schema of \`later\` for one of its own. Have \`object\`, \`strictObject\`, and ` +
          '`looseObject` make theirs at once, by `z.object` and its siblings, and functions start later.',
      );
    }
  });
});
