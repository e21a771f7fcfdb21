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
// used, since making all of them and their fields would take half of a function's start. Their parsers are compiled, which zod/mini
// leaves out for its 3 KB: records are parsed by the thousand, and it takes half the time.
//
// This stands on internals of zod, as `test/unit/internals-of-packages.test.ts` says when an upgrade breaks one. Schemas that
// zod itself builds when they are first used would replace `later`, and a compiler that zod/mini can be given, `CompiledObject`.

type Shape = core.$ZodLooseShape;

const CompiledObject = $constructor<ZodMiniObject, core.$ZodObjectDef>(
  'CompiledObject',
  (schema, definition) => {
    ZodMiniObject.init(schema, definition);
    $ZodObjectJIT.init(schema, definition);
  },
);

/** A schema that zod makes when it is first used. */
export function later<Schema extends core.$ZodType>(make: () => Schema): Schema {
  const makeOnce = lazily(make);
  const members = new Proxy({}, { get: (_, name) => Reflect.get(makeOnce(), name) });
  // What zod reads of it for each value is read without the proxy.
  return Object.create(members, { _zod: { get: () => makeOnce()._zod } });
}

/** An object that is made with its fields when it is first used. */
const buildObject = (
  shape: () => Shape,
  catchall?: () => core.$ZodType,
  checks: readonly core.$ZodCheck<never>[] = [],
): unknown =>
  later(
    () =>
      new CompiledObject({
        type: 'object',
        shape: shape(),
        checks: [...checks],
        ...(catchall === undefined ? {} : { catchall: catchall() }),
      }),
  );

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
  buildObject(shape) as ReturnType<typeof plainObject<Fields>>;

/** `z.strictObject`, with what `check` would add: that builds the fields. */
export const strictObject = <Fields extends Shape>(
  shape: () => Fields,
  ...checks: readonly core.$ZodCheck<core.output<ReturnType<typeof plainStrictObject<Fields>>>>[]
) => buildObject(shape, never, checks) as ReturnType<typeof plainStrictObject<Fields>>;

/** `z.looseObject`. */
export const looseObject = <Fields extends Shape>(shape: () => Fields) =>
  buildObject(shape, unknown) as ReturnType<typeof plainLooseObject<Fields>>;

/** A resource without some of its fields, as v1 has it. */
export const without = <Fields extends core.$ZodShape, Name extends string & keyof Fields>(
  resource: ZodMiniObject<Fields>,
  ...names: readonly Name[]
): ZodMiniObject<Omit<Fields, Name>> =>
  object(() => {
    const keptFields = Object.entries(resource.shape).filter(
      ([name]) => !names.some((omittedName) => omittedName === name),
    );
    return Object.fromEntries(keptFields) as Omit<Fields, Name>;
  });
