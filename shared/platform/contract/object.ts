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

// A function has the schemas of all its routes, and a request needs those of one: the fields of these objects are built when a
// value is first parsed, since building all of them would take half of a function's start. Their parsers are compiled on first
// use, which zod/mini leaves out for its 3 KB: records are parsed by the thousand, and it takes half the time.

type Shape = core.$ZodLooseShape;

const CompiledObject = $constructor<ZodMiniObject, core.$ZodObjectDef>(
  'CompiledObject',
  (schema, definition) => {
    $ZodObjectJIT.init(schema, definition);
    ZodMiniObject.init(schema, definition);
  },
);

/** A schema whose members zod makes when one is first asked for: making them all at once takes some 4 % of a start. */
class DeferredObject {
  readonly #made: () => ZodMiniObject;

  constructor(make: () => ZodMiniObject) {
    this.#made = lazily(make);
  }

  get _zod(): ZodMiniObject['_zod'] {
    const { _zod: value } = this.#made();
    // What is read at every parse is a plain member from now on.
    Object.defineProperty(this, '_zod', { value });
    return value;
  }

  get shape(): Shape {
    return this.#made().shape;
  }

  get check(): ZodMiniObject['check'] {
    return this.#made().check;
  }
}

/** What zod makes an object of. */
const built = (
  shape: () => Shape,
  catchall?: () => core.$ZodType,
  checks: readonly core.$ZodCheck<never>[] = [],
): unknown =>
  new DeferredObject(
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
