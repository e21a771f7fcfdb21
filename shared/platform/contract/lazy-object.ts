import {
  type core,
  type looseObject,
  never,
  type object,
  type strictObject,
  unknown,
  ZodMiniObject,
} from 'zod/mini';
import { lazily } from './lazily.ts';

// A function has the schemas of all its routes, and a request needs those of one: the fields of these objects are built when a
// value is first parsed. `test/infra/start.test.ts` counts what is built before.

type Shape = core.$ZodLooseShape;

/** What zod makes an object of; it reads the shape no sooner than it parses a value. */
export function definitionOf(
  shape: () => Shape,
  catchall?: core.$ZodType,
  checks: readonly core.$ZodCheck<never>[] = [],
): core.$ZodObjectDef {
  const built = lazily(shape);
  return {
    type: 'object',
    get shape() {
      return built();
    },
    checks: [...checks],
    ...(catchall === undefined ? {} : { catchall }),
  };
}

/** `z.object` whose fields are built at first use. */
export const lazyObject = <Fields extends Shape>(shape: () => Fields) =>
  new ZodMiniObject(definitionOf(shape)) as ReturnType<typeof object<Fields>>;

/** `z.strictObject` whose fields are built at first use, with what `check` would add: that builds them. */
export const lazyStrictObject = <Fields extends Shape>(
  shape: () => Fields,
  ...checks: readonly core.$ZodCheck<core.output<ReturnType<typeof strictObject<Fields>>>>[]
) => new ZodMiniObject(definitionOf(shape, never(), checks)) as ReturnType<typeof strictObject<Fields>>;

/** `z.looseObject` whose fields are built at first use. */
export const lazyLooseObject = <Fields extends Shape>(shape: () => Fields) =>
  new ZodMiniObject(definitionOf(shape, unknown())) as ReturnType<typeof looseObject<Fields>>;
