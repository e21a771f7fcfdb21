import { type core, ZodMiniObject } from 'zod/mini';
import { $constructor, $ZodObjectJIT } from 'zod/v4/core';
import { definitionOf } from './lazy-object.ts';

/** zod/mini's object with the compiled parser of the regular zod, which mini leaves out for its 3 KB. */
const CompiledObject = $constructor<ZodMiniObject, core.$ZodObjectDef>(
  'CompiledObject',
  (schema, definition) => {
    $ZodObjectJIT.init(schema, definition);
    ZodMiniObject.init(schema, definition);
  },
);

/**
 * `lazyObject` for records that are parsed by the thousand: its parser is compiled on first use and takes half
 * the time.
 */
export const compiledObject = <Shape extends core.$ZodLooseShape>(shape: () => Shape): ZodMiniObject<Shape> =>
  new CompiledObject(definitionOf(shape)) as ZodMiniObject<Shape>;

/** A resource without some of its fields, as v1 has it. */
export const without = <Shape extends core.$ZodShape, Name extends string & keyof Shape>(
  resource: ZodMiniObject<Shape>,
  ...names: readonly Name[]
): ZodMiniObject<Omit<Shape, Name>> =>
  compiledObject(() => {
    const kept = Object.entries(resource.shape).filter(([name]) => !names.some((left) => left === name));
    return Object.fromEntries(kept) as Omit<Shape, Name>;
  });
