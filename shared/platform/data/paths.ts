// Paths to values within JSON: `linesOfAuthority[0].code`, as refusals name them, or `linesOfAuthority.0.code`.

/** The names and indexes of a path. */
export const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter((step) => step !== '');

/** The value at a path; undefined where there is none. */
export const valueAt = (within: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (Object.hasOwn(Object(value), step) ? Reflect.get(Object(value), step) : undefined),
    within,
  );

/** A value with another one at a path; objects on the way that are not there are made. */
export function withValue(within: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(within)) {
    return within.map((one, index) => (String(index) === step ? withValue(one, rest, value) : one));
  }
  const members = typeof within === 'object' && within !== null ? { ...within } : {};
  return { ...members, [step]: withValue(valueAt(members, [step]), rest, value) };
}
