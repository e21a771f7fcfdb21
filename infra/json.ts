/** Whether a JSON value is an object, which an array is not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object within a JSON value, itself included. */
export function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (isObject(value)) yield value;
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) yield* objectsIn(child);
  }
}
