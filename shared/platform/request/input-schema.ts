import type * as z from 'zod/mini';

/** Whether a schema only changes a value, for the schema after it to check. */
export const isTransform = (schema: z.core.$ZodType): boolean =>
  (schema as z.core.$ZodTypes)._zod.def.type === 'transform';

/**
 * A schema without what only wraps it: `z.optional`, `z.nullable`, defaults, and what is done with a value before and
 * afterwards.
 */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodTypes {
  let inner = schema as z.core.$ZodTypes;
  for (;;) {
    const { def } = inner._zod;
    if ('innerType' in def) inner = def.innerType as z.core.$ZodTypes;
    else if (def.type === 'pipe') inner = (isTransform(def.in) ? def.out : def.in) as z.core.$ZodTypes;
    else return inner;
  }
}

/** The fields of the object that a schema has at a path of an input; undefined if it names none there. */
export function fieldsAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
): readonly string[] | undefined {
  const { def } = unwrapped(schema)._zod;
  const [first, ...rest] = path;
  if (first === undefined) return def.type === 'object' ? Object.keys(def.shape) : undefined;
  const member = def.type === 'array' ? def.element : def.type === 'object' && def.shape[String(first)];
  return member ? fieldsAt(member, rest) : undefined;
}

/**
 * The paths of everything that a schema names, in the form of issues, with `[]` for any index: `associations[].isPrimary`.
 */
export function pathsOf(schema: z.core.$ZodType, at = '', paths = new Set<string>()): Set<string> {
  const { def } = unwrapped(schema)._zod;
  paths.add(at);
  if (def.type === 'object') {
    for (const [key, member] of Object.entries(def.shape)) {
      pathsOf(member, at === '' ? key : `${at}.${key}`, paths);
    }
  } else if (def.type === 'array') pathsOf(def.element, `${at}[]`, paths);
  else if (def.type === 'union') for (const option of def.options) pathsOf(option, at, paths);
  return paths;
}

/** A value that need not match a schema, without the members of objects that the schema does not name. */
export function namedMembers(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = unwrapped(schema)._zod;
  if (typeof value !== 'object' || value === null || def.type === 'unknown') return value;
  if (Array.isArray(value)) {
    return def.type === 'array' ? value.map((element) => namedMembers(def.element, element)) : [];
  }
  if (def.type === 'union') {
    return Object.assign({}, ...def.options.map((option) => namedMembers(option, value)));
  }
  const members = Object.entries(value);
  if (def.type === 'record') {
    return Object.fromEntries(members.map(([key, member]) => [key, namedMembers(def.valueType, member)]));
  }
  if (def.type !== 'object') return {};
  return Object.fromEntries(
    members.flatMap(([key, member]) => {
      const named = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
      return named === undefined ? [] : [[key, namedMembers(named, member)]];
    }),
  );
}
