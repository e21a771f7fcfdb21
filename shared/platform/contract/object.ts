import {
  type core,
  never,
  type looseObject as plainLooseObject,
  type object as plainObject,
  type strictObject as plainStrictObject,
  unknown,
  ZodMiniObject,
} from 'zod/mini';
import { $constructor, $ZodObjectJIT } from 'zod/v4/core';
import { lazily } from './lazily.ts';

// A function has the schemas of all its routes, and a request needs those of one: zod makes these objects when they are first
// used, and their fields, since making all of them would take half of a function's start. Their parsers are compiled when a value
// is first parsed, which zod/mini leaves out for its 3 KB: records are parsed by the thousand, and it takes half the time.

type Shape = core.$ZodLooseShape;

const CompiledObject = $constructor<ZodMiniObject, core.$ZodObjectDef>(
  'CompiledObject',
  (schema, definition) => {
    ZodMiniObject.init(schema, definition);
    const { parse } = schema._zod;
    const compiled = lazily(() => {
      schema._zod.parse = parse;
      $ZodObjectJIT.init(schema, definition);
      return schema._zod.parse;
    });
    schema._zod.parse = (payload, context) => compiled()(payload, context);
  },
);

/** What of an object is read from outside, by zod too. It is made then, and its fields no sooner than they are read. */
function built(
  shape: () => Shape,
  catchall?: () => core.$ZodType,
  checks: readonly core.$ZodCheck<never>[] = [],
): unknown {
  const build = lazily(shape);
  const made = lazily(
    () =>
      new CompiledObject({
        type: 'object',
        get shape() {
          return build();
        },
        checks: [...checks],
        ...(catchall === undefined ? {} : { catchall: catchall() }),
      }),
  );
  return {
    get _zod() {
      return made()._zod;
    },
    get shape() {
      return build();
    },
  };
}

/** Fields that several objects share, and those of a query string. */
export const fields = <Fields extends Shape>(shape: () => Fields): { readonly shape: Fields } => {
  const build = lazily(shape);
  return {
    get shape() {
      return build();
    },
  };
};

/** `z.object`. */
export const object = <Fields extends Shape>(shape: () => Fields) =>
  built(shape) as ReturnType<typeof plainObject<Fields>>;

/** `z.strictObject`, with what `check` would add: that builds the fields. */
export const strictObject = <Fields extends Shape>(
  shape: () => Fields,
  ...checks: readonly core.$ZodCheck<core.output<ReturnType<typeof plainStrictObject<Fields>>>>[]
) => built(shape, never, checks) as ReturnType<typeof plainStrictObject<Fields>>;

/** `z.looseObject`. */
export const looseObject = <Fields extends Shape>(shape: () => Fields) =>
  built(shape, unknown) as ReturnType<typeof plainLooseObject<Fields>>;

/** A resource without some of its fields, as v1 has it. */
export const without = <Fields extends core.$ZodShape, Name extends string & keyof Fields>(
  resource: ZodMiniObject<Fields>,
  ...names: readonly Name[]
): ZodMiniObject<Omit<Fields, Name>> =>
  object(() => {
    const kept = Object.entries(resource.shape).filter(([name]) => !names.some((left) => left === name));
    return Object.fromEntries(kept) as Omit<Fields, Name>;
  });
