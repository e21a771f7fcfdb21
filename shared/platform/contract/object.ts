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
